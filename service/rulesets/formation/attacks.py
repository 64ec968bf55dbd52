"""One attack, hit by hit, and all that answers it (FM-601 to FM-606, FM-701, FM-981)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from service.rulesets.formation.cards import (
    ALL,
    AXE,
    CHAIN,
    MELEE,
    PIERCE,
    RANGED,
    SICKLE,
    SINGLE,
    SLEEP,
    Ability,
    Attack,
)
from service.rulesets.formation.conditions import Occasion
from service.rulesets.formation.course import Course
from service.rulesets.formation.critical import mark_critical
from service.rulesets.formation.damage import (
    Blow,
    Damage,
    compute,
    compute_surplus,
    damage_computed,
)
from service.rulesets.formation.effects import use
from service.rulesets.formation.falls import fall_without_ticks, take_damage
from service.rulesets.formation.line import (
    FRONT_SQUARE,
    Holder,
    find,
    front,
    ids,
    present,
    unit_at,
)
from service.rulesets.formation.position import opponent
from service.rulesets.formation.targets import is_extended, number_against, targets_of
from service.rulesets.formation.thorns import answer
from service.rulesets.formation.triggers import fire, fire_ally_felled, fire_felled

REACH_RULES: Mapping[str, str] = {MELEE: "FM-103", RANGED: "FM-401"}
SHAPE_RULES: Mapping[str, Sequence[str]] = {
    SINGLE: (),
    PIERCE: ("FM-421",),
    SICKLE: ("FM-424",),
    AXE: ("FM-425",),
    CHAIN: ("FM-441",),
    ALL: ("FM-957",),
}


def make_attack(course: Course, attacker: Holder, ability: Ability) -> None:
    """Carry out an attack of a unit or spell piece; each hit is an attack of its own (FM-979).

    It stops when the attacker has fallen, even if it came back, or can no longer make it.
    """
    assert ability.attack is not None, "an attack needs an ability that attacks"
    for hit in range(1, ability.attack.hits + 1):
        if not attacker.card.is_spell:
            attacker = present(course, attacker.id)
            if not attacker.is_able or not has_opposite(course, attacker, ability.attack):
                return
        blow = Blow(attacker=attacker, ability=ability, attack=ability.attack, hit=hit)
        targets = targets_of(course, attacker, ability.attack)
        if not targets or attacker.id in _hit(course, blow, targets):
            return


def has_opposite(course: Course, attacker: Holder, attack: Attack) -> bool:
    """Tell whether a melee attacker faces an enemy; a ranged attack needs none (FM-103, FM-989)."""
    return attack.reach == RANGED or (
        attacker.square == FRONT_SQUARE and front(course, opponent(attacker.player)) is not None
    )


def _hit(course: Course, blow: Blow, targets: Sequence[Holder]) -> list[str]:
    """Make one hit and carry out all that follows, in the order of FM-981; returns who fell."""
    _declare(course, blow, targets)
    damages = _deal_damage(course, blow, targets)
    hurt = [damage.target for damage in damages if damage.total >= 1]
    struck = [damage.target for damage in damages]
    falls = fall_without_ticks(course, struck, "attack", blow.attack.kind)
    _wake(course, struck)
    mark_critical(course, blow, hurt)
    _fire_hit(course, blow, hurt)
    _fire_damaged(course, blow, hurt)
    enemies_felled = len(falls)
    falls += answer(course, blow, damages)
    fire_felled(course, falls)
    _fire_enemy_felled(course, blow, enemies_felled)
    fire_ally_felled(course, falls)
    return [fall.unit.id for fall in falls]


def _declare(course: Course, blow: Blow, targets: Sequence[Holder]) -> None:
    attack = blow.attack
    rules = ["FM-201", REACH_RULES[attack.reach], *SHAPE_RULES[attack.shape]]
    if attack.shape == CHAIN and attack.chain_by == "type":
        rules.append("FM-443")
    if is_extended(attack, targets):
        rules.append("FM-444")
    if blow.is_spell:
        rules.append("FM-980")
    course.add(
        "attack_declared",
        rules=rules,
        attacker=blow.attacker.id,
        player=blow.attacker.player,
        ability=blow.ability.index,
        kind=attack.kind,
        reach=attack.reach,
        shape=attack.shape,
        hit=blow.hit,
        targets=ids(targets),
    )


def _deal_damage(course: Course, blow: Blow, targets: Sequence[Holder]) -> list[Damage]:
    """Compute each damage by itself, then apply all together; then the surplus of an axe.

    FM-423, FM-957, FM-960. Facts: damage_computed, ability_used, damage_taken.
    """
    damages = [
        _computed(course, blow, compute(course, blow, target, number_against(blow.attack, index)))
        for index, target in enumerate(targets)
    ]
    _take(course, damages)
    if blow.attack.shape == AXE:
        surplus = _surplus(course, blow, damages[0])
        _take(course, surplus)
        damages += surplus
    return damages


def _computed(course: Course, blow: Blow, damage: Damage) -> Damage:
    """Show a computation; a limited reflection or nullification that it met is used (FM-984)."""
    damage_computed(course, blow, damage)
    if damage.turned_away is not None:
        use(course, damage.target, damage.turned_away.ability)
    return damage


def _take(course: Course, damages: Sequence[Damage]) -> None:
    for damage in damages:
        if damage.total >= 1:
            take_damage(course, damage.target.id, damage.total, "attack")


def _surplus(course: Course, blow: Blow, damage: Damage) -> list[Damage]:
    """Compute what is left over of the damage against the front for the unit behind it (FM-960)."""
    left_over = damage.total - damage.target.unit["ticks"]
    behind = unit_at(course, damage.target.player, FRONT_SQUARE + 1)
    if left_over <= 0 or behind is None:
        return []
    return [_computed(course, blow, compute_surplus(course, blow, behind, left_over))]


def _wake(course: Course, struck: Sequence[Holder]) -> None:
    """Wake every target that stands, even one that took nothing (FM-969). Facts: unit_woke."""
    for target in struck:
        unit = find(course, target.id)
        if unit is not None and unit.unit[SLEEP]:
            course.add("unit_woke", unit=unit.id)


def _fire_hit(course: Course, blow: Blow, hurt: Sequence[Holder]) -> None:
    if blow.is_spell:
        return
    for target in hurt:
        if find(course, target.id) is not None:
            fire(course, blow.attacker, "hit", Occasion(target=target.id))


def _fire_damaged(course: Course, blow: Blow, hurt: Sequence[Holder]) -> None:
    attacker = None if blow.is_spell else blow.attacker.id
    for target in hurt:
        fire(course, target, "damaged", Occasion(attacker=attacker))


def _fire_enemy_felled(course: Course, blow: Blow, enemies_felled: int) -> None:
    if not blow.is_spell:
        for _ in range(enemies_felled):
            fire(course, blow.attacker, "enemy_felled")
