"""Deciding an action: who may act, the form of the action, then its own checks (spec 5)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from service.engine.contract import Decision, Rejection
from service.engine.draws import Draws
from service.engine.values import (
    Action,
    Actor,
    Json,
    Position,
    is_integer,
    is_list_of_strings,
)
from service.rulesets.hagmi.attack import declare_attack
from service.rulesets.hagmi.course import Course
from service.rulesets.hagmi.damage import absorb_damage, is_sacrifice_on
from service.rulesets.hagmi.defence import defend, emergency_produce, end_defence
from service.rulesets.hagmi.definitions import Pool
from service.rulesets.hagmi.effects import carry_out
from service.rulesets.hagmi.ending import concede
from service.rulesets.hagmi.equipment import equip_armament
from service.rulesets.hagmi.legal import asked_player
from service.rulesets.hagmi.loop import run
from service.rulesets.hagmi.play import play_card
from service.rulesets.hagmi.setup import start_game
from service.rulesets.hagmi.skills import activate_skill, choose, order_triggers
from service.rulesets.hagmi.table import MODES
from service.rulesets.hagmi.turn import end_phase, supply
from service.rulesets.hagmi.windows import close_answered, pass_window

Check: TypeAlias = Callable[[Json], bool]
Handler: TypeAlias = Callable[[Course, Actor, Action], Rejection | None]
WINDOW_ACTIONS = ("play_card", "activate_skill")


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """An action type: its fields with their checks, and the prompt that it answers."""

    handler: Handler
    required: Mapping[str, Check] = field(default_factory=dict)
    further: Mapping[str, Check] = field(default_factory=dict)
    answers: str | None = None


def decide(pool: Pool, position: Position, actor: Actor, action: Action, draws: Draws) -> Decision:
    """Return the facts of an action and of all that follows from it, or a rejection."""
    name = action.get("type")
    kind = ACTIONS.get(name) if isinstance(name, str) else None
    rule = _untimely(position, actor, name, kind)
    if rule is not None:
        return Rejection(rule)
    if kind is None or not _has_form(kind, action):
        return Rejection("HG-908")
    course = Course(pool=pool, position=position, draws=draws, carry_out=carry_out)
    rejection = kind.handler(course, actor, action)
    if rejection is not None:
        return rejection
    if name in WINDOW_ACTIONS:
        close_answered(course)
    run(course)
    return course.close()


def _untimely(position: Position, actor: Actor, name: Json, kind: Kind | None) -> str | None:
    """Return the rule under which nobody, or not this actor, may act like this now."""
    if name == "start_game":
        return None
    if not position:
        return "HG-907"
    if position["result"] is not None:
        return "HG-908"
    if name == "absorb_damage" and not is_sacrifice_on(position):
        return "HG-276"
    if name == "concede":
        return None
    if actor != asked_player(position):
        return "HG-907"
    prompt = position["prompt"]
    is_answer = prompt is None or (kind is not None and kind.answers == prompt["kind"])
    return None if is_answer else "HG-908"


def _has_form(kind: Kind, action: Action) -> bool:
    checks = {"type": _is_text, **kind.required, **kind.further}
    return kind.required.keys() <= action.keys() and all(
        key in checks and checks[key](value) for key, value in action.items()
    )


def _is_text(value: Json) -> bool:
    return isinstance(value, str)


def _is_flag(value: Json) -> bool:
    return isinstance(value, bool)


def _is_list_of_integers(value: Json) -> bool:
    return isinstance(value, list) and all(is_integer(item) for item in value)


def _are_shares(value: Json) -> bool:
    return isinstance(value, dict) and all(is_integer(share) for share in value.values())


def _is_object(value: Json) -> bool:
    return isinstance(value, dict)


def _is_mode(value: Json) -> bool:
    return value in MODES


def _are_options(value: Json) -> bool:
    return isinstance(value, dict) and all(
        key in OPTIONS and OPTIONS[key](part) for key, part in value.items()
    )


def _is_windows(value: Json) -> bool:
    return value in ("auto", "always")


def _is_deck_or_name(value: Json) -> bool:
    return isinstance(value, str | dict)


OPTIONS: Mapping[str, Check] = {"facility_sacrifice": _is_flag, "windows": _is_windows}
CHOICE: Mapping[str, Check] = {"targets": is_list_of_strings, "allocation": _are_shares}
PAY: Mapping[str, Check] = {"pay": is_list_of_strings}
ADDITIONAL: Mapping[str, Check] = {"additional": is_list_of_strings}
ACTIONS: Mapping[str, Kind] = {
    "start_game": Kind(
        handler=start_game,
        required={"mode": _is_mode, "decks": _is_object, "first": _is_text},
        further={
            "options": _are_options,
            "mothership": _is_text,
            "beast_deck": _is_deck_or_name,
        },
    ),
    "pass": Kind(handler=pass_window),
    "end_phase": Kind(handler=end_phase),
    "play_card": Kind(
        handler=play_card,
        required={"card": _is_text},
        further={**PAY, **CHOICE, **ADDITIONAL, "x": is_integer, "host": _is_text},
    ),
    "activate_skill": Kind(
        handler=activate_skill,
        required={"source": _is_text, "effect": _is_text},
        further={**PAY, **CHOICE, **ADDITIONAL},
    ),
    "equip_armament": Kind(
        handler=equip_armament, required={"unit": _is_text, "armament": _is_text}, further=PAY
    ),
    "declare_attack": Kind(
        handler=declare_attack,
        required={"unit": _is_text},
        further={"targets": is_list_of_strings, **PAY},
        answers="forced_attack",
    ),
    "defend": Kind(
        handler=defend,
        required={"unit": _is_text},
        further={"target": _is_text, **PAY},
        answers="defence",
    ),
    "emergency_produce": Kind(
        handler=emergency_produce, required={"card": _is_text}, further=PAY, answers="defence"
    ),
    "end_defence": Kind(handler=end_defence, answers="defence"),
    "absorb_damage": Kind(
        handler=absorb_damage, required={"facilities": is_list_of_strings}, answers="absorb"
    ),
    "choose": Kind(handler=choose, further={"use": _is_flag, **CHOICE}, answers="choose"),
    "order_triggers": Kind(
        handler=order_triggers,
        required={"order": _is_list_of_integers},
        answers="order_triggers",
    ),
    "supply": Kind(handler=supply, required={"unit": _is_text, "cards": is_list_of_strings}),
    "concede": Kind(handler=concede),
}
