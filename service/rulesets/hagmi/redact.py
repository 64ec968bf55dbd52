"""What each viewer sees of a record: action, draws, facts (HG-948, HG-949; spec 10.1, 10.2, 14)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from service.engine.contract import Form, Record, Step
from service.engine.values import JUDGE, Action, Draw, Fact, Json, Viewer
from service.rulesets.hagmi.definitions import Pool
from service.rulesets.hagmi.entries import path_of, side_at
from service.rulesets.hagmi.hidden import (
    all_hidden,
    hidden_ids,
    link_for,
    only_kinds,
    without_hidden,
)
from service.rulesets.hagmi.table import MB

HIDDEN_ZONES = ("hand", "secret", "weapon_deck", "operation_deck", "damage_deck")
OPEN_DRAWS = ("first",)


@dataclass(frozen=True, slots=True, kw_only=True)
class Eyes:
    """Who looks at a record. hidden: the ids that lay hidden before the whole action."""

    pool: Pool
    viewer: Viewer
    hidden: Collection[str]


def redact(pool: Pool, record: Record, viewer: Viewer) -> Form:
    """Return a record in the form for one viewer; the judge's is the record itself."""
    if viewer == JUDGE:
        return {
            "actor": record.actor,
            "action": record.action,
            "draws": list(record.draws),
            "facts": list(record.facts),
        }
    eyes = Eyes(pool=pool, viewer=viewer, hidden=hidden_ids(record.before))
    return {
        "actor": record.actor,
        "action": _action(eyes, record),
        "draws": [_draw(draw) for draw in record.draws],
        "facts": [_fact(eyes, step) for step in record.steps],
    }


def _draw(draw: Draw) -> Draw:
    """Return a draw; nobody sees the order of a deck (HG-234)."""
    if "shuffle" not in draw or draw["shuffle"] in OPEN_DRAWS:
        return draw
    return {**draw, "order": all_hidden(draw["order"])}


def _action(eyes: Eyes, record: Record) -> Action:
    action = record.action
    if action["type"] == "start_game":
        decks = action["decks"].items()
        seen = {p: d if p == eyes.viewer else _deck(eyes.pool, d) for p, d in decks}
        return {**action, "decks": seen}
    if record.actor == eyes.viewer:
        return action
    if action["type"] == "supply":
        return {**action, "cards": all_hidden(action["cards"])}
    fields = ACTION_LISTS.get(action["type"], ())
    return _with_lists(eyes, action, [name for name in fields if name in action])


ACTION_LISTS: Mapping[str, tuple[str, ...]] = {
    "play_card": ("pay", "targets"),
    "emergency_produce": ("pay",),
    "activate_skill": ("targets",),
    "choose": ("targets",),
}


def _with_lists(eyes: Eyes, whole: Json, names: Collection[str]) -> dict[str, Json]:
    """Hide ids in lists of an action or fact; shares would name the same cards."""
    seen = {**whole, **{name: without_hidden(whole[name], eyes.hidden) for name in names}}
    if "allocation" in whole and isinstance(seen.get("targets"), dict):
        seen["allocation"] = None
    return seen


def _deck(pool: Pool, deck: Json) -> Json:
    counts = ("weapon_deck", "operation_deck", "damage_deck")
    return {
        **{zone: {"hidden": sum(deck.get(zone, {}).values())} for zone in counts},
        "secret": only_kinds(pool, deck.get("secret", [])),
    }


def _fact(eyes: Eyes, step: Step) -> Fact:
    redaction = REDACTIONS.get(step.fact["fact"])
    return step.fact if redaction is None else redaction(eyes, step)


def _deck_registered(eyes: Eyes, step: Step) -> Fact:
    fact = step.fact
    if fact["player"] == eyes.viewer:
        return fact
    if fact["player"] == MB:
        cards = {fact["mothership"]: fact["cards"][fact["mothership"]]}
        return {**fact, "cards": cards, "beast_deck": all_hidden(fact["beast_deck"])}
    secrets = [fact["cards"][card]["card"] for card in fact["secret"]]
    decks = {
        zone: all_hidden(fact[zone]) for zone in ("weapon_deck", "operation_deck", "damage_deck")
    }
    return {**fact, "cards": {}, **decks, "secret": only_kinds(eyes.pool, secrets)}


def _deck_shuffled(eyes: Eyes, step: Step) -> Fact:
    return {**step.fact, "order": all_hidden(step.fact["order"])}


def _cards_drawn(eyes: Eyes, step: Step) -> Fact:
    if step.fact["player"] == eyes.viewer:
        return step.fact
    return {**step.fact, "cards": all_hidden(step.fact["cards"])}


def _lists_for_others(*names: str) -> Callable[[Eyes, Step], Fact]:
    def redaction(eyes: Eyes, step: Step) -> Fact:
        is_own = step.fact["player"] == eyes.viewer
        return step.fact if is_own else _with_lists(eyes, step.fact, names)

    return redaction


def _fuel_supplied(eyes: Eyes, step: Step) -> Fact:
    fact = step.fact
    is_own = side_at(path_of(step.before, fact["unit"])) == eyes.viewer
    if is_own or fact["from"] == "discard":
        return fact
    return {**fact, "cards": all_hidden(fact["cards"])}


def _card_moved(eyes: Eyes, step: Step) -> Fact:
    fact = step.fact
    is_hidden = fact["from"] in HIDDEN_ZONES and fact["to"] in HIDDEN_ZONES
    is_own = step.before["cards"][fact["card"]]["owner"] == eyes.viewer
    return {**fact, "card": None} if is_hidden and not is_own else fact


def _control_set(eyes: Eyes, step: Step) -> Fact:
    chain = [link_for(link, eyes.viewer, eyes.hidden) for link in step.fact["chain"]]
    return {**step.fact, "chain": chain}


REDACTIONS: Mapping[str, Callable[[Eyes, Step], Fact]] = {
    "deck_registered": _deck_registered,
    "deck_shuffled": _deck_shuffled,
    "cards_drawn": _cards_drawn,
    "card_played": _lists_for_others("paid", "targets"),
    "card_produced": _lists_for_others("fuel"),
    "fuel_supplied": _fuel_supplied,
    "card_moved": _card_moved,
    "skill_activated": _lists_for_others("targets"),
    "control_set": _control_set,
}
