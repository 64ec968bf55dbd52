"""A small table to try the rules at: a position, a few actions, and what came of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

from service.engine.contract import Record, Rejection, Ruleset
from service.engine.draws import Draws, ScriptedSource
from service.engine.matching import at_path, matches
from service.engine.play import perform, written
from service.engine.values import Action, Actor, Fact, Json, Position

Deed = tuple[Actor, Action]


def _deed(actor: Actor, type_: str, **fields: Json) -> Deed:
    return actor, {"type": type_, **fields}


P1 = partial(_deed, "P1")
P2 = partial(_deed, "P2")
SYSTEM = partial(_deed, "system")


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

    def at(self, path: str) -> Json:
        return at_path(self.position, path)

    def names(self, *wanted: str) -> list[str]:
        """Return the names of the facts of these kinds, in their order."""
        return [fact["fact"] for fact in self.facts if fact["fact"] in wanted]


def play(ruleset: Ruleset, position: Json, *deeds: Deed, rng: Sequence[Json] = ()) -> Played:
    """Decide actions one after the other until one is refused; no draw may be left over."""
    played = Played(position=ruleset.normalise(position))
    source = ScriptedSource(rng)
    for actor, action in deeds:
        sent = written(ruleset, action)
        outcome = perform(ruleset, played.position, actor, sent, Draws(source))
        if isinstance(outcome, Rejection):
            played.refused = outcome.rule
            return played
        played.records.append(outcome)
        played.position = outcome.after
    source.finish()
    return played


def against(one: Json, other: Json, **further: Json) -> Json:
    """Return a position of the battle phase with these two sides."""
    return {"phase": "battle", "players": {"P1": one, "P2": other}, **further}


def field_of(**entries: Json) -> Json:
    """Return a side with these entries on its battlefield; a string is the definition alone."""
    return {"field": {c: {"card": e} if isinstance(e, str) else e for c, e in entries.items()}}


def unit(card: str, fuel: Json = 2, **further: Json) -> Json:
    return {"card": card, "fuel": fuel, **further}
