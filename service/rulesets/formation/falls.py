"""Damage taken and falls (FM-229, FM-230, FM-606, FM-702, FM-942, FM-954)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from service.rulesets.formation.course import Course
from service.rulesets.formation.line import Holder, present
from service.rulesets.formation.triggers import Fall

DAMAGE_RULES: Mapping[str, Sequence[str]] = {
    "attack": ("FM-229",),
    "thorns": ("FM-230", "FM-601", "FM-954"),
    "reflection": ("FM-230", "FM-603", "FM-954"),
    "poison": ("FM-725", "FM-230"),
    "rot": ("FM-725", "FM-230"),
}
FALL_RULES: Mapping[str, Sequence[str]] = {"attack": ("FM-229",), "critical": ("FM-702",)}
INDIRECT_FALL_RULES = ("FM-606",)


def take_damage(course: Course, unit_id: str, amount: int, cause: str) -> None:
    """Take ticks from a standing unit, down to 0; only attacks were computed before (FM-954).

    4 ticks are one heart (FM-987). Facts: damage_taken.
    """
    before = present(course, unit_id).unit["ticks"]
    course.add(
        "damage_taken",
        rules=DAMAGE_RULES[cause],
        target=unit_id,
        amount=amount,
        ticks_before=before,
        ticks_after=max(0, before - amount),
        cause=cause,
    )


def fall(course: Course, unit: Holder, cause: str, kind: str | None = None) -> Fall:
    """Let a unit fall; its square stays vacated until ranks close (FM-942).

    kind: of the attack that felled it; any other cause has none (FM-606, FM-705).
    Facts: unit_fell.
    """
    kinds = {} if kind is None else {"kind": kind}
    course.add(
        "unit_fell",
        rules=FALL_RULES.get(cause, INDIRECT_FALL_RULES),
        unit=unit.id,
        player=unit.player,
        square=unit.square,
        cause=cause,
        **kinds,
    )
    return Fall(unit=unit, by=kind)


def fall_without_ticks(
    course: Course, units: Sequence[Holder], cause: str, kind: str | None
) -> list[Fall]:
    """Let those of the units fall that have no ticks left, in their order."""
    standing = [present(course, unit.id) for unit in units]
    return [fall(course, unit, cause, kind) for unit in standing if unit.unit["ticks"] == 0]
