"""Life cores and mothership cores (HG-501, HG-502, HG-508…HG-510, HG-956, HG-957, HG-963)."""

from __future__ import annotations

from service.engine.values import Json
from service.rulesets.hagmi.course import Course
from service.rulesets.hagmi.ending import end_game
from service.rulesets.hagmi.numbers import armour_of
from service.rulesets.hagmi.table import Table, definition_of, entry_of
from service.rulesets.hagmi.triggers import trigger

CORES_MAX = 1_000
CORES = "core"
LIFE_CORES = "life_core"


def cores_left(table: Table, card: str) -> int:
    """Return how many cores still stand between a beast or mothership and its destruction."""
    entry = entry_of(table.position, card)
    return _cores(entry, definition_of(table, card).kind)


def _cores(entry: Json, kind: str) -> int:
    if kind == "mothership":
        return int(entry["cores"])
    return int(entry["counters"]["life_core"]) if kind == "beast" else 0


def spend_cores(course: Course, card: str, *, is_pierced: bool = False) -> None:
    """Remove a core in place of the card, and further ones while the damage left reaches it.

    is_pierced: the damage came from a piercing hit, whose excess stays (HG-510).
    Facts: core_removed, damage_repaired, mothership_flipped, game_ended.
    """
    kind = definition_of(course, card).kind
    for _ in range(CORES_MAX):
        _spend_core(course, card, is_pierced=is_pierced)
        if kind == "mothership" and cores_left(course, card) == 0:
            _lose_last_core(course, card)
            return
        if cores_left(course, card) == 0 or not is_armour_reached(course, card):
            return
    raise AssertionError("a card with more cores than any card has")


def is_armour_reached(table: Table, card: str) -> bool:
    """Tell whether the damage on a card with armour reaches it."""
    armour = armour_of(table, card)
    return armour is not None and entry_of(table.position, card)["damage"] >= armour


def _spend_core(course: Course, card: str, *, is_pierced: bool) -> None:
    entry = entry_of(course.position, card)
    excess = min(entry["damage"], entry["damage"] - (armour_of(course, card) or 0))
    kept = max(entry["unremovable"], excess if is_pierced else 0)
    is_core = definition_of(course, card).kind == "mothership"
    kind, rule = (CORES, "HG-956") if is_core else (LIFE_CORES, "HG-508")
    left = cores_left(course, card) - 1
    fields = {"card": card, "kind": kind, "left": left}
    course.tell("core_removed", fields, (rule, "HG-510" if is_pierced else "HG-509"))
    if entry["damage"] > kept:
        repaired = {"card": card, "amount": entry["damage"] - kept}
        course.tell("damage_repaired", repaired, ("HG-508",))
    trigger(course, card, "on_core_lost")


def _lose_last_core(course: Course, card: str) -> None:
    """Turn the mothership over, or let the players win if it has no other face (HG-957)."""
    reverse = definition_of(course, card).reverse
    if reverse is None:
        end_game(course, "players", "mothership", ("HG-957",))
    else:
        course.tell("mothership_flipped", {"card": card, "into": reverse})
