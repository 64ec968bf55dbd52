"""Deciding an action: phase, actor, form, then the rules of its type (spec 5; FM-902, FM-988)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from service.engine.contract import Decision, Rejection
from service.engine.draws import Draws
from service.engine.values import SYSTEM, Action, Actor, Position
from service.rulesets.formation.battle import advance, battle_turn
from service.rulesets.formation.cards import Cards
from service.rulesets.formation.course import Course
from service.rulesets.formation.ending import concede
from service.rulesets.formation.placement import place_piece
from service.rulesets.formation.position import OVER, PLAYERS, SETUP
from service.rulesets.formation.rounds import pass_turn
from service.rulesets.formation.setup import START_MATCH, start_match

Play: TypeAlias = Callable[[Course, Actor, Action], Rejection | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionType:
    """How one type of action is checked. actors: who may do it; refusal: the rule for others.

    required, optional: fields and their types.
    play: checks the preconditions and lets the facts come about.
    """

    actors: Collection[Actor]
    refusal: str
    play: Play
    required: Mapping[str, type] = field(default_factory=dict)
    optional: Mapping[str, type] = field(default_factory=dict)


ACTIONS: Mapping[str, ActionType] = {
    START_MATCH: ActionType(
        actors=(SYSTEM,),
        refusal="FM-905",
        play=start_match,
        required={"decks": dict},
        optional={"first": str, "hand_size": int, "round_limit": int},
    ),
    "place_piece": ActionType(
        actors=PLAYERS,
        refusal="FM-907",
        play=place_piece,
        required={"piece": str, "row": int, "col": int},
        optional={"rotation": int},
    ),
    "pass": ActionType(actors=PLAYERS, refusal="FM-907", play=pass_turn),
    "concede": ActionType(actors=PLAYERS, refusal="FM-913", play=concede),
    "advance": ActionType(actors=(SYSTEM,), refusal="FM-940", play=advance),
    "battle_turn": ActionType(actors=(SYSTEM,), refusal="FM-940", play=battle_turn),
}


def decide(
    cards: Cards, position: Position, actor: Actor, action: Action, draws: Draws
) -> Decision:
    """Return the facts of an action, or the rule that forbids it; a refusal uses no draw.

    Rejections: FM-902 the match is over, FM-905 unknown type or wrong phase, FM-907, FM-913 and
    FM-940 wrong actor, FM-988 form, and those of the type of action.
    """
    if position["phase"] == OVER:
        return Rejection("FM-902")
    name = action.get("type")
    kind = ACTIONS.get(name) if isinstance(name, str) else None
    if kind is None or (position["phase"] == SETUP and name != START_MATCH):
        return Rejection("FM-905")
    if actor not in kind.actors:
        return Rejection(kind.refusal)
    if not _is_well_formed(action, kind):
        return Rejection("FM-988")
    course = Course(cards, position, draws)
    refused = kind.play(course, actor, action)
    return course.facts if refused is None else refused


def _is_well_formed(action: Action, kind: ActionType) -> bool:
    """Look at fields and exact types, so that a boolean is no integer (FM-988)."""
    fields = {key: value for key, value in action.items() if key != "type"}
    types = {**kind.required, **kind.optional}
    return kind.required.keys() <= fields.keys() <= types.keys() and all(
        type(value) is types[key] for key, value in fields.items()
    )
