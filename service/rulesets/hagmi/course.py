"""The course of one decision: facts are told, folded at once, and what is still to come is kept."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from service.engine.draws import Draws
from service.engine.values import Fact, Json
from service.rulesets.hagmi.evolve import CONTROL, evolve
from service.rulesets.hagmi.facts import RULES
from service.rulesets.hagmi.selection import Context
from service.rulesets.hagmi.statics import Board

Job: TypeAlias = dict[str, Json]
Operations: TypeAlias = Iterable[Json]


@dataclass(slots=True, kw_only=True)
class Course(Board):
    """A decision on its way. position: with all facts so far and the control values set so far.

    carry_out: performs the operations of an effect; it is given, because destroying a card may
    start a replacement, whose operations may destroy a card.
    checked: the parts of the position with which the table was last found in order.
    """

    draws: Draws
    carry_out: Callable[[Course, Operations, Context], None]
    facts: list[Fact] = field(default_factory=list)
    checked: list[Json] | None = None

    def tell(self, name: str, fields: Fact, rules: Sequence[str] = ()) -> None:
        """Add a fact and fold it; it cites what its kind always cites and the further rules."""
        fact = {"fact": name, **fields, "rules": [*RULES[name], *rules]}
        self.facts.append(fact)
        after = evolve(self.pool, self.position, fact)
        if after is not self.position:
            self.position, self.known_changes = after, None

    def control(self, **values: Json) -> None:
        """Set what is still to come: agenda, triggers, window, prompt, combat or chain."""
        self.position = {**self.position, **values}
        if "combat" in values:
            self.known_changes = None

    def close(self) -> list[Fact]:
        """Record the control values in the last fact and return all facts."""
        self.tell("control_set", {key: self.position[key] for key in CONTROL})
        return self.facts

    @property
    def combat(self) -> Json:
        """The running combat, or None."""
        return self.position["combat"]

    @property
    def is_over(self) -> bool:
        """Tell whether the game has ended."""
        return self.position["result"] is not None

    def push(self, *jobs: Job) -> None:
        """Put jobs on the agenda; the last one is next."""
        self.control(agenda=[*self.position["agenda"], *jobs])

    def push_below(self, kind: str, job: Job) -> None:
        """Put a job directly below the one of a kind."""
        agenda = self.position["agenda"]
        at = next(at for at, other in enumerate(agenda) if other["t"] == kind)
        self.control(agenda=[*agenda[:at], job, *agenda[at:]])

    def set_combat(self, **values: Json) -> None:
        """Change values of the running combat."""
        self.control(combat={**self.combat, **values})

    def ask(self, prompt: dict[str, Json], rule: str) -> None:
        """Raise a prompt and say so."""
        self.control(prompt=prompt)
        self.tell("choice_requested", dict(prompt), (rule,))

    def chain(self, link: dict[str, Json]) -> None:
        """Put an object on the chain (HG-909)."""
        self.control(chain=[*self.position["chain"], link])
