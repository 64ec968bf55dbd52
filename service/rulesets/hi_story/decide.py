"""Deciding an action: the order of the tests, then its facts, then whatever follows (7.0, 21)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from service.engine.contract import Decision, Rejection
from service.engine.draws import Draws
from service.engine.values import Action, Actor, Position
from service.rulesets.hi_story import attack, incidents, setup, turn_actions
from service.rulesets.hi_story.answers import choose, choose_fault
from service.rulesets.hi_story.cards import Pool
from service.rulesets.hi_story.flow import advance
from service.rulesets.hi_story.position import is_over, validity_fault
from service.rulesets.hi_story.standing import Scene
from service.rulesets.hi_story.step import Step
from service.rulesets.hi_story.table import PLAYERS, other

FIELDS_OF_ACTION: Mapping[str, frozenset[str]] = {
    "start_game": frozenset({"decks"}),
    "mulligan": frozenset({"cards"}),
    "keep_hand": frozenset(),
    "decide_first": frozenset({"player"}),
    "draw": frozenset({"count"}),
    "summon": frozenset({"card", "field"}),
    "activate_effect": frozenset({"card", "effect"}),
    "set_card": frozenset({"card", "field"}),
    "declare_attack": frozenset({"field", "target"}),
    "end_phase": frozenset(),
    "block": frozenset({"field"}),
    "substitute": frozenset({"card"}),
    "take": frozenset(),
    "play": frozenset({"card"}),
    "choose": frozenset({"accept", "option", "options", "number", "cards", "fields"}),
    "concede": frozenset(),
}
"""The fields of every action (7); all others are dropped."""

ACTIONS = frozenset(FIELDS_OF_ACTION)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """How an action is decided. fault: the rule that refuses it, or None. perform: its facts."""

    fault: Callable[[Scene, Actor, Action], str | None]
    perform: Callable[[Step, Actor, Action], Rejection | None]


def _concede_fault(scene: Scene, actor: Actor, action: Action) -> str | None:
    return None if actor in PLAYERS else "HS-221"


def _concede(step: Step, actor: Actor, action: Action) -> None:
    """Give the game up (HS-910)."""
    step.emit("game_ended", ["HS-910"], winner=other(actor), reason="concede")


START_GAME = Rule(fault=setup.start_game_fault, perform=setup.start_game)
CONCEDE = Rule(fault=_concede_fault, perform=_concede)
CHOOSE = Rule(fault=choose_fault, perform=choose)
SETUP: Mapping[str, Rule] = {
    "mulligan": Rule(fault=setup.mulligan_fault, perform=setup.mulligan),
    "keep_hand": Rule(fault=setup.keep_hand_fault, perform=setup.keep_hand),
    "decide_first": Rule(fault=setup.decide_first_fault, perform=setup.decide_first),
}
ANSWER: Mapping[str, Rule] = dict.fromkeys(
    attack.ANSWERS, Rule(fault=attack.answer_to_attack_fault, perform=attack.answer_attack)
)
TURN: Mapping[str, Rule] = {
    "draw": Rule(fault=turn_actions.draw_fault, perform=turn_actions.draw),
    "summon": Rule(fault=turn_actions.summon_fault, perform=turn_actions.summon),
    "play": Rule(fault=incidents.play_fault, perform=incidents.play),
    "activate_effect": Rule(
        fault=turn_actions.activate_effect_fault, perform=turn_actions.activate_effect
    ),
    "set_card": Rule(fault=turn_actions.set_card_fault, perform=turn_actions.set_card),
    "declare_attack": Rule(fault=attack.declare_attack_fault, perform=attack.declare_attack),
    "end_phase": Rule(fault=turn_actions.end_phase_fault, perform=turn_actions.leave_phase),
}


def clean(action: Action) -> Action:
    """Return an action without the fields that its type does not have (HS-911)."""
    kind = action.get("type")
    if not isinstance(kind, str) or kind not in FIELDS_OF_ACTION:
        return action
    kept = FIELDS_OF_ACTION[kind] | {"type"}
    return {key: value for key, value in action.items() if key in kept}


def decide(pool: Pool, position: Position, actor: Actor, action: Action, draws: Draws) -> Decision:
    """Return the facts of an action and of all that follows by itself, or its refusal.

    position: normalised. Rejections: 7.0, then those of the action.
    """
    scene = Scene(pool, position)
    rule = _rule_for(scene, actor, action)
    if isinstance(rule, Rejection):
        return rule
    fault = rule.fault(scene, actor, action)
    if fault is not None:
        return Rejection(fault)
    step = Step(scene, draws)
    refused = rule.perform(step, actor, action)
    if refused is not None:
        return refused
    advance(step)
    return step.facts


def _rule_for(scene: Scene, actor: Actor, action: Action) -> Rule | Rejection:
    """Return how an action is decided in this position, or why no such action is (7.0)."""
    position, kind = scene.position, action.get("type")
    is_setup = position["phase"] == "setup"
    if kind == "start_game":
        return START_GAME
    fault = None if is_setup else validity_fault(scene.pool, position)
    if fault is not None:
        return Rejection(fault)
    if is_over(position):
        return Rejection("HS-104")
    if is_setup and not setup.has_started(position):
        return Rejection("HS-214")
    if kind == "concede":
        return CONCEDE
    name = kind if isinstance(kind, str) else ""
    if is_setup:
        return SETUP.get(name, Rejection("HS-214"))
    return _rule_in_play(position, actor, name)


def _rule_in_play(position: Position, actor: Actor, name: str) -> Rule | Rejection:
    """Return how an action of a running game is decided: choices, answers, the turn (7.0 g-k)."""
    if position["pending"] is not None:
        return CHOOSE
    if name == "choose":
        return Rejection("HS-924")
    if position["attack"] is not None:
        return ANSWER.get(name, Rejection("HS-604"))
    if name in ANSWER and name != "play":
        return Rejection("HS-604")
    if name not in TURN:
        return Rejection("HS-911")
    return TURN[name] if actor == position["active"] else Rejection("HS-301")
