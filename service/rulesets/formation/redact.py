"""What a viewer sees of a record: every fact, draw and action decides for itself (FM-916)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from service.engine.contract import Form, Record
from service.engine.values import JUDGE, Draw, Fact, Viewer
from service.rulesets.formation.position import LOT
from service.rulesets.formation.view import hidden

OPEN_DRAWS = frozenset({LOT})
OWNERS: Mapping[str, str] = {"a": "P1", "b": "P2"}


def redact(record: Record, viewer: Viewer) -> Form:
    """Return a record in the form for one viewer; no fact and no action is withheld as a whole."""
    return {
        "actor": record.actor,
        "action": record.action,
        "draws": [_seen_draw(draw, viewer) for draw in record.draws],
        "facts": [_seen_fact(fact, viewer) for fact in record.facts],
    }


def _seen_fact(fact: Fact, viewer: Viewer) -> Fact:
    if viewer == JUDGE or fact["fact"] not in SECRETS:
        return fact
    return SECRETS[fact["fact"]](fact, fact["player"] == viewer)


def _deck_shuffled(fact: Fact, is_own: bool) -> Fact:
    return fact | {"order": hidden(fact["order"])}


def _hand_returned(fact: Fact, is_own: bool) -> Fact:
    return fact if is_own else fact | {"pieces": hidden(fact["pieces"])}


def _piece_drawn(fact: Fact, is_own: bool) -> Fact:
    return fact if is_own else fact | {"piece": None, "sides": None}


SECRETS: Mapping[str, Callable[[Fact, bool], Fact]] = {
    "deck_shuffled": _deck_shuffled,
    "hand_returned": _hand_returned,
    "piece_drawn": _piece_drawn,
}


def _seen_draw(draw: Draw, viewer: Viewer) -> Draw | None:
    """Show the lot, of a deck only its size, and sides to the owner of the piece (spec 11)."""
    kind, _, of = draw["shuffle"].partition(":")
    if viewer == JUDGE or draw["shuffle"] in OPEN_DRAWS:
        return draw
    if kind == "deck":
        return draw | {"order": hidden(draw["order"])}
    return draw if OWNERS.get(of[:1]) == viewer else None
