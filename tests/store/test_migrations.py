"""Tables come from numbered steps, once, and never from a service that merely starts."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from projections.tables import Database
from service.store.databases import migrate
from service.store.fitness import UnfitDatabase
from service.store.migrations import STEPS
from tests.servers import empty_schema
from tests.store.streams import open_log

DATABASES = ("sqlite", "postgresql")

PROCESSES = 4
MIGRATE = """
import sys
from service.store.databases import migrate
sys.stdin.readline()
print(migrate(sys.argv[1]))
"""
NEWER = {"sqlite": "PRAGMA user_version=99", "postgresql": "INSERT INTO migrations VALUES (99)"}


def kind_of(url: str) -> str:
    return url.partition("://")[0]


def test_processes_that_migrate_at_once_do_it_once(empty_database_url: str) -> None:
    arguments = [sys.executable, "-c", MIGRATE, empty_database_url]
    pipe = subprocess.PIPE
    started = [
        subprocess.Popen(arguments, stdin=pipe, stdout=pipe, text=True) for _ in range(PROCESSES)
    ]
    with ThreadPoolExecutor(PROCESSES) as threads:
        answers = list(threads.map(lambda process: process.communicate("\n")[0], started))
    assert sorted(map(int, answers)) == [0] * (PROCESSES - 1) + [len(STEPS)]
    log = open_log(empty_database_url)
    assert len(log.installation()) == 32
    assert log.page(0) == []
    log.close()


def test_migrating_again_changes_nothing(database_url: str) -> None:
    log = open_log(database_url)
    before = log.installation()
    assert migrate(database_url) == 0
    assert log.installation() == before
    log.close()


def test_a_newer_database_is_refused(database_url: str) -> None:
    database = Database(database_url)
    with database.transaction() as tables:
        tables.execute(NEWER[kind_of(database_url)])
    database.close()
    for refused in (migrate, open_log):
        with pytest.raises(UnfitDatabase, match="99 steps"):
            refused(database_url)


def test_a_service_makes_no_tables_on_postgresql() -> None:
    with empty_schema() as url:
        with pytest.raises(UnfitDatabase, match="run `kifu migrate`"):
            open_log(url)
        database = Database(url)
        with database.reading() as tables:
            assert not tables.exists("events")
        database.close()


def test_an_older_database_is_refused_on_postgresql() -> None:
    with empty_schema() as url:
        migrate(url)
        database = Database(url)
        with database.transaction() as tables:
            tables.execute("DELETE FROM migrations WHERE step = ?", len(STEPS))
        database.close()
        with pytest.raises(UnfitDatabase, match=f"{len(STEPS) - 1} of {len(STEPS)} steps"):
            open_log(url)


def test_a_schema_that_is_not_there_is_refused() -> None:
    with empty_schema() as url:
        gone = url.replace("kifu_test_", "kifu_nowhere_")
    with pytest.raises(UnfitDatabase, match="no schema"):
        migrate(gone)


@pytest.mark.parametrize(
    "url",
    [
        "mysql://127.0.0.1/kifu",
        "kifu.sqlite",
        "sqlite://kifu.sqlite",
        "sqlite:////nowhere/at/all/kifu.sqlite",
        "postgresql://127.0.0.1:1/kifu",
    ],
)
def test_an_address_that_leads_nowhere_is_refused(url: str) -> None:
    for refused in (migrate, open_log):
        with pytest.raises(UnfitDatabase):
            refused(url)
