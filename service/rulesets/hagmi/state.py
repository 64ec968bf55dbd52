"""State checks, repeated until nothing changes (HG-260, HG-914, HG-928, HG-932; spec 6.6)."""

from __future__ import annotations

import operator
from collections.abc import Sequence

from service.engine.values import Json
from service.rulesets.hagmi.attack import end_combat
from service.rulesets.hagmi.cores import is_armour_reached
from service.rulesets.hagmi.course import Course
from service.rulesets.hagmi.destruction import destroy
from service.rulesets.hagmi.ending import end_if_decided
from service.rulesets.hagmi.leaving import discard_from_field
from service.rulesets.hagmi.numbers import armour_of
from service.rulesets.hagmi.table import (
    InPlay,
    controller_of,
    definition_of,
    entry_of,
    in_order,
    lying,
)

WATCHED = ("players", "beast", "mods", "combat", "phase", "active")
"""What the checks of the table look at, static skills included."""


def check_state(course: Course) -> bool:
    """Do what the state of the table demands; returns whether anything was done."""
    return _check_table(course) or end_if_decided(course)


def _check_table(course: Course) -> bool:
    """Check the table, unless nothing on it has changed since it was last found in order."""
    there = [course.position[key] for key in WATCHED]
    if course.checked is not None and all(map(operator.is_, there, course.checked)):
        return False
    found = lying(course.position)
    was_done = (
        _destroy_fallen(course, found)
        or _discard_spent_armaments(course, found)
        or _end_abandoned_combat(course)
        or _disconnect_gone(course, found)
    )
    course.checked = None if was_done else there
    return was_done


def _destroy_fallen(course: Course, found: Sequence[InPlay]) -> bool:
    endangered = [item for item in found if _is_in_danger(course, item[2])]
    causes = [(card, _cause(course, card, entry)) for _, card, entry in in_order(endangered)]
    fallen = [(card, cause) for card, cause in causes if cause is not None]
    for card, cause in fallen:
        destroy(course, card, cause)
    return bool(fallen)


def _is_in_danger(course: Course, entry: Json) -> bool:
    """Tell whether a card has damage, or an armour that may have been lowered to nothing."""
    return (
        entry["damage"] >= 1
        or entry["retrofit"]["heavy"] < 0
        or course.pool.lowers_armour
        or any(mod.get("stat") == "armour" for mod in course.position["mods"])
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


def _discard_spent_armaments(course: Course, found: Sequence[InPlay]) -> bool:
    """Discard unequipped armaments with durability 0 (HG-928)."""
    spent = [item for item in found if _is_spent(course, item[2])]
    for _, card, _ in in_order(spent):
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


def _disconnect_gone(course: Course, found: Sequence[InPlay]) -> bool:
    """End connections to cards that are on no battlefield any more (HG-932)."""
    connected = [item for item in found if item[2]["connected"]]
    ended = [
        (card, other)
        for _, card, entry in in_order(connected)
        for other in entry["connected"]
        if entry_of(course.position, other) is None
    ]
    for card, other in ended:
        course.tell("cards_disconnected", {"cards": [card, other]})
    return bool(ended)
