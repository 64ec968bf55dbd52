"""Parked streams: of those whose event fails in a read model it shows no more until they heal.

A fault of one event stops its stream alone; all others go on. What is told of the fault is its kind
and its place in the program, never its text, which may quote a secret.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

import structlog

from projections.naming import generation_name
from projections.places import PARKED
from projections.tables import Database, Tables
from service.integrity.logged import Logged
from service.integrity.sealing import UnknownTag

Apply = Callable[[Sequence[Logged]], None]
"""Writes events into a generation of a read model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ParkedStream:
    """A stream that a generation passes over. place, version: of the event that failed."""

    stream: str
    place: int
    version: int
    fault: str


def parked_in(tables: Tables, generation: str) -> list[ParkedStream]:
    """Return the streams that a generation passes over, by where they stopped."""
    rows = tables.rows(
        f"SELECT stream, place, version, fault FROM {PARKED} WHERE projection = ? ORDER BY place",
        generation,
    )
    return [
        ParkedStream(stream=str(stream), place=int(place), version=int(version), fault=str(fault))
        for stream, place, version, fault in rows
    ]


def parked_streams(tables: Tables, generations: Collection[str]) -> set[str]:
    """Return the streams that some of these generations pass over."""
    rows = tables.rows_among(f"SELECT stream FROM {PARKED} WHERE projection IN", generations)
    return {str(stream) for (stream,) in rows}


def parked_among(tables: Tables, names: Collection[str]) -> set[str]:
    """Return the streams that what is read of some projections passes over."""
    live = tables.live_numbers()
    return parked_streams(tables, [generation_name(one, live.get(one, 0)) for one in names])


def unpark(tables: Tables, generation: str, stream: str) -> ParkedStream | None:
    """Take a stream out of the parked ones; return where it stopped, None if it is not there."""
    found = [one for one in parked_in(tables, generation) if one.stream == stream]
    tables.execute(f"DELETE FROM {PARKED} WHERE projection = ? AND stream = ?", generation, stream)
    return found[0] if found else None


def apply_each(tables: Tables, generation: str, page: Sequence[Logged], apply: Apply) -> None:
    """Apply events one by one; one that fails parks its stream. Raises the fault of an outage."""
    parked = parked_streams(tables, [generation])
    for one in page:
        if one.stream in parked:
            continue
        try:
            with tables.savepoint():
                apply([one])
        # Whatever is wrong with an event, it must not stop the events of other streams.
        except Exception as fault:
            if is_outage(tables, fault):
                raise
            _park(tables, generation, one, fault)
            parked.add(one.stream)


def is_outage(tables: Tables | Database, fault: Exception) -> bool:
    """Tell whether a fault says nothing about the event that was applied.

    That of a database that is away, locked or full, of the machine, and of a program that is too
    old for an event, which a newer one beside it applies.
    """
    return tables.is_outage(fault) or isinstance(fault, OSError | MemoryError | UnknownTag)


def _park(tables: Tables, generation: str, one: Logged, fault: Exception) -> None:
    told = _told(fault)
    tables.upsert(
        PARKED,
        ("projection", "stream", "place", "version", "fault"),
        [(generation, one.stream, one.place, one.version, told)],
        keys=2,
    )
    structlog.get_logger().error(
        "stream parked", projection=generation, stream=one.stream, version=one.version, fault=told
    )


def _told(fault: Exception) -> str:
    """Return kind and place of a fault: `builtins.KeyError in projections.matches:213`."""
    kind = f"{type(fault).__module__}.{type(fault).__qualname__}"
    frames = [
        (frame.f_globals.get("__name__", "?"), line)
        for frame, line in traceback.walk_tb(fault.__traceback__)
    ]
    module, line = frames[-1] if frames else ("?", 0)
    return f"{kind} in {module}:{line}"
