"""Triggered abilities: whose fire, when, and what a fall sets off (FM-973, FM-974, FM-986)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from service.rulesets.formation.conditions import NO_OCCASION, Occasion, is_ready
from service.rulesets.formation.course import Course
from service.rulesets.formation.effects import apply
from service.rulesets.formation.line import Holder, find, units


@dataclass(frozen=True, slots=True, kw_only=True)
class Fall:
    """A fall. unit: as it stood just before; by: the kind of the attack that felled it, if any."""

    unit: Holder
    by: str | None = None


def fire(course: Course, unit: Holder, when: str, occasion: Occasion = NO_OCCASION) -> None:
    """Apply the abilities of a standing unit that this moment triggers, in printed order.

    The unit has to be able each time anew (FM-973).
    """
    for ability in unit.card.abilities.get(when, ()):
        current = find(course, unit.id)
        if current is None or not current.is_able:
            return
        if is_ready(course, current, ability, occasion):
            apply(course, current, ability, occasion)


def fire_all(course: Course, units_in_order: Sequence[Holder], when: str) -> None:
    """Apply the abilities that this moment triggers on several units, one unit after the other."""
    for unit in units_in_order:
        fire(course, unit, when)


def fire_felled(course: Course, falls: Sequence[Fall]) -> None:
    """Apply the felled abilities of each fallen unit that was able when it fell (FM-606, FM-705).

    They are read as if it still stood on its square (FM-986); once it has been revived the rest is
    passed over (FM-974).
    """
    for fall in falls:
        unit, occasion = fall.unit, Occasion(by=fall.by)
        if not unit.is_able:
            continue
        for ability in unit.card.abilities.get("felled", ()):
            if find(course, unit.id) is None and is_ready(course, unit, ability, occasion):
                unit = apply(course, unit, ability, occasion)


def fire_ally_felled(course: Course, falls: Sequence[Fall]) -> None:
    """For each fall apply the ally_felled abilities of the other units of its line (FM-981)."""
    for fall in falls:
        others = [unit for unit in units(course, fall.unit.player) if unit.id != fall.unit.id]
        fire_all(course, others, "ally_felled")
