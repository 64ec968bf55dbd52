"""Fuel and how it is paid (HG-246, HG-248, HG-251, HG-920)."""

from __future__ import annotations

from collections.abc import Sequence

from service.engine.values import Json
from service.rulesets.hagmi.course import Course


def fuel_for(entry: Json, cost: int, pay: Sequence[str] | None) -> list[str] | None:
    """Return the fuel that pays a cost: the named one, else the first; None if it does not."""
    fuel: list[str] = entry["fuel"]
    paid = fuel[:cost] if pay is None else list(pay)
    are_there = set(paid) <= set(fuel) and len(set(paid)) == len(paid)
    return paid if are_there and len(paid) == cost else None


def pay_fuel(
    course: Course, unit: str, paid: Sequence[str], purpose: str, rules: Sequence[str] = ()
) -> None:
    """Pay fuel; it goes face up to the discard piles of its owners (HG-248, HG-920)."""
    if paid:
        course.tell("fuel_paid", {"unit": unit, "cards": list(paid), "for": purpose}, rules)
