"""The turn of the machine beasts (HG-503…HG-513, HG-950…HG-953, HG-959…HG-962; spec 8)."""

from __future__ import annotations

from typing import TypeAlias

from service.engine.values import Json
from service.rulesets.hagmi.attack import declare
from service.rulesets.hagmi.course import Course, Job
from service.rulesets.hagmi.numbers import cost_of, has_keyword
from service.rulesets.hagmi.table import (
    MB,
    Table,
    by_seq,
    definition_of,
    entry_of,
    field_of,
    in_play,
    is_unit,
    living,
    pile_of,
)
from service.rulesets.hagmi.triggers import trigger

Key: TypeAlias = list[int]


def charge_power(table: Table) -> int:
    """Return the charging power of the mothership; it has none once it is reversed (HG-503)."""
    definitions = [definition_of(table, card) for card in field_of(table.position, MB)]
    return max((d.charge_power for d in definitions if d.kind == "mothership"), default=0)


def take_charge(course: Course, job: Job) -> None:
    """Carry out a charging; the skills of what enters wait until it is done (HG-951).

    Facts: deck_shuffled of a refilled deck, beast_charged.
    """
    for _ in range(job["n"]):
        if not course.position["beast"]["deck"]:
            _refill_deck(course)
        if not course.position["beast"]["deck"]:
            return
        _charge_top(course)


def _refill_deck(course: Course) -> None:
    """Shuffle the discard pile of the beasts into their deck (HG-952)."""
    order = course.draws.shuffle("MB.beast_deck", course.position["beast"]["discard"])
    fields = {"player": MB, "zone": "beast_deck", "order": order}
    course.tell("deck_shuffled", fields, ("HG-952",))


def _charge_top(course: Course) -> None:
    """Turn up the top card: with enough charge units it enters, else it becomes one.

    Charge units are counted, not spent (HG-507); the keyword charge is another thing (HG-517).
    """
    beast = course.position["beast"]
    card, units = beast["deck"][0], len(beast["charge_units"])
    cost = cost_of(course, card)
    outcome = "entered" if cost <= units else "charge_unit"
    fields = {"card": card, "cost": cost, "charge_units": units, "outcome": outcome}
    course.tell("beast_charged", fields)
    if outcome == "entered":
        trigger(course, card, "on_enter")


def beasts_of(table: Table) -> list[tuple[str, Json]]:
    """Return the face-up beasts on their battlefield, by `seq`."""
    field = field_of(table.position, MB)
    return [(c, entry) for c, entry in by_seq(field) if definition_of(table, c).kind == "beast"]


def key_of(table: Table, beast: str) -> Key:
    """Return the place of a beast in the action order: cost, speed, entry (HG-505, HG-961)."""
    seq = entry_of(table.position, beast)["seq"]
    return [cost_of(table, beast), -definition_of(table, beast).speed, seq]


def take_action_step(course: Course) -> None:
    """Let the next beast attack; when there is none, name those that stayed behind (HG-506).

    One with haste that has just entered is next, unless its place has passed (HG-512, HG-513).

    Facts: attack_declared, or beast_passed_over and the repair step.
    """
    mark, attacked = course.position["beast"]["mark"], course.position["beast"]["attacked"]
    keys = {
        beast: key_of(course, beast)
        for beast, entry in beasts_of(course)
        if beast not in attacked and not entry["down"] and not _waits(course, beast, entry)
    }
    due = [beast for beast, key in keys.items() if mark is None or key > mark]
    if due:
        attack_with_beast(course, min(due, key=lambda beast: keys[beast]))
        return
    for beast, entry in beasts_of(course):
        if beast not in attacked:
            reason, rule = _reason_to_stay(course, beast, entry)
            course.tell("beast_passed_over", {"unit": beast, "reason": reason}, (rule,))
    course.push({"t": "enter", "phase": "beast", "step": "repair"})


def _waits(table: Table, beast: str, entry: Json) -> bool:
    """Tell whether a beast entered in this turn and has no haste (HG-511, HG-962)."""
    entered = entry["entered"] >= table.position["turn"]
    return entered and not has_keyword(table, beast, "haste")


def _reason_to_stay(table: Table, beast: str, entry: Json) -> tuple[str, str]:
    if entry["down"]:
        return "down", "HG-425"
    return ("no_haste", "HG-511") if _waits(table, beast, entry) else ("order", "HG-506")


def attack_with_beast(course: Course, beast: str, *, is_forced: bool = False) -> None:
    """Declare the attack of a beast; it needs no fuel (HG-954)."""
    forced = {"forced": True} if is_forced else {}
    further = {**forced, "key": key_of(course, beast)}
    declare(course, beast, MB, _targets(course, beast), further)


def _targets(table: Table, beast: str) -> list[str]:
    """Return whom a beast attacks: the best supplied players first, or everything (HG-953)."""
    area = definition_of(table, beast).area
    if area is not None:
        return ranking(table)[:area]
    players = living(table.position)
    cards = [card for side, card, _ in in_play(table.position) if side in players]
    attacked = [c for c in cards if is_unit(table, c) or definition_of(table, c).kind == "facility"]
    return [*players, *attacked]


def ranking(table: Table) -> list[str]:
    """Return the living players by the size of their damage decks, ties in `order` (HG-953)."""
    position = table.position
    return sorted(living(position), key=lambda p: -len(pile_of(position, p, "damage_deck")))
