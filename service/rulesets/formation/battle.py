"""The battle turn: start step, actions one by one, end step (FM-911, FM-940, FM-943, FM-971)."""

from __future__ import annotations

from service.engine.contract import Rejection
from service.engine.values import Action, Actor
from service.rulesets.formation.actions import act
from service.rulesets.formation.ailments import count_down, suffer
from service.rulesets.formation.course import Course
from service.rulesets.formation.critical import fall_of_criticals
from service.rulesets.formation.ending import empty_lines, lose_by_exhaustion, win_check
from service.rulesets.formation.line import close_ranks, in_action_order, next_to_act
from service.rulesets.formation.position import BATTLE, START
from service.rulesets.formation.rounds import next_round
from service.rulesets.formation.triggers import fire_all

ADVANCES_MAX = 100_000


def advance(course: Course, actor: Actor, action: Action) -> Rejection | None:
    """Take the next step of the battle: start step, one unit's action, or end step.

    Rejections: FM-905 not in the battle phase.
    """
    if course.position["phase"] != BATTLE:
        return Rejection("FM-905")
    _advance(course)
    return None


def battle_turn(course: Course, actor: Actor, action: Action) -> Rejection | None:
    """Advance until the next round begins or the match is over. Rejections: as `advance`."""
    if course.position["phase"] != BATTLE:
        return Rejection("FM-905")
    number = course.position["round"]
    for _ in range(ADVANCES_MAX):
        _advance(course)
        if course.is_over or course.position["round"] != number:
            return None
    raise AssertionError("a battle turn did not end")


def _advance(course: Course) -> None:
    if course.position["step"] == START:
        _start_step(course)
        return
    unit = next_to_act(course)
    if unit is None:
        _end_step(course)
    else:
        act(course, unit)


def _start_step(course: Course) -> None:
    empty = empty_lines(course)
    if empty:
        _skip_battle(course, empty)
        return
    position = course.position
    course.add("battle_turn_started", round=position["round"], first=position["first"])
    fall_of_criticals(course)
    course.add("actions_started", round=position["round"])
    win_check(course)
    if not course.is_over:
        fire_all(course, in_action_order(course), "turn_start")


def _skip_battle(course: Course, empty: list[str]) -> None:
    """Fight no battle turn: nothing falls, hurts or is counted down (FM-911)."""
    lose_by_exhaustion(course)
    if not course.is_over:
        course.add("battle_skipped", round=course.position["round"], empty=empty)
        next_round(course)


def _end_step(course: Course) -> None:
    """Carry out the end of a battle turn in the order of FM-971."""
    suffer(course)
    fire_all(course, in_action_order(course), "turn_end")
    win_check(course)
    if course.is_over:
        return
    count_down(course)
    close_ranks(course, "FM-105")
    course.add("battle_turn_ended", round=course.position["round"])
    next_round(course)
