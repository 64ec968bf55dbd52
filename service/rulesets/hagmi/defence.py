"""Defending: counter, guard, emergency production (HG-107…HG-114, HG-241…HG-243, HG-927)."""

from __future__ import annotations

from collections.abc import Iterator

from service.engine.contract import Rejection
from service.engine.values import Action
from service.rulesets.hagmi.costs import payment_refusals
from service.rulesets.hagmi.course import Course, Job
from service.rulesets.hagmi.fuel import fuel_for, pay_fuel
from service.rulesets.hagmi.numbers import act_of, has_keyword
from service.rulesets.hagmi.play import announce
from service.rulesets.hagmi.selection import defenders
from service.rulesets.hagmi.table import (
    MB,
    Table,
    definition_of,
    entry_of,
    field_of,
    is_own_unit,
    living,
    owner_of,
    pile_of,
)
from service.rulesets.hagmi.triggers import trigger


def defend(course: Course, player: str, action: Action) -> Rejection | None:
    """Defend a target of the attack with a unit: itself by a counter, another by a guard.

    action: {"type": "defend", "unit": card id, "target"?: card id or player (default the unit),
    "pay"?: [fuel id]}.
    Facts: fuel_paid, defence_declared. Rejections: HG-113, HG-242, HG-230, HG-425, HG-429, HG-106,
    HG-108, HG-911, HG-910, HG-110.
    """
    if course.position["prompt"] is None:
        return Rejection("HG-113")
    rule = next(defence_refusals(course, player, action), None)
    if rule is not None:
        return Rejection(rule)
    unit: str = action["unit"]
    target: str = action.get("target", unit)
    kind = "counter" if target == unit else "guard"
    paid = fuel_for(entry_of(course.position, unit), act_of(course, unit), action.get("pay"))
    pay_fuel(course, unit, paid or [], kind)
    _establish(course, unit, target, kind, ())
    course.set_combat(must_defend=None)
    return None


def defence_refusals(table: Table, player: str, action: Action) -> Iterator[str]:
    """Yield the rules that a defence breaks for a player who is asked, in the order of checks."""
    unit: str = action["unit"]
    target: str = action.get("target", unit)
    combat = table.position["combat"]
    if combat["must_defend"] not in (None, unit):
        yield "HG-242"
    if not is_own_unit(table, player, unit):
        yield "HG-230"
    entry = entry_of(table.position, unit)
    if entry["down"]:
        yield "HG-425"
    if has_keyword(table, combat["attacker"], "undefendable") and unit in combat["present"]:
        yield "HG-429"
    yield from _place_refusals(table, player, unit, target)
    if fuel_for(entry, act_of(table, unit), action.get("pay")) is None:
        yield "HG-110"


def _place_refusals(table: Table, player: str, unit: str, target: str) -> Iterator[str]:
    """Yield why a unit may not defend there; not for a comrade either (HG-960)."""
    combat = table.position["combat"]
    made = combat["defences"].get(target)
    if target not in combat["targets"]:
        yield "HG-106"
    if target != player and target not in field_of(table.position, player):
        yield "HG-113"
    if unit in combat["targets"] and target != unit:
        yield "HG-108"
    if unit in defenders(combat):
        yield "HG-911"
    if made is not None:
        yield "HG-108" if made["kind"] == "guard" and target != unit else "HG-910"


def _establish(course: Course, unit: str, target: str, kind: str, rules: tuple[str, ...]) -> None:
    """Establish a defence of either kind: it joins the combat relation (HG-109, HG-114)."""
    made = {**course.combat["defences"], target: {"by": unit, "kind": kind}}
    course.set_combat(defences=made)
    rule = "HG-107" if kind == "counter" else "HG-108"
    fields = {"unit": unit, "target": target, "kind": kind}
    course.tell("defence_declared", fields, (rule, *rules, "HG-114"))
    trigger(course, unit, "on_defend")


