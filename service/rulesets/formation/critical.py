"""The critical state: what causes it, and the fall that it brings (FM-701 to FM-705)."""

from __future__ import annotations

from collections.abc import Sequence

from service.rulesets.formation.cards import MAGICAL
from service.rulesets.formation.conditions import standing
from service.rulesets.formation.course import Course
from service.rulesets.formation.damage import Blow
from service.rulesets.formation.falls import fall
from service.rulesets.formation.line import Holder, find, in_action_order
from service.rulesets.formation.triggers import fire_ally_felled, fire_felled


def mark_critical(course: Course, blow: Blow, hurt: Sequence[Holder]) -> None:
    """Mark hurt units that stand: instant death, or magic on a magic vital (FM-205, FM-965).

    They act as before until they fall (FM-966). Facts: critical_marked.
    """
    for target in hurt:
        unit = find(course, target.id)
        if unit is None or unit.unit["critical"]:
            continue
        rules = ["FM-701"] if blow.attack.lethal else []
        if blow.attack.kind == MAGICAL and standing(course, unit, "magic_vital"):
            rules.append("FM-703")
        if rules:
            course.add("critical_marked", rules=rules, unit=unit.id)


def fall_of_criticals(course: Course) -> None:
    """Let all critical units fall together; ranks stay open (FM-702, FM-943).

    Facts: unit_fell, then those of felled and ally_felled abilities.
    """
    critical = [unit for unit in in_action_order(course) if unit.unit["critical"]]
    falls = [fall(course, unit, "critical") for unit in critical]
    fire_felled(course, falls)
    fire_ally_felled(course, falls)
