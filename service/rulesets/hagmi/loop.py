"""The engine loop: what follows by itself until somebody has to decide (HG-907, HG-909; spec 4)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from service.rulesets.hagmi.beasts import take_charge
from service.rulesets.hagmi.combat import (
    end_strike_step,
    start_combat,
    take_end_of_combat,
    take_strike_round,
    take_strike_step,
)
from service.rulesets.hagmi.course import Course, Job
from service.rulesets.hagmi.damage import take_player_damage
from service.rulesets.hagmi.defence import take_compelled_defence
from service.rulesets.hagmi.forced_attack import end_extra_battle, take_forced_attack
from service.rulesets.hagmi.play import resolve_play
from service.rulesets.hagmi.skills import resolve_skill, take_trigger
from service.rulesets.hagmi.state import check_state
from service.rulesets.hagmi.triggers import trigger
from service.rulesets.hagmi.turn import enter, leave, take_automatic_step
from service.rulesets.hagmi.windows import (
    open_window_of_link,
    pass_on_window,
    take_defence,
    take_window,
)

STEPS_MAX = 10_000


def run(course: Course) -> None:
    """Go on until the game is over or somebody has to decide."""
    for _ in range(STEPS_MAX):
        pass_on_window(course)
        if _waits(course) or not any(step(course) for step in STEPS):
            return
    raise AssertionError("the engine loop does not come to rest")


def _waits(course: Course) -> bool:
    position = course.position
    return course.is_over or position["prompt"] is not None or position["window"] is not None


def _receive_damage(course: Course) -> bool:
    """Let damage to players be taken before the chain goes on."""
    agenda = course.position["agenda"]
    return bool(agenda) and agenda[-1]["t"] == "player_damage" and _take_job(course)


def _resolve_triggered(course: Course) -> bool:
    chain = course.position["chain"]
    return bool(chain) and bool(chain[-1].get("trig")) and _resolve(course)


def _resolve(course: Course) -> bool:
    """Take the top object off the chain and let it take effect."""
    if not course.position["chain"]:
        return False
    *below, link = course.position["chain"]
    course.control(chain=below)
    (resolve_play if link["t"] == "play" else resolve_skill)(course, link)
    return True


def _take_job(course: Course) -> bool:
    """Take the job that is next on the agenda."""
    if not course.position["agenda"]:
        return False
    *agenda, job = course.position["agenda"]
    course.control(agenda=agenda)
    JOBS[job["t"]](course, job)
    return True


def _let_enter(course: Course, job: Job) -> None:
    """Let the entering skills of a produced card trigger, after those on production (HG-929)."""
    trigger(course, job["card"], "on_enter")


STEPS: tuple[Callable[[Course], bool], ...] = (
    check_state,
    _receive_damage,
    open_window_of_link,
    _resolve_triggered,
    take_trigger,
    _resolve,
    _take_job,
    take_automatic_step,
)
JOBS: Mapping[str, Callable[[Course, Job], None]] = {
    "window": take_window,
    "on_enter": _let_enter,
    "defence": take_defence,
    "combat_start": start_combat,
    "strike_step": take_strike_step,
    "strike_round": take_strike_round,
    "end_strike_step": end_strike_step,
    "player_damage": take_player_damage,
    "compel_defence": take_compelled_defence,
    "forced_attack": take_forced_attack,
    "end_combat": take_end_of_combat,
    "end_extra_battle": end_extra_battle,
    "enter": enter,
    "leave": leave,
    "charge": take_charge,
}
