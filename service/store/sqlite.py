"""SQLite behind the library's contracts: own tables, plain rows, durable commits."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from typing import Any

from eventsourcing.persistence import InfrastructureFactory, StoredEvent
from eventsourcing.sqlite import (
    SQLiteApplicationRecorder,
    SQLiteConnection,
    SQLiteConnectionPool,
    SQLiteCursor,
    SQLiteDatastore,
    SQLiteFactory,
)
from eventsourcing.utils import Environment, retry

from service.store.attached import Statement
from service.store.fitness import UnfitDatabase, refuse_dangers
from service.store.migrations import SQLITE, STEPS, missing_statements, refuse_newer
from service.store.rows import EventRows, Rows, SnapshotRecorder

SCHEME = "sqlite:///"
LOCK_WAIT_S = 30
SYNCHRONOUS = "SQLITE_SYNCHRONOUS"
DURABLE = "FULL"
LEVELS = ("off", "normal", "full", "extra")


def migrate(url: str) -> int:
    """Carry out the steps that a file is missing, also beside others who do; return how many."""
    with _opened(_path(url)) as file:
        if _steps_done(file) == len(STEPS):
            return 0
        _write_ahead(file)
        file.execute("BEGIN IMMEDIATE")
        done = _steps_done(file)
        refuse_newer(done)
        for statement in missing_statements(done, SQLITE):
            file.execute(statement)
        file.execute(f"PRAGMA user_version={len(STEPS)}")
        file.execute("COMMIT")
        return len(STEPS) - done


def _path(url: str) -> str:
    if not url.startswith(SCHEME):
        raise UnfitDatabase(f"the address of the database does not begin with {SCHEME}")
    return url.removeprefix(SCHEME)


@contextmanager
def _opened(path: str) -> Iterator[sqlite3.Connection]:
    try:
        with closing(sqlite3.connect(path, timeout=LOCK_WAIT_S, isolation_level=None)) as file:
            yield file
    except sqlite3.DatabaseError as fault:
        raise UnfitDatabase(f"the database cannot be used: {fault}") from fault


@retry(sqlite3.OperationalError, max_attempts=100, wait=0.02)
def _write_ahead(file: sqlite3.Connection) -> None:
    """Use WAL. Processes that switch a new file at once refuse each other, and try again."""
    file.execute("PRAGMA journal_mode=WAL")


def _steps_done(file: sqlite3.Connection) -> int:
    return int(file.execute("PRAGMA user_version").fetchone()[0])


class Pool(SQLiteConnectionPool):
    """Connections in WAL mode, with one setting of `synchronous`."""

    def __init__(self, path: str, synchronous: str) -> None:
        """Open connections when they are needed."""
        super().__init__(db_name=path, lock_timeout=LOCK_WAIT_S)
        self._synchronous = synchronous

    def _create_connection(self) -> SQLiteConnection:
        connection = super()._create_connection()
        with connection.cursor() as cursor:
            cursor.execute(f"PRAGMA synchronous={self._synchronous}")
        return connection


class Datastore(SQLiteDatastore):
    """A database file."""

    def __init__(self, path: str, synchronous: str) -> None:
        """Open the file, whose tables are there."""
        super().__init__(path, originator_id_type="text")
        self.pool = Pool(path, synchronous)

    def rows(self, statement: str, *parameters: Any) -> Rows:
        """Return the rows of a query."""
        with self.transaction(commit=False) as cursor:
            cursor.execute(statement, parameters)
            return [tuple(row) for row in cursor.fetchall()]

    def write_each(self, statement: str, rows: Sequence[Sequence[Any]]) -> None:
        """Carry out a statement for each row of parameters, in one transaction."""
        with self.transaction(commit=True) as cursor:
            cursor.executemany(statement, rows)


class EventRecorder(EventRows, SQLiteApplicationRecorder):
    """The log of all streams."""

    datastore: Datastore

    def rows(self, statement: str, *parameters: Any) -> Rows:
        """Return the rows of a query."""
        return self.datastore.rows(statement, *parameters)

    def _insert_events(
        self,
        c: SQLiteCursor,
        stored_events: Sequence[StoredEvent],
        *,
        beside: Sequence[Statement] = (),
        **_: Any,
    ) -> Sequence[int]:
        positions = []
        for event in stored_events:
            c.execute(
                "INSERT INTO events (stream, version, tag, body) VALUES (?,?,?,?)",
                (event.originator_id, event.originator_version, event.topic, event.state),
            )
            positions.append(c.lastrowid)
        for statement, parameters in beside:
            c.execute(statement, parameters)
        return positions


class Factory(SQLiteFactory):
    """Opens a file, whose tables it brings up to date, and builds the recorders on it."""

    datastore: Datastore

    def __init__(self, url: str, env: Environment) -> None:
        """Open the file, which is made if it is not there; raises `UnfitDatabase`."""
        # The library's own constructor would open a database of its own.
        InfrastructureFactory.__init__(self, env)
        migrate(url)
        self.datastore = Datastore(_path(url), env.get(SYNCHRONOUS, DURABLE))
        ((level,),) = self.datastore.rows("PRAGMA synchronous")
        refuse_dangers({"synchronous": LEVELS[level]})

    def application_recorder(self) -> EventRecorder:
        """Return the recorder of all streams."""
        return EventRecorder(self.datastore)

    def aggregate_recorder(self, purpose: str = "snapshots") -> SnapshotRecorder:
        """Return the recorder of snapshots."""
        assert purpose == "snapshots", "events have one recorder for all streams"
        return SnapshotRecorder(self.datastore)
