"""Triggered effects: what one moment queues, and in which order (9.1, 10, HS-923, HS-416)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from service.engine.values import Json, Position
from service.rulesets.hi_story.cards import Effect
from service.rulesets.hi_story.filters import Reading, matches
from service.rulesets.hi_story.measure import condition
from service.rulesets.hi_story.standing import Borne, Scene, Terms, is_live
from service.rulesets.hi_story.step import Step
from service.rulesets.hi_story.table import definition, owner, where_is

Trigger: TypeAlias = dict[str, Json]
"""An entry of the queue (4)."""

HIDDEN_PLACES: Mapping[str, Mapping[str, bool]] = {"hand": {"hand": True}, "down": {"down": True}}
DEPARTURES = ("dies", "leaves")
"""Triggers whose source is gone when they work."""


def queue(step: Step, triggers: Iterable[Trigger]) -> None:
    """Queue the triggers of one moment, the turn player's first, otherwise in the order given."""
    active = step.position["active"]
    entries = sorted(triggers, key=lambda trigger: bool(trigger["player"] != active))
    if entries:
        step.emit("effects_queued", ["HS-923"], entries=entries)


def of_card(scene: Scene, when: str, card: str) -> list[Trigger]:
    """Return the triggers that a card itself has at a moment, in the place where it lies."""
    return [_trigger(borne) for borne in scene.effects(when) if borne.card == card]


def of_turn(scene: Scene, moment: str) -> list[Trigger]:
    """Return the triggers of both players at the `start` or `end` of the present turn."""
    active = scene.position["active"]
    own, opposing = scene.effects(f"own_turn_{moment}"), scene.effects(f"opponent_turn_{moment}")
    return [
        *[_trigger(borne) for borne in own if borne.player == active],
        *[_trigger(borne) for borne in opposing if borne.player != active],
    ]


def of_phase(scene: Scene, when: str, phase: str) -> list[Trigger]:
    """Return the triggers at the start or end (`when`) of a phase of the turn player."""
    active = scene.position["active"]
    return [
        _trigger(borne)
        for borne in scene.effects(when)
        if borne.effect["phase"] == phase and _is_of_side(borne, borne.effect.get("of"), active)
    ]


def watching(scene: Scene, event: str, card: str) -> list[Trigger]:
    """Return the triggers of the cards that watch an event, which happened to a card."""
    return [
        _trigger(borne, it=card)
        for borne in scene.effects("watch")
        if borne.effect["event"] == event
        and _is_of_side(borne, borne.effect.get("side"), owner(card))
        and ("filter" not in borne.effect or _is_watched(scene, borne, card))
    ]


def _is_of_side(borne: Borne, side: str | None, player: str) -> bool:
    return side == "both" or (borne.player == player) == (side != "opponent")


def _is_watched(scene: Scene, borne: Borne, card: str) -> bool:
    reading = Reading(board=scene, source=borne.card, player=borne.player)
    return matches(reading, borne.effect["filter"], card)


def _trigger(borne: Borne, *, it: str | None = None) -> Trigger:
    reacts = {} if it is None else {"it": it}
    named = {"player": borne.player, "card": borne.card, "effect": borne.effect_index}
    return {**named, **reacts, **HIDDEN_PLACES.get(borne.place, {})}


def dying(scene: Scene, card: str, place: str) -> list[Trigger]:
    """Return the `dies` triggers of a card that went from a place of the field to the graveyard."""
    return [
        {"player": owner(card), "card": card, "effect": index}
        for index, _ in _departing(scene, "dies", card, place)
    ]


def leaving(scene: Scene, card: str, place: str, causes: Sequence[str]) -> list[Trigger]:
    """Return the `leaves` triggers of a card that left a place of the field.

    causes: the words of `by` that fit.
    """
    return [
        {"player": owner(card), "card": card, "effect": index}
        for index, effect in _departing(scene, "leaves", card, place)
        if effect.get("by", "any") in causes
    ]


def _departing(scene: Scene, when: str, card: str, place: str) -> list[tuple[int, Effect]]:
    """Return the effects of a card that works when it leaves face up (9.1)."""
    if place == "down":
        return []
    effects = definition(scene.pool, scene.position, card)["effects"]
    return [
        (index, effect)
        for index, effect in enumerate(effects)
        if effect["when"] == when and place in effect["where"]
    ]


def delayed(position: Position, moment: str) -> list[Terms]:
    """Return the delayed effects due at the `start` or `end` of this turn (HS-415)."""
    return [
        entry
        for entry in position["lasting"]
        if entry["op"] == "later" and entry["at"] == moment and is_live(position, entry)
    ]


def of_delayed(entry: Terms) -> Trigger:
    """Return the trigger of a delayed effect that is due."""
    reacts = {"it": entry["it"]} if "it" in entry else {}
    named = {"player": entry["player"], "card": entry["source"], "effect": entry["effect"]}
    return {**named, **reacts, "do": entry["ops"]}


def use_of(effect: Effect, player: str, card: str, index: int) -> dict[str, list[str]]:
    """Return the key `use` of a fact: what an effect limited per turn uses up (HS-412)."""
    if "per_turn" not in effect:
        return {}
    by_name = effect["per_turn"] == "name"
    return {"use": [f"{player}:{effect['name_ja']}" if by_name else f"{card}#{index}"]}


def is_unused(position: Position, use: Mapping[str, Sequence[str]]) -> bool:
    """Tell whether nothing of a `use` has been used up in this turn."""
    return not any(key in position["used"] for key in use.get("use", ()))


def is_in_place(scene: Scene, effect: Effect, card: str) -> bool:
    """Tell whether the source of a waiting trigger lies where the effect works (10)."""
    return effect["when"] in DEPARTURES or place_word(scene, card) in effect["where"]


def place_word(scene: Scene, card: str) -> str | None:
    """Return the place of a card in the words of `where`, None in any other zone."""
    found = where_is(scene.position, card)
    if found is None or found.zone not in ("field", "under", "hand"):
        return None
    lying = scene.topped(card)
    return "down" if lying is not None and lying["set"] else found.zone


def is_due(scene: Scene, trigger: Trigger, effect: Effect) -> bool:
    """Tell whether the `if` of a trigger holds and a use per turn is left (10)."""
    player, card = trigger["player"], trigger["card"]
    if not is_unused(scene.position, use_of(effect, player, card, trigger["effect"])):
        return False
    reading = Reading(board=scene, source=card, player=player, it=trigger.get("it"))
    return "if" not in effect or condition(reading, effect["if"])


def replacement(scene: Scene, card: str) -> int | None:
    """Return the index of a usable `would_leave` effect of a card on a field, or None (HS-417)."""
    return next(
        (
            borne.effect_index
            for borne in scene.effects("would_leave")
            if borne.card == card and is_due(scene, _trigger(borne), borne.effect)
        ),
        None,
    )


def causes_of(player: str, card: str) -> tuple[str, ...]:
    """Return the words of `by` for a card that an effect of a player removed."""
    own = ("any", "effect")
    return own if owner(card) == player else (*own, "opponent")


BATTLE = ("any", "battle")
"""The words of `by` for a card that fell in battle."""
