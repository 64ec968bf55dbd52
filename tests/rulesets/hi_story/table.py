"""A small table for Hi! story: a position, a few actions, and what came of them."""

from __future__ import annotations

from functools import partial

from service.engine.values import Json
from tests.rulesets import table
from tests.rulesets.table import P1, P2, SYSTEM, Deed, play_as

__all__ = ["P1", "P2", "SYSTEM", "Deed", "Played", "play"]


class Played(table.Played):
    """What came of some actions, with stacks and piles."""

    @property
    def names(self) -> list[str]:
        return [fact["fact"] for fact in self.facts]

    def stack(self, player: str, number: int) -> Json:
        return self.position["players"][player]["fields"].get(str(number))

    def pile(self, player: str, name: str) -> list[str]:
        return list(self.position["players"][player][name])


play = partial(play_as, Played)
