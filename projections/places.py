"""How far each generation of a read model has come, and which is read: the books of the runner."""

from __future__ import annotations

from collections.abc import Iterable

from projections.naming import GENERATIONS
from projections.tables import Tables

POSITIONS = "projection_positions"
PARKED = "projection_parked"

_CREATE = (
    f"CREATE TABLE IF NOT EXISTS {POSITIONS} (name TEXT PRIMARY KEY, position BIGINT NOT NULL)",
    f"CREATE TABLE IF NOT EXISTS {GENERATIONS} (name TEXT PRIMARY KEY, number BIGINT NOT NULL)",
    # The last one tells that all are there.
    f"CREATE TABLE IF NOT EXISTS {PARKED} (projection TEXT NOT NULL, stream TEXT NOT NULL, "
    "place BIGINT NOT NULL, version BIGINT NOT NULL, fault TEXT NOT NULL, "
    "PRIMARY KEY (projection, stream))",
)


def create_books(tables: Tables) -> None:
    """Make the tables that are missing."""
    if tables.exists(PARKED):
        return
    tables.lock(POSITIONS)
    for statement in _CREATE:
        tables.execute(statement)


def positions(tables: Tables) -> dict[str, int]:
    """Return the place in the log up to which each generation has come; none without books."""
    if not tables.exists(PARKED):
        return {}
    return {
        str(name): int(position)
        for name, position in tables.rows(f"SELECT name, position FROM {POSITIONS}")
    }


def position_of(tables: Tables, generation: str) -> int | None:
    """Return the place up to which a generation has come; None if it is not there."""
    rows = tables.rows(f"SELECT position FROM {POSITIONS} WHERE name = ?", generation)
    return int(rows[0][0]) if rows else None


def move(tables: Tables, generations: Iterable[str], position: int) -> None:
    """Note how far generations have come."""
    tables.upsert(POSITIONS, ("name", "position"), [(one, position) for one in generations])


def read_from(tables: Tables, projection: str, number: int) -> None:
    """Have a generation read from now on."""
    tables.upsert(GENERATIONS, ("name", "number"), [(projection, number)])


def forget(tables: Tables, generation: str) -> None:
    """Delete what is noted of a generation."""
    tables.execute(f"DELETE FROM {POSITIONS} WHERE name = ?", generation)
    tables.execute(f"DELETE FROM {PARKED} WHERE projection = ?", generation)
