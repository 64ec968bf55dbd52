"""Thorns and reflection: what returns to the attacker (FM-601 to FM-606, FM-955, FM-956)."""

from __future__ import annotations

from collections.abc import Sequence

from service.rulesets.formation.course import Course
from service.rulesets.formation.damage import Blow, Damage
from service.rulesets.formation.falls import fall_without_ticks, take_damage
from service.rulesets.formation.line import Holder, find, present
from service.rulesets.formation.triggers import Fall


def answer(course: Course, blow: Blow, damages: Sequence[Damage]) -> list[Fall]:
    """Return thorns, then reflections, to the attacker while it has ticks (FM-601, FM-603).

    It falls to the last of them that hurt it (FM-606); nothing returns to a spell piece (FM-980).
    """
    if blow.is_spell:
        return []
    cause = "thorns"
    for damage in damages:
        if damage.has_thorns and _has_ticks(course, blow.attacker):
            _return_thorns(course, blow.attacker, damage)
    for damage in damages:
        if damage.is_reflected and damage.raw > 0 and _has_ticks(course, blow.attacker):
            cause = "reflection"
            _return_reflection(course, blow.attacker, damage)
    return fall_without_ticks(course, [blow.attacker], cause, None)


def _has_ticks(course: Course, unit: Holder) -> bool:
    return bool(present(course, unit.id).unit["ticks"] > 0)


def _return_thorns(course: Course, attacker: Holder, damage: Damage) -> None:
    """Return the computed total, also from the unit that the blow felled (FM-605, FM-955)."""
    has_fallen = find(course, damage.target.id) is None
    course.add(
        "thorns_returned",
        rules=("FM-601", "FM-605") if has_fallen else ("FM-601",),
        unit=damage.target.id,
        to=attacker.id,
        amount=damage.total,
    )
    take_damage(course, attacker.id, damage.total, "thorns")


def _return_reflection(course: Course, attacker: Holder, damage: Damage) -> None:
    """Return the raw damage to the attacker on whatever square it stands (FM-956)."""
    course.add("reflection_returned", unit=damage.target.id, to=attacker.id, amount=damage.raw)
    take_damage(course, attacker.id, damage.raw, "reflection")
