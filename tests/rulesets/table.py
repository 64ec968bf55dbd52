"""A small table to try the rules of any game at: a position, a few actions, what came of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

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


Seen = TypeVar("Seen", bound=Played)


def play_as(
    kind: type[Seen], ruleset: Ruleset, position: Json, *deeds: Deed, rng: Sequence[Json] = ()
) -> Seen:
    """Decide actions from a shorthand position until one is refused; all of `rng` is drawn."""
    source = ScriptedSource(rng)
    played = kind(position=ruleset.normalise(position))
    for actor, action in deeds:
        outcome = perform(ruleset, played.position, actor, written(ruleset, action), Draws(source))
        if isinstance(outcome, Rejection):
            played.refused = outcome.rule
            return played
        played.records.append(outcome)
        played.position = outcome.after
    source.finish()
    return played
