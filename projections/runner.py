"""Feeding projections from the log: a page at a time, rows and place in one transaction."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from projections.tables import Database, Tables
from service.integrity.logged import Logged

PAGE_SIZE = 500
POSITIONS = "projection_positions"

Page: TypeAlias = Sequence[Logged]
"""Events in the order of the log."""


class EventLog(Protocol):
    """The log as projections see it."""

    def page(self, after: int, limit: int = PAGE_SIZE) -> list[Logged]:
        """Return the events behind a position."""
        ...

    def last_position(self) -> int:
        """Return the position of the last event, 0 in an empty log."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Projection:
    """A read model. name: with its version, its tables carry it; apply: write a page of events."""

    name: str
    tables: Sequence[str]
    create: Sequence[str]
    apply: Callable[[Tables, Page], None]


def catch_up(database: Database, log: EventLog, projections: Sequence[Projection]) -> int:
    """Apply what the projections have not seen, each event once; return the number of events."""
    return sum(_catch_up(database, log, projection) for projection in projections)


def _catch_up(database: Database, log: EventLog, projection: Projection) -> int:
    count = 0
    while _is_behind(database, log, projection):
        with database.transaction() as tables:
            # One runner at a time: who comes second finds the work done.
            tables.lock(projection.name)
            position = _position(tables, projection)
            page = log.page(position, PAGE_SIZE)
            if page:
                projection.apply(tables, page)
                tables.execute(
                    f"UPDATE {POSITIONS} SET position = ? WHERE name = ?",
                    page[-1].place,
                    projection.name,
                )
        count += len(page)
    return count


def _is_behind(database: Database, log: EventLog, projection: Projection) -> bool:
    """Look without a lock: most of the time there is nothing to do."""
    with database.reading() as tables:
        if not tables.exists(POSITIONS):
            return True
        rows = tables.rows(f"SELECT position FROM {POSITIONS} WHERE name = ?", projection.name)
    return not rows or int(rows[0][0]) < log.last_position()


def _position(tables: Tables, projection: Projection) -> int:
    """Return how far a projection is; one that is not there begins at 0 with empty tables."""
    if not tables.exists(POSITIONS):
        _create_positions(tables)
    rows = tables.rows(f"SELECT position FROM {POSITIONS} WHERE name = ?", projection.name)
    if rows:
        return int(rows[0][0])
    for statement in projection.create:
        tables.execute(statement)
    tables.execute(f"INSERT INTO {POSITIONS} VALUES (?, 0)", projection.name)
    return 0


def _create_positions(tables: Tables) -> None:
    tables.lock(POSITIONS)
    tables.execute(
        f"CREATE TABLE IF NOT EXISTS {POSITIONS} (name TEXT PRIMARY KEY, position BIGINT NOT NULL)"
    )


def drop(database: Database, projection: Projection) -> None:
    """Drop the tables of a projection; the next `catch_up` rebuilds them from the log."""
    with database.transaction() as tables:
        tables.lock(projection.name)
        for name in projection.tables:
            tables.execute(f"DROP TABLE IF EXISTS {name}")
        if tables.exists(POSITIONS):
            tables.execute(f"DELETE FROM {POSITIONS} WHERE name = ?", projection.name)
