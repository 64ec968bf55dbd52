"""Choosing targets (HG-218, HG-231, HG-245, HG-404, HG-424, HG-931; spec 7)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from service.engine.values import Action
from service.rulesets.hagmi.definitions import Effect, TargetGroup
from service.rulesets.hagmi.selection import Context, candidates, wanted_sides
from service.rulesets.hagmi.table import (
    Table,
    definition_of,
    entry_of,
    held_as,
    is_unit,
    living,
    pile_of,
)


def target_refusals(
    table: Table, context: Context, group: TargetGroup | None, action: Action, least: int
) -> Iterator[str]:
    """Yield the rules that the targets of an action break, in the order of the checks.

    least: how many are needed; a choice with too few candidates needs no more than there are.
    """
    if group is None:
        return
    targets = action.get("targets", [])
    position = table.position
    if not all(_is_in_zone(table, context, group, target) for target in targets):
        yield "HG-245"
    if any(held_as(position, target) == "armaments" for target in targets):
        yield "HG-218"
    if any(held_as(position, target) for target in targets):
        yield "HG-424"
    if any(_is_other_unit(table, group, target) for target in targets):
        yield "HG-231"
    if not set(targets) <= set(candidates(table, context, group.select)):
        yield "HG-245"
    if not least <= len(targets) <= group.most or len(set(targets)) != len(targets):
        yield "HG-245"
    if not is_allocated(group, targets, action.get("allocation", {})):
        yield "HG-404"


def _is_in_zone(table: Table, context: Context, group: TargetGroup, target: str) -> bool:
    position, select = table.position, group.select
    zone = select.get("zone", "field")
    if target in position["players"]:
        return target in living(position) and select.get("kind") == "unit_or_player"
    if zone == "field":
        return entry_of(position, target) is not None or held_as(position, target) is not None
    if zone == "attack_targets":
        return target in candidates(table, context, {"zone": zone})
    sides = wanted_sides(table, context, select)
    return any(target in pile_of(position, side, zone) for side in sides)


def _is_other_unit(table: Table, group: TargetGroup, target: str) -> bool:
    """Tell whether a weapon is asked for and a unit is named that is none (HG-231)."""
    return (
        group.select.get("kind") == "weapon"
        and is_unit(table, target)
        and definition_of(table, target).kind != "weapon"
    )


def is_allocated(group: TargetGroup, targets: Sequence[str], allocation: Mapping[str, int]) -> bool:
    """Tell whether a number is divided in full among the targets, at least 1 each (HG-404)."""
    if group.allocate is None:
        return True
    return (
        all(share >= 1 for share in allocation.values())
        and allocation.keys() == set(targets)
        and sum(allocation.values()) == group.allocate
    )


def still_fitting(table: Table, context: Context, effect: Effect) -> list[str]:
    """Return the targets that still fit when the effect is carried out (HG-931)."""
    if effect.targets is None:
        return []
    allowed = set(candidates(table, context, effect.targets.select))
    return [target for target in context.targets if target in allowed]


def asks_for_more(effect: Effect | None, action: Action) -> bool:
    """Tell whether targets or shares are given that an effect does not ask for (HG-908)."""
    group = None if effect is None else effect.targets
    if group is None and action.get("targets"):
        return True
    return "allocation" in action and (group is None or group.allocate is None)
