"""What all readers give, and what all of them check."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from schemas.event_files import DECIMALS_MAX, NAME_LENGTH_MAX, PLAYERS_MAX, ROUNDS_MAX
from schemas.strict import Unreadable
from service.standings.records import Event, Phase, Player, Result, laws, rounds_of

Format: TypeAlias = Literal["melee", "topdeck", "tom", "trf", "kifu", "csv"]

GAMES_MAX = 999
DEFAULT_PROFILES: Mapping[Format, str] = {
    "melee": "melee-floor",
    "topdeck": "topdeck",
    "tom": "pokemon-tom",
    "trf": "sonneborn-berger",
    "kifu": "mtr-2024",
    "csv": "mtr-2024",
}


class Published(Struct, frozen=True, kw_only=True):
    """A row that the file publishes. values: by short name; division: its own list of places."""

    player: str
    place: int | None = None
    points: Fraction | None = None
    values: dict[str, Fraction] = {}
    division: str = ""


class ReadEvent(Struct, frozen=True, kw_only=True):
    """An event file that was read. notes: what it leaves open or the record cannot say."""

    format: Format
    event: Event
    published: tuple[Published, ...] = ()
    notes: tuple[str, ...] = ()


def checked(read: ReadEvent) -> ReadEvent:
    """Return what was read if it keeps the bounds and laws of a record; raises `Unreadable`."""
    event = read.event
    if len(event.players) > PLAYERS_MAX:
        raise Unreadable(f"more than {PLAYERS_MAX} players")
    if sum(len(phase.rounds) for phase in event.phases) > ROUNDS_MAX:
        raise Unreadable(f"more than {ROUNDS_MAX} rounds")
    for player in event.players:
        check_name(player.id, "players")
        check_name(player.name, f"player {player.id}")
    check_name(event.name, "the event")
    for one in rounds_of(event):
        check_name(one.name, f"round {one.number}")
        if any(max(result.games) > GAMES_MAX for result in one.results):
            raise Unreadable(f"round {one.number}: more than {GAMES_MAX} games in a match")
    fault = laws(event)
    if fault is not None:
        raise Unreadable(fault)
    return read


def check_name(name: str, place: str) -> None:
    """Raise `Unreadable` for a name that is empty, long or holds control characters."""
    if not 0 < len(name) <= NAME_LENGTH_MAX:
        raise Unreadable(f"{place}: a name has 1 to {NAME_LENGTH_MAX} characters")
    if any(unicodedata.category(character) in ("Cc", "Cs") for character in name):
        raise Unreadable(f"{place}: control characters in the name {name!r}")


def exact(value: Decimal, high: int, place: str) -> Fraction:
    """Return a decimal number from 0 to `high` exactly; raises `Unreadable` for any other."""
    if not value.is_finite() or not 0 <= value <= high:
        raise Unreadable(f"{place}: {str(value)[:20]} is not from 0 to {high}")
    exponent = value.as_tuple().exponent
    if not isinstance(exponent, int) or exponent < -DECIMALS_MAX:
        raise Unreadable(f"{place}: more than {DECIMALS_MAX} digits behind the point")
    return Fraction(value)


def unreported(phases: Iterable[Phase]) -> Iterator[str]:
    """Yield a note for each round with tables that have no result."""
    for phase in phases:
        for one in phase.rounds:
            count = sum(result.kind == "unreported" for result in one.results)
            if count:
                yield f"{one.name}: {count} without result"


def plain_name(name: str | None) -> str:
    """Return a name without spaces around it, and one space for several inside."""
    return " ".join((name or "").split())


def with_presence(
    players: Iterable[Player],
    listed: Mapping[str, list[int]],
    numbers: list[int],
    later: frozenset[str] = frozenset(),
) -> list[Player]:
    """Return the players with the first and last round that they were there for.

    listed: the numbers of the rounds that name a player, in order. later: who goes on in a later
    phase. For files that do not say who came late and who left.
    """
    found = []
    for player in players:
        own = listed.get(player.id, [])
        last = own[-1] if own else 0
        gone = bool(numbers) and last < numbers[-1] and player.id not in later
        found.append(
            replace(player, entered=own[0] if own else 1, dropped_after=last if gone else None)
        )
    return found


def players_of(result: Result) -> Iterator[str]:
    """Yield the ids that a result names."""
    yield result.first
    if result.second is not None:
        yield result.second
