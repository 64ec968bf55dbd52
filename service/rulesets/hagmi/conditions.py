"""Values and conditions of effects (HG-267, HG-268, HG-403, HG-404; spec 9)."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping

from service.engine.values import Json
from service.rulesets.hagmi.numbers import NUMBERS
from service.rulesets.hagmi.selection import Context, selected
from service.rulesets.hagmi.table import Table, entry_of


def number(table: Table, context: Context, value: Json, receiver: str = "") -> int:
    """Return what a value amounts to; `allocated` is the share of the receiver (HG-404)."""
    if isinstance(value, int):
        return value
    if isinstance(value, str):
        return context.x if value == "X" else context.allocation.get(receiver, 0)
    kind = next(kind for kind in VALUES if kind in value)
    return VALUES[kind](table, context, value)


def _count(table: Table, context: Context, value: Json) -> int:
    return len(selected(table, context, value["count"]))


def _bound(table: Table, context: Context, value: Json) -> int:
    return context.bound.get(value["bound"], 0)


def _fuel(table: Table, context: Context, value: Json) -> int:
    entries = [entry_of(table.position, card) for card in selected(table, context, value["fuel"])]
    return sum(len(entry["fuel"]) for entry in entries if entry is not None)


def _stat(table: Table, context: Context, value: Json) -> int:
    names = selected(table, context, value["of"])
    cards = [name for name in names if name in table.position["cards"]]
    return sum(NUMBERS[value["stat"]](table, card) for card in cards)


VALUES: Mapping[str, Callable[[Table, Context, Json], int]] = {
    "count": _count,
    "bound": _bound,
    "fuel": _fuel,
    "stat": _stat,
}


def holds(table: Table, context: Context, condition: Json) -> bool:
    """Tell whether a condition holds; none always holds."""
    if condition is None:
        return True
    ((kind, part),) = condition.items()
    return CONDITIONS[kind](table, context, part)


def _exists(table: Table, context: Context, part: Json) -> bool:
    return bool(selected(table, context, part))


def _compares(table: Table, context: Context, part: Json) -> bool:
    left, sign, right = part
    return COMPARISONS[sign](number(table, context, left), number(table, context, right))


def _is_phase(table: Table, context: Context, part: Json) -> bool:
    return bool(table.position["phase"] == part)


def _is_your_turn(table: Table, context: Context, part: Json) -> bool:
    return (table.position["active"] == context.player) is part


def _all_hold(table: Table, context: Context, part: Json) -> bool:
    return all(holds(table, context, condition) for condition in part)


def _any_holds(table: Table, context: Context, part: Json) -> bool:
    return any(holds(table, context, condition) for condition in part)


def _does_not_hold(table: Table, context: Context, part: Json) -> bool:
    return not holds(table, context, part)


COMPARISONS: Mapping[str, Callable[[int, int], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    "==": operator.eq,
    ">=": operator.ge,
    ">": operator.gt,
}
CONDITIONS: Mapping[str, Callable[[Table, Context, Json], bool]] = {
    "exists": _exists,
    "cmp": _compares,
    "phase": _is_phase,
    "your_turn": _is_your_turn,
    "all": _all_hold,
    "any": _any_holds,
    "not": _does_not_hold,
}
