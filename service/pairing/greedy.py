"""Greedy pairing of score groups, from the highest down, with single swaps as repair.

Where it leaves nobody open and every odd group sends one player to the next group, its tables have
the least sum of squares that is possible.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from service.pairing.fields import Field, Pair
from service.pairing.objective import score_groups

SWAPS_LOOKED_AT = 64
"""How many tables are tried when a better player is sought to float."""


def paired(field: Field, start: int, stop: int) -> tuple[list[Pair], list[int]]:
    """Pair the places from `start` up to `stop`, an even number of them, without rematches.

    Return the tables, and the places for which this found none.
    """
    tables: list[Pair] = []
    open_places: list[int] = []
    carried: int | None = None
    groups = list(score_groups(field.points, start, stop))
    for number, (first, behind) in enumerate(groups):
        pool = list(range(first, behind))
        if carried is not None:
            partner = _partner(field, carried, pool)
            if partner is None:
                open_places.append(carried)
            else:
                tables.append((carried, partner))
                pool.remove(partner)
        inside, waiting = _pair(field, pool)
        _swap(field, inside, waiting)
        carried = None
        if len(waiting) % 2:
            below = range(*groups[number + 1]) if number + 1 < len(groups) else range(0)
            carried = _floater(field, inside, waiting, below)
        open_places += waiting
        tables += inside
    if carried is not None:
        open_places.append(carried)
    return tables, open_places


def _partner(field: Field, place: int, pool: Sequence[int]) -> int | None:
    """Find who plays the floater: the first who may, if possible one who has not just floated."""
    willing = [other for other in pool if not field.floated[other] and field.allows(place, other)]
    if willing:
        return willing[0]
    return next((other for other in pool if field.allows(place, other)), None)


def _pair(field: Field, pool: Sequence[int]) -> tuple[list[Pair], list[int]]:
    """Give each place the first one before it that waits and that it may meet.

    Those who are left waiting have all met each other.
    """
    tables: list[Pair] = []
    waiting: list[int] = []
    ids, barred = field.ids, field.barred
    for place in pool:
        name = ids[place]
        for index, other in enumerate(waiting):
            if name not in barred[other]:
                tables.append((other, place))
                del waiting[index]
                break
        else:
            waiting.append(place)
    return tables, waiting


def _swap(field: Field, tables: list[Pair], waiting: list[int]) -> None:
    """Open one table for each two who wait, if its players may meet them."""
    while len(waiting) >= 2:
        one, other = waiting[-2:]
        for index, (first, second) in enumerate(tables):
            if field.allows(one, first) and field.allows(other, second):
                swapped = (one, first), (other, second)
            elif field.allows(one, second) and field.allows(other, first):
                swapped = (one, second), (other, first)
            else:
                continue
            tables[index] = _ordered(*swapped[0])
            tables.append(_ordered(*swapped[1]))
            del waiting[-2:]
            break
        else:
            return


def _floater(field: Field, tables: list[Pair], waiting: list[int], below: Sequence[int]) -> int:
    """Take out the player who goes to the next group.

    He can meet somebody there and has not just floated, if one swap can bring that about.
    """
    chosen: tuple[bool, bool] = (True, True)
    best: tuple[int, int | None, Pair | None] = (waiting[0], None, None)
    for floater, index, table in _floaters(field, tables, waiting):
        worth = (
            not any(field.allows(floater, other) for other in below),
            field.floated[floater],
        )
        if worth < chosen:
            chosen, best = worth, (floater, index, table)
        if chosen == (False, False):
            break
    floater, index, table = best
    if index is None or table is None:
        waiting.remove(floater)
    else:
        waiting.remove(next(place for place in table if place in waiting))
        tables[index] = table
    return floater


def _floaters(
    field: Field, tables: Sequence[Pair], waiting: Sequence[int]
) -> Iterator[tuple[int, int | None, Pair | None]]:
    """Give who could float, and which table must then be replaced by which."""
    for place in waiting:
        yield place, None, None
    for place in waiting:
        for index, (first, second) in enumerate(tables[:SWAPS_LOOKED_AT]):
            if field.allows(place, first):
                yield second, index, _ordered(place, first)
            if field.allows(place, second):
                yield first, index, _ordered(place, second)


def _ordered(one: int, other: int) -> Pair:
    return (one, other) if one < other else (other, one)
