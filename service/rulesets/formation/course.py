"""The course of a decision: the position so far and the facts that led there."""

from __future__ import annotations

from collections.abc import Sequence

from service.engine.draws import Draws
from service.engine.values import Fact, Json, Position
from service.rulesets.formation.cards import Cards
from service.rulesets.formation.evolve import evolve
from service.rulesets.formation.facts import fact
from service.rulesets.formation.position import OVER


class Course:
    """What the rules read and write while an action is decided; only `add` changes anything."""

    __slots__ = ("cards", "draws", "facts", "position")

    def __init__(self, cards: Cards, position: Position, draws: Draws) -> None:
        """Start from a position, which stays as it is, without facts."""
        self.cards = cards
        self.position = position
        self.draws = draws
        self.facts: list[Fact] = []

    def add(self, name: str, *, rules: Sequence[str] | None = None, **fields: Json) -> None:
        """Let a fact come about; rules: those of its row in `facts.RULES` unless given."""
        happened = fact(name, rules=rules, **fields)
        self.facts.append(happened)
        self.position = evolve(self.position, happened)

    @property
    def is_over(self) -> bool:
        """Whether the match is over (FM-902)."""
        return bool(self.position["phase"] == OVER)
