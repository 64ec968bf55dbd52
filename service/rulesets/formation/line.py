"""The line: squares, front and rearmost, action order, closing ranks (FM-101 to FM-106, FM-985)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from service.engine.values import Json
from service.rulesets.formation.cards import DISABLING, SEAL, SLEEP, STUN, Card
from service.rulesets.formation.course import Course
from service.rulesets.formation.position import PLAYERS, opponent, place_of

FRONT_SQUARE = 1
NO_SQUARE = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Holder:
    """Who holds an ability: a unit where it stands, or stood when it fell; or a spell piece.

    square: from 1 (FM-101); a spell piece stands on no square, 0, and its unit is only its id.
    """

    player: str
    square: int
    unit: Json
    card: Card

    @property
    def id(self) -> str:
        """The id of the unit or piece."""
        return str(self.unit["id"])

    @property
    def disabled_by(self) -> str | None:
        """The first of stun, seal and sleep that keeps a unit from acting, None if it is able."""
        return next((ailment for ailment in DISABLING if self.unit[ailment]), None)

    @property
    def is_able(self) -> bool:
        """Whether a unit can act (FM-722, FM-723, FM-724)."""
        unit = self.unit
        return not (unit[STUN] or unit[SEAL] or unit[SLEEP])


def spell_piece(player: str, piece: str, card: Card) -> Holder:
    """Return a spell piece as the holder of its abilities (FM-930)."""
    return Holder(player=player, square=NO_SQUARE, unit={"id": piece}, card=card)


def unit_at(course: Course, player: str, square: int) -> Holder | None:
    """Return the unit on a square, None if it is vacated or beyond the line (FM-942)."""
    line = course.position[player]["line"]
    unit = line[square - 1] if FRONT_SQUARE <= square <= len(line) else None
    return None if unit is None else _holder(course, player, square, unit)


def front(course: Course, player: str) -> Holder | None:
    """Return who stands on square 1, even alone, and faces the enemy front (FM-102, FM-982)."""
    return unit_at(course, player, FRONT_SQUARE)


def units(course: Course, player: str) -> list[Holder]:
    """Return the standing units of a line, front to rear."""
    return [
        _holder(course, player, square, unit)
        for square, unit in enumerate(course.position[player]["line"], FRONT_SQUARE)
        if unit is not None
    ]


def rearmost(course: Course, player: str) -> Holder | None:
    """Return the unit on the occupied square with the highest number (FM-985)."""
    standing = units(course, player)
    return standing[-1] if standing else None


def find(course: Course, unit_id: str) -> Holder | None:
    """Return a unit that stands, wherever it is, or None."""
    place = place_of(course.position, unit_id)
    if place is None:
        return None
    player, index = place
    unit = course.position[player]["line"][index]
    return _holder(course, player, index + FRONT_SQUARE, unit)


def present(course: Course, unit_id: str) -> Holder:
    """Return a unit that is known to stand."""
    holder = find(course, unit_id)
    assert holder is not None, f"{unit_id} does not stand"
    return holder


def in_action_order(course: Course) -> list[Holder]:
    """Return all standing units: by square, on each first the one of the first player (FM-940)."""
    return [_holder(course, *place) for place in _places_in_action_order(course)]


def next_to_act(course: Course) -> Holder | None:
    """Return the first unit in action order that has not acted, None if all have."""
    waiting = (place for place in _places_in_action_order(course) if not place[2]["acted"])
    return next((_holder(course, *place) for place in waiting), None)


def _places_in_action_order(course: Course) -> Iterator[tuple[str, int, Json]]:
    players = (course.position["first"], opponent(course.position["first"]))
    lines = [course.position[player]["line"] for player in players]
    for square, pair in enumerate(zip_longest(*lines), FRONT_SQUARE):
        for player, unit in zip(players, pair, strict=True):
            if unit is not None:
                yield player, square, unit


def close_ranks(course: Course, rule: str) -> None:
    """Close every gap of both lines (FM-105); rule: what makes them close.

    Facts: ranks_closed for each line with a gap, P1 before P2.
    """
    for player in PLAYERS:
        line = course.position[player]["line"]
        if None in line:
            order = [unit["id"] for unit in line if unit is not None]
            course.add("ranks_closed", rules=(rule,), player=player, order=order)


def ids(holders: Sequence[Holder]) -> list[str]:
    """Return the ids of units in their order."""
    return [holder.id for holder in holders]


def _holder(course: Course, player: str, square: int, unit: Json) -> Holder:
    return Holder(player=player, square=square, unit=unit, card=course.cards[unit["card"]])
