"""Combat that a skill causes (HG-102, HG-430, HG-924, HG-925)."""

from __future__ import annotations

from collections.abc import Iterator

from service.rulesets.hagmi.attack import attackable
from service.rulesets.hagmi.beasts import attack_with_beast
from service.rulesets.hagmi.course import Course, Job
from service.rulesets.hagmi.numbers import act_of
from service.rulesets.hagmi.table import MB, controller_of, entry_of, is_unit


def take_forced_attack(course: Course, job: Job) -> None:
    """Let a unit attack because a skill says so, outside the battle phase in an additional one.

    While a combat runs it waits for its end (HG-925).
    Facts: attack_impossible, or extra_battle_started and a prompt.
    """
    unit = job["unit"]
    if course.combat is not None:
        course.push_below("end_combat", job)
        return
    if not is_unit(course, unit):
        return
    reason = next(_impossibilities(course, unit), None)
    if reason is not None:
        course.tell("attack_impossible", {"unit": unit, "reason": reason})
        return
    position = course.position
    if position["phase"] != "battle":
        place = {"phase": position["phase"], "step": position["step"]}
        course.tell("extra_battle_started", {"unit": unit, "from": place})
        course.push({"t": "end_extra_battle", "to": place})
    player = controller_of(position, unit)
    if player == MB:
        attack_with_beast(course, unit, is_forced=True)
    else:
        course.ask({"kind": "forced_attack", "player": player, "unit": unit}, "HG-430")


def _impossibilities(course: Course, unit: str) -> Iterator[str]:
    entry = entry_of(course.position, unit)
    if entry["down"]:
        yield "down"
    if entry["forfeited"]:
        yield "forfeited"
    if len(entry["fuel"]) < act_of(course, unit):
        yield "fuel"
    player = controller_of(course.position, unit)
    if player != MB and not attackable(course, player or ""):
        yield "targets"


def end_extra_battle(course: Course, job: Job) -> None:
    """Return from an additional battle phase to where it began (HG-430)."""
    course.tell("extra_battle_ended", {"to": job["to"]})
