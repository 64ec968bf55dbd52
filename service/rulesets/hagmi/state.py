"""State checks, repeated until nothing changes (HG-260, HG-914, HG-928, HG-932; spec 6.6)."""

from __future__ import annotations

import operator
from collections.abc import Callable

from service.engine.values import Json
from service.rulesets.hagmi.attack import end_combat
from service.rulesets.hagmi.cores import is_armour_reached
from service.rulesets.hagmi.course import Course
from service.rulesets.hagmi.destruction import destroy
from service.rulesets.hagmi.ending import end_if_decided
from service.rulesets.hagmi.leaving import discard_from_field
from service.rulesets.hagmi.numbers import armour_of
from service.rulesets.hagmi.table import InPlay, controller_of, definition_of, entry_of, lying

WATCHED = ("players", "beast", "mods", "combat", "phase", "active")
"""What the checks of the table look at, static skills included."""


def check_state(course: Course) -> bool:
    """Do what the state of the table demands; returns whether anything was done."""
    return _check_table(course) or end_if_decided(course)


def _check_table(course: Course) -> bool:
    """Check the table, unless nothing on it has changed since it was last found in order."""
    there = [course.position[key] for key in WATCHED]
    if course.in_order is not None and all(map(operator.is_, there, course.in_order)):
        return False
    was_done = (
        _destroy_fallen(course)
        or _discard_spent_armaments(course)
        or _end_abandoned_combat(course)
        or _disconnect_gone(course)
    )
    course.in_order = None if was_done else there
    return was_done


def _destroy_fallen(course: Course) -> bool:
    fallen = {
        card: cause
        for _, card, entry in _by_entry(course, _is_in_danger)
        if (cause := _cause(course, card, entry)) is not None
    }
    for card, cause in fallen.items():
        destroy(course, card, cause)
    return bool(fallen)


def _by_entry(course: Course, is_meant: Callable[[Course, Json], bool]) -> list[InPlay]:
    """Return the cards on the battlefields that are meant, by `seq`."""
    found = [item for item in lying(course.position) if is_meant(course, item[2])]
    return sorted(found, key=lambda item: int(item[2]["seq"]))


def _is_in_danger(course: Course, entry: Json) -> bool:
    """Tell whether a card has damage, or an armour that may have been lowered to nothing."""
    return (
        entry["damage"] >= 1
        or entry["retrofit"]["heavy"] < 0
        or any(change.stat == "armour" for change in course.changes)
    )


def _cause(course: Course, card: str, entry: Json) -> str | None:
    """Return why a card has to be destroyed, or None; what a strike has doomed falls later."""
    if course.combat is not None and card in course.combat["doomed"]:
        return None
    armour = armour_of(course, card)
    if armour is not None and armour <= 0 and definition_of(course, card).is_unit:
        return "armour"
    if entry["damage"] < 1 or _is_spent(course, entry):
        return None
    return "damage" if is_armour_reached(course, card) else None


def _discard_spent_armaments(course: Course) -> bool:
    """Discard unequipped armaments with durability 0 (HG-928)."""
    spent = _by_entry(course, _is_spent)
    for _, card, _ in spent:
        discard_from_field(course, card, "durability")
    return bool(spent)


def _is_spent(course: Course, entry: Json) -> bool:
    definition = course.pool.cards[entry["card"]]
    return definition.kind == "armament" and definition.durability == 0


def _end_abandoned_combat(course: Course) -> bool:
    """End a combat whose attacker is gone, once its strike step is over (HG-914)."""
    combat = course.combat
    if combat is None or combat["step"] is not None:
        return False
    if controller_of(course.position, combat["attacker"]) is not None:
        return False
    end_combat(course, is_attacker_gone=True)
    return True


def _disconnect_gone(course: Course) -> bool:
    """End connections to cards that are on no battlefield any more (HG-932)."""
    ended = [
        (card, other)
        for _, card, entry in _by_entry(course, _is_connected)
        for other in entry["connected"]
        if entry_of(course.position, other) is None
    ]
    for card, other in ended:
        course.tell("cards_disconnected", {"cards": [card, other]})
    return bool(ended)


def _is_connected(course: Course, entry: Json) -> bool:
    return bool(entry["connected"])
