"""Geometry of the charts of a tournament: movement over the rounds, brackets; drawn as SVG."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from math import floor
from typing import Any

WIDE, NARROW = 1.0, 0.58
ROW, STEP = 22, 92
LEFT, TOP = 34, 30
LABEL = 232
BOX_WIDTH, BOX_HEIGHT, BOX_GAP, COLUMN_GAP = 256, 26, 18, 36
NAME_WIDTH, NAME_SIZE = 182, 13
NAME_SIZE_MIN = 10


def width_of(name: str) -> float:
    """Return about how wide a text is, in its own size."""
    return sum(WIDE if unicodedata.east_asian_width(sign) in "WFA" else NARROW for sign in name)


def fitted(name: str, width: float, size: float) -> tuple[str, float]:
    """Return a name as it fits into a width, and the size of its letters; cut only if it must."""
    needed = width_of(name)
    chosen = max(NAME_SIZE_MIN, min(size, floor(10 * width / max(needed, 1)) / 10))
    if needed * chosen <= width:
        return name, chosen
    kept = name
    while kept and width_of(kept + "…") * chosen > width:
        kept = kept[:-1]
    return kept + "…", chosen


def movement(ranks: Sequence[Mapping[str, int]], names: Mapping[str, str]) -> dict[str, Any]:
    """Return the lines of a chart of places: a column for each round, a line for each player.

    ranks: of each round, player → place. Who shares a place is drawn beside those who do, in the
    order of the last table. names: of those to be shown, in that order.
    """
    lines = []
    places = [
        {player: place for place, player in enumerate(_in_order(found, names), start=1)}
        for found in ranks
    ]
    for row, (player, name) in enumerate(names.items()):
        points = [
            (LEFT + STEP * column, TOP + ROW * (found[player] - 1))
            for column, found in enumerate(places)
            if player in found
        ]
        label, size = fitted(name, LABEL - 40, NAME_SIZE)
        lines.append(
            {
                "player": player,
                "name": name,
                "label": label,
                "size": size,
                "points": points,
                "path": " ".join(f"{x},{y}" for x, y in points),
                "rank": ranks[-1].get(player),
                "y": TOP + ROW * (places[-1].get(player, row + 1) - 1),
            }
        )
    across = LEFT + STEP * (len(ranks) - 1)
    return {
        "lines": lines,
        "columns": [LEFT + STEP * column for column in range(len(ranks))],
        "label": across + 16,
        "width": across + LABEL,
        "height": TOP + ROW * len(names),
    }


def _in_order(ranks: Mapping[str, int], names: Mapping[str, str]) -> list[str]:
    order = {player: place for place, player in enumerate(names)}
    return sorted(
        (player for player in ranks if player in order), key=lambda one: (ranks[one], order[one])
    )


def bracket_sides(bracket: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the sides of a bracket as drawings: winners with the final, then losers."""
    found = bracket["matches"]
    has_losers = any(match["side"] == "losers" for match in found)
    upper = [match for match in found if match["side"] != "losers"]
    sides = [_side("winners" if has_losers else "all", upper)]
    if has_losers:
        sides.append(_side("losers", [match for match in found if match["side"] == "losers"]))
    return sides


def _side(name: str, matches: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return a drawing: boxes at their places, and the lines from which winners come."""
    last = max(
        (one["column"] for one in matches if one["side"] in ("winners", "losers")), default=0
    )
    columns: dict[int, list[Mapping[str, Any]]] = {}
    for match in matches:
        behind = match["column"] if match["side"] in ("final", "reset") else 0
        columns.setdefault(last + behind if behind else match["column"], []).append(match)
    height = 2 * BOX_HEIGHT + BOX_GAP
    middle: dict[str, float] = {}
    boxes, links = [], []
    for number, inside in enumerate(columns[column] for column in sorted(columns)):
        x = number * (BOX_WIDTH + COLUMN_GAP) + 1
        for place, match in enumerate(inside):
            before = [seat["from_slot"] for seat in match["seats"] if seat["from_slot"] in middle]
            at = (
                sum(middle[slot] for slot in dict.fromkeys(before)) / len(set(before))
                if before
                else TOP + height * (place + 0.5)
            )
            middle[match["slot"]] = at
            boxes.append(_box(match, x, at))
            links += [
                f"M{x - COLUMN_GAP} {middle[slot]}h{COLUMN_GAP / 2}V{at}h{COLUMN_GAP / 2}"
                for slot in dict.fromkeys(before)
            ]
    return {
        "name": name,
        "box": BOX_WIDTH,
        "boxes": boxes,
        "links": links,
        "columns": [
            {"x": number * (BOX_WIDTH + COLUMN_GAP) + 1, "number": number + 1, "match": inside[0]}
            for number, (_, inside) in enumerate(sorted(columns.items()))
        ],
        "width": len(columns) * (BOX_WIDTH + COLUMN_GAP) - COLUMN_GAP + 2,
        "height": TOP + height * max(map(len, columns.values()), default=1),
    }


def _box(match: Mapping[str, Any], x: float, middle: float) -> dict[str, Any]:
    seats = []
    for place, seat in enumerate(match["seats"]):
        label, size = fitted(seat["name"] or "", NAME_WIDTH, NAME_SIZE)
        seats.append(
            {
                **seat,
                "label": label,
                "size": size,
                "y": middle - BOX_HEIGHT + place * BOX_HEIGHT,
                "won": match["winner"] is not None and match["winner"] == seat["player"],
                "games": None if match["games"] is None else match["games"][place],
            }
        )
    return {"match": match, "x": x, "middle": middle, "seats": seats}
