"""Damage to cards and players (HG-262, HG-265, HG-273…HG-279, HG-421, HG-422, HG-915…HG-919)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from service.engine.contract import Rejection
from service.engine.values import Action, Json
from service.rulesets.hagmi.course import Course, Job
from service.rulesets.hagmi.destruction import destroy
from service.rulesets.hagmi.ending import lose
from service.rulesets.hagmi.table import (
    Table,
    by_seq,
    definition_of,
    entry_of,
    field_of,
    is_unit,
    is_versus,
    pile_of,
)
from service.rulesets.hagmi.triggers import trigger_for

Modifier: TypeAlias = dict[str, Json]
"""A step of the computation: `{rule, by}` or `{rule, times}`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One damage on its way from a source to a card or player, in points.

    step, number: of a combat hit, its strike step and which hit of it (HG-127).
    rules: those of the step.
    """

    source: str
    target: str
    base: int
    unreducible: bool
    unremovable: bool
    step: str | None = None
    number: int | None = None
    rules: tuple[str, ...] = ()


def compute(course: Course, hit: Hit) -> int:
    """Tell what a damage amounts to after all modifiers, never below 0 (HG-919)."""
    total = hit.base
    modifiers = [*_dealt(course, hit), *_received(course, hit)]
    for modifier in modifiers:
        total = total * modifier["times"] if "times" in modifier else total + modifier["by"]
    total = max(0, total)
    fields = {
        "source": hit.source,
        "target": hit.target,
        "base": hit.base,
        "modifiers": modifiers,
        "total": total,
        "combat": hit.step is not None,
        "unreducible": hit.unreducible,
        "unremovable": hit.unremovable,
    }
    if hit.step is not None:
        fields |= {"step": hit.step, "hit": hit.number}
    course.tell("damage_computed", fields, _rules(hit, modifiers))
    return total


def _dealt(course: Course, hit: Hit) -> list[Modifier]:
    """Return what the source adds to its damage, then what it multiplies it by."""
    dealt = [c for c in course.changes if c.stat == "damage_dealt" and hit.source in c.cards]
    added: list[Modifier] = [{"rule": "HG-919", "by": c.by} for c in dealt if c.by]
    return [*added, *({"rule": "HG-919", "times": c.times} for c in dealt if c.times is not None)]


def _received(course: Course, hit: Hit) -> list[Modifier]:
    """Return what changes the damage on the receiver; unreducible damage is not lowered."""
    changes: list[tuple[str, int]] = []
    if is_unit(course, hit.target):
        changes.append(("HG-262", -entry_of(course.position, hit.target)["retrofit"]["armour"]))
    changes += [
        ("HG-919", change.by)
        for change in course.changes
        if change.stat == "damage_taken" and hit.target in change.cards
    ]
    return [
        {"rule": rule, "by": by}
        for rule, by in changes
        if by > 0 or (by < 0 and not hit.unreducible)
    ]


def _rules(hit: Hit, modifiers: Sequence[Modifier]) -> list[str]:
    rules = [*hit.rules, *(modifier["rule"] for modifier in modifiers)]
    rules += ["HG-422"] if hit.unreducible else []
    rules += ["HG-421"] if hit.unremovable else []
    return list(dict.fromkeys([*rules, "HG-919"]))


def mark(course: Course, hit: Hit, amount: int) -> bool:
    """Lay computed damage on a card, unless a barrier counter stops it (HG-278, HG-918).

    Returns whether the card received any.
    """
    entry = entry_of(course.position, hit.target)
    if amount >= 1 and entry["counters"]["barrier"] >= 1:
        prevented = 0 if hit.unreducible else amount
        rules = ("HG-279",) if hit.unreducible else ()
        course.tell("barrier_spent", {"card": hit.target, "prevented": prevented}, rules)
        amount -= prevented
    if amount < 1:
        return False
    lasting = entry["unremovable"] + (amount if hit.unremovable else 0)
    fields = {
        "card": hit.target,
        "amount": amount,
        "total": entry["damage"] + amount,
        "unremovable": lasting,
    }
    course.tell("damage_marked", fields, ("HG-421",) if hit.unremovable else ())
    return True


def player_damage(hit: Hit, amount: int) -> Job:
    """Return the job in which a player receives computed damage."""
    flags = {"unreducible": hit.unreducible}
    return {
        "t": "player_damage",
        "player": hit.target,
        "amount": amount,
        "source": hit.source,
        "flags": flags,
    }


def take_player_damage(course: Course, job: Job) -> None:
    """Let a player receive damage, after asking whether facilities absorb it (HG-275, HG-917)."""
    player = job["player"]
    if job["amount"] < 1 or course.position["players"][player]["lost"]:
        return
    if _may_absorb(course, job):
        course.push(job)
        prompt = {
            "kind": "absorb",
            "player": player,
            "max": job["amount"],
            "source": job["source"],
        }
        course.ask(prompt, "HG-275")
    else:
        _break_cards(course, player, job["amount"], job["source"])


def _may_absorb(course: Course, job: Job) -> bool:
    return (
        is_sacrifice_on(course.position)
        and not job["flags"]["unreducible"]
        and bool(facilities_of(course, job["player"]))
    )


def is_sacrifice_on(position: Json) -> bool:
    """Tell whether facilities may absorb damage: an abolished rule, kept for versus (HG-276)."""
    return is_versus(position) and bool(position["options"]["facility_sacrifice"])


def facilities_of(table: Table, player: str) -> list[str]:
    """Return the facilities on a player's battlefield."""
    own = by_seq(field_of(table.position, player))
    return [card for card, _ in own if definition_of(table, card).kind == "facility"]


def absorb_damage(course: Course, player: str, action: Action) -> Rejection | None:
    """Destroy facilities of one's own, each to lower the damage by 1.

    action: {"type": "absorb_damage", "facilities": [card id]}.
    Facts: damage_absorbed, card_destroyed. Rejections: HG-908 not asked, HG-275.
    """
    prompt = course.position["prompt"]
    if prompt is None:
        return Rejection("HG-908")
    named = action["facilities"]
    are_own = set(named) <= set(facilities_of(course, player))
    if not are_own or len(named) != len(set(named)) or len(named) > prompt["max"]:
        return Rejection("HG-275")
    *agenda, job = course.position["agenda"]
    course.control(agenda=agenda, prompt=None)
    for facility in named:
        course.tell("damage_absorbed", {"player": player, "facility": facility})
        destroy(course, facility, "absorb")
    _break_cards(course, player, job["amount"] - len(named), job["source"])
    return None


def _break_cards(course: Course, player: str, amount: int, source: str) -> None:
    """Break one damage card, a life, per point; without any the player loses (HG-203, HG-273)."""
    if amount < 1:
        return
    deck = pile_of(course.position, player, "damage_deck")
    if not deck:
        lose(course, player, "damage")
        return
    broken = deck[:amount]
    fields = {"player": player, "amount": amount, "source": source, "cards": len(broken)}
    course.tell("player_damaged", fields)
    for card in broken:
        course.tell("damage_card_broken", {"player": player, "card": card})
    for card in broken:
        trigger_for(course, card, "on_broken", player)
