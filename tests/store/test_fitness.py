"""Settings under which an accepted action can be lost are refused at the start, by name."""

from __future__ import annotations

import time
import warnings
from pathlib import Path

import psycopg
import pytest
from eventsourcing.utils import Environment

from service.store import postgres, sqlite
from service.store.databases import migrate
from service.store.fitness import UnfitDatabase, refuse_dangers
from tests.conftest import settings_in
from tests.servers import empty_schema, started_postgresql
from tests.store.streams import open_log

RELOAD_S = 0.5


def test_every_danger_is_named() -> None:
    with pytest.raises(UnfitDatabase, match=r"fsync=off: .*; full_page_writes=off: "):
        refuse_dangers({"fsync": "off", "full_page_writes": "off", "synchronous_commit": "on"})
    refuse_dangers({"fsync": "on", "synchronous_commit": "remote_apply", "synchronous": "extra"})


@pytest.mark.parametrize("level", ["OFF", "NORMAL"])
def test_sqlite_must_write_through(tmp_path: Path, level: str) -> None:
    url = settings_in(tmp_path).database_url
    with pytest.raises(UnfitDatabase, match=f"synchronous={level.lower()}"):
        sqlite.Factory(url, Environment("kifu", {"SQLITE_SYNCHRONOUS": level}))
    sqlite.Factory(url, Environment("kifu", {"SQLITE_SYNCHRONOUS": "EXTRA"})).close()


def test_a_commit_on_postgresql_must_wait_for_the_disk() -> None:
    with empty_schema() as url:
        migrate(url)
        with pytest.raises(UnfitDatabase, match="synchronous_commit=off"):
            open_log(f"{url}%20-csynchronous_commit%3Doff")


@pytest.fixture(scope="module")
def own_server() -> str:
    """The address of a server that a test may set up as it likes."""
    return started_postgresql()


def test_a_database_that_does_not_hold_every_name_is_refused(own_server: str) -> None:
    with psycopg.connect(own_server, autocommit=True) as connection:
        connection.execute("CREATE DATABASE narrow ENCODING 'SQL_ASCII' TEMPLATE template0")
    with pytest.raises(UnfitDatabase, match="SQL_ASCII"):
        migrate(own_server.replace("/postgres?", "/narrow?"))


def test_a_server_that_does_not_write_through_is_refused(own_server: str) -> None:
    url = own_server
    migrate(url)
    open_log(url).close()
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("ALTER SYSTEM SET fsync = off")
        connection.execute("ALTER SYSTEM SET full_page_writes = off")
        connection.execute("SELECT pg_reload_conf()")
    time.sleep(RELOAD_S)
    with pytest.raises(UnfitDatabase, match=r"(?=.*fsync=off)(?=.*full_page_writes=off)"):
        open_log(url)


def test_appends_without_the_lock_are_refused() -> None:
    with empty_schema() as url:
        migrate(url)
        environment = Environment("kifu", {"POSTGRES_ENABLE_DB_FUNCTIONS": "y"})
        with pytest.raises(UnfitDatabase, match="POSTGRES_ENABLE_DB_FUNCTIONS"):
            postgres.Factory(url, environment)


def test_the_slow_driver_is_warned_of() -> None:
    with pytest.warns(UserWarning, match=r"psycopg\[binary\]"):
        postgres.warn_if_slow("python")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        postgres.warn_if_slow("binary")
