"""Turns, phases and steps (HG-249, HG-250, HG-426, HG-901…HG-904, HG-950; spec 4)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from service.engine.contract import Rejection
from service.engine.values import Action
from service.rulesets.hagmi.attack import expire
from service.rulesets.hagmi.beasts import charge_power, take_action_step
from service.rulesets.hagmi.changes import repair
from service.rulesets.hagmi.course import Course, Job
from service.rulesets.hagmi.ending import next_side
from service.rulesets.hagmi.logistics import DRAW_STEP_DICE, logistics
from service.rulesets.hagmi.numbers import cap_of
from service.rulesets.hagmi.table import (
    MB,
    definition_of,
    field_of,
    in_play,
    pile_of,
    skill_bearers,
)
from service.rulesets.hagmi.triggers import trigger_all

FIRST_STEPS = {
    "start": "standby",
    "main": "main",
    "battle": "attack_preparation",
    "repair": "repair",
    "end": "end",
    "beast": "standby",
}
FOLLOWING = {"start": "main", "main": "battle", "battle": "repair", "repair": "end"}
LEFT_BY_PLAYER = (("main", "main"), ("battle", "attack_preparation"), ("repair", "supply"))
OF_BEASTS = ("HG-950",)


def end_phase(course: Course, player: str, action: Action) -> Rejection | None:
    """Leave the main, battle or repair phase.

    action: {"type": "end_phase"}. Facts: phase_entered and what follows by itself.
    Rejection: HG-901.
    """
    position = course.position
    is_left = (position["phase"], position["step"]) in LEFT_BY_PLAYER
    if not is_left or position["window"] is not None or position["chain"]:
        return Rejection("HG-901")
    course.push({"t": "leave", "phase": position["phase"]})
    return None


def supply(course: Course, player: str, action: Action) -> Rejection | None:
    """Lay cards of the hand under a weapon as fuel.

    action: {"type": "supply", "unit": card id, "cards": [card id]}. Fact: fuel_supplied.
    Rejections: HG-903, HG-250, HG-249.
    """
    rule = next(_supply_refusals(course, player, action), None)
    if rule is not None:
        return Rejection(rule)
    fields = {"unit": action["unit"], "cards": list(action["cards"]), "from": "hand"}
    course.tell("fuel_supplied", fields)
    return None


def _supply_refusals(course: Course, player: str, action: Action) -> Iterator[str]:
    position, unit, cards = course.position, action["unit"], action["cards"]
    own = field_of(position, player)
    is_time = position["step"] == "supply" and position["active"] == player
    if not is_time or position["window"] is not None or position["chain"]:
        yield "HG-903"
    if unit not in own or definition_of(course, unit).kind != "weapon":
        yield "HG-250"
    in_hand = set(cards) <= set(pile_of(position, player, "hand"))
    if not in_hand or not cards or len(set(cards)) != len(cards):
        yield "HG-903"
    if len(own[unit]["fuel"]) + len(cards) > cap_of(course, unit):
        yield "HG-249"


def enter(course: Course, job: Job) -> None:
    """Enter a step; the first one of a phase opens the window of its start (HG-419).

    Facts: turn_started with the first step of a turn, phase_entered.
    """
    phase, step = job["phase"], job["step"]
    if step == "standby":
        begin_turn(course, next_side(course.position))
        return
    _tell_entered(course, phase, step)


def begin_turn(course: Course, side: str) -> None:
    """Begin the turn of a player or of the beasts (HG-901, HG-950)."""
    rules = OF_BEASTS if side == MB else ()
    fields = {"player": side, "turn": course.position["turn"] + 1}
    course.tell("turn_started", fields, rules)
    _tell_entered(course, "beast" if side == MB else "start", "standby")


def _tell_entered(course: Course, phase: str, step: str) -> None:
    fields = {"phase": phase, "step": step, "player": course.position["active"]}
    course.tell("phase_entered", fields, OF_BEASTS if phase == "beast" else ())
    if FIRST_STEPS[phase] == step:
        course.push({"t": "window", "kind": "phase_start"})


def leave(course: Course, job: Job) -> None:
    """Leave a phase: its window opens, then the next phase or turn begins."""
    phase = job["phase"]
    if phase in ("end", "beast"):
        expire(course, "end_of_turn")
        following = "beast" if next_side(course.position) == MB else "start"
    else:
        following = FOLLOWING[phase]
    course.push({"t": "enter", "phase": following, "step": FIRST_STEPS[following]})
    course.push({"t": "window", "kind": "phase_end"})


def take_automatic_step(course: Course) -> bool:
    """Do the business of a step that waits for nobody; returns whether this is one."""
    business = BUSINESS.get((course.position["phase"], course.position["step"]))
    if business is None:
        return False
    business(course)
    return True


def _go_on(course: Course, phase: str, step: str) -> None:
    course.push({"t": "enter", "phase": phase, "step": step})


def _stand_by(course: Course) -> None:
    """Let the downed cards of the active side recover, then its standby skills trigger (HG-426)."""
    active, phase = course.position["active"], course.position["phase"]
    _go_on(course, phase, "charge" if phase == "beast" else "draw")
    for side, card, entry in skill_bearers(course.position):
        if side == active and entry["down"]:
            course.tell("card_recovered", {"card": card})
    trigger_all(course, active, "on_standby")


def _draw(course: Course) -> None:
    course.push({"t": "leave", "phase": "start"})
    logistics(course, course.position["active"], DRAW_STEP_DICE, ("HG-902",))


def _repair(course: Course) -> None:
    """Remove all removable damage of the whole battlefield (HG-904)."""
    phase = course.position["phase"]
    _go_on(course, phase, "end" if phase == "beast" else "supply")
    for _, card, entry in in_play(course.position):
        repair(course, card, entry["damage"] - entry["unremovable"])


def _end(course: Course) -> None:
    course.push({"t": "leave", "phase": course.position["phase"]})
    trigger_all(course, course.position["active"], "on_turn_end")


def _charge(course: Course) -> None:
    _go_on(course, "beast", "action")
    course.push({"t": "charge", "n": charge_power(course)})


BUSINESS: Mapping[tuple[str, str], Callable[[Course], None]] = {
    ("start", "standby"): _stand_by,
    ("start", "draw"): _draw,
    ("repair", "repair"): _repair,
    ("end", "end"): _end,
    ("beast", "standby"): _stand_by,
    ("beast", "charge"): _charge,
    ("beast", "action"): take_action_step,
    ("beast", "repair"): _repair,
    ("beast", "end"): _end,
}
