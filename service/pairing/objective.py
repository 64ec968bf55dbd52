"""What makes one pairing better than another, and how good one can be at best.

Compared in this order: rematches (and tables of players to be kept apart), meetings beyond the
second, the sum of squared differences of points, players who float twice running.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from service.pairing.fields import Field, Pair

WEIGHT_MAX = 2**125
"""Where the exact matching ends to be exact: its sums are signed numbers of 128 bits."""


class Score(NamedTuple):
    """The objective of some tables; smaller is better."""

    rematches: int
    repeats: int
    squares: int
    floats: int


def table_score(field: Field, one: int, other: int) -> Score:
    """Return the objective of a single table."""
    meetings = field.players[one].met.count(field.ids[other])
    difference = field.points[one] - field.points[other]
    return Score(
        rematches=int(not field.allows(one, other)),
        repeats=max(meetings - 1, 0),
        squares=difference**2,
        floats=field.floated[one] + field.floated[other] if difference else 0,
    )


def score(field: Field, tables: Iterable[Pair]) -> Score:
    """Return the objective of tables."""
    rows = [table_score(field, *table) for table in tables]
    return Score(*map(sum, zip(*rows, strict=True))) if rows else Score(0, 0, 0, 0)


def squares(field: Field, tables: Iterable[Pair]) -> int:
    """Return the sum of squared differences of points."""
    points = field.points
    return sum((points[one] - points[other]) ** 2 for one, other in tables)


def floats(field: Field, tables: Iterable[Pair]) -> int:
    """Return how many players float twice running."""
    points, floated = field.points, field.floated
    return sum(
        floated[one] + floated[other] for one, other in tables if points[one] != points[other]
    )


def least_floats(field: Field, start: int, stop: int) -> int:
    """Return how many must float twice running where each odd group sends one player to the next.

    That is one for each side of such a float on which everybody has just floated.
    """
    groups = list(score_groups(field.points, start, stop))
    weary = [all(field.floated[first:behind]) for first, behind in groups]
    return sum(
        weary[number] + weary[number + 1]
        for number, (_, behind) in enumerate(groups)
        if (behind - start) % 2
    )


def score_groups(points: Sequence[int], start: int, stop: int) -> Iterator[tuple[int, int]]:
    """Give each run of equal points as its first place and the place behind it."""
    first = start
    for place in range(start + 1, stop + 1):
        if place == stop or points[place] != points[first]:
            yield first, place
            first = place


def blocks(points: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Give the smallest runs of whole score groups that hold an even number of players."""
    start = 0
    for _, behind in score_groups(points, 0, len(points)):
        if behind % 2 == 0:
            yield start, behind
            start = behind


@dataclass(frozen=True, slots=True, kw_only=True)
class Units:
    """How much one of each counts, so that a single number compares as the objective does.

    From the greatest down: rematches, byes had before, new tables (when a round is paired again),
    the place among the candidates for the bye, repeats, squares; a float counts 1.
    """

    rematch: int
    bye_had: int
    new_table: int
    candidate: int
    repeat: int
    square: int

    def of(self, value: Score) -> int:
        """Return the weight of a score."""
        return (
            value.rematches * self.rematch
            + value.repeats * self.repeat
            + value.squares * self.square
            + value.floats
        )


def units_of(field: Field, byes: int) -> Units:
    """Return the units of a field in which so many byes are given.

    Each is more than all that lies below it can add up to.
    """
    count = len(field.ids)
    tables = count // 2 + 1
    spread = max(field.points) - min(field.points)
    square = count + 1
    repeat = square * (tables * spread**2 + 1)
    candidate = repeat * (sum(len(player.met) for player in field.players) + 1)
    new_table = candidate * (byes * count + 1)
    bye_had = new_table * (tables + byes + 1)
    rematch = bye_had * (byes * max(player.byes for player in field.players) + 1)
    assert rematch * tables < WEIGHT_MAX, "the points are spread too far for an exact matching"
    return Units(
        rematch=rematch,
        bye_had=bye_had,
        new_table=new_table,
        candidate=candidate,
        repeat=repeat,
        square=square,
    )
