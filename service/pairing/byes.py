"""Who gets a bye: the lowest who has had none, unless the others could then not be paired.

Candidates in order: fewest byes of any kind, lowest score group, a draw of its own. So nobody has a
second bye while another has none; among pairings with the same number of rematches the first
candidate is taken.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from service.engine.draws import KeyedSource
from service.pairing import exact
from service.pairing.fields import ByeReason, Cause, Field, Pair, PassedOver, Player, field_of
from service.pairing.objective import score, table_score, units_of
from service.pairing.regions import best_tables


def candidates(field: Field, seed: bytes) -> list[int]:
    """Return all places in the order in which they are asked for a bye."""
    by_id = sorted(field.members(), key=lambda place: field.ids[place])
    order = KeyedSource(seed, {}).ordered("bye", by_id)
    return sorted(order, key=lambda place: (field.players[place].byes, field.points[place]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """Tables and byes as places of a field; byes in the order of the candidates."""

    tables: list[Pair]
    byes: list[int]
    rematches: int


def best_round(field: Field, order: Sequence[int], byes_max: int) -> Round:
    """Return the best round: fewest rematches, then fewest byes, then the first candidates.

    order: the candidates. Raises nothing: the field has two players or more, and is even or
    `byes_max` is not 0.
    """
    count = len(field.ids)
    best: Round | None = None
    for byes in range(count % 2, min(byes_max, count - 2) + 1, 2):
        found = _round(field, order, byes)
        if best is None or found.rematches < best.rematches:
            best = found
        if best.rematches == 0:
            break
    assert best is not None, "an odd field needs a bye"
    return best


def _round(field: Field, order: Sequence[int], byes: int) -> Round:
    first = list(order[:byes])
    tables = _tables_without(field, first)
    if tables is not None:
        return Round(tables=tables, byes=first, rematches=0)
    units = units_of(field, byes)
    prices = {
        place: field.players[place].byes * units.bye_had + rank * units.candidate
        for rank, place in enumerate(order)
    }

    def price(one: int, other: int) -> int:
        return units.of(table_score(field, one, other))

    tables, chosen = exact.cheapest_round(field, price, prices, byes)
    chosen.sort(key=prices.__getitem__)
    rematches = score(field, tables).rematches
    if rematches == 0:
        tables = _tables_without(field, chosen) or tables
    return Round(tables=tables, byes=chosen, rematches=rematches)


def _tables_without(field: Field, byes: Sequence[int]) -> list[Pair] | None:
    """Pair all but some without rematches; None if that cannot be."""
    if not byes:
        return best_tables(field)
    rest = [place for place in field.members() if place not in byes]
    tables = best_tables(field_of(field.players[place] for place in rest))
    return tables and [(rest[one], rest[other]) for one, other in tables]


def bye_reasons(
    field: Field, order: Sequence[int], byes: Sequence[int], cause: Cause = "rematch"
) -> list[ByeReason]:
    """Say why these places have a bye, and that those before them in the order have none for it."""
    return [
        ByeReason(
            player=field.ids[place],
            points=field.points[place],
            byes=field.players[place].byes,
            cause="odd" if number < len(field.ids) % 2 else "rematch",
            passed_over=tuple(_passed_over(field, order, place, byes, cause)),
        )
        for number, place in enumerate(byes)
    ]


def _passed_over(
    field: Field, order: Sequence[int], place: int, byes: Sequence[int], cause: Cause
) -> Iterator[PassedOver]:
    got_it = field.players[place]
    for other in order[: order.index(place)]:
        if other not in byes:
            yield _passed(field.players[other], cause)
    for other in order[order.index(place) + 1 :]:
        player = field.players[other]
        if player.byes > got_it.byes and player.points < got_it.points:
            yield _passed(player, "had_bye")


def _passed(player: Player, cause: Cause) -> PassedOver:
    return PassedOver(player=player.id, points=player.points, byes=player.byes, cause=cause)
