"""The thin SQL layer under the read models, the same for SQLite and PostgreSQL.

Statements have `?` for parameters and portable types: TEXT, BIGINT.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from typing import Any, Protocol

SQLITE_SCHEME = "sqlite:///"
LOCK_WAIT_S = 30
CONNECTIONS_MAX = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """What the two databases say differently.

    exists: asks for a table by its name. lock: waits until this transaction alone holds a name;
    None where a transaction that writes is alone anyway. writing, reading: begin a transaction.
    """

    placeholder: str
    exists: str
    lock: str | None
    writing: str
    reading: str


SQLITE = Dialect(
    placeholder="?",
    exists="SELECT 1 FROM sqlite_master WHERE name = ?",
    lock=None,
    writing="BEGIN IMMEDIATE",
    reading="BEGIN",
)
POSTGRESQL = Dialect(
    placeholder="%s",
    exists="SELECT 1 WHERE to_regclass(?) IS NOT NULL",
    lock="SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || '/' || ?, 0))",
    writing="BEGIN",
    reading="BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
)


class Cursor(Protocol):
    """What the drivers of both databases have in common."""

    def execute(self, statement: str, parameters: Sequence[Any], /) -> object:
        """Carry out a statement."""
        ...

    def executemany(self, statement: str, rows: Sequence[Sequence[Any]], /) -> object:
        """Carry out a statement for each row of parameters."""
        ...

    def fetchall(self) -> list[Any]:
        """Return the rows of the last query."""
        ...


class Tables:
    """A transaction on the tables of the read models."""

    def __init__(self, cursor: Cursor, dialect: Dialect) -> None:
        """Work on an open transaction."""
        self._cursor = cursor
        self._dialect = dialect

    def execute(self, statement: str, *parameters: Any) -> None:
        """Carry out a statement."""
        self._cursor.execute(self._native(statement), parameters)

    def rows(self, statement: str, *parameters: Any) -> list[tuple[Any, ...]]:
        """Return the rows of a query."""
        self.execute(statement, *parameters)
        return self._cursor.fetchall()

    def rows_among(self, statement: str, values: Collection[Any]) -> list[tuple[Any, ...]]:
        """Return the rows of a query that ends in `WHERE … IN`, for the values."""
        if not values:
            return []
        marks = ", ".join("?" * len(values))
        return self.rows(f"{statement} ({marks})", *values)

    def upsert(
        self, table: str, columns: Sequence[str], rows: Sequence[Sequence[Any]], *, keys: int = 1
    ) -> None:
        """Write rows, instead of those that are there with the same key: the first columns."""
        names, marks = ", ".join(columns), ", ".join("?" * len(columns))
        changes = ", ".join(f"{column} = excluded.{column}" for column in columns[keys:])
        then = f"UPDATE SET {changes}" if changes else "NOTHING"
        statement = (
            f"INSERT INTO {table} ({names}) VALUES ({marks}) "
            f"ON CONFLICT ({', '.join(columns[:keys])}) DO {then}"
        )
        self._cursor.executemany(self._native(statement), rows)

    def exists(self, table: str) -> bool:
        """Tell whether there is a table of this name."""
        return bool(self.rows(self._dialect.exists, table))

    def lock(self, name: str) -> None:
        """Wait until this transaction alone holds a name, and hold it until it ends."""
        if self._dialect.lock is not None:
            self.execute(self._dialect.lock, name)

    def _native(self, statement: str) -> str:
        if self._dialect.placeholder == "?":
            return statement
        return statement.replace("%", "%%").replace("?", self._dialect.placeholder)


class Connection(Protocol):
    """A connection that begins no transaction by itself."""

    def cursor(self) -> Cursor:
        """Return a cursor."""
        ...

    def commit(self) -> None:
        """Keep what was written."""
        ...

    def rollback(self) -> None:
        """Keep nothing of it."""
        ...


class Connections(Protocol):
    """Where connections come from."""

    def connection(self) -> AbstractContextManager[Connection]:
        """Lend a connection."""
        ...

    def close(self) -> None:
        """Close those that are kept."""
        ...


class File:
    """A SQLite file, opened for each transaction: that is cheap, and a thread shares nothing."""

    def __init__(self, path: str) -> None:
        """Name the file; nothing is opened yet."""
        self._path = path

    def connection(self) -> AbstractContextManager[sqlite3.Connection]:
        """Open the file until the caller is done."""
        return closing(sqlite3.connect(self._path, isolation_level=None, timeout=LOCK_WAIT_S))

    def close(self) -> None:
        """Keep nothing open."""


class Pool:
    """Connections to PostgreSQL, which are kept; one that was lost is replaced."""

    def __init__(self, url: str) -> None:
        """Name the database; nothing is opened yet."""
        # psycopg comes with the extra `postgres`, which SQLite does without.
        from psycopg_pool import ConnectionPool

        self._pool = ConnectionPool(
            url,
            kwargs={"autocommit": True},
            min_size=1,
            max_size=CONNECTIONS_MAX,
            open=False,
            check=ConnectionPool.check_connection,
        )

    def connection(self) -> AbstractContextManager[Connection]:
        """Lend a connection."""
        self._pool.open()
        return self._pool.connection()

    def close(self) -> None:
        """Close the connections."""
        self._pool.close()


class Database:
    """The database that holds the events and, beside them, the read models.

    url: `sqlite:///file`, `postgresql://user@host/name`.
    """

    def __init__(self, url: str) -> None:
        """Name the database; nothing is opened yet."""
        is_file = url.startswith(SQLITE_SCHEME)
        self._dialect = SQLITE if is_file else POSTGRESQL
        self._connections: Connections = (
            File(url.removeprefix(SQLITE_SCHEME)) if is_file else Pool(url)
        )

    @contextmanager
    def transaction(self) -> Iterator[Tables]:
        """Open a transaction that writes: all of it is kept, or nothing."""
        with self._connections.connection() as connection:
            tables = self._begun(connection, self._dialect.writing)
            try:
                yield tables
            except BaseException:
                connection.rollback()
                raise
            connection.commit()

    @contextmanager
    def reading(self) -> Iterator[Tables]:
        """Open a transaction that reads one state of all tables."""
        with self._connections.connection() as connection:
            tables = self._begun(connection, self._dialect.reading)
            try:
                yield tables
            finally:
                connection.rollback()

    def close(self) -> None:
        """Close the connections that are kept."""
        self._connections.close()

    def _begun(self, connection: Connection, beginning: str) -> Tables:
        tables = Tables(connection.cursor(), self._dialect)
        tables.execute(beginning)
        return tables
