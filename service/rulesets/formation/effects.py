"""Instant operations: healing, ailments, modifiers, removal, revival (FM-722 to FM-727, FM-972)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from service.engine.values import Json
from service.rulesets.formation.cards import POISON, REVIVE, ROT, SEAL, SLEEP, STUN, Ability
from service.rulesets.formation.conditions import Occasion, passes, standing, used
from service.rulesets.formation.course import Course
from service.rulesets.formation.facts import AILMENT_RULES
from service.rulesets.formation.line import Holder, find, front, present, rearmost, unit_at, units
from service.rulesets.formation.position import opponent

Operation: TypeAlias = Callable[[Course, Holder, Json], None]

SIGNS: Mapping[str, int] = {"buffs": 1, "debuffs": -1}
NEIGHBOURS: Mapping[str, int] = {"ahead": -1, "behind": 1}


def apply(course: Course, holder: Holder, ability: Ability, occasion: Occasion) -> Holder:
    """Carry out an ability that is no attack, operation by operation, unit by unit.

    A limited one loses a use whatever comes of it (FM-984); returns the holder with that counted.
    Facts: ability_used and those of the operations.
    """
    holder = use(course, holder, ability)
    for operation in ability.operations:
        for unit in objects(course, holder, operation, occasion):
            OPERATIONS[operation["op"]](course, unit, operation)
    return holder


def use(course: Course, holder: Holder, ability: Ability) -> Holder:
    """Count a use of a limited ability (FM-984); returns the holder with the use counted.

    Facts: ability_used.
    """
    if ability.uses is None:
        return holder
    count = used(holder, ability) + 1
    course.add("ability_used", unit=holder.id, ability=ability.index, used=count)
    counted = holder.unit | {"used": holder.unit["used"] | {ability.key: count}}
    return Holder(player=holder.player, square=holder.square, unit=counted, card=holder.card)


def objects(course: Course, holder: Holder, operation: Json, occasion: Occasion) -> list[Holder]:
    """Return the units that an operation works on, front to rear; a revival works on the holder.

    Positions are read from the square of the holder, for a fallen unit the one on which it fell
    (FM-986); `self`, `target` and `attacker` select nothing that is not in a line.
    """
    if operation["op"] == REVIVE:
        return [holder]
    selector = operation["to"]
    if isinstance(selector, str):
        named = {"self": holder.id, "target": occasion.target, "attacker": occasion.attacker}
        unit = None if named[selector] is None else find(course, str(named[selector]))
        return [] if unit is None else [unit]
    return [
        unit
        for unit in _placed(course, holder, selector)
        if passes(unit, selector["where"]) and not (selector["others"] and unit.id == holder.id)
    ]


def _placed(course: Course, holder: Holder, selector: Json) -> list[Holder]:
    at = selector["at"]
    is_ally = selector["side"] == "ally"
    player = holder.player if is_ally else opponent(holder.player)
    if at == "all":
        return units(course, player)
    if at in NEIGHBOURS:
        unit = unit_at(course, player, holder.square + NEIGHBOURS[at]) if is_ally else None
    else:
        unit = front(course, player) if at == "front" else rearmost(course, player)
    return [] if unit is None else [unit]


def _heal(course: Course, unit: Holder, operation: Json) -> None:
    """Give ticks back, up to the maximum (FM-978)."""
    ticks = unit.unit["ticks"]
    amount = min(operation["amount"], unit.card.ticks - ticks)
    course.add("unit_healed", unit=unit.id, amount=amount, ticks_after=ticks + amount)


def _status(course: Course, unit: Holder, operation: Json) -> None:
    """Apply an ailment: poison and rot add up (FM-970), the longer seal stays (FM-968)."""
    status = operation["status"]
    if any(status in effect.operation["status"] for effect in standing(course, unit, "immune")):
        course.add("status_blocked", unit=unit.id, status=status)
        return
    value: Json = True
    if status == SEAL:
        value = max(unit.unit[SEAL], operation["amount"])
    elif status in (POISON, ROT):
        value = unit.unit[status] + operation["amount"]
    rules = (AILMENT_RULES[status],)
    course.add("status_applied", rules=rules, unit=unit.id, status=status, value=value)


def _mod(course: Course, unit: Holder, operation: Json) -> None:
    """Apply a buff or debuff; every application is a modifier of its own (FM-727, FM-972)."""
    changes = {key: operation[key] for key in ("stat", "kind", "amount")}
    course.add("modifier_applied", unit=unit.id, **changes)


def _dispel(course: Course, unit: Holder, operation: Json) -> None:
    """Remove what is listed, in the listed order (FM-972); critical is never listed (FM-704)."""
    for what in operation["what"]:
        current = present(course, unit.id).unit
        if what in SIGNS:
            _remove_modifiers(course, current, what)
        elif current[what]:
            value = False if what in (STUN, SLEEP) else 0
            course.add("status_removed", unit=unit.id, status=what, value=value)


def _remove_modifiers(course: Course, unit: Json, what: str) -> None:
    removed = [mod for mod in unit["mods"] if mod["amount"] * SIGNS[what] > 0]
    left = [mod for mod in unit["mods"] if mod["amount"] * SIGNS[what] < 0]
    if removed:
        course.add("modifiers_removed", unit=unit["id"], what=what, removed=removed, left=left)


def _revive(course: Course, fallen: Holder, operation: Json) -> None:
    """Return a fallen unit to the square on which it fell, fresh but for its uses (FM-974)."""
    course.add(
        "unit_revived",
        player=fallen.player,
        square=fallen.square,
        unit=fallen.id,
        card=fallen.card.id,
        ticks=min(operation["ticks"], fallen.card.ticks),
        acted=fallen.unit["acted"],
        used=fallen.unit["used"],
    )


OPERATIONS: Mapping[str, Operation] = {
    "heal": _heal,
    "status": _status,
    "mod": _mod,
    "dispel": _dispel,
    REVIVE: _revive,
}
