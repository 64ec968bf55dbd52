"""What a viewer of High Card sees: his own hand, no deck, all that lies on the table (HC-009)."""

from __future__ import annotations

from collections.abc import Mapping

from service.engine.contract import Form, Record
from service.engine.values import JUDGE, Action, Draw, Fact, Json, Position, View, Viewer

from .deciding import LOT
from .position import PLAYERS

OPEN_DRAWS = frozenset({LOT})
OWN = ("card_drawn", "card_exchanged")


def view(position: Position, viewer: Viewer) -> View:
    """Return a position as somebody sees it; an id tells the card, so hidden ones are null."""
    if viewer == JUDGE:
        return position
    players = {
        player: _seen(position["players"][player], is_own=player == viewer) for player in PLAYERS
    }
    visible = {card for own in players.values() for zone in ("hand", "table") for card in own[zone]}
    cards = {card: entry for card, entry in position["cards"].items() if card in visible}
    return position | {"players": players, "cards": cards}


def _seen(own: Json, *, is_own: bool) -> Json:
    hand = own["hand"] if is_own else _hidden(own["hand"])
    return own | {"hand": hand, "deck": _hidden(own["deck"])}


def _hidden(cards: Json) -> list[None]:
    return [None] * len(cards)


def redact(record: Record, viewer: Viewer) -> Form:
    """Return a record in the form for one viewer; nothing is withheld as a whole."""
    return {
        "actor": record.actor,
        "action": record.action if viewer == JUDGE else _seen_action(record, viewer),
        "draws": [draw if viewer == JUDGE else _seen_draw(draw) for draw in record.draws],
        "facts": [fact if viewer == JUDGE else _seen_fact(fact, viewer) for fact in record.facts],
    }


def _seen_action(record: Record, viewer: Viewer) -> Action:
    if record.action["type"] == "exchange" and record.actor != viewer:
        return record.action | {"card": None}
    return record.action


def _seen_draw(draw: Draw) -> Draw:
    if "die" in draw or draw["shuffle"] in OPEN_DRAWS:
        return draw
    return draw | {"order": _hidden(draw["order"])}


def _seen_fact(fact: Fact, viewer: Viewer) -> Fact:
    if fact["fact"] == "deck_shuffled":
        return fact | {"order": _hidden(fact["order"])}
    if fact["fact"] in OWN and fact["player"] != viewer:
        return fact | {"card": None}
    return fact


def definition_of(cards: Mapping[str, Json], seen: View, reference: Json) -> str | None:
    """Return the card that an id, a definition or an entry of a view stands for, or None."""
    if isinstance(reference, dict):
        reference = reference.get("card")
    if not isinstance(reference, str):
        return None
    if reference in seen["cards"]:
        return str(seen["cards"][reference]["card"])
    return reference if reference in cards else None
