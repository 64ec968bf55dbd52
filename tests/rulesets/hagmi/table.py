"""A small table for HAGMI!: a position, a few actions, and what came of them."""

from __future__ import annotations

from functools import partial

from service.engine.matching import at_path
from service.engine.values import Json
from tests.rulesets import table
from tests.rulesets.table import P1, P2, SYSTEM, Deed, play_as

__all__ = ["P1", "P2", "SYSTEM", "Deed", "Played", "play"]


class Played(table.Played):
    """What came of some actions, by paths and names."""

    def at(self, path: str) -> Json:
        return at_path(self.position, path)

    def names(self, *wanted: str) -> list[str]:
        """Return the names of the facts of these kinds, in their order."""
        return [fact["fact"] for fact in self.facts if fact["fact"] in wanted]


play = partial(play_as, Played)


def against(one: Json, other: Json, **further: Json) -> Json:
    """Return a position of the battle phase with these two sides."""
    return {"phase": "battle", "players": {"P1": one, "P2": other}, **further}


def field_of(**entries: Json) -> Json:
    """Return a side with these entries on its battlefield; a string is the definition alone."""
    return {"field": {c: {"card": e} if isinstance(e, str) else e for c, e in entries.items()}}


def unit(card: str, fuel: Json = 2, **further: Json) -> Json:
    return {"card": card, "fuel": fuel, **further}
