"""First and last strike: who goes before whom (FM-301 to FM-306, FM-944 to FM-947)."""

from __future__ import annotations

from service.rulesets.formation.conditions import standing
from service.rulesets.formation.course import Course
from service.rulesets.formation.line import Holder


def is_faster(course: Course, unit: Holder, opposite: Holder) -> bool:
    """Tell whether a unit goes before its opposite, which is about to attack (FM-945).

    Equal speed, as with two first strikes (FM-304), leaves the turn to the opposite.
    """
    return _speed(course, unit) > _speed(course, opposite)


def _speed(course: Course, unit: Holder) -> int:
    return bool(standing(course, unit, "first")) - bool(standing(course, unit, "last"))


def interrupt(course: Course, unit: Holder, opposite: Holder) -> None:
    """Let a unit interrupt its opposite. Facts: interrupt_made with the strikes that decided it."""
    reasons = {
        "first": ("FM-301", standing(course, unit, "first")),
        "last": ("FM-302", standing(course, opposite, "last")),
    }
    reason = [name for name, (_, works) in reasons.items() if works]
    course.add(
        "interrupt_made",
        rules=[*(reasons[name][0] for name in reason), "FM-303"],
        unit=unit.id,
        against=opposite.id,
        reason=reason,
    )
