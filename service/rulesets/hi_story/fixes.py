"""What a judge puts right most: cards laid elsewhere, a draw forgotten, stacks turned (HS-931)."""

from __future__ import annotations

from collections.abc import Iterator

from service.engine.values import Entry, Json, Position
from service.rulesets.hi_story.motion import LAID
from service.rulesets.hi_story.table import PILES, PLAYERS, fields_of

DRAWN_MAX = 5
LAST_CARDS = 1
"""Cards that stay in a deck: an empty one would end the game (HS-101)."""

MOVE_RULES, DRAW_RULES = ["HS-931"], ["HS-925"]
REST_RULES, TURN_RULES = ["HS-933"], ["HS-934"]
DESTINATIONS = tuple(zone for zone in LAID if zone != "aside")


def fixes(position: Position) -> list[Entry]:
    """Return facts that a judge may give, as templates with `fact` in place of `type`."""
    return [
        entry
        for player in PLAYERS
        for entry in (
            *_moves(position, player),
            *_draws(position, player),
            *_turns(position, player),
        )
    ]


def _moves(position: Position, player: str) -> Iterator[Entry]:
    for zone, cards in _zones(position, player):
        most = len(cards) - (LAST_CARDS if zone == "deck" else 0)
        if most < 1:
            continue
        to = [other for other in DESTINATIONS if other != zone]
        yield {
            "fact": "cards_moved",
            "rules": MOVE_RULES,
            "player": player,
            "from": zone,
            "choose": {"cards": {"from": cards, "min": 1, "max": most}, "to": {"from": to}},
        }


def _zones(position: Position, player: str) -> Iterator[tuple[str, list[Json]]]:
    """Yield where a player's cards lie: the piles, the tops of his stacks, what they cover."""
    for pile in PILES:
        yield pile, position["players"][player][pile]
    stacks = [stack["cards"] for _, stack in fields_of(position, player)]
    yield "field", [cards[-1] for cards in stacks]
    yield "under", [card for cards in stacks for card in cards[:-1]]


def _draws(position: Position, player: str) -> Iterator[Entry]:
    deck = position["players"][player]["deck"]
    most = min(DRAWN_MAX, len(deck) - LAST_CARDS)
    if most >= 1:
        yield {
            "fact": "cards_drawn",
            "rules": DRAW_RULES,
            "player": player,
            "reason": "effect",
            "choose": {"cards": {"from": [deck[:count] for count in range(1, most + 1)]}},
        }


def _turns(position: Position, player: str) -> Iterator[Entry]:
    for field, stack in fields_of(position, player):
        named = {"player": player, "field": field, "card": stack["cards"][-1]}
        if stack["set"]:
            yield {"fact": "card_revealed", "rules": TURN_RULES, **named}
            continue
        yield {"fact": "stack_turned_down", "rules": TURN_RULES, **named}
        if stack["rest"]:
            yield {"fact": "stack_readied", "rules": REST_RULES, **named}
        else:
            yield {"fact": "stack_rested", "rules": REST_RULES, **named, "reason": "effect"}
