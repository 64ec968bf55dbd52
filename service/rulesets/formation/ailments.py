"""Ailments at the end of a battle turn: what they do and which end (FM-722 to FM-726, FM-970)."""

from __future__ import annotations

from service.rulesets.formation.cards import POISON, ROT, SEAL, STUN
from service.rulesets.formation.course import Course
from service.rulesets.formation.falls import fall, take_damage
from service.rulesets.formation.line import in_action_order, present
from service.rulesets.formation.triggers import fire_ally_felled, fire_felled


def suffer(course: Course) -> None:
    """Take poison, then rot (FM-970); then those fall whom it brought to 0 ticks (FM-606).

    Facts: damage_taken, unit_fell, then those of felled and ally_felled abilities.
    """
    causes: dict[str, str] = {}
    order = in_action_order(course)
    for ailment in (POISON, ROT):
        for unit in order:
            amount = unit.unit[ailment]
            if amount and unit.id not in causes:
                take_damage(course, unit.id, amount, ailment)
                if not present(course, unit.id).unit["ticks"]:
                    causes[unit.id] = ailment
    spent = [present(course, unit.id) for unit in order if unit.id in causes]
    falls = [fall(course, unit, causes[unit.id]) for unit in spent]
    fire_felled(course, falls)
    fire_ally_felled(course, falls)


def count_down(course: Course) -> None:
    """End every stun and let every seal drop by 1; poison and rot stay (FM-726, FM-967, FM-968).

    Facts: status_expired, seal_counted, unit by unit in action order.
    """
    for holder in in_action_order(course):
        if holder.unit[STUN]:
            course.add("status_expired", unit=holder.id, status=STUN, value=False)
        if holder.unit[SEAL]:
            course.add("seal_counted", unit=holder.id, left=holder.unit[SEAL] - 1)
