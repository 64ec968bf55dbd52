"""Group commit: events of callers at the same time, against raw durable inserts in the same run."""

from __future__ import annotations

import sqlite3
import statistics
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from functools import partial
from itertools import count
from pathlib import Path

import psycopg
from eventsourcing.persistence import AggregateRecorder, StoredEvent

from service.store.databases import migrate
from service.store.writer import Writer
from tests.bench.timing import seconds
from tests.conftest import settings_in
from tests.servers import empty_schema
from tests.store.streams import open_log

HEADINGS = ("database, callers", "raw inserts/s", "each its own commit", "group commit")
ROUNDS = 3
EVENTS = 320
CALLERS = (1, 16, 64)
BODY = b"x" * 400

Save = Callable[[int], None]
"""Save so many events, with one commit for each or for those of callers at the same time."""

_streams = count()


def rows(folder: Path) -> list[list[str]]:
    """Return the rates of raw inserts, and of both ways to save as parts of it."""
    folder.mkdir()
    url = settings_in(folder).database_url
    with _raw_sqlite(folder / "raw.sqlite") as raw:
        found = _rows_of("SQLite", url, raw)
    with empty_schema() as url, _raw_postgresql(url) as raw:
        return found + _rows_of("PostgreSQL", url, raw)


def _rows_of(name: str, url: str, raw: Save) -> list[list[str]]:
    migrate(url)
    log = open_log(url)
    try:
        return [
            _row(f"{name}, {callers}", raw, _saving(log.recorder, callers)) for callers in CALLERS
        ]
    finally:
        log.close()


def _row(name: str, raw: Save, ways: Mapping[str, Save]) -> list[str]:
    # In turn, so that a slow moment of the disk meets all of them.
    rates: dict[str, list[float]] = {way: [] for way in ("raw", *ways)}
    for _ in range(ROUNDS):
        for way, save in {"raw": raw, **ways}.items():
            rates[way].append(EVENTS / seconds(partial(save, EVENTS)))
    medians = {way: statistics.median(found) for way, found in rates.items()}
    ratios = [f"{medians[way] / medians['raw']:.2f}" for way in ways]
    return [name, f"{medians['raw']:.0f}", *ratios]


def _saving(recorder: AggregateRecorder, callers: int) -> dict[str, Save]:
    return {
        "each": lambda events: _save(recorder, callers, events),
        "group": lambda events: _save(Writer(recorder), callers, events),
    }


def _save(recorder: AggregateRecorder, callers: int, events: int) -> None:
    def call(stream: str) -> None:
        for version in range(1, events // callers + 1):
            event = StoredEvent(
                originator_id=stream,
                originator_version=version,
                topic="match.action_played.1",
                state=BODY,
            )
            recorder.insert_events([event])

    with ThreadPoolExecutor(callers) as threads:
        list(threads.map(call, [f"stream-{next(_streams)}" for _ in range(callers)]))


@contextmanager
def _raw_sqlite(path: Path) -> Iterator[Save]:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("CREATE TABLE raw (position INTEGER PRIMARY KEY, body BLOB)")
        yield lambda events: _insert(connection, "INSERT INTO raw (body) VALUES (?)", events)


@contextmanager
def _raw_postgresql(url: str) -> Iterator[Save]:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE TABLE raw (position BIGSERIAL PRIMARY KEY, body BYTEA)")
        yield lambda events: _insert(connection, "INSERT INTO raw (body) VALUES (%s)", events)


def _insert(
    connection: sqlite3.Connection | psycopg.Connection, statement: str, events: int
) -> None:
    for _ in range(events):
        connection.execute(statement, (BODY,))
