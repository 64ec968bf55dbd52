"""Armaments and their bearers (HG-215…HG-219, HG-277, HG-427, HG-428, HG-928, HG-941)."""

from __future__ import annotations

from collections.abc import Iterator

from service.engine.contract import Rejection
from service.engine.values import Action
from service.rulesets.hagmi.course import Course
from service.rulesets.hagmi.fuel import fuel_for, pay_fuel
from service.rulesets.hagmi.numbers import act_of
from service.rulesets.hagmi.selection import Context, candidates
from service.rulesets.hagmi.table import (
    Table,
    definition_of,
    entry_of,
    field_of,
    in_play,
    is_unit,
)
from service.rulesets.hagmi.timing import is_own_main_step


def equip_armament(course: Course, player: str, action: Action) -> Rejection | None:
    """Let a weapon take up an armament that lies unequipped, for its act cost.

    action: {"type": "equip_armament", "unit": card id, "armament": card id, "pay"?: [fuel id]}.
    Facts: fuel_paid, armament_equipped. Rejections: HG-901, HG-217, HG-425, HG-219, HG-428.
    """
    rule = next(equip_refusals(course, player, action), None)
    if rule is not None:
        return Rejection(rule)
    unit, armament = action["unit"], action["armament"]
    paid = fuel_for(entry_of(course.position, unit), act_of(course, unit), action.get("pay"))
    pay_fuel(course, unit, paid or [], "equip", ("HG-428",))
    equip(course, player, armament, unit)
    return None


def equip_refusals(table: Table, player: str, action: Action) -> Iterator[str]:
    """Yield the rules that equipping breaks, in the order of the checks."""
    unit, armament = action["unit"], action["armament"]
    own = field_of(table.position, player)
    if not is_own_main_step(table.position, player):
        yield "HG-901"
    if unit not in own or definition_of(table, unit).kind != "weapon":
        yield "HG-217"
    if own[unit]["down"]:
        yield "HG-425"
    if armament not in own or definition_of(table, armament).kind != "armament":
        yield "HG-217"
    if not can_bear(table, player, armament, unit):
        yield "HG-219"
    if fuel_for(own[unit], act_of(table, unit), action.get("pay")) is None:
        yield "HG-428"


def equip(course: Course, player: str, armament: str, unit: str) -> None:
    """Move an armament from the battlefield onto a unit."""
    fields = {
        "armament": armament,
        "unit": unit,
        "player": player,
        "produced": False,
        "paid": [],
    }
    course.tell("armament_equipped", fields, ("HG-217", "HG-428"))


def can_bear(table: Table, player: str, armament: str, unit: str) -> bool:
    """Tell whether a unit on a battlefield meets the equip condition of an armament (HG-219)."""
    condition = definition_of(table, armament).equip_if
    context = Context(source=armament, player=player)
    return is_unit(table, unit) and (
        condition is None or unit in candidates(table, context, condition)
    )


def bearers_for(table: Table, player: str, armament: str) -> list[str]:
    """Return the units of both sides that may bear an armament (HG-928), by `seq`."""
    units = [card for _, card, _ in in_play(table.position)]
    return [unit for unit in units if can_bear(table, player, armament, unit)]
