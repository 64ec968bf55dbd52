"""What a viewer is shown of a record: facts, the action, draws (14.4, 14.5, 15, HS-943)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from service.engine.contract import Form, Record, Step
from service.engine.values import JUDGE, Action, Draw, Fact, Json, Viewer
from service.rulesets.hi_story.sight import HIDDEN, Sight
from service.rulesets.hi_story.table import card_at
from service.rulesets.hi_story.view import (
    entry_seen,
    queued_seen,
    request_seen,
    uses_seen,
)

SeenFact: TypeAlias = Callable[[Sight, Fact], Fact]
SeenAction: TypeAlias = Callable[[Sight, Action], Action]


def redact(record: Record, viewer: Viewer) -> Form:
    """Return the form of a record for a viewer; no fact, action or draw is withheld as a whole."""
    if viewer == JUDGE:
        return {
            "actor": record.actor,
            "action": record.action,
            "draws": list(record.draws),
            "facts": [*record.facts],
        }
    return {
        "actor": record.actor,
        "action": _action(record, viewer),
        "draws": [_draw(draw) for draw in record.draws],
        "facts": [_fact(step, viewer) for step in record.steps],
    }


def _draw(draw: Draw) -> Draw:
    return {**draw, "order": HIDDEN} if "order" in draw else draw


def _with_shown(sight: Sight, seen: dict[str, Json]) -> dict[str, Json]:
    return {**seen, "shown": sight.shown} if sight.shown else seen


def _fact(step: Step, viewer: Viewer) -> Fact:
    sight = Sight(viewer=viewer, before=step.before, after=step.after)
    see = FACTS.get(step.fact["fact"], _open)
    return _with_shown(sight, see(sight, step.fact))


def _open(sight: Sight, fact: Fact) -> Fact:
    """Show every id in the fact by name."""
    seen = entry_seen(sight, fact)
    for key, see in PARTS.items():
        if key in fact:
            seen[key] = see(sight, fact[key])
    return seen


PARTS: Mapping[str, Callable[[Sight, Json], Json]] = {
    "cards": lambda sight, cards: sight.names(cards, is_open=True),
    "use": uses_seen,
    "entry": entry_seen,
    "target": entry_seen,
    "modifiers": lambda sight, modifiers: [entry_seen(sight, each) for each in modifiers],
    "entries": lambda sight, entries: [queued_seen(sight, each) for each in entries],
}
"""Parts of facts that hold ids and are no plain id."""


def _closed(sight: Sight, fact: Fact) -> Fact:
    """Show by name the cards that the viewer sees anyway; all, if the fact reveals them."""
    is_open = fact.get("reveal") is True
    seen = dict(fact)
    if "card" in fact:
        seen["card"] = sight.name(fact["card"], is_open=is_open)
    if "cards" in fact:
        seen["cards"] = sight.names(fact["cards"], is_open=is_open)
    return seen


def _deck_accepted(sight: Sight, fact: Fact) -> Fact:
    if fact["player"] == sight.viewer:
        return fact
    return {**fact, "cards": HIDDEN, "order": HIDDEN}


def _zone_shuffled(sight: Sight, fact: Fact) -> Fact:
    return {**fact, "order": HIDDEN}


def _cards_shown(sight: Sight, fact: Fact) -> Fact:
    return {**fact, "cards": sight.names(fact["cards"], is_open=True, to_looker=True)}


def _cards_looked(sight: Sight, fact: Fact) -> Fact:
    see = _cards_shown if fact["player"] == sight.viewer else _closed
    return see(sight, fact)


def _offer(sight: Sight, fact: Fact) -> Fact:
    """Show what became of an effect; if it works from the hand or face down, to its player only."""
    if ("hand" in fact or "down" in fact) and fact["player"] != sight.viewer:
        return {**fact, "card": HIDDEN, "effect": HIDDEN}
    return _open(sight, fact)


def _choice_requested(sight: Sight, fact: Fact) -> Fact:
    if fact["player"] == sight.viewer:
        return request_seen(sight, fact)
    public = ("fact", "player", "kind", "rules")
    return {key: value if key in public else HIDDEN for key, value in fact.items()}


FACTS: Mapping[str, SeenFact] = {
    "deck_accepted": _deck_accepted,
    "zone_shuffled": _zone_shuffled,
    "cards_drawn": _closed,
    "cards_set_aside": _closed,
    "aside_returned": _closed,
    "cards_milled": _closed,
    "cards_moved": _closed,
    "targets_fixed": _closed,
    "choice_made": _closed,
    "card_set": _closed,
    "turn_up_prevented": _closed,
    "cards_shown": _cards_shown,
    "cards_looked": _cards_looked,
    "effect_offered": _offer,
    "effect_not_triggered": _offer,
    "effect_declined": _offer,
    "choice_requested": _choice_requested,
}
"""How facts are shown; one that is not listed is open."""


def _action(record: Record, viewer: Viewer) -> Action:
    if viewer == record.actor:
        return record.action
    sight = Sight(viewer=viewer, before=record.before, after=record.after)
    see = ACTIONS.get(record.action["type"])
    if see is None:
        return record.action
    return _with_shown(sight, see(sight, record.action))


def _start_game(sight: Sight, action: Action) -> Action:
    decks = action["decks"]
    return {
        **action,
        "decks": {player: decks[player] if player == sight.viewer else HIDDEN for player in decks},
    }


def _mulligan(sight: Sight, action: Action) -> Action:
    return {**action, "cards": [HIDDEN] * len(action["cards"])}


def _set_card(sight: Sight, action: Action) -> Action:
    return {**action, "card": HIDDEN}


def _card_used(sight: Sight, action: Action) -> Action:
    return {**action, "card": sight.name(action["card"])}


def _choose(sight: Sight, action: Action) -> Action:
    if "cards" not in action:
        return action
    chosen = [card_at(sight.before, written) or written for written in action["cards"]]
    return {**action, "cards": sight.names(chosen, is_open=False)}


ACTIONS: Mapping[str, SeenAction] = {
    "start_game": _start_game,
    "mulligan": _mulligan,
    "set_card": _set_card,
    "choose": _choose,
    "summon": _card_used,
    "activate_effect": _card_used,
    "substitute": _card_used,
    "play": _card_used,
}
"""How actions are shown to others than the actor; one that is not listed is public."""
