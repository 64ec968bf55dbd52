"""How projections stand: how far each generation is behind, and which streams are parked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias

from projections import places
from projections.naming import generation_name, parted_name
from projections.parking import ParkedStream, parked_in
from projections.runner import EventLog, Projection
from projections.tables import Database

State: TypeAlias = Literal["live", "next", "former", "unknown"]
"""live: it is read; next: built to be read instead; former: read before the present one.

unknown: of a projection that this program does not have, as an older one had.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How a generation stands.

    position: the place in the log up to which it has come; lag: how many places follow. lag_s: how
    many seconds ago the first event was stored that it has not seen, 0 without a lag.
    """

    projection: str
    generation: int
    state: State
    position: int
    lag: int
    lag_s: int
    parked: Sequence[ParkedStream]


def standings(
    database: Database, log: EventLog, projections: Sequence[Projection], now: str
) -> list[Standing]:
    """Return how every generation stands, in the order of names and numbers."""
    last = log.last_position()
    with database.reading() as tables:
        live, reached = tables.live_numbers(), places.positions(tables)
        parked = {name: parked_in(tables, name) for name in reached}
    there = {parted_name(name): position for name, position in reached.items()}
    known = {one.name: live.get(one.name, 0) for one in projections}
    # What was never fed stands at the beginning.
    places_of = {**{(name, number): 0 for name, number in known.items()}, **there}
    waited = {
        place: _waited_s(log, place, now) for place in set(places_of.values()) if place < last
    }
    return [
        Standing(
            projection=name,
            generation=number,
            state=_state(number, known.get(name)),
            position=position,
            lag=max(last - position, 0),
            lag_s=waited.get(position, 0),
            parked=parked.get(generation_name(name, number), ()),
        )
        for (name, number), position in sorted(places_of.items())
    ]


def live_standings(
    database: Database, log: EventLog, projections: Sequence[Projection], now: str
) -> dict[str, Standing]:
    """Return how the generations stand that are read: name → standing."""
    found = standings(database, log, projections, now)
    return {one.projection: one for one in found if one.state == "live"}


def _state(number: int, live: int | None) -> State:
    if live is None:
        return "unknown"
    if number == live:
        return "live"
    return "next" if number > live else "former"


def _waited_s(log: EventLog, position: int, now: str) -> int:
    """Return how long the event behind a position has waited."""
    page = log.page(position, 1)
    if not page:
        return 0
    waited = datetime.fromisoformat(now) - datetime.fromisoformat(page[0].time)
    return max(int(waited.total_seconds()), 0)
