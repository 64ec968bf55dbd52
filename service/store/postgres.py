"""PostgreSQL behind the library's contracts: own tables, plain rows, appends one after another."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import psycopg
from eventsourcing.persistence import (
    InfrastructureFactory,
    IntegrityError,
    InterfaceError,
    OperationalError,
    StoredEvent,
)
from eventsourcing.postgres import (
    ConnectionPool,
    PostgresApplicationRecorder,
    PostgresDatastore,
    PostgresFactory,
)
from eventsourcing.utils import Environment, retry, strtobool
from psycopg import Connection, Cursor
from psycopg.errors import PipelineAborted
from psycopg.rows import DictRow, TupleRow, dict_row, tuple_row

from service.store.attached import Statement
from service.store.fitness import UnfitDatabase, refuse_dangers
from service.store.migrations import (
    POSTGRESQL,
    STEPS,
    check_steps,
    missing_statements,
    refuse_newer,
)
from service.store.rows import EventRows, Rows, SnapshotRecorder

LOCK_WAIT_S = 5
CONNECTION_WAIT_S = 5
IDLE_IN_TRANSACTION_S = 5
CONNECTIONS_MAX = 8
"""Fewer than the ten attempts below: after a restart of the server one meets a live connection."""

DATABASE_FUNCTIONS = "POSTGRES_ENABLE_DB_FUNCTIONS"
SERVER_SETTINGS = "SELECT name, setting FROM pg_settings WHERE name = ANY(%s)"
DANGEROUS = ["fsync", "full_page_writes", "synchronous_commit"]
MIGRATION_LOCK = (
    "SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || '/migrations', 0))"
)

# As the library's recorders do: a lost connection is replaced and the statement repeated.
_again = retry((InterfaceError, OperationalError), max_attempts=10, wait=0.2)


def migrate(url: str) -> int:
    """Carry out the steps that a schema is missing, also beside others who do; return how many."""
    with _connected(url) as connection:
        connection.execute(MIGRATION_LOCK)
        done = _steps_done(connection)
        refuse_newer(done)
        connection.execute("CREATE TABLE IF NOT EXISTS migrations (step INTEGER PRIMARY KEY)")
        for statement in missing_statements(done, POSTGRESQL):
            connection.execute(statement)
        for step in range(done + 1, len(STEPS) + 1):
            connection.execute("INSERT INTO migrations (step) VALUES (%s)", (step,))
    return len(STEPS) - done


@contextmanager
def _connected(url: str) -> Iterator[Connection[TupleRow]]:
    """Open a transaction on a connection of its own, in a schema that is there."""
    try:
        with psycopg.connect(url, connect_timeout=CONNECTION_WAIT_S) as connection:
            _check_place(connection)
            yield connection
    except psycopg.Error as fault:
        raise UnfitDatabase(f"the database cannot be used: {fault}") from fault


def _check_place(connection: Connection[TupleRow]) -> None:
    if _schema(connection) is None:
        raise UnfitDatabase("the database has no schema for the tables: create it first")
    encoding = connection.info.parameter_status("server_encoding")
    if encoding != "UTF8":
        raise UnfitDatabase(f"the encoding of the database is {encoding}: create it with UTF8")


def _schema(connection: Connection[TupleRow]) -> str | None:
    ((schema,),) = connection.execute("SELECT current_schema()").fetchall()
    return None if schema is None else str(schema)


def _steps_done(connection: Connection[TupleRow]) -> int:
    ((exists,),) = connection.execute("SELECT to_regclass('migrations') IS NOT NULL").fetchall()
    if not exists:
        return 0
    ((done,),) = connection.execute("SELECT COALESCE(MAX(step), 0) FROM migrations").fetchall()
    return int(done)


class Datastore(PostgresDatastore):
    """A schema of a database: the first one of the search path of its address."""

    def __init__(self, url: str, schema: str) -> None:
        """Pool connections to an address, which are opened when they are needed."""
        super().__init__(
            *("",) * 5,
            idle_in_transaction_session_timeout=IDLE_IN_TRANSACTION_S,
            lock_timeout=LOCK_WAIT_S,
            schema=schema,
            originator_id_type="text",
        )
        # The library's own pool knows five of the many parameters that an address can have.
        self.pool = ConnectionPool(
            url,
            connection_class=Connection[DictRow],
            # An append whose pipeline fails before its last statement leaves psycopg believing that
            # this one was prepared: every later append of the connection would fail.
            kwargs={"row_factory": dict_row, "prepare_threshold": None},
            min_size=1,
            max_size=CONNECTIONS_MAX,
            open=False,
            configure=self.after_connect_func(),
            timeout=CONNECTION_WAIT_S,
        )

    def register_type_adapters(self) -> None:
        """Look for no composite types: our rows are plain."""

    @_again
    def rows(self, statement: str, *parameters: Any) -> Rows:
        """Return the rows of a query."""
        with (
            self.get_connection() as connection,
            connection.cursor(binary=True, row_factory=tuple_row) as cursor,
        ):
            return cursor.execute(_native(statement), parameters).fetchall()

    @_again
    def write_each(self, statement: str, rows: Sequence[Sequence[Any]]) -> None:
        """Carry out a statement for each row of parameters, in one transaction."""
        with self.transaction(commit=True) as cursor:
            cursor.executemany(_native(statement), rows)


class EventRecorder(EventRows, PostgresApplicationRecorder):
    """The log of all streams. Its table is locked by an append, so that no reader misses one."""

    datastore: Datastore

    def __init__(self, datastore: Datastore) -> None:
        """Record in the table `events`."""
        super().__init__(datastore, events_table_name="events")

    def rows(self, statement: str, *parameters: Any) -> Rows:
        """Return the rows of a query."""
        rows: Rows = self.datastore.rows(statement, *parameters)
        return rows

    def insert_events(
        self, stored_events: Sequence[StoredEvent], **more: Any
    ) -> Sequence[int] | None:
        """Save events and the statements beside them, all or none; return their positions.

        A statement that fails early is told only by what follows it in the pipeline, which is
        aborted: what failed first is raised instead.
        """
        faults: list[Exception] = []
        try:
            positions: Sequence[int] | None = super().insert_events(
                stored_events, faults=faults, **more
            )
            return positions
        except OperationalError as fault:
            is_aborted = isinstance(fault.__cause__, PipelineAborted)
            if is_aborted and faults and isinstance(faults[0], psycopg.IntegrityError):
                raise IntegrityError(faults[0]) from faults[0]
            raise

    def _insert_stored_events(
        self,
        curs: Cursor[DictRow],
        stored_events: Sequence[StoredEvent],
        *,
        faults: list[Exception] | None = None,
        beside: Sequence[Statement] = (),
        **_: Any,
    ) -> None:
        try:
            self._lock_table(curs)
            self._notify_channel(curs)
            for statement, parameters in beside:
                curs.execute(_native(statement), parameters)
            self._insert_rows(curs, stored_events)
        except Exception as fault:
            if faults is not None:
                faults.append(fault)
            raise

    def _insert_rows(self, curs: Cursor[DictRow], stored_events: Sequence[StoredEvent]) -> None:
        curs.execute(
            "INSERT INTO events (stream, version, tag, body) SELECT stream, version, tag, body "
            "FROM unnest(%s::text[], %s::bigint[], %s::text[], %b::bytea[]) "
            "WITH ORDINALITY AS given (stream, version, tag, body, place) "
            "ORDER BY place RETURNING position",
            (
                [event.originator_id for event in stored_events],
                [event.originator_version for event in stored_events],
                [event.topic for event in stored_events],
                [event.state for event in stored_events],
            ),
        )

    def _fetch_ids_after_insert_events(
        self, curs: Cursor[DictRow], *_: Any, **__: Any
    ) -> Sequence[int]:
        return [row["position"] for row in curs.fetchall()]


def _native(statement: str) -> str:
    """Return a statement with the placeholders of this database."""
    return statement.replace("%", "%%").replace("?", "%s")


class Factory(PostgresFactory):
    """Opens a schema, whose tables are there, and builds the recorders on it."""

    datastore: Datastore

    def __init__(self, url: str, env: Environment) -> None:
        """Check the schema and the server; raises `UnfitDatabase`."""
        # The library's own constructor knows five of the many parameters that an address can have.
        InfrastructureFactory.__init__(self, env)
        functions = strtobool(env.get(DATABASE_FUNCTIONS, "no"))
        refuse_dangers({DATABASE_FUNCTIONS: "on" if functions else "off"})
        with _connected(url) as connection:
            refuse_dangers(dict(connection.execute(SERVER_SETTINGS, (DANGEROUS,)).fetchall()))
            check_steps(_steps_done(connection))
            self.datastore = Datastore(url, _schema(connection) or "")
        warn_if_slow(psycopg.pq.__impl__)

    def application_recorder(self) -> EventRecorder:
        """Return the recorder of all streams."""
        return EventRecorder(self.datastore)

    def aggregate_recorder(self, purpose: str = "snapshots") -> SnapshotRecorder:
        """Return the recorder of snapshots."""
        assert purpose == "snapshots", "events have one recorder for all streams"
        return SnapshotRecorder(self.datastore)


def warn_if_slow(implementation: str) -> None:
    """Warn of psycopg without its compiled half: reading events takes ten times as long."""
    if implementation == "python":
        warnings.warn(
            "psycopg runs in pure Python and is slow: install 'psycopg[binary]'", stacklevel=2
        )
