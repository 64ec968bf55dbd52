"""What a judge may have shuffled: the decks (HS-913)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from service.engine.values import Fact, Json, Position
from service.rulesets.hi_story.table import PLAYERS

RULE = "HS-913"
ZONE = "deck"


def piles(position: Position) -> Mapping[str, Sequence[Json]]:
    """Return the decks that are not empty, by the names of their shuffles."""
    sides = position["players"]
    return {f"{player}.{ZONE}": sides[player][ZONE] for player in PLAYERS if sides[player][ZONE]}


def shuffled(name: str, order: Sequence[Json]) -> Fact:
    """Return the fact that a deck lies in a new order."""
    player = name.partition(".")[0]
    return {
        "fact": "zone_shuffled",
        "rules": [RULE],
        "player": player,
        "zone": ZONE,
        "order": list(order),
    }
