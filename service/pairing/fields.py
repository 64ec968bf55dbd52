"""What the pairer is given, what it answers, and the seeded order of a field."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Literal, TypeAlias

import msgspec

from service.engine.draws import KeyedSource
from service.engine.hashes import tagged_hash

PLAYERS_MIN = 2

Pair: TypeAlias = tuple[int, int]
"""Two places of a field, the earlier one first."""

Cause: TypeAlias = Literal["had_bye", "rematch", "few_changes"]


class Player(msgspec.Struct, frozen=True, kw_only=True):
    """One player before the round.

    points: whole numbers on any scale (match points, half points). met: his opponents, once for
    each meeting; mutual. apart: those he must not meet for another reason; mutual. byes: of every
    kind, assigned, given before the event, or a missed round made one. floated: his last opponent
    had another number of points. active: he is to be paired.
    """

    id: str
    points: int
    met: tuple[str, ...] = ()
    apart: tuple[str, ...] = ()
    byes: int = 0
    floated: bool = False
    active: bool = True


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """How to pair. seed: the only source of chance.

    byes_max: how many byes the pairer may give; more than the odd one are given only where they
    save rematches. byes_given: players with a bye by decision of a person, who are not paired; with
    `byes_max` 0 an odd rest is refused.
    """

    seed: bytes
    byes_max: int = 1
    byes_given: tuple[str, ...] = ()


class TableReason(msgspec.Struct, frozen=True, kw_only=True):
    """Why two players meet.

    points: of the first and the second player. down, up: who plays below or above his score group,
    None at a table of one group. again: who of them floated in the last round too. meetings: how
    often they have met before; more than 0 is a rematch. apart: they were not to meet. barred: at a
    table that is a float or not allowed, (player, another of his score group whom he could not
    meet).
    """

    points: tuple[int, int]
    down: str | None = None
    up: str | None = None
    again: tuple[str, ...] = ()
    meetings: int = 0
    apart: bool = False
    barred: tuple[tuple[str, str], ...] = ()


class PassedOver(msgspec.Struct, frozen=True, kw_only=True):
    """Why another player has not got the bye.

    had_bye: he has fewer points, but has had more byes than who got it. rematch: had he
    the bye, the others could only be paired with more rematches. few_changes: of a round paired
    again, either that or more tables would have to change.
    """

    player: str
    points: int
    byes: int
    cause: Cause


class ByeReason(msgspec.Struct, frozen=True, kw_only=True):
    """Why a player has a bye. cause given: a person decided so.

    byes: those he had before. passed_over: in the order of the candidates.
    """

    player: str
    points: int
    byes: int
    cause: Literal["given", "odd", "rematch"]
    passed_over: tuple[PassedOver, ...] = ()


class Why(msgspec.Struct, frozen=True, kw_only=True):
    """The reasons of a pairing: one for each table and each bye, in their order."""

    tables: tuple[TableReason, ...]
    byes: tuple[ByeReason, ...]


class Pairing(msgspec.Struct, frozen=True, kw_only=True):
    """A round: tables from the highest score down, and who has a bye."""

    tables: tuple[tuple[str, str], ...]
    byes: tuple[str, ...]
    why: Why


class Unpairable(msgspec.Struct, frozen=True, kw_only=True):
    """No pairing is made: fewer than two active players, or an odd rest and no bye allowed.

    active: how many would have to be paired.
    """

    reason: Literal["too_few_players", "odd_without_bye"]
    active: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """Players in the order in which they are paired: by points, inside a score group as drawn.

    The lists are parallel; `barred` holds whom the player at that place may not meet.
    """

    players: Sequence[Player]
    ids: Sequence[str]
    points: Sequence[int]
    barred: Sequence[tuple[str, ...]]
    floated: Sequence[bool]

    def allows(self, one: int, other: int) -> bool:
        """Tell whether two places may meet."""
        return self.ids[other] not in self.barred[one]

    def members(self) -> range:
        """Return all places."""
        return range(len(self.ids))


def field_of(players: Iterable[Player]) -> Field:
    """Return the field of players that are in order."""
    order = tuple(players)
    return Field(
        players=order,
        ids=[player.id for player in order],
        points=[player.points for player in order],
        barred=[player.met + player.apart for player in order],
        floated=[player.floated for player in order],
    )


def drawn(players: Iterable[Player], seed: bytes) -> list[Player]:
    """Order players by points from above, and each score group by a draw of its own.

    The order in which the players are given has no influence.
    """
    source = KeyedSource(seed, {})
    by_id = sorted(players, key=attrgetter("id"))
    by_points = sorted(by_id, key=attrgetter("points"), reverse=True)
    return [
        player
        for points, group in groupby(by_points, key=attrgetter("points"))
        for player in source.ordered(f"group/{points}", list(group))
    ]


def input_digest(players: Iterable[Player], options: Options) -> str:
    """Return the digest of everything a pairing depends on, in hex."""
    by_id = sorted(players, key=attrgetter("id"))
    return tagged_hash(
        "kifu/pairing", msgspec.json.encode(by_id), msgspec.json.encode(options)
    ).hex()
