"""The form of event files of other platforms: Melee and TopDeck JSON, Pokémon TOM.

Fields that nothing is made of may be there and are passed over; those that are here have their
type, and a fault names its place.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, TypeVar

import msgspec
from msgspec import Meta, Struct

from schemas.strict import Unreadable

FILE_BYTES_MAX = 64 * 2**20
PLAYERS_MAX = 10_000
ROUNDS_MAX = 100
NAME_LENGTH_MAX = 200
# Of a decimal number: more digits behind the point than this say nothing.
DECIMALS_MAX = 40

Name = Annotated[str, Meta(max_length=NAME_LENGTH_MAX)]
Code = Annotated[str, Meta(max_length=20)]
Number = Annotated[int, Meta(ge=0, le=1_000_000)]
Form = TypeVar("Form")


class PlatformMatch(Struct, frozen=True, kw_only=True, rename="pascal"):
    """A table. player2: `-` or nothing for nobody. result: games, `won-lost-drawn`."""

    player1: Name | None = None
    player2: Name | None = None
    result: Code


class PlatformRound(Struct, frozen=True, kw_only=True, rename="pascal"):
    """A round; its name tells whether it is Swiss or a bracket."""

    round_name: Name
    matches: Annotated[list[PlatformMatch], Meta(max_length=PLAYERS_MAX)]


class PlatformStanding(Struct, frozen=True, kw_only=True):
    """A published row. Percentages are from 0 to 1."""

    rank: Number | None = msgspec.field(default=None, name="Rank")
    player: Name = msgspec.field(name="Player")
    points: Decimal | None = msgspec.field(default=None, name="Points")
    omw: Decimal | None = msgspec.field(default=None, name="OMWP")
    gw: Decimal | None = msgspec.field(default=None, name="GWP")
    ogw: Decimal | None = msgspec.field(default=None, name="OGWP")


class PlatformTournament(Struct, frozen=True, kw_only=True, rename="pascal"):
    """What is said about the whole event."""

    name: Name | None = None
    uri: str | None = None


class PlatformFile(Struct, frozen=True, kw_only=True, rename="pascal"):
    """An event of Melee or TopDeck."""

    rounds: Annotated[list[PlatformRound], Meta(max_length=ROUNDS_MAX)]
    standings: Annotated[list[PlatformStanding], Meta(max_length=PLAYERS_MAX)] | None = None
    tournament: PlatformTournament | None = None


class TomPlayer(Struct, frozen=True, kw_only=True):
    """A player of TOM. name: null where it is the id."""

    id: Name
    name: Name | None = None
    dropped_after_round: Number | None = None
    cut_seed: Number | None = None


class TomMatch(Struct, frozen=True, kw_only=True):
    """A table of TOM. p2: null for nobody; outcome: its code."""

    p1: Name
    p2: Name | None = None
    outcome: Code


class TomRound(Struct, frozen=True, kw_only=True):
    """A round of TOM. kind: `swiss` or `single-elimination`."""

    number: Annotated[int, Meta(ge=1, le=1_000)]
    kind: Code
    matches: Annotated[list[TomMatch], Meta(max_length=PLAYERS_MAX)]


class TomPlace(Struct, frozen=True, kw_only=True):
    """A published place in an age division."""

    division: Code | None = None
    place: Number
    id: Name


class TomFile(Struct, frozen=True, kw_only=True):
    """An event of TOM: one pod."""

    players: Annotated[list[TomPlayer], Meta(max_length=PLAYERS_MAX)]
    rounds: Annotated[list[TomRound], Meta(max_length=ROUNDS_MAX)]
    published: Annotated[list[TomPlace], Meta(max_length=PLAYERS_MAX)] | None = None


def read_form(body: bytes, form: type[Form]) -> Form:
    """Return JSON as a form; raises `Unreadable` with the place of the first fault."""
    try:
        return msgspec.json.decode(body, type=form)
    except RecursionError as fault:
        raise Unreadable("nested too deeply") from fault
    except (msgspec.DecodeError, UnicodeDecodeError) as fault:
        raise Unreadable(f"JSON: {fault}") from fault
