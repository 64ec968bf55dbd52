"""What every fact of High Card does to a position."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from service.engine.positions import put
from service.engine.values import Fact, Json, Position

from .position import OVER, PLAY


def evolve(position: Position, fact: Fact) -> Position:
    """Return the position after a fact."""
    return FOLDS[fact["fact"]](position, fact)


def _unchanged(position: Position, fact: Fact) -> Position:
    return position


def _match_started(position: Position, fact: Fact) -> Position:
    return position | {"first": fact["first"], "phase": PLAY}


def _deck_registered(position: Position, fact: Fact) -> Position:
    ids = sorted(fact["cards"], key=lambda card: int(card[1:]))
    known = position | {"cards": position["cards"] | fact["cards"]}
    return put(known, ("players", fact["player"], "deck"), value=ids)


def _deck_shuffled(position: Position, fact: Fact) -> Position:
    return put(position, ("players", fact["player"], "deck"), value=fact["order"])


def _moved(position: Position, fact: Fact, source: str, target: str) -> Position:
    own = position["players"][fact["player"]]
    left = [card for card in own[source] if card != fact["card"]]
    moved = own | {source: left, target: [*own[target], fact["card"]]}
    return put(position, ("players", fact["player"]), value=moved)


def _card_drawn(position: Position, fact: Fact) -> Position:
    return _moved(position, fact, "deck", "hand")


def _card_played(position: Position, fact: Fact) -> Position:
    return _moved(position, fact, "hand", "table")


def _card_exchanged(position: Position, fact: Fact) -> Position:
    moved = _moved(position, fact, "hand", "deck")
    return put(moved, ("players", fact["player"], "exchanged"), value=True)


def _turn_started(position: Position, fact: Fact) -> Position:
    return position | {"turn": fact["player"]}


def _match_won(position: Position, fact: Fact) -> Position:
    result: Json = {"winner": fact["winner"], "reason": fact["reason"]}
    return position | {"phase": OVER, "turn": None, "result": result}


FOLDS: Mapping[str, Callable[[Position, Fact], Position]] = {
    "match_started": _match_started,
    "deck_registered": _deck_registered,
    "deck_shuffled": _deck_shuffled,
    "card_drawn": _card_drawn,
    "turn_started": _turn_started,
    "card_played": _card_played,
    "card_exchanged": _card_exchanged,
    "lead_computed": _unchanged,
    "die_thrown": _unchanged,
    "match_conceded": _unchanged,
    "match_won": _match_won,
}
