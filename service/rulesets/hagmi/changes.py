"""Operations that change cards where they lie (HG-244…HG-268, HG-405, HG-425, HG-940; spec 9)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from service.engine.values import Fact, Json
from service.rulesets.hagmi.conditions import number
from service.rulesets.hagmi.course import Course
from service.rulesets.hagmi.damage import Hit, compute, mark, player_damage
from service.rulesets.hagmi.numbers import cap_of
from service.rulesets.hagmi.selection import Context, selected
from service.rulesets.hagmi.table import definition_of, entry_of, is_unit, pile_with

RETROFIT_RULES = {"heavy": "HG-259", "power": "HG-261", "armour": "HG-262"}
COUNTER_RULES = {"barrier": "HG-278", "power": "HG-520", "life_core": "HG-508"}


def on_field(course: Course, context: Context, selector: Json) -> Iterator[tuple[str, Json]]:
    """Yield card and entry of what a selector means, as far as it lies on a battlefield."""
    for card in selected(course, context, selector):
        entry = entry_of(course.position, card)
        if entry is not None:
            yield card, entry


def units_of(course: Course, context: Context, selector: Json) -> Iterator[tuple[str, Json]]:
    """Yield card and entry of the units that a selector means."""
    for card, entry in on_field(course, context, selector):
        if is_unit(course, card):
            yield card, entry


def _damage(course: Course, operation: Json, context: Context) -> None:
    """Deal damage to each receiver; what players receive comes at once afterwards (HG-937)."""
    jobs = []
    for receiver in selected(course, context, operation["to"]):
        is_player = receiver in course.position["players"]
        if not is_player and entry_of(course.position, receiver) is None:
            continue
        hit = Hit(
            source=context.source,
            target=receiver,
            base=number(course, context, operation["amount"], receiver),
            unreducible=operation.get("unreducible", False),
            unremovable=operation.get("unremovable", False),
        )
        amount = compute(course, hit)
        if is_player:
            jobs.append(player_damage(hit, amount))
        else:
            mark(course, hit, amount)
    course.push(*reversed(jobs))


def _repair(course: Course, operation: Json, context: Context) -> None:
    for card, entry in on_field(course, context, operation["what"]):
        removable = entry["damage"] - entry["unremovable"]
        amount = removable
        if operation["amount"] != "all":
            amount = min(removable, number(course, context, operation["amount"], card))
        repair(course, card, amount)


def repair(course: Course, card: str, amount: int) -> None:
    """Remove damage from a card (HG-244). Fact: damage_repaired, if there is any."""
    if amount >= 1:
        course.tell("damage_repaired", {"card": card, "amount": amount}, ("HG-244", "HG-904"))


def _supply(course: Course, operation: Json, context: Context) -> None:
    for unit, entry in on_field(course, context, operation["what"]):
        if definition_of(course, unit).kind != "weapon":
            continue
        room = max(0, cap_of(course, unit) - len(entry["fuel"]))
        there = [c for c in selected(course, context, operation["from"]) if _is_in_pile(course, c)]
        cards = there[:room]
        if cards:
            zone = pile_with(course.position, cards[0])
            course.tell("fuel_supplied", {"unit": unit, "cards": cards, "from": zone})


def _is_in_pile(course: Course, card: str) -> bool:
    return pile_with(course.position, card) is not None


def _drain(course: Course, operation: Json, context: Context) -> None:
    for unit, entry in on_field(course, context, operation["what"]):
        count = max(0, number(course, context, operation["count"], unit))
        cards = entry["fuel"][:count]
        if cards:
            course.tell("fuel_drained", {"unit": unit, "cards": cards})


def _retrofit(course: Course, operation: Json, context: Context) -> None:
    kind = operation["kind"]
    for unit, entry in units_of(course, context, operation["what"]):
        by = number(course, context, operation["by"], unit)
        fields = {"unit": unit, "kind": kind, "by": by, "value": entry["retrofit"][kind] + by}
        course.tell("retrofit_changed", fields, (RETROFIT_RULES[kind],))


def _counters(course: Course, operation: Json, context: Context) -> None:
    kind = operation["kind"]
    for card, entry in on_field(course, context, operation["what"]):
        by = number(course, context, operation["by"], card)
        value = max(0, entry["counters"][kind] + by)
        fields = {"card": card, "kind": kind, "by": by, "value": value}
        course.tell("counter_changed", fields, (COUNTER_RULES[kind],))


def _modify(course: Course, operation: Json, context: Context) -> None:
    how = next(how for how in ("by", "times", "set") if how in operation)
    for card, _ in on_field(course, context, operation["what"]):
        change = {"stat": operation["stat"], how: number(course, context, operation[how], card)}
        _add_passing(course, "modifier_added", card, operation, context, change)


def _grant(course: Course, operation: Json, context: Context) -> None:
    for card, _ in on_field(course, context, operation["what"]):
        change = {"keyword": operation["keyword"]}
        _add_passing(course, "keyword_granted", card, operation, context, change)


def _add_passing(
    course: Course, name: str, card: str, operation: Json, context: Context, change: Fact
) -> None:
    fields = {
        "card": card,
        **change,
        "until": operation.get("until", "end_of_turn"),
        "source": context.source,
        "seq": course.position["next_seq"],
    }
    course.tell(name, fields)


def _down(course: Course, operation: Json, context: Context) -> None:
    for card, entry in on_field(course, context, operation["what"]):
        if not entry["down"]:
            course.tell("card_downed", {"card": card})


def _recover(course: Course, operation: Json, context: Context) -> None:
    for card, entry in on_field(course, context, operation["what"]):
        if entry["down"]:
            course.tell("card_recovered", {"card": card})


def _extra_attack(course: Course, operation: Json, context: Context) -> None:
    """Let units declare more attacks, which are no hits of one attack (HG-405, HG-407)."""
    for unit, _ in units_of(course, context, operation["what"]):
        by = number(course, context, operation["count"], unit)
        course.tell("attacks_added", {"unit": unit, "by": by})


CHANGES: Mapping[str, Callable[[Course, Json, Context], None]] = {
    "damage": _damage,
    "repair": _repair,
    "supply": _supply,
    "drain": _drain,
    "retrofit": _retrofit,
    "counters": _counters,
    "modify": _modify,
    "grant": _grant,
    "down": _down,
    "recover": _recover,
    "extra_attack": _extra_attack,
}
