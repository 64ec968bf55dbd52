"""What a judge may have shuffled: the decks (FM-908)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from service.engine.values import Fact, Json, Position
from service.rulesets.formation.position import PLAYERS

RULE = "FM-908"


def piles(position: Position) -> Mapping[str, Sequence[Json]]:
    """Return the decks that are not empty, by the names of their shuffles."""
    decks = {player: position[player]["deck"] for player in PLAYERS}
    return {f"deck:{player}": deck for player, deck in decks.items() if deck}


def shuffled(name: str, order: Sequence[Json]) -> Fact:
    """Return the fact that a deck lies in a new order."""
    player = name.partition(":")[2]
    return {"fact": "deck_shuffled", "rules": [RULE], "player": player, "order": list(order)}
