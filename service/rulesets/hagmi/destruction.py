"""Destroying cards (HG-401, HG-431, HG-516, HG-945, HG-957, HG-964, HG-965; spec 6.7)."""

from __future__ import annotations

from service.rulesets.hagmi.conditions import holds
from service.rulesets.hagmi.cores import cores_left, spend_cores
from service.rulesets.hagmi.course import Course
from service.rulesets.hagmi.ending import end_game
from service.rulesets.hagmi.leaving import is_token, leave, let_go
from service.rulesets.hagmi.numbers import has_keyword
from service.rulesets.hagmi.selection import Context, candidates
from service.rulesets.hagmi.table import (
    controller_of,
    definition_of,
    entry_of,
    skill_bearers,
)
from service.rulesets.hagmi.triggers import trigger_for

CAUSE_RULES = {
    "armour": "HG-260",
    "absorb": "HG-275",
    "cost": "HG-255",
    "effect": "HG-258",
}


def destroy(course: Course, card: str, cause: str, spent: frozenset[str] = frozenset()) -> None:
    """Destroy a card on a battlefield, unless a core or a replacement takes its place.

    cause: armour, damage, effect, cost or absorb; spent: replacements this event has used.
    Facts: card_destroyed, those of leaving, card_left or charge_unit_placed.
    """
    side = controller_of(course.position, card)
    if side is None:
        return
    if cores_left(course, card) >= 1:
        spend_cores(course, card)
        return
    definition = definition_of(course, card)
    if not definition.stays_for_good and _is_replaced(course, card, spent):
        return
    fields = {"card": card, "controller": side, "cause": cause}
    course.tell("card_destroyed", fields, (_rule(cause, definition.kind),))
    is_down = entry_of(course.position, card)["down"]
    becomes_charge_unit = has_keyword(course, card, "charge") and not is_token(course, card)
    let_go(course, card)
    if becomes_charge_unit:
        course.tell("charge_unit_placed", {"card": card, "from": "destroyed"})
    else:
        leave(course, card, "discard")
    if definition.is_final:
        end_game(course, "players", "mothership", ("HG-957",))
    if not is_down:
        trigger_for(course, card, "on_destroyed", side)


def _rule(cause: str, kind: str) -> str:
    if cause == "damage":
        return "HG-221" if kind == "facility" else "HG-913"
    return CAUSE_RULES[cause]


def _is_replaced(course: Course, card: str, spent: frozenset[str]) -> bool:
    """Carry out the first replacement that fits, by the entry of its bearer (HG-945)."""
    for side, bearer, entry in skill_bearers(course.position):
        if entry["down"]:
            continue
        for effect in definition_of(course, bearer).effects_when("would_destroy"):
            key = f"{bearer}/{effect.id}"
            context = Context(source=bearer, player=side, event_card=card, spent=spent | {key})
            fits = key not in spent and card in candidates(course, context, effect.match)
            if fits and holds(course, context, effect.condition):
                course.carry_out(course, effect.instead, context)
                return True
    return False
