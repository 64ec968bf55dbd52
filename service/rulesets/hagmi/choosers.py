"""Entries of legal actions and their choosers (FORMAT 8; spec 5.1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from service.engine.values import Entry, Json
from service.rulesets.hagmi.definitions import TargetGroup

Chooser: TypeAlias = dict[str, Json]
"""How a field is chosen; an empty one stands for a list that can only be empty."""


def chooser(options: Sequence[str], low: int, high: int) -> Chooser | None:
    """Choose from `low` to `high` different options; None if there are too few."""
    if len(options) < low:
        return None
    most = min(high, len(options))
    return {"from": list(options), "min": low, "max": most} if most else {}


def fuel_chooser(entry: Json, cost: int) -> Chooser | None:
    """Choose which fuel of a unit pays a cost (HG-248)."""
    return chooser(entry["fuel"], cost, cost)


def target_choosers(
    group: TargetGroup | None, found: Sequence[str], least: int
) -> dict[str, Chooser | None]:
    """Choose targets, and how a number is divided among them (HG-404)."""
    if group is None:
        return {}
    if group.allocate is None:
        return {"targets": chooser(found, least, group.most)}
    targets = chooser(found, max(1, least), min(group.most, group.allocate))
    return {"targets": targets, "allocation": {"by": "targets", "sum": group.allocate}}


def entries(kind: str, fixed: Entry, choosers: Mapping[str, Chooser | None]) -> Iterator[Entry]:
    """Yield the entry of an action, unless one of its choosers cannot be filled."""
    if all(chosen is not None for chosen in choosers.values()):
        entry = {"type": kind, **fixed}
        chosen = {field: how for field, how in choosers.items() if how}
        yield {**entry, "choose": chosen} if chosen else entry
