"""Why these tables: reasons as data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from service.pairing.fields import Field, Pair, Player, TableReason


def table_reasons(field: Field, tables: Iterable[Pair]) -> list[TableReason]:
    """Say why the players of each table meet."""
    points_of = dict(zip(field.ids, field.points, strict=True))
    drawn = {points: TableReason(points=(points, points)) for points in set(field.points)}
    return [
        drawn[field.points[one]]
        if field.points[one] == field.points[other] and field.allows(one, other)
        else _reason(field.players[one], field.players[other], points_of)
        for one, other in tables
    ]


def table_order(field: Field, table: Pair) -> tuple[int, int, int]:
    """Sort tables by this: from the highest score down, then as drawn."""
    one, other = table
    return (-field.points[one], -field.points[other], one)


def _reason(one: Player, other: Player, points_of: Mapping[str, int]) -> TableReason:
    is_float = one.points != other.points
    both = (one, other)
    return TableReason(
        points=(one.points, other.points),
        down=one.id if is_float else None,
        up=other.id if is_float else None,
        again=tuple(player.id for player in both if is_float and player.floated),
        meetings=one.met.count(other.id),
        apart=other.id in one.apart,
        barred=tuple(pair for player in both for pair in _barred(player, points_of)),
    )


def _barred(player: Player, points_of: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    for other in sorted({*player.met, *player.apart}):
        if points_of.get(other) == player.points:
            yield player.id, other
