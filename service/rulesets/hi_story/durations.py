"""How long effects last: turns counted ahead, extra turns included (9.5, HS-651, HS-948)."""

from __future__ import annotations

from collections.abc import Mapping

from service.engine.values import Json, Position
from service.rulesets.hi_story.table import other, owner

COUNTING_TURNS = ("turn", "turn_end", "next_turns")
"""Durations that count turns, whoever takes them; extra turns do not move them (HS-948)."""


def next_turn(position: Position, player: str) -> int:
    """Return the number of a player's next turn as far as it is known now (9.5)."""
    extra = position["extra"]
    latest = extra[-1] if extra else position["active"]
    ahead = [*extra, other(latest), latest]
    return int(position["turn"] + 1 + ahead.index(player))


_BOUNDS: Mapping[str, tuple[tuple[str, int], tuple[str, int]]] = {
    "turn": (("now", 0), ("now", 0)),
    "turn_end": (("now", 0), ("now", 0)),
    "next_own_turn": (("own", 0), ("own", 0)),
    "next_own_start": (("own", 0), ("own", 0)),
    "next_own_end": (("own", 0), ("own", 0)),
    "next_opponent_turn": (("opposing", 0), ("opposing", 0)),
    "next_opponent_start": (("opposing", 0), ("opposing", 0)),
    "next_opponent_end": (("opposing", 0), ("opposing", 0)),
    "until_own_turn": (("now", 0), ("own", -1)),
    "through_opponent_turn": (("now", 0), ("opposing", 0)),
    "next_turns": (("now", 1), ("now", 2)),
}
"""The first and last turn of a duration: this one or a player's next, and a distance from it."""


def bounds(position: Position, word: str, player: str) -> list[int]:
    """Return the first and last turn of a duration in an effect of a player (HS-651)."""
    turns = {
        "now": position["turn"],
        "own": next_turn(position, player),
        "opposing": next_turn(position, other(player)),
    }
    return [turns[turn] + distance for turn, distance in _BOUNDS[word]]


def lasts(position: Position, word: str, source: str) -> dict[str, Json]:
    """Return the keys of a lasting entry that say how long it lasts (9.5)."""
    if word == "source":
        return {"attack": False, "turns": None, "while": source}
    if word in ("attack", "field"):
        return {"attack": word == "attack", "turns": None}
    return {"attack": False, "turns": bounds(position, word, owner(source)), "until": word}


def moved_bounds(position: Position, player: str) -> dict[str, Json]:
    """Return the bounds that change when a player is granted an extra turn (HS-948).

    Returns {lasting id: [from, to]}. A bound that has been reached stays, except the end of
    `until_own_turn`.
    """
    granted = {**position, "extra": [*position["extra"], player]}
    moved = {}
    for entry in position["lasting"]:
        word, turns = entry.get("until"), entry["turns"]
        if turns is None or word not in _BOUNDS or word in COUNTING_TURNS:
            continue
        first, final = bounds(granted, word, owner(entry["source"]))
        if turns[0] <= position["turn"]:
            first = turns[0]
        if turns[1] <= position["turn"] and word != "until_own_turn":
            final = turns[1]
        if [first, final] != turns:
            moved[entry["id"]] = [first, final]
    return moved
