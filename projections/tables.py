"""The thin SQL layer under the read models, the same for SQLite and PostgreSQL.

Statements have `?` for parameters and portable types: TEXT, BIGINT.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType
from typing import Any, Protocol

from projections.naming import GENERATIONS, generation_name, in_generations, names_in

SQLITE_SCHEME = "sqlite:///"
LOCK_WAIT_S = 30
CONNECTIONS_MAX = 8
LOCK_NOT_AVAILABLE = "55P03"


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """What the two databases say differently.

    exists: asks for a table by its name; tables: for the names of all. lock: waits until this
    transaction alone holds a name; alone: waits a moment until it alone uses a table. They are
    missing where who writes is alone anyway, and who reads sees what was there before.
    writing, reading: begin a transaction.
    """

    placeholder: str
    exists: str
    tables: str
    lock: str | None
    alone: Sequence[str]
    writing: str
    reading: str


SQLITE = Dialect(
    placeholder="?",
    exists="SELECT 1 FROM sqlite_master WHERE name = ?",
    tables="SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name",
    lock=None,
    alone=(),
    writing="BEGIN IMMEDIATE",
    reading="BEGIN",
)
POSTGRESQL = Dialect(
    placeholder="%s",
    exists="SELECT 1 WHERE to_regclass(?) IS NOT NULL",
    tables="SELECT tablename FROM pg_tables WHERE schemaname = current_schema() ORDER BY 1",
    lock="SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || '/' || ?, 0))",
    alone=("SET LOCAL lock_timeout = '100ms'", "LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE"),
    writing="BEGIN",
    reading="BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
)


class Spelled(str):
    """A statement as SQLite has it, which PostgreSQL spells differently."""

    postgresql: str

    def __new__(cls, sqlite: str, *, postgresql: str) -> Spelled:
        """Keep both spellings."""
        made = super().__new__(cls, sqlite)
        made.postgresql = postgresql
        return made


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a statement with its parameters."""

    text: str
    parameters: tuple[Any, ...] = ()


def joined(parts: Sequence[Part], between: str) -> Part:
    """Return parts with a text between each two."""
    return Part(
        between.join(part.text for part in parts),
        tuple(value for part in parts for value in part.parameters),
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


class InUse(Exception):
    """Others use a table that was to be used alone."""


@dataclass(slots=True, kw_only=True)
class Shared:
    """What the transactions of a database have in common.

    driver: the module, with the names of PEP 249. has_generations: their table was seen.
    """

    dialect: Dialect
    driver: ModuleType
    has_generations: bool = False

    def is_outage(self, fault: Exception) -> bool:
        """Tell whether a fault is one of the database, and not of the rows that were written."""
        of_rows = (self.driver.IntegrityError, self.driver.DataError)
        return isinstance(fault, self.driver.Error) and not isinstance(fault, of_rows)


class Tables:
    """A transaction on the tables of the read models.

    Statements name the tables of a projection as it does; they are carried out on those of the
    generation that is read, or of another one that was asked for.
    """

    def __init__(
        self,
        cursor: Cursor,
        shared: Shared,
        generations: Mapping[str, str] | None = None,
    ) -> None:
        """Work on an open transaction. generations: asked for, projection → its name there."""
        self._cursor = cursor
        self._shared = shared
        self._dialect = shared.dialect
        self._asked = generations or {}
        self._numbers: Mapping[str, int] | None = None

    @property
    def dialect(self) -> Dialect:
        """What this database says differently."""
        return self._dialect

    def of_generation(self, projection: str, name: str) -> Tables:
        """Return the same transaction on a generation of a projection, by its name."""
        asked = {**self._asked, projection: name}
        return Tables(self._cursor, self._shared, asked)

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

    def is_outage(self, fault: Exception) -> bool:
        """Tell whether a fault is one of the database, and not of the rows that were written."""
        return self._shared.is_outage(fault)

    def exists(self, table: str) -> bool:
        """Tell whether there is a table of this name."""
        return bool(self.rows(self._dialect.exists, table))

    def names(self) -> list[str]:
        """Return the names of all tables."""
        return [str(name) for (name,) in self.rows(self._dialect.tables)]

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        """Keep nothing of what was written inside if it raises; the transaction goes on."""
        self.execute("SAVEPOINT attempt")
        try:
            yield
        except BaseException:
            self.execute("ROLLBACK TO SAVEPOINT attempt")
            raise
        finally:
            self.execute("RELEASE SAVEPOINT attempt")

    def lock(self, name: str) -> None:
        """Wait until this transaction alone holds a name, and hold it until it ends."""
        if self._dialect.lock is not None:
            self.execute(self._dialect.lock, name)

    def use_alone(self, table: str) -> None:
        """Wait a moment until nobody else uses a table, and keep others from it; raises `InUse`."""
        try:
            for statement in self._dialect.alone:
                self.execute(statement.format(table=table))
        # psycopg, which comes with an extra, names its errors by their numbers, too.
        except Exception as fault:
            if getattr(fault, "sqlstate", None) == LOCK_NOT_AVAILABLE:
                raise InUse(f"{table} is in use") from fault
            raise

    def live_numbers(self) -> Mapping[str, int]:
        """Return the generations of projections that are read; others are read in theirs of 0.

        They are looked up once in a transaction.
        """
        if self._numbers is None:
            self._numbers = self._read_numbers()
        return self._numbers

    def _read_numbers(self) -> dict[str, int]:
        if not self._shared.has_generations and not self.exists(GENERATIONS):
            return {}
        self._shared.has_generations = True
        rows = self.rows(f"SELECT name, number FROM {GENERATIONS}")
        return {str(name): int(number) for name, number in rows}

    def _placed(self, statement: str) -> str:
        """Return a statement on the tables that stand for those which it names."""
        others = names_in(statement) - self._asked.keys()
        numbers = self.live_numbers() if others else {}
        live = {name: generation_name(name, number) for name, number in numbers.items()}
        generations = {**live, **self._asked}
        return in_generations(statement, generations) if generations else statement

    def _native(self, statement: str) -> str:
        if isinstance(statement, Spelled) and self._dialect is POSTGRESQL:
            statement = statement.postgresql
        statement = self._placed(statement)
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
        self._connections: Connections
        if url.startswith(SQLITE_SCHEME):
            self._connections = File(url.removeprefix(SQLITE_SCHEME))
            self._shared = Shared(dialect=SQLITE, driver=sqlite3)
        else:
            self._connections = Pool(url)
            # psycopg comes with the extra `postgres`, which SQLite does without.
            self._shared = Shared(dialect=POSTGRESQL, driver=import_module("psycopg"))

    @contextmanager
    def transaction(self) -> Iterator[Tables]:
        """Open a transaction that writes: all of it is kept, or nothing."""
        with self._connections.connection() as connection:
            tables = self._begun(connection, self._shared.dialect.writing)
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
            tables = self._begun(connection, self._shared.dialect.reading)
            try:
                yield tables
            finally:
                connection.rollback()

    def is_outage(self, fault: Exception) -> bool:
        """Tell whether a fault is one of the database, and not of the rows that were written."""
        return self._shared.is_outage(fault)

    def close(self) -> None:
        """Close the connections that are kept."""
        self._connections.close()

    def _begun(self, connection: Connection, beginning: str) -> Tables:
        tables = Tables(connection.cursor(), self._shared)
        tables.execute(beginning)
        return tables
