"""The action of one unit: choosing an ability, an interrupt, carrying it out (FM-941 to FM-948)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from service.rulesets.formation.attacks import has_opposite, make_attack
from service.rulesets.formation.cards import RANGED, Ability, Attack
from service.rulesets.formation.conditions import NO_OCCASION, is_ready
from service.rulesets.formation.course import Course
from service.rulesets.formation.effects import apply, objects, use
from service.rulesets.formation.ending import win_check
from service.rulesets.formation.facts import AILMENT_RULES
from service.rulesets.formation.initiative import interrupt, is_faster
from service.rulesets.formation.line import FRONT_SQUARE, Holder, find, front
from service.rulesets.formation.position import opponent
from service.rulesets.formation.targets import targets_of

ATTACK, CHARGE, SUPPORT = "attack", "charge", "support"
NO_USABLE_ABILITY = "no_usable_ability"
SKIP_RULES: Mapping[str, str] = {**AILMENT_RULES, NO_USABLE_ABILITY: "FM-941"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """The ability that a unit uses and what it does with it: attack, charge or support."""

    action: str
    ability: Ability


def act(course: Course, unit: Holder) -> None:
    """Carry out the action of the next unit, with an interrupt by its opposite if there is one.

    The unit that was interrupted chooses anew if it still stands and can act (FM-948). Win checks
    are made after the interrupt and after the action (FM-904).
    Facts: interrupt_made, action_begun, those of the ability, action_ended; or action_skipped.
    """
    if not unit.is_able:
        _skip(course, unit)
        return
    choice = next(_choices(course, unit), None)
    if choice is not None and choice.action == ATTACK and _interrupted(course, unit):
        interrupted = None if course.is_over else find(course, unit.id)
        if interrupted is None:
            return
        if not interrupted.is_able:
            _skip(course, interrupted)
            return
        unit, choice = interrupted, next(_choices(course, interrupted), None)
    if choice is None:
        _skip(course, unit)
    else:
        _perform(course, unit, choice)
    win_check(course)


def _skip(course: Course, unit: Holder) -> None:
    """Let the action be lost; the unit has acted nevertheless (FM-977)."""
    reason = unit.disabled_by or NO_USABLE_ABILITY
    course.add("action_skipped", rules=(SKIP_RULES[reason],), unit=unit.id, reason=reason)


def _choices(course: Course, unit: Holder) -> Iterator[Choice]:
    """Yield the usable abilities in printed order; a unit uses the first (FM-941)."""
    for ability in unit.card.abilities.get("action", ()):
        if is_ready(course, unit, ability, NO_OCCASION):
            action = _usable_as(course, unit, ability)
            if action is not None:
                yield Choice(action=action, ability=ability)


def _usable_as(course: Course, unit: Holder, ability: Ability) -> str | None:
    """Return what an action ability is usable as now, None if not at all (FM-104, FM-975)."""
    if ability.attack is None:
        operations = ability.operations
        has_object = any(objects(course, unit, do, NO_OCCASION) for do in operations)
        return SUPPORT if has_object else None
    if ability.attack.reach != RANGED and unit.square != FRONT_SQUARE:
        return None
    if _charge(unit, ability) < ability.attack.every - 1:
        return CHARGE
    return ATTACK if _can_attack(course, unit, ability.attack) else None


def _charge(unit: Holder, ability: Ability) -> int:
    return int(unit.unit["charge"].get(ability.key, 0))


def _can_attack(course: Course, unit: Holder, attack: Attack) -> bool:
    """Look at range, opposite and targets; only own squares make distance (FM-403, FM-976)."""
    distance = unit.square - FRONT_SQUARE
    return (
        (attack.range is None or distance <= attack.range)
        and has_opposite(course, unit, attack)
        and bool(targets_of(course, unit, attack))
    )


def _interrupted(course: Course, unit: Holder) -> bool:
    """Let the opposite attack first if it may; tells whether it did (FM-303).

    Only fronts interrupt and are interrupted (FM-306, FM-947), only a unit that has not acted
    (FM-305), and only with its first usable attack: supports and charging do not count (FM-946).
    """
    opposite = front(course, opponent(unit.player))
    if unit.square != FRONT_SQUARE or opposite is None or opposite.unit["acted"]:
        return False
    if not opposite.is_able or not is_faster(course, opposite, unit):
        return False
    attacks = (choice for choice in _choices(course, opposite) if choice.action == ATTACK)
    choice = next(attacks, None)
    if choice is None:
        return False
    interrupt(course, opposite, unit)
    _perform(course, opposite, choice)
    win_check(course)
    return True


def _perform(course: Course, unit: Holder, choice: Choice) -> None:
    """Carry out what a unit has chosen; it has acted from the beginning on (FM-944)."""
    course.add(
        "action_begun",
        unit=unit.id,
        player=unit.player,
        square=unit.square,
        ability=choice.ability.index,
        action=choice.action,
    )
    if choice.action == CHARGE:
        _add_charge(course, unit, choice.ability)
    elif choice.action == SUPPORT:
        apply(course, unit, choice.ability, NO_OCCASION)
    else:
        _spend_charge(course, unit, choice.ability)
        use(course, unit, choice.ability)
        make_attack(course, unit, choice.ability)
    course.add("action_ended", unit=unit.id)


def _add_charge(course: Course, unit: Holder, ability: Ability) -> None:
    """Spend an action on charging (FM-406, FM-975)."""
    assert ability.attack is not None, "only an attack is charged"
    course.add(
        "attack_charged",
        unit=unit.id,
        ability=ability.index,
        charge=_charge(unit, ability) + 1,
        every=ability.attack.every,
    )


def _spend_charge(course: Course, unit: Holder, ability: Ability) -> None:
    if ability.attack is not None and ability.attack.every > 1:
        course.add("charge_spent", unit=unit.id, ability=ability.index, charge=0)
