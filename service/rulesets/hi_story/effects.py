"""Carrying out selecting operations: on which cards, what happens to each of them (9.6, 9.8)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from service.engine.contract import Rejection
from service.engine.values import Json
from service.rulesets.hi_story.borrowing import borrowed_operations
from service.rulesets.hi_story.measure import amount, count, sides
from service.rulesets.hi_story.moving import location, move, named_top, uncover
from service.rulesets.hi_story.operations import Operation, add_lasting, lacks_attack, skip
from service.rulesets.hi_story.standing import Scene, being_resolved
from service.rulesets.hi_story.step import Step
from service.rulesets.hi_story.table import definition, other, owner, where_is
from service.rulesets.hi_story.targets import (
    HIDDEN_ZONES,
    PLACING,
    candidates,
    destinations,
    how_many,
    is_asked_for,
    is_asked_in_vain,
    pick_of,
    piles_looked_through,
    zones_of,
)
from service.rulesets.hi_story.triggers import Trigger, of_card, queue, watching

Outcome: TypeAlias = list[Trigger] | Rejection
"""The triggers that an operation caused, or the rule that refuses a destination."""

MOVING = ("move", "summon", "set")
"""Operations after which the decks are tested (8.5)."""

PLACEMENT_RULES: Mapping[tuple[str, bool], str] = {
    ("summon", True): "HS-403",
    ("summon", False): "HS-404",
    ("set", True): "HS-505",
    ("set", False): "HS-932",
    ("shift", False): "HS-422",
}
"""The rule of a destination, by operation and whether its order is that of the ranks."""


def begin(step: Step, operation: Operation) -> None:
    """Carry out a selecting operation up to the choice that it needs, or to its end (9.6)."""
    scene, reading = step.scene, being_resolved(step.scene)
    found = candidates(scene, reading, operation)
    if not found and not is_asked_in_vain(operation):
        skip(step, operation, "no_candidates", "HS-922")
        step.emit("targets_fixed", ["HS-921"], cards=[])
        _shuffle_piles(step, operation)
    elif is_asked_for(operation):
        _request(step, operation, found)
    else:
        refused = apply(step, operation, _taken(step, operation, found), [])
        assert refused is None, "only a chosen destination is refused"


def _request(step: Step, operation: Operation, found: list[str]) -> None:
    """Ask for cards; the player of the effect chooses unless the operation names the opponent."""
    reading = being_resolved(step.scene)
    low, high = how_many(reading, operation, len(found))
    pick = pick_of(operation)
    step.emit(
        "choice_requested",
        ["HS-924"],
        player=_chooser(step, operation),
        kind="cards",
        card=reading.source,
        op=operation["op"],
        candidates=found,
        min=low,
        max=high,
        operation=operation,
        **{key: pick[key] for key in ("sum", "distinct") if key in pick},
    )


def _chooser(step: Step, operation: Operation) -> str:
    player = being_resolved(step.scene).player
    return other(player) if operation.get("by") == "opponent" else player


def _taken(step: Step, operation: Operation, found: list[str]) -> list[str]:
    """Return the cards that are taken without a choice (9.4)."""
    reading, pick = being_resolved(step.scene), pick_of(operation)
    if "random" in pick and "zone" in operation["select"]:
        side = sides(reading, operation["select"].get("side", "self"))[0]
        order = step.draws.shuffle(f"{side}.{zones_of(operation)[0]}", found)
        return [str(card) for card in order[: count(reading, pick["random"])]]
    return found[: count(reading, pick["top"])] if "top" in pick else found


def apply(
    step: Step, operation: Operation, cards: list[str], fields: Sequence[int]
) -> Rejection | None:
    """Carry out an operation on cards, placed on these fields if they are placed (9.6).

    Numbers are evaluated before `last` changes. Rejections: a destination that does not fit.
    """
    reading = being_resolved(step.scene)
    operation = {
        **operation,
        **{key: amount(reading, operation[key]) for key in ("amount", "value") if key in operation},
    }
    revealed = {"reveal": True} if _shows_copied(step.scene, operation, cards) else {}
    step.emit("targets_fixed", ["HS-921"], cards=cards, **revealed)
    if operation["op"] in PLACING:
        outcome = _place(step, operation, cards, fields)
    else:
        outcome = _CARRY_OUT[operation["op"]](step, operation, cards)
    if isinstance(outcome, Rejection):
        return outcome
    _shuffle_piles(step, operation)
    queue(step, outcome)
    if operation["op"] in MOVING:
        step.test_decks()
    return None


def _shows_copied(scene: Scene, operation: Operation, cards: list[str]) -> bool:
    """Tell whether an effect is borrowed out of a hidden zone, which shows its card (HS-414)."""
    found = [where_is(scene.position, card) for card in cards]
    return operation["op"] == "copy" and any(
        lying is not None and lying.zone in HIDDEN_ZONES for lying in found
    )


def _shuffle_piles(step: Step, operation: Operation) -> None:
    for player, zone in piles_looked_through(being_resolved(step.scene), operation):
        step.shuffle(player, zone, "HS-913")


def _place(step: Step, operation: Operation, cards: list[str], fields: Sequence[int]) -> Outcome:
    """Place cards one after the other, each where it can go when its turn comes (9.6)."""
    put = _PLACE[operation["op"]]
    rule = PLACEMENT_RULES[operation["op"], operation.get("order") == "rank"]
    triggers: list[Trigger] = []
    for card, field in zip(cards, fields, strict=True):
        scene = step.scene
        if field not in destinations(scene, being_resolved(scene), operation, card):
            return Rejection(rule)
        triggers += put(step, operation, card, field)
    return triggers


def _placed(step: Step, card: str, field: int) -> dict[str, Json]:
    zone = location(step, card).zone
    return {"player": owner(card), "card": card, "field": field, "from": zone}


def _summon(step: Step, operation: Operation, card: str, field: int) -> list[Trigger]:
    """Place a card directly (HS-402, HS-942)."""
    rule = PLACEMENT_RULES["summon", operation["order"] == "rank"]
    placed = _placed(step, card, field)
    step.emit("card_summoned", ["HS-402", rule, "HS-912"], **placed, direct=True)
    return watching(step.scene, "summon", card)


def _set(step: Step, operation: Operation, card: str, field: int) -> list[Trigger]:
    """Set a card by effect (HS-932)."""
    placed = _placed(step, card, field)
    shown = {"reveal": True} if operation.get("reveal") else {}
    step.emit("card_set", ["HS-507", "HS-932"], **placed, by_effect=True, **shown)
    return []


def _shift(step: Step, operation: Operation, card: str, field: int) -> list[Trigger]:
    """Move a top card onto another stack of its owner, which stays as it lies (HS-422, HS-956)."""
    player, left = owner(card), location(step, card).field
    step.emit("card_shifted", ["HS-422"], player=player, card=card, field=left, to=field)
    uncover(step, player, left)
    return []


_PLACE: Mapping[str, Callable[[Step, Operation, str, int], list[Trigger]]] = {
    "summon": _summon,
    "set": _set,
    "shift": _shift,
}


def _flip(step: Step, operation: Operation, cards: list[str]) -> list[Trigger]:
    """Turn tops down, or up, which counts as a summon (HS-934)."""
    triggers: list[Trigger] = []
    for card in cards:
        turned = named_top(step, card)
        if operation["to"] == "down":
            step.emit("stack_turned_down", ["HS-934"], **turned)
        else:
            step.emit("card_revealed", ["HS-934"], **turned)
            triggers += watching(step.scene, "summon", card)
    return triggers


def _rest(step: Step, operation: Operation, cards: list[str]) -> list[Trigger]:
    triggers: list[Trigger] = []
    for card in cards:
        step.emit("stack_rested", ["HS-933"], **named_top(step, card), reason="effect")
        triggers += resting(step.scene, card)
    return triggers


def resting(scene: Scene, card: str) -> list[Trigger]:
    """Return the triggers of a card that was rested."""
    return [*of_card(scene, "rested", card), *watching(scene, "rest", card)]


def _ready(step: Step, operation: Operation, cards: list[str]) -> list[Trigger]:
    for card in cards:
        step.emit("stack_readied", ["HS-933"], **named_top(step, card))
    return []


CHANGES: Mapping[str, tuple[str, ...]] = {
    "amount": ("HS-927",),
    "value": ("HS-927", "HS-649"),
    "keyword": ("HS-928",),
    "attribute": ("HS-928",),
}
"""What a lasting entry on a card changes, with its rules; `fixed` goes with `value`."""


def _change(step: Step, operation: Operation, cards: list[str]) -> list[Trigger]:
    """Lay a power, keyword or attribute on cards for a time (HS-927, HS-928, HS-649)."""
    if lacks_attack(step, operation):
        skip(step, operation, "no_attack", "HS-922")
        return []
    rules = next(rules for key, rules in CHANGES.items() if key in operation)
    terms = {key: operation[key] for key in (*CHANGES, "fixed") if key in operation}
    for card in cards:
        add_lasting(step, operation, rules, card=card, **terms)
    return []


def _show(step: Step, operation: Operation, cards: list[str]) -> list[Trigger]:
    """Show cards to everybody, those of each owner together (HS-420)."""
    for player in sides(being_resolved(step.scene), "both"):
        shown = [card for card in cards if owner(card) == player]
        if shown:
            step.emit("cards_shown", ["HS-420"], player=player, cards=shown, reveal=True)
    return []


def _look(step: Step, operation: Operation, cards: list[str]) -> list[Trigger]:
    """Let one player look at cards (HS-420)."""
    if cards:
        step.emit("cards_looked", ["HS-420"], player=_chooser(step, operation), cards=cards)
    return []


def _copy(step: Step, operation: Operation, cards: list[str]) -> list[Trigger]:
    """Insert the operations of borrowed effects, in the order of their cards (HS-414)."""
    ops = [
        borrowed
        for card in cards
        for borrowed in borrowed_operations(definition(step.pool, step.position, card), operation)
    ]
    if cards:
        step.emit("operations_inserted", ["HS-414", "HS-921"], ops=ops)
    return []


_CARRY_OUT: Mapping[str, Callable[[Step, Operation, list[str]], list[Trigger]]] = {
    "move": move,
    "flip": _flip,
    "rest": _rest,
    "ready": _ready,
    "power": _change,
    "grant": _change,
    "show": _show,
    "look": _look,
    "copy": _copy,
}
SELECTING = frozenset({*PLACING, *_CARRY_OUT})
