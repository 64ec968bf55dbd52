"""Cards in motion: piles and stacks after cards were taken from or laid onto them (8.4, 11)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from service.engine.values import Json, Position
from service.rulesets.hi_story.table import Stack

LAID: Mapping[str, tuple[str, bool]] = {
    "hand": ("hand", False),
    "aside": ("aside", False),
    "graveyard": ("graveyard", True),
    "deck_top": ("deck", True),
    "deck_bottom": ("deck", False),
}
"""Where cards are laid: the pile, and whether at its beginning."""


def with_side(position: Position, player: str, **parts: Json) -> Position:
    """Return the position with these parts of a player's side replaced."""
    players = position["players"]
    return {**position, "players": {**players, player: {**players[player], **parts}}}


def with_stack(position: Position, player: str, field: int, stack: Stack) -> Position:
    """Return the position with a stack on a field; a stack without cards is none."""
    fields = {**position["players"][player]["fields"], str(field): stack}
    if not stack["cards"]:
        del fields[str(field)]
    return with_side(position, player, fields=fields)


def turned(position: Position, player: str, field: int, **state: bool) -> Position:
    """Return the position with another `rest` or `set` of a stack."""
    stack = position["players"][player]["fields"][str(field)]
    return with_stack(position, player, field, {**stack, **state})


def moved(position: Position, player: str, cards: Sequence[str], source: str, to: str) -> Position:
    """Return the position after cards went from a zone of a player to a pile, one after the other.

    source: a pile, `field` or `under`. to: a key of `LAID`; of several cards the last one comes to
    lie outermost.
    """
    after = taken(position, player, cards, source)
    pile, at_beginning = LAID[to]
    lying = after["players"][player][pile]
    whole = [*reversed(cards), *lying] if at_beginning else [*lying, *cards]
    return with_side(after, player, **{pile: whole})


def taken(position: Position, player: str, cards: Sequence[str], source: str) -> Position:
    """Return the position without cards that lay in a zone of a player."""
    if source not in ("field", "under"):
        left = [card for card in position["players"][player][source] if card not in cards]
        return with_side(position, player, **{source: left})
    for card in cards:
        position = off_stack(position, player, card)
    return position


def off_stack(position: Position, player: str, card: str) -> Position:
    """Return the position without a card of a stack; a card that becomes the top lies face up."""
    for field, stack in position["players"][player]["fields"].items():
        if card in stack["cards"]:
            left = [other for other in stack["cards"] if other != card]
            is_set = stack["set"] and stack["cards"][-1] != card
            return with_stack(position, player, int(field), {**stack, "cards": left, "set": is_set})
    return position


def onto_stack(position: Position, player: str, field: int, card: str, **state: bool) -> Position:
    """Return the position with a card on top of a field; `state` replaces that of the stack."""
    stack = position["players"][player]["fields"].get(str(field), {"cards": []})
    whole = {**stack, "cards": [*stack["cards"], card], **state}
    return with_stack(position, player, field, whole)
