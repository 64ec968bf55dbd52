"""Conditions, filters, standing effects: what applies at this moment (FM-107, FM-804, FM-986)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from service.engine.values import Json
from service.rulesets.formation.cards import Ability, Standing
from service.rulesets.formation.course import Course
from service.rulesets.formation.line import FRONT_SQUARE, Holder, find, front, units
from service.rulesets.formation.position import opponent

UNFAVOURABLE = ("weak", "last", "magic_vital")


@dataclass(frozen=True, slots=True, kw_only=True)
class Occasion:
    """What set an ability off. target, attacker: units; by: the kind of the attack that felled."""

    target: str | None = None
    attacker: str | None = None
    by: str | None = None


NO_OCCASION = Occasion()

Condition: TypeAlias = Callable[[Course, Holder, Occasion, Json], bool]


def standing(course: Course, holder: Holder, operation: str) -> Sequence[Standing]:
    """Return the standing effects of this operation that work now, in printed order.

    On a disabled unit only the unfavourable ones do (FM-728, FM-729, FM-973).
    """
    printed = holder.card.standing.get(operation, ())
    if not printed or (operation not in UNFAVOURABLE and not holder.is_able):
        return ()
    return [effect for effect in printed if is_ready(course, holder, effect.ability, NO_OCCASION)]


def is_ready(course: Course, holder: Holder, ability: Ability, occasion: Occasion) -> bool:
    """Tell whether an ability has a use left (FM-984) and its condition holds now (FM-986)."""
    return not _is_spent(holder, ability) and all(
        CONDITIONS[key](course, holder, occasion, wanted)
        for key, wanted in ability.condition.items()
    )


def _is_spent(holder: Holder, ability: Ability) -> bool:
    return ability.uses is not None and used(holder, ability) >= ability.uses


def used(holder: Holder, ability: Ability) -> int:
    """Return how often a unit has applied a limited ability (FM-984)."""
    return int(holder.unit["used"].get(ability.key, 0))


def passes(holder: Holder, wanted: Mapping[str, Json]) -> bool:
    """Tell whether a unit passes a filter."""
    return all(FEATURES[key](holder) == value for key, value in wanted.items())


FEATURES: Mapping[str, Callable[[Holder], Json]] = {
    "attribute": lambda holder: holder.card.attribute,
    "type": lambda holder: holder.card.type,
    "front": lambda holder: holder.square == FRONT_SQUARE,
}


def _front(course: Course, holder: Holder, occasion: Occasion, wanted: Json) -> bool:
    return bool((holder.square == FRONT_SQUARE) == wanted)


def _last(course: Course, holder: Holder, occasion: Occasion, wanted: Json) -> bool:
    behind = course.position[holder.player]["line"][holder.square :]
    return bool(all(unit is None for unit in behind) == wanted)


def _square_min(course: Course, holder: Holder, occasion: Occasion, wanted: Json) -> bool:
    return bool(holder.square >= wanted)


def _square_max(course: Course, holder: Holder, occasion: Occasion, wanted: Json) -> bool:
    return bool(holder.square <= wanted)


def _ticks_max(course: Course, holder: Holder, occasion: Occasion, wanted: Json) -> bool:
    return bool(holder.unit["ticks"] <= wanted)


def _allies(course: Course, holder: Holder, occasion: Occasion, wanted: Json) -> bool:
    others = [ally for ally in units(course, holder.player) if ally.id != holder.id]
    return sum(passes(ally, wanted["where"]) for ally in others) >= int(wanted["min"])


def _enemy_front(course: Course, holder: Holder, occasion: Occasion, wanted: Json) -> bool:
    opposite = front(course, opponent(holder.player))
    return opposite is not None and passes(opposite, wanted)


def _by(course: Course, holder: Holder, occasion: Occasion, wanted: Json) -> bool:
    return bool(occasion.by == wanted)


def _target(course: Course, holder: Holder, occasion: Occasion, wanted: Json) -> bool:
    target = None if occasion.target is None else find(course, occasion.target)
    return target is not None and passes(target, wanted)


CONDITIONS: Mapping[str, Condition] = {
    "front": _front,
    "last": _last,
    "square_min": _square_min,
    "square_max": _square_max,
    "ticks_max": _ticks_max,
    "allies": _allies,
    "enemy_front": _enemy_front,
    "by": _by,
    "target": _target,
}
