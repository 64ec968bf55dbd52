"""A small table to try the rules at: lines, boards, a few actions, and what came of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

from service.engine.contract import Record, Rejection, Ruleset
from service.engine.draws import Draws, ScriptedSource
from service.engine.matching import matches
from service.engine.play import perform, written
from service.engine.values import Action, Actor, Fact, Json, Position

Deed = tuple[Actor, Action]


def _deed(actor: Actor, type_: str, **fields: Json) -> Deed:
    return actor, {"type": type_, **fields}


P1 = partial(_deed, "P1")
P2 = partial(_deed, "P2")
SYSTEM = partial(_deed, "system")
ADVANCE = SYSTEM("advance")
BATTLE_TURN = SYSTEM("battle_turn")


@dataclass(slots=True, kw_only=True)
class Played:
    """What came of some actions. refused: the rule that ended them, or None."""

    position: Position
    records: list[Record] = field(default_factory=list)
    refused: str | None = None

    @property
    def facts(self) -> list[Fact]:
        return [fact for record in self.records for fact in record.facts]

    def all(self, name: str, **fields: Json) -> list[Fact]:
        return [fact for fact in self.facts if matches({"fact": name, **fields}, fact)]

    def one(self, name: str, **fields: Json) -> Fact:
        (fact,) = self.all(name, **fields)
        return fact

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


def play(ruleset: Ruleset, position: Json, *deeds: Deed, rng: Sequence[Json] = ()) -> Played:
    """Carry out actions from a shorthand position until one is refused; all of `rng` is drawn."""
    source = ScriptedSource(rng)
    played = Played(position=ruleset.normalise(position))
    for actor, action in deeds:
        ready = written(ruleset, action)
        outcome = perform(ruleset, played.position, actor, ready, Draws(source))
        if isinstance(outcome, Rejection):
            played.refused = outcome.rule
            return played
        played.records.append(outcome)
        played.position = outcome.after
    source.finish()
    return played


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
