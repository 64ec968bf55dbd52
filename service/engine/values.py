"""JSON values and their exact equality (FORMAT 1)."""

from __future__ import annotations

from typing import Any, TypeAlias

Json: TypeAlias = Any

Position: TypeAlias = dict[str, Json]
Action: TypeAlias = dict[str, Json]
Fact: TypeAlias = dict[str, Json]
Draw: TypeAlias = dict[str, Json]
View: TypeAlias = dict[str, Json]
Entry: TypeAlias = dict[str, Json]
Actor: TypeAlias = str
Viewer: TypeAlias = str

SYSTEM: Actor = "system"
SPECTATOR: Viewer = "spectator"
JUDGE: Viewer = "judge"


def same(left: Json, right: Json) -> bool:
    """Tell whether two JSON values are equal; `true` is not `1`, `1` is not `1.0`."""
    if type(left) is not type(right):
        return False
    if isinstance(left, dict):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    if isinstance(left, list):
        return len(left) == len(right) and all(map(same, left, right))
    return bool(left == right)


def is_integer(value: Json) -> bool:
    """Tell whether a value is a JSON integer; booleans are none."""
    return type(value) is int


def is_integer_in(value: Json, low: int, high: int) -> bool:
    """Tell whether a value is a JSON integer from `low` to `high`, both included."""
    return type(value) is int and low <= value <= high


def is_list_of_strings(value: Json) -> bool:
    """Tell whether a value is a list that holds strings only."""
    return isinstance(value, list) and all(isinstance(item, str) for item in value)