def defend_with_beasts(course: Course) -> None:
    """Let attacked beasts with counter defend themselves, without fuel (HG-515, HG-955)."""
    beasts = field_of(course.position, MB)
    for target in course.combat["targets"]:
        is_open = target in beasts and target not in course.combat["defences"]
        if is_open and has_keyword(course, target, "counter"):
            _establish(course, target, target, "counter", ("HG-515",))


def emergency_produce(course: Course, player: str, action: Action) -> Rejection | None:
    """Produce a weapon of the hand in order to defend with it.

    action: {"type": "emergency_produce", "card": card id, "pay"?: [card id]}.
    Facts: card_played. Rejections: HG-241, HG-242, HG-211, HG-947, HG-414, HG-927.
    """
    if course.position["prompt"] is None:
        return Rejection("HG-241")
    rule = next(emergency_refusals(course, player, action), None)
    if rule is not None:
        return Rejection(rule)
    course.control(prompt=None)
    announce(course, player, action, is_emergency=True)
    return None


def emergency_refusals(table: Table, player: str, action: Action) -> Iterator[str]:
    """Yield the rules that an emergency production breaks for a player who is asked."""
    card = action["card"]
    if table.position["combat"]["must_defend"] is not None:
        yield "HG-242"
    in_hand = card in pile_of(table.position, player, "hand")
    if not in_hand or definition_of(table, card).kind != "weapon":
        yield "HG-241"
    yield from payment_refusals(table, player, card, action.get("pay", []), None)
    if not has_open_target(table, player):
        yield "HG-927"


def has_open_target(table: Table, player: str) -> bool:
    """Tell whether an attack target of a player is there and not defended yet (HG-927)."""
    combat = table.position["combat"]
    own = field_of(table.position, player)
    return any(
        (target == player or target in own) and target not in combat["defences"]
        for target in combat["targets"]
    )


def take_compelled_defence(course: Course, job: Job) -> None:
    """Oblige the unit produced in the emergency to defend, if it can, and ask again (HG-242).

    Facts: defence_compelled or defence_lapsed, and the prompt.
    """
    unit = job["unit"]
    player = owner_of(course.position, unit)
    if player not in living(course.position):
        return
    reason = next(_lapse_reasons(course, unit, player), None)
    if reason is None:
        # Whatever it was before, this unit was brought in by emergency production (HG-429).
        present = [card for card in course.combat["present"] if card != unit]
        course.tell("defence_compelled", {"unit": unit})
        course.set_combat(must_defend=unit, present=present)
    else:
        course.tell("defence_lapsed", {"unit": unit, "reason": reason})
    if course.combat is not None and player in course.combat["to_defend"]:
        ask_for_defence(course, player)


def _lapse_reasons(course: Course, unit: str, player: str) -> Iterator[str]:
    """Yield why a unit need not defend (HG-243)."""
    entry = field_of(course.position, player).get(unit)
    if course.combat is None:
        yield "no_attacker"
    if entry is not None and len(entry["fuel"]) < act_of(course, unit):
        yield "fuel"
    if not _can_defend_something(course, unit, player):
        yield "no_target"
    if entry is None:
        yield "gone"
    elif entry["down"]:
        yield "down"


def _can_defend_something(course: Course, unit: str, player: str) -> bool:
    targets: list[str] = course.combat["targets"]
    return any(
        next(_place_refusals(course, player, unit, target), None) is None for target in targets
    )


def ask_for_defence(course: Course, player: str) -> None:
    """Ask a player for their defences (HG-113)."""
    course.ask({"kind": "defence", "player": player}, "HG-113")


def end_defence(course: Course, player: str, action: Action) -> Rejection | None:
    """Declare no further defence.

    action: {"type": "end_defence"}. Fact: defence_closed. Rejections: HG-113, HG-242.
    """
    if course.position["prompt"] is None:
        return Rejection("HG-113")
    if course.combat["must_defend"] is not None:
        return Rejection("HG-242")
    left = [other for other in course.combat["to_defend"] if other != player]
    course.set_combat(to_defend=left)
    course.control(prompt=None)
    course.tell("defence_closed", {"player": player})
    return None
