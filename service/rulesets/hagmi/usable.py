"""What cards and skills a player could use at a time (HG-418, HG-433, HG-946; spec 5.1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from service.engine.values import Entry, Json
from service.rulesets.hagmi.choosers import Chooser, chooser, entries, fuel_chooser, target_choosers
from service.rulesets.hagmi.costs import additional_candidates, can_pay_both, payables
from service.rulesets.hagmi.definitions import AdditionalCost, Definition, Effect
from service.rulesets.hagmi.equipment import bearers_for
from service.rulesets.hagmi.numbers import cost_of
from service.rulesets.hagmi.play import is_playable
from service.rulesets.hagmi.skills import candidates_of, is_used_up
from service.rulesets.hagmi.table import (
    Table,
    definition_of,
    field_of,
    in_order,
    pile_of,
    with_borne,
)
from service.rulesets.hagmi.timing import untimely_play, untimely_skill

SKILL_PILES = ("hand", "secret", "discard")
OFF_FIELD: Json = {"fuel": [], "down": False}
"""What stands for the entry of a card that lies on no battlefield."""


def usable(table: Table, player: str, time: str) -> Iterator[Entry]:
    """Yield the cards that a player could play at a time, then the skills they could activate."""
    yield from _plays(table, player, time)
    yield from _skills(table, player, time)


def _plays(table: Table, player: str, time: str) -> Iterator[Entry]:
    for card in pile_of(table.position, player, "hand"):
        definition = definition_of(table, card)
        if untimely_play(definition, time) is None and is_playable(table, player, card):
            yield from _plays_of(table, player, card, definition)


def _plays_of(table: Table, player: str, card: str, definition: Definition) -> Iterator[Entry]:
    targets = _target_choosers(table, player, card, definition.play_effect)
    given, further = _additional(table, player, card, definition.additional)
    hosts: list[Entry] = [{}]
    if definition.kind == "armament":
        hosts = [{"host": unit} for unit in bearers_for(table, player, card)]
    payable = payables(table, player, card)
    for count, x in _payments(table, card, definition, payable):
        if can_pay_both(payable, count, given, further):
            choosers = {
                "pay": chooser(payable, count, count),
                **targets,
                "additional": chooser(given, further, further),
            }
            for host in hosts:
                yield from entries("play_card", {"card": card, **x, **host}, choosers)


def _payments(
    table: Table, card: str, definition: Definition, payable: Sequence[str]
) -> Iterator[tuple[int, Entry]]:
    """Yield how many cards may be paid, with X where it is one's own choice (HG-267)."""
    if definition.is_cost_x:
        yield from ((x, {"x": x}) for x in range(len(payable) + 1))
    else:
        yield cost_of(table, card), {}


def _target_choosers(
    table: Table, player: str, source: str, effect: Effect | None
) -> dict[str, Chooser | None]:
    if effect is None or effect.targets is None:
        return {}
    found = candidates_of(table, effect, source, player)
    return target_choosers(effect.targets, found, effect.targets.least)


def _additional(
    table: Table, player: str, card: str, cost: AdditionalCost | None
) -> tuple[list[str], int]:
    """Return what may be given as an additional cost, and how much of it is asked for."""
    if cost is None:
        return [], 0
    return additional_candidates(table, player, card, cost), cost.count


def _skills(table: Table, player: str, time: str) -> Iterator[Entry]:
    for source, effect, entry in _activated(table, player):
        is_time = untimely_skill(table, player, source, effect, time) is None
        if is_time and not entry["down"] and not is_used_up(table, source, effect):
            given, further = _additional(table, player, source, effect.additional)
            choosers = {
                "pay": fuel_chooser(entry, effect.fuel),
                **_target_choosers(table, player, source, effect),
                "additional": chooser(given, further, further),
            }
            fixed = {"source": source, "effect": effect.id}
            yield from entries("activate_skill", fixed, choosers)


def _activated(table: Table, player: str) -> Iterator[tuple[str, Effect, Json]]:
    """Yield source and effect of what can be activated from where it lies, with its entry."""
    own = [(player, c, entry) for c, entry in field_of(table.position, player).items()]
    skilled = [item for item in with_borne(own) if _skills_from(table, item[1], "field")]
    for _, card, entry in in_order(skilled):
        for effect in _skills_from(table, card, "field"):
            yield card, effect, entry
    for zone in SKILL_PILES:
        if zone in table.pool.skill_zones:
            for card in pile_of(table.position, player, zone):
                for effect in _skills_from(table, card, zone):
                    yield card, effect, OFF_FIELD


def _skills_from(table: Table, card: str, zone: str) -> list[Effect]:
    skills = definition_of(table, card).effects_when("activated")
    return [effect for effect in skills if effect.zone == zone]
