"""Exact pairing by weighted matching, for the parts of a field that greedy pairing leaves open.

A *cut* lies between two neighbours of the order who have different points; it is even if the number
of players before it is. A *region* lies between two even cuts. A difference of points is the sum of
the gaps it spans, so its square is at least the sum of what each region would charge for its part;
if no region can save anything at that price, its own best tables are those of the whole field.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

import rustworkx

from service.pairing.fields import Field, Pair

DENSE_MAX = 128
"""Up to so many players every possible table is looked at."""
REACH = 32
REACH_GROWTH = 4
EDGES_MAX = 300_000
"""Beyond so many possible tables no wider look is taken."""


def cheapest(count: int, edges: Sequence[tuple[int, int, int]]) -> list[Pair] | None:
    """Return the perfect matching of nodes 0 … count - 1 with the least sum of costs, or None.

    edges: (node, node, cost).
    """
    graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(count))
    graph.add_edges_from(edges)
    dearest = max((edge[2] for edge in edges), default=0)
    found = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=dearest.__sub__)
    if 2 * len(found) < count:
        return None
    return sorted((min(pair), max(pair)) for pair in found)


def without_rematches(field: Field, members: Sequence[int]) -> list[Pair] | None:
    """Return the best tables of places in ascending order, or None if a rematch is needed.

    Many players look at their next neighbours only, at more of them while that is not enough.
    """
    for reach in _reaches(len(members)):
        found = cheapest(len(members), list(_allowed(field, members, reach)))
        if found is not None:
            return [(members[one], members[other]) for one, other in found]
    return None


def between_cuts(field: Field, start: int, stop: int) -> tuple[list[Pair], int] | None:
    """Return the best tables of a region, and whether its players had better look beyond it.

    Beside the tables inside, any two players may leave over the same end, for less than they would
    pay for their part of tables there. If at that price nobody leaves, 0 is returned with the
    tables: they belong to the best pairing of the whole field. Else -1 or 1 says over which end.
    None if there is nothing beyond and no pairing without a rematch.
    """
    members = range(start, stop)
    edges = {(one, other): cost for one, other, cost in _allowed(field, members, len(members))}
    leaving: dict[Pair, int] = {}
    for end in (-1, 1):
        fees = _fees(field, start, stop, end)
        for one, fee in enumerate(fees):
            for other in range(one + 1, len(fees)):
                cost = fee + fees[other]
                if cost <= edges.get((one, other), cost):
                    edges[one, other] = cost
                    leaving[one, other] = end
    found = cheapest(len(members), [(one, other, cost) for (one, other), cost in edges.items()])
    if found is None:
        return None
    join = next((leaving[pair] for pair in found if pair in leaving), 0)
    return [(start + one, start + other) for one, other in found], join


def _fees(field: Field, start: int, stop: int, end: int) -> list[int]:
    """Return what each player of a region pays at least to meet somebody beyond an end of it.

    That is the square of the difference to the nearest player there, where the two regions share
    the cost of the gap between them. In the unit of `_allowed`; empty if nobody is beyond.
    """
    points = field.points
    beyond, nearest = (start - 1, start) if end < 0 else (stop, stop - 1)
    if not 0 <= beyond < len(points):
        return []
    gap = points[beyond] - points[nearest]
    unit = stop - start + 1
    return [
        (2 * (points[beyond] - points[place]) ** 2 - gap**2) * unit for place in range(start, stop)
    ]


def cheapest_round(
    field: Field,
    price: Callable[[int, int], int],
    bye_prices: Mapping[int, int],
    byes: int,
    standing: Collection[Pair] = (),
) -> tuple[list[Pair], list[int]]:
    """Return the tables and the places with a bye that cost least; any two may meet.

    price: what a table costs. bye_prices: what a bye for each place costs, if any are to be given.
    standing: tables that are looked at however far apart their players are.
    """
    count = len(field.ids)
    edges = [
        (place, count + number, bye_prices[place])
        for number in range(byes)
        for place in range(count)
    ]
    pairs: list[Pair] = []
    for reach in _reaches(count):
        looked_at = (*_in_reach(field, reach), *standing)
        tables = [(one, other, price(one, other)) for one, other in looked_at]
        pairs = cheapest(count + byes, tables + edges) or []
        if all(other >= count or field.allows(one, other) for one, other in pairs):
            break
    assert 2 * len(pairs) == count + byes, "neighbours can always meet"
    return (
        [pair for pair in pairs if pair[1] < count],
        [one for one, other in pairs if other >= count],
    )


def _in_reach(field: Field, reach: int) -> Iterator[Pair]:
    """Give for each place the next ones it may meet, and as many others, as far as `reach`."""
    for one in field.members():
        allowed = 0
        for other in range(one + 1, len(field.ids)):
            may_meet = field.allows(one, other)
            if may_meet or other - one <= reach:
                yield one, other
            allowed += may_meet
            if allowed == reach:
                break


def _reaches(count: int) -> list[int]:
    if count <= DENSE_MAX:
        return [count]
    reaches = [REACH]
    while reaches[-1] < count and reaches[-1] * REACH_GROWTH * count <= EDGES_MAX:
        reaches.append(reaches[-1] * REACH_GROWTH)
    return reaches


def _allowed(field: Field, members: Sequence[int], reach: int) -> Iterator[tuple[int, int, int]]:
    """Give the tables that are no rematch as (index, index, twice the square and then floats)."""
    index_of = {field.ids[place]: index for index, place in enumerate(members)}
    points = [field.points[place] for place in members]
    floated = [int(field.floated[place]) for place in members]
    unit = 2 * (len(members) + 1)
    for one, place in enumerate(members):
        barred = {index_of[other] for other in field.barred[place] if other in index_of}
        looked_at = 0
        for other in range(one + 1, len(members)):
            if other in barred:
                continue
            difference = points[one] - points[other]
            cost = difference * difference * unit + floated[one] + floated[other]
            yield one, other, cost if difference else 0
            looked_at += 1
            if looked_at == reach:
                break
