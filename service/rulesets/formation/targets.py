"""Whom an attack hits, by its shape (FM-402, FM-421 to FM-444, FM-958 to FM-962)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from service.engine.values import Json
from service.rulesets.formation.cards import (
    ALL,
    AXE,
    CHAIN,
    FRONT,
    PIERCE,
    SICKLE,
    SINGLE,
    Attack,
)
from service.rulesets.formation.conditions import standing
from service.rulesets.formation.course import Course
from service.rulesets.formation.line import Holder, front, rearmost, unit_at, units
from service.rulesets.formation.position import opponent

Shape: TypeAlias = Callable[[Course, Holder, Attack], list[Holder]]


def targets_of(course: Course, attacker: Holder, attack: Attack) -> list[Holder]:
    """Return the enemies that an attack hits, in the order of its shape; it may find none."""
    return SHAPES[attack.shape](course, attacker, attack)


def number_against(attack: Attack, index: int) -> int:
    """Return the printed number against the target with this index; a sickle has two (FM-424)."""
    return attack.behind if attack.shape == SICKLE and index > 0 else attack.damage


def _start(course: Course, attacker: Holder, attack: Attack) -> Holder | None:
    """Return the enemy front, or the rearmost enemy if the attack aims there (FM-402)."""
    enemy = opponent(attacker.player)
    return front(course, enemy) if attack.aim == FRONT else rearmost(course, enemy)


def _single(course: Course, attacker: Holder, attack: Attack) -> list[Holder]:
    start = _start(course, attacker, attack)
    return [] if start is None else [start]


def _pierce(course: Course, attacker: Holder, attack: Attack) -> list[Holder]:
    """Count columns by square, 2 for a spear (FM-422): a vacated front shields nobody (FM-958)."""
    enemies = units(course, opponent(attacker.player))
    return [enemy for enemy in enemies if enemy.square <= attack.columns]


def _sickle(course: Course, attacker: Holder, attack: Attack) -> list[Holder]:
    """Hit the opposite and the enemy behind it; without an opposite nobody (FM-959)."""
    enemy = opponent(attacker.player)
    if front(course, enemy) is None:
        return []
    return [unit for unit in units(course, enemy) if unit.square in SICKLE_SQUARES]


def _all(course: Course, attacker: Holder, attack: Attack) -> list[Holder]:
    return units(course, opponent(attacker.player))


def _chain(course: Course, attacker: Holder, attack: Attack) -> list[Holder]:
    """Follow equal values without a break (FM-441, FM-442, FM-961).

    One or more holders of chain charisma add the next unit, no further (FM-444, FM-962).
    """
    start = _start(course, attacker, attack)
    if start is None:
        return []
    value = _value(start, attack)
    direction = 1 if attack.aim == FRONT else -1
    chain = [start]
    following = unit_at(course, start.player, start.square + direction)
    while following is not None and _value(following, attack) == value:
        chain.append(following)
        following = unit_at(course, start.player, following.square + direction)
    if following is not None and _has_chain_charisma(course, attacker):
        chain.append(following)
    return chain


def _value(unit: Holder, attack: Attack) -> Json:
    """Return what a chain follows: the attribute (FM-805) or the type of a unit (FM-443)."""
    return unit.card.attribute if attack.chain_by == "attribute" else unit.card.type


def is_extended(attack: Attack, targets: Sequence[Holder]) -> bool:
    """Tell whether a chain holds a unit of another value, which a charisma added (FM-444)."""
    return attack.shape == CHAIN and _value(targets[0], attack) != _value(targets[-1], attack)


def _has_chain_charisma(course: Course, attacker: Holder) -> bool:
    """Look for a holder in the line of the attacker; spell pieces have no charisma (FM-980)."""
    return not attacker.card.is_spell and any(
        standing(course, ally, "chain_charisma") for ally in units(course, attacker.player)
    )


SICKLE_SQUARES = (1, 2)
SHAPES: Mapping[str, Shape] = {
    SINGLE: _single,
    PIERCE: _pierce,
    SICKLE: _sickle,
    AXE: _single,
    CHAIN: _chain,
    ALL: _all,
}
