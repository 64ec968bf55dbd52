"""The best pairing of a field without rematches: part by part, each part as small as it may be."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from service.pairing import exact, greedy
from service.pairing.fields import Field, Pair
from service.pairing.objective import blocks, floats, least_floats, squares

REGION_MAX = 64
"""Up to so many players a region is settled exactly."""
WINDOW = 8
"""How many places around an open one are looked at first."""
WINDOW_PLAYERS_MAX = 256
"""A solution for so many players is taken without looking for a better one farther away."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Region:
    """A part of the order between two even cuts, and its tables.

    join: on which side its players must look for opponents too, -1 before and 1 behind; 0 where
    `tables` are settled. tables: None if they need a rematch.
    """

    start: int
    stop: int
    tables: list[Pair] | None
    join: int = 0


def best_tables(field: Field) -> list[Pair] | None:
    """Return the best tables of an even field without rematches, or None if it needs one.

    In a field of up to `REGION_MAX` nothing is better by the objective; beyond, parts are improved
    in windows while that helps.
    """
    regions = [_block(field, start, stop) for start, stop in blocks(field.points)]
    at = 0
    while at < len(regions):
        join = regions[at].join
        if join:
            at = min(at, at + join)
            regions[at : at + 2] = [_solved(field, regions[at].start, regions[at + 1].stop)]
        else:
            at += 1
    tables: list[Pair] = []
    for region in regions:
        if region.tables is None:
            return None
        tables += region.tables
    return tables


def _block(field: Field, start: int, stop: int) -> Region:
    is_small = stop - start <= REGION_MAX
    tables, left = greedy.paired(field, start, stop)
    if left and not is_small:
        return _large(field, start, stop, _windowed(field, tables, left))
    if left or (is_small and floats(field, tables) > least_floats(field, start, stop)):
        return _solved(field, start, stop)
    return Region(start=start, stop=stop, tables=tables)


def _solved(field: Field, start: int, stop: int) -> Region:
    if stop - start > REGION_MAX:
        tables, left = greedy.paired(field, start, stop)
        return _large(field, start, stop, _windowed(field, tables, left) if left else tables)
    found = exact.between_cuts(field, start, stop)
    if found is None:
        return Region(start=start, stop=stop, tables=None)
    tables, leaving = found
    join = leaving or _passed_over(field, start, stop, tables)
    return Region(start=start, stop=stop, tables=tables, join=join)


def _large(field: Field, start: int, stop: int, tables: list[Pair] | None) -> Region:
    join = 0
    if tables is None and stop < len(field.ids):
        join = 1
    elif tables is None and start > 0:
        join = -1
    return Region(start=start, stop=stop, tables=tables, join=join)


def _passed_over(field: Field, start: int, stop: int, tables: list[Pair]) -> int:
    """Return 1 if tables between the two sides of a region could make its own ones cheaper.

    Such a table costs at least the square of the region's spread, and each cut that it crosses.
    """
    points = field.points
    if start == 0 or stop == len(points):
        return 0
    spread, above, behind = (
        points[one] - points[other]
        for one, other in ((start, stop - 1), (start - 1, start), (stop - 1, stop))
    )
    return int(2 * spread**2 + above**2 + behind**2 <= 2 * squares(field, tables))


def _windowed(field: Field, tables: Sequence[Pair], left: Sequence[int]) -> list[Pair] | None:
    """Pair again whoever sits near an open place, in windows that grow while that helps."""
    best: list[Pair] | None = None
    width = WINDOW
    everybody = 2 * len(tables) + len(left)
    while True:
        kept, members = _window(tables, left, width)
        found = exact.without_rematches(field, members)
        if found is not None:
            widened = kept + found
            if best is not None and _value(field, widened) >= _value(field, best):
                return best
            best = widened
        if len(members) == everybody or (best and len(members) >= WINDOW_PLAYERS_MAX):
            return best
        width *= 2


def _window(
    tables: Iterable[Pair], left: Sequence[int], width: int
) -> tuple[list[Pair], list[int]]:
    """Return the tables away from all open places, and the places of the others in order."""
    near = {place for middle in left for place in range(middle - width, middle + width + 1)}
    kept: list[Pair] = []
    members = list(left)
    for table in tables:
        if near.isdisjoint(table):
            kept.append(table)
        else:
            members += table
    return kept, sorted(members)


def _value(field: Field, tables: Sequence[Pair]) -> tuple[int, int]:
    return squares(field, tables), floats(field, tables)
