"""The damage computation and its trace (FM-203, FM-221 to FM-228, FM-501 to FM-507, FM-949)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from service.engine.values import Json
from service.rulesets.formation.cards import ANY, MELEE, PHYSICAL, Ability, Attack, Standing
from service.rulesets.formation.conditions import passes, standing
from service.rulesets.formation.course import Course
from service.rulesets.formation.line import FRONT_SQUARE, Holder, units

CHEER_RULES: Mapping[int, str] = {1: "FM-502", 2: "FM-503"}
TURNED_AWAY: Mapping[str, tuple[str, ...]] = {
    "reflect": ("FM-224", "FM-603"),
    "nullify": ("FM-224",),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Blow:
    """One hit of an attack. attacker: a unit or a spell piece; hit: from 1."""

    attacker: Holder
    ability: Ability
    attack: Attack
    hit: int

    @property
    def is_spell(self) -> bool:
        """Whether a spell piece strikes, to which nothing can be returned (FM-980)."""
        return self.attacker.card.is_spell


@dataclass(frozen=True, slots=True, kw_only=True)
class Damage:
    """What a blow does to one target. raw and total in ticks; turned_away: by which ability."""

    target: Holder
    raw: int
    total: int
    trace: list[Json]
    turned_away: Standing | None
    has_thorns: bool

    @property
    def is_reflected(self) -> bool:
        """Whether a reflection turned the blow away (FM-603)."""
        return self.turned_away is not None and self.turned_away.operation["op"] == "reflect"


class Trace:
    """The computation so far: its value and one entry for every step that applied."""

    __slots__ = ("entries", "value")

    def __init__(self) -> None:
        """Start at nothing."""
        self.value = 0
        self.entries: list[Json] = []

    def add(self, amount: int, step: str, *rules: str, **fields: Json) -> None:
        """Add an amount as a step that shows it."""
        self.value += amount
        self.note(step, *rules, amount=amount, **fields)

    def become(self, value: int, step: str, *rules: str, **fields: Json) -> None:
        """Replace the value as a step."""
        self.value = value
        self.note(step, *rules, **fields)

    def note(self, step: str, *rules: str, **fields: Json) -> None:
        """Write down a step that leaves the value as it is."""
        self.entries.append({"step": step, "value": self.value, **fields, "rules": list(rules)})


def compute(course: Course, blow: Blow, target: Holder, base: int) -> Damage:
    """Compute the damage of a blow with a printed number to one target.

    The attribute of the attack changes nothing by itself (FM-806), a unit has no defence of its own
    (FM-222): both count only where an ability asks for them.
    """
    trace = Trace()
    trace.add(base, "base", "FM-221")
    if not blow.is_spell:
        _strengthen(course, trace, blow)
    return _defended(course, trace, blow, target)


def compute_surplus(course: Course, blow: Blow, target: Holder, surplus: int) -> Damage:
    """Compute the surplus of an axe, to which nothing is added a second time (FM-960)."""
    trace = Trace()
    trace.add(surplus, "overflow", "FM-425", "FM-960")
    return _defended(course, trace, blow, target)


def damage_computed(course: Course, blow: Blow, damage: Damage) -> None:
    """Show a computation. Facts: damage_computed."""
    rules = {"FM-223"}.union(*(entry["rules"] for entry in damage.trace))
    course.add(
        "damage_computed",
        rules=sorted(rules),
        attacker=blow.attacker.id,
        target=damage.target.id,
        kind=blow.attack.kind,
        reach=blow.attack.reach,
        shape=blow.attack.shape,
        hit=blow.hit,
        trace=damage.trace,
        raw=damage.raw,
        total=damage.total,
        reflected=damage.is_reflected,
    )


def _strengthen(course: Course, trace: Trace, blow: Blow) -> None:
    """Add attack modifiers, then cheers, then charismas, each only for this blow (FM-949, FM-504).

    A cheer is for allies ahead of it (FM-501, FM-963), a charisma for the whole line, its holder
    included (FM-964). A disabled ally, which FM-507 would deny a cheer, makes no attack at all.
    """
    attacker, kind = blow.attacker, blow.attack.kind
    modifier = _modifiers(attacker, "attack", kind, is_full=True)
    if modifier:
        trace.add(modifier, "attack_mod", "FM-727", "FM-949")
    line = units(course, attacker.player)
    for ally in line:
        ahead = ally.square - attacker.square
        for effect in standing(course, ally, "cheer"):
            cheer = effect.operation
            if 1 <= ahead <= cheer["squares"] and _is_meant(cheer, attacker, kind):
                rule = CHEER_RULES[cheer["squares"]]
                trace.add(cheer["amount"], "cheer", rule, "FM-504", **{"from": ally.id})
    for ally in line:
        for effect in standing(course, ally, "charisma"):
            if _is_meant(effect.operation, attacker, kind):
                trace.add(effect.operation["amount"], "charisma", "FM-505", **{"from": ally.id})


def _is_meant(support: Mapping[str, Json], attacker: Holder, kind: str) -> bool:
    return support["kind"] in (ANY, kind) and passes(attacker, support["for"])


def _modifiers(unit: Holder, stat: str, kind: str, *, is_full: bool) -> int:
    """Sum up the modifiers that match a kind (FM-204); not in full: only the negative ones."""
    return sum(
        mod["amount"]
        for mod in unit.unit["mods"]
        if mod["stat"] == stat and mod["kind"] in (ANY, kind) and (is_full or mod["amount"] < 0)
    )


def _defended(course: Course, trace: Trace, blow: Blow, target: Holder) -> Damage:
    """Go through the damage order on the side of the target (FM-223)."""
    trace.become(max(0, trace.value), "raw", "FM-949")
    raw = trace.value
    if not target.is_able:
        trace.note("disabled", "FM-728", "FM-729")
    turned_away = _turned_away(course, blow, target)
    if turned_away is not None:
        step, index = turned_away.operation["op"], turned_away.ability.index
        trace.become(0, step, *TURNED_AWAY[step], ability=index)
    else:
        _resist(course, trace, blow, target)
        _reduce(course, trace, blow, target)
        trace.become(max(0, trace.value), "floor", "FM-228")
    return Damage(
        target=target,
        raw=raw,
        total=trace.value,
        trace=trace.entries,
        turned_away=turned_away,
        has_thorns=trace.value >= 1 and _have_thorns(course, blow, target),
    )


def _turned_away(course: Course, blow: Blow, target: Holder) -> Standing | None:
    """Return what makes the damage 0 for good: reflection before nullification (FM-950, FM-951)."""
    for operation in TURNED_AWAY:
        matching = _matching(course, blow, target, operation)
        if matching:
            return matching[0]
    return None


def _matching(course: Course, blow: Blow, target: Holder, operation: str) -> list[Standing]:
    """Return the working effects against such a blow, as for ranged ones only (FM-405, FM-604)."""
    features = blow.attack.features.items()
    return [
        effect
        for effect in standing(course, target, operation)
        if effect.operation["vs"].items() <= features
    ]


def _resist(course: Course, trace: Trace, blow: Blow, target: Holder) -> None:
    """Halve, rounding up, or double; both at once cancel (FM-225, FM-952)."""
    resists = bool(_matching(course, blow, target, "resist"))
    is_weak = bool(_matching(course, blow, target, "weak"))
    if resists and is_weak:
        trace.note("resist_weak_cancel", "FM-952")
    elif resists:
        trace.become((trace.value + 1) // 2, "resist", "FM-225")
    elif is_weak:
        trace.become(2 * trace.value, "weak", "FM-225")


def _reduce(course: Course, trace: Trace, blow: Blow, target: Holder) -> None:
    """Subtract reductions, then defence modifiers; the value may be negative meanwhile (FM-953)."""
    for effect in _matching(course, blow, target, "mitigate"):
        amount = -effect.operation["amount"]
        trace.add(amount, "mitigate", "FM-226", ability=effect.ability.index)
    defence = _modifiers(target, "defence", blow.attack.kind, is_full=target.is_able)
    if defence:
        trace.add(-defence, "defence", "FM-227")


def _have_thorns(course: Course, blow: Blow, target: Holder) -> bool:
    """Tell whether thorns answer: a physical melee blow between two fronts.

    FM-404, FM-602, FM-955.
    """
    return (
        blow.attack.reach == MELEE
        and blow.attack.kind == PHYSICAL
        and not blow.is_spell
        and target.square == blow.attacker.square == FRONT_SQUARE
        and bool(standing(course, target, "thorns"))
    )
