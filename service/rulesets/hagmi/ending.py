"""Losing and the end of a game (HG-273, HG-937, HG-957, HG-958; spec 8 and 11)."""

from __future__ import annotations

from collections.abc import Sequence

from service.engine.contract import Rejection
from service.engine.values import Action, Position
from service.rulesets.hagmi.attack import end_combat
from service.rulesets.hagmi.course import Course
from service.rulesets.hagmi.table import MB, is_versus, living

SURVIVING_JOBS = ("player_damage", "charge")


def concede(course: Course, player: str, action: Action) -> Rejection | None:
    """Give up, at any time.

    action: {"type": "concede"}. Facts: player_lost, game_ended. Rejection: HG-907.
    """
    if player not in living(course.position):
        return Rejection("HG-907")
    lose(course, player, "concession")
    return None


def lose(course: Course, player: str, reason: str) -> None:
    """Let a player lose; against the beasts they leave the game with all that is theirs."""
    rules = ["HG-937" if reason == "concession" else "HG-273"]
    if is_versus(course.position):
        course.tell("player_lost", {"player": player, "reason": reason}, rules)
        return
    course.tell("player_lost", {"player": player, "reason": reason}, [*rules, "HG-958"])
    _withdraw(course, player)
    if course.position["active"] == player:
        _break_off_turn(course)


def _withdraw(course: Course, player: str) -> None:
    """Take back what a fallen player has on the chain, has waiting, and was asked."""
    position = course.position
    course.control(
        chain=[link for link in position["chain"] if link["player"] != player],
        triggers=[waiting for waiting in position["triggers"] if waiting["player"] != player],
    )
    prompt, combat = position["prompt"], course.combat
    if combat is not None:
        course.set_combat(to_defend=[other for other in combat["to_defend"] if other != player])
    if prompt is not None and prompt["player"] == player:
        course.control(prompt=None)
        if prompt["kind"] == "defence":
            course.set_combat(must_defend=None)


def _break_off_turn(course: Course) -> None:
    """End the turn of a fallen player: no repair, no end phase, the next turn begins."""
    if course.combat is not None:
        end_combat(course, is_attacker_gone=True)
    left = [job for job in course.position["agenda"] if job["t"] in SURVIVING_JOBS]
    phase = "beast" if next_side(course.position) == MB else "start"
    course.control(agenda=[{"t": "enter", "phase": phase, "step": "standby"}, *left])


def next_side(position: Position) -> str:
    """Return whose turn follows: the next living player; the beasts after the last (HG-950)."""
    order, active = position["order"], position["active"]
    if active == MB:
        return living(position)[0]
    if is_versus(position):
        return next(str(player) for player in order if player != active)
    later = order[order.index(active) + 1 :]
    return next((player for player in later if player in living(position)), MB)


def end_if_decided(course: Course) -> bool:
    """End the game when too few players are left and nothing simultaneous is still running."""
    position = course.position
    left = living(position)
    if len(left) > (1 if is_versus(position) else 0) or _is_unsettled(course):
        return False
    reason = _last_reason(course)
    rules = ["HG-937" if reason == "concession" or not left else "HG-273"]
    if not is_versus(position):
        end_game(course, MB, reason, [*rules, "HG-958"])
    else:
        end_game(course, left[0] if left else "draw", reason, rules)
    return True


def _is_unsettled(course: Course) -> bool:
    combat = course.combat
    return (combat is not None and combat["step"] is not None) or any(
        job["t"] == "player_damage" for job in course.position["agenda"]
    )


def _last_reason(course: Course) -> str:
    """Return why the last player lost; who lost in an earlier action lost by damage."""
    reasons = [fact["reason"] for fact in course.facts if fact["fact"] == "player_lost"]
    return reasons[-1] if reasons else "damage"


def end_game(course: Course, winner: str, reason: str, rules: Sequence[str]) -> None:
    """Tell who has won and why."""
    course.tell("game_ended", {"winner": winner, "reason": reason}, rules)
