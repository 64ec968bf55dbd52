"""Skills that trigger by themselves wait here until they are activated (HG-403, HG-942)."""

from __future__ import annotations

from service.engine.values import Json
from service.rulesets.hagmi.conditions import holds
from service.rulesets.hagmi.course import Course
from service.rulesets.hagmi.definitions import Effect
from service.rulesets.hagmi.selection import Context
from service.rulesets.hagmi.table import definition_of, skill_bearers, skill_entry


def trigger(course: Course, card: str, when: str) -> None:
    """Let the skills of a card in play trigger, for its controller; not those of a downed one."""
    if not definition_of(course, card).effects_when(when):
        return
    found = skill_entry(course.position, card)
    if found is not None and not found[1]["down"]:
        trigger_for(course, card, when, found[0])


def trigger_all(course: Course, side: str, when: str) -> None:
    """Let the skills of all cards of a side trigger, in the order of their entering."""
    for controller, card, _ in skill_bearers(course.position):
        if controller == side:
            trigger(course, card, when)


def trigger_for(course: Course, card: str, when: str, player: str) -> None:
    """Let the skills of a card trigger for a player; their condition is judged here and once."""
    context = Context(source=card, player=player)
    waiting = [
        _waiting(card, effect, player)
        for effect in definition_of(course, card).effects_when(when)
        if holds(course, context, effect.condition)
    ]
    if waiting:
        course.control(triggers=[*course.position["triggers"], *waiting])


def _waiting(card: str, effect: Effect, player: str) -> dict[str, Json]:
    return {"source": card, "effect": effect.id, "player": player, "ordered": False}
