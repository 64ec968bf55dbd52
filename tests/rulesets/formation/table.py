"""A small table for Summoner's Pieces: lines, boards, a few actions, and what came of them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from service.engine.values import Json
from tests.rulesets import table
from tests.rulesets.table import P1, P2, SYSTEM, Deed, play_as

__all__ = ["ADVANCE", "BATTLE_TURN", "P1", "P2", "SYSTEM", "Deed", "Played", "play"]

ADVANCE = SYSTEM("advance")
BATTLE_TURN = SYSTEM("battle_turn")


class Played(table.Played):
    """What came of some actions, with the units of the lines."""

    def unit(self, unit_id: str) -> Json:
        (unit,) = (
            unit
            for player in ("P1", "P2")
            for unit in self.position[player]["line"]
            if unit is not None and unit["id"] == unit_id
        )
        return unit

    def line(self, player: str) -> list[str | None]:
        return [unit and unit["id"] for unit in self.position[player]["line"]]


play = partial(play_as, Played)


def line(letter: str, *entries: Json) -> Json:
    """Return a line: card ids, (card id, fields of the unit), or None for a vacated square."""
    return [
        None if entry is None else _unit(f"{letter}{number}", entry)
        for number, entry in enumerate(entries, 1)
    ]


def _unit(unit_id: str, entry: Json) -> Json:
    card, fields = (entry, {}) if isinstance(entry, str) else entry
    return {"id": unit_id, "card": card, **fields}


def battle(p1: Sequence[Json], p2: Sequence[Json], **parts: Json) -> Json:
    """Return a position before the first action of a battle turn."""
    lines = {"P1": {"line": line("a", *p1)}, "P2": {"line": line("b", *p2)}}
    return {"step": "actions", **lines, **parts}


def summoning(pieces: Json, board: Json, hand: Sequence[str], **parts: Json) -> Json:
    """Return a position in P1's summon turn; board: cell to (piece, rotation)."""
    cells = {cell: {"piece": piece, "rotation": turn} for cell, (piece, turn) in board.items()}
    own = {"board": cells, "hand": list(hand), "line": parts.pop("own_line", [])}
    theirs = {"line": line("b", *parts.pop("enemies", ["waystone"])), **parts.pop("theirs", {})}
    return {"phase": "summon", "turn": "P1", "pieces": pieces, "P1": own, "P2": theirs, **parts}
