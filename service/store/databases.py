"""The two databases by their address: `sqlite:///file`, `postgresql://user@host/name`."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from eventsourcing.persistence import InfrastructureFactory
from eventsourcing.utils import Environment

from service.store.fitness import UnfitDatabase


def factory_of(url: str, env: Environment) -> InfrastructureFactory[Any]:
    """Open a database; raises `UnfitDatabase`. env: further settings of the library."""
    factory: InfrastructureFactory[Any] = _module_of(url).Factory(url, env)
    return factory


def migrate(url: str) -> int:
    """Carry out the steps that a database is missing, also beside others who do; return how many.

    Raises `UnfitDatabase` for one that is newer than this program.
    """
    count: int = _module_of(url).migrate(url)
    return count


def _module_of(url: str) -> ModuleType:
    """Import only the database that is used: psycopg comes with the extra `postgres`."""
    scheme = url.partition("://")[0]
    if scheme == "sqlite":
        from service.store import sqlite

        return sqlite
    if scheme not in ("postgresql", "postgres"):
        raise UnfitDatabase("the address of the database is no sqlite:/// and no postgresql://")
    try:
        from service.store import postgres
    except ModuleNotFoundError as fault:
        raise UnfitDatabase("PostgreSQL needs `pip install 'kifu[postgres]'`") from fault
    return postgres
