"""Carrying effects out, operation by operation (HG-239, HG-252, HG-430, HG-432, HG-931; spec 9)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from service.engine.values import Json
from service.rulesets.hagmi.attack import end_combat
from service.rulesets.hagmi.changes import CHANGES
from service.rulesets.hagmi.conditions import holds, number
from service.rulesets.hagmi.course import Course, Operations
from service.rulesets.hagmi.definitions import Effect
from service.rulesets.hagmi.logistics import DIE_SIDES, draw, logistics, tell_die
from service.rulesets.hagmi.moves import MOVES
from service.rulesets.hagmi.selection import Context, selected
from service.rulesets.hagmi.targets import still_fitting


def carry_out_effect(course: Course, effect: Effect, source: str, link: Json) -> None:
    """Carry out what an object of the chain does; with all its targets gone it does nothing.

    The condition of a triggered skill was judged when it triggered (HG-403), of others it is here.
    """
    context = Context(
        source=source,
        player=link["player"],
        targets=tuple(link["targets"]),
        allocation=link["allocation"],
        x=link["x"] or 0,
    )
    fitting = tuple(still_fitting(course, context, effect))
    is_due = bool(link.get("trig")) or holds(course, context, effect.condition)
    if is_due and (fitting or not context.targets):
        carry_out(course, effect.operations, replace(context, targets=fitting))


def carry_out(course: Course, operations: Operations, context: Context) -> None:
    """Perform operations in order; one that names a number binds it for those after it."""
    for operation in operations:
        if course.is_over:
            return
        if holds(course, context, operation.get("if")):
            context = OPERATIONS[operation["op"]](course, operation, context) or context


def _logistics(course: Course, operation: Json, context: Context) -> None:
    for player in selected(course, context, operation["who"]):
        logistics(course, player, number(course, context, operation["n"]))


def _draw(course: Course, operation: Json, context: Context) -> None:
    for player in selected(course, context, operation["who"]):
        draw(course, player, operation["deck"], number(course, context, operation["count"]))


def _roll(course: Course, operation: Json, context: Context) -> Context:
    value = course.draws.die(DIE_SIDES)
    tell_die(course, context.player, value, "effect")
    return replace(context, bound={**context.bound, operation["bind"]: value})


def _attack_now(course: Course, operation: Json, context: Context) -> None:
    units = selected(course, context, operation["what"])
    course.push(*({"t": "forced_attack", "unit": unit} for unit in reversed(units)))


def _nullify(course: Course, operation: Json, context: Context) -> None:
    """Nullify the running attack, or the object directly below on the chain (HG-105, HG-252)."""
    if operation["what"] == "attack":
        if course.combat is not None:
            course.tell("attack_nullified", {"unit": course.combat["attacker"]})
            end_combat(course)
        return
    *below, link = course.position["chain"] or [None]
    if link is None or link["t"] != operation["what"]:
        return
    course.control(chain=below)
    if link["t"] == "play":
        fields = {"card": link["card"], "by": context.source, "paid": link["pay"]}
        course.tell("play_nullified", fields)
    else:
        fields = {"source": link["source"], "effect": link["effect"], "by": context.source}
        course.tell("skill_nullified", fields)


def _charge(course: Course, operation: Json, context: Context) -> None:
    course.push({"t": "charge", "n": number(course, context, operation["n"])})


OPERATIONS: Mapping[str, Callable[[Course, Json, Context], Context | None]] = {
    **CHANGES,
    **MOVES,
    "logistics": _logistics,
    "draw": _draw,
    "roll": _roll,
    "attack_now": _attack_now,
    "nullify": _nullify,
    "charge": _charge,
}
