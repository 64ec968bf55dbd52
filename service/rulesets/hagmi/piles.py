"""What a judge may have shuffled: the decks of the players and of the beasts (HG-905)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from service.engine.values import Fact, Json, Position
from service.rulesets.hagmi.table import MB

RULE = "HG-905"
ZONES = ("weapon_deck", "operation_deck", "damage_deck")
BEASTS = "beast_deck"


def piles(position: Position) -> Mapping[str, Sequence[Json]]:
    """Return the decks that are not empty, by the names of their shuffles."""
    found = {
        f"{player}.{zone}": side[zone]
        for player, side in position.get("players", {}).items()
        for zone in ZONES
    }
    beast = position.get("beast")
    if beast is not None:
        found[f"{MB}.{BEASTS}"] = beast["deck"]
    return {name: cards for name, cards in found.items() if cards}


def shuffled(name: str, order: Sequence[Json]) -> Fact:
    """Return the fact that a deck lies in a new order."""
    player, _, zone = name.partition(".")
    return {
        "fact": "deck_shuffled",
        "rules": [RULE],
        "player": player,
        "zone": zone,
        "order": list(order),
    }
