"""The objective measured and optimized anew, on the graph of all tables, beside the pairer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import groupby

import rustworkx

from service.pairing.fields import Player

Score = tuple[int, int, int, int]
SCALE = 10**7


def score_of(tables: Sequence[tuple[str, str]], players: Sequence[Player]) -> Score:
    """Return rematches, further repeats, squares, floats twice running."""
    by_id = {player.id: player for player in players}
    parts = [table_score(by_id[one], by_id[other]) for one, other in tables]
    return total_of(parts)


def total_of(parts: Iterable[Score]) -> Score:
    """Return the sums of scores, part by part."""
    rematches, repeats, squares, floats = map(sum, zip((0, 0, 0, 0), *parts, strict=True))
    return rematches, repeats, squares, floats


def table_score(one: Player, other: Player) -> Score:
    """Return the score of a single table."""
    difference = one.points - other.points
    meetings = one.met.count(other.id)
    floats = one.floated + other.floated if difference else 0
    return (
        int(meetings > 0 or other.id in one.apart),
        max(meetings - 1, 0),
        difference**2,
        floats,
    )


def packed(score: Score) -> int:
    """Return the score as one number that compares as it does."""
    total = 0
    for part in score:
        assert part < SCALE
        total = total * SCALE + part
    return total


def best_score(players: Sequence[Player]) -> Score:
    """Return the best score of an even number of players, by exact matching."""
    graph = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(len(players)))
    edges = [
        (one, other, packed(table_score(players[one], players[other])))
        for one in range(len(players))
        for other in range(one)
    ]
    dearest = max(cost for *_, cost in edges)
    graph.add_edges_from([(one, other, dearest - cost) for one, other, cost in edges])
    found = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return score_of([(players[one].id, players[other].id) for one, other in found], players)


def fewest_rematches(players: Sequence[Player]) -> int:
    """Return how many rematches an even number of players needs, by cardinality."""
    graph = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(len(players)))
    graph.add_edges_from(
        [
            (one, other, 1)
            for one in range(len(players))
            for other in range(one)
            if table_score(players[one], players[other])[0] == 0
        ]
    )
    found = rustworkx.max_weight_matching(graph, max_cardinality=True)
    # Whoever the largest matching leaves out meets an old opponent.
    return len(players) // 2 - len(found)


def brute_score(players: Sequence[Player]) -> Score:
    """Return the best score of a few players by trying every pairing."""

    @cache
    def best(left: tuple[int, ...]) -> Score:
        if not left:
            return (0, 0, 0, 0)
        first, *rest = left
        return min(
            total_of(
                [
                    table_score(players[first], players[other]),
                    best(tuple(place for place in rest if place != other)),
                ]
            )
            for other in rest
        )

    return best(tuple(range(len(players))))


def bye_is_right(players: Sequence[Player], bye: str) -> bool:
    """Tell whether nobody with fewer byes, or as many and fewer points, should have it instead."""

    def rank(player: Player) -> tuple[int, int]:
        return player.byes, player.points

    best = len(players)
    right: set[str] = set()
    for _, group in groupby(sorted(players, key=rank), key=rank):
        for candidate in group:
            needed = fewest_rematches([player for player in players if player is not candidate])
            if needed < best:
                best, right = needed, set()
                first = rank(candidate)
            if needed == best and rank(candidate) == first:
                right.add(candidate.id)
        if best == 0:
            break
    return bye in right
