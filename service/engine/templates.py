"""Listed legal actions: their templates, instances of them, equality of lists (FORMAT 8)."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from service.engine.values import Action, Entry, Json, is_integer, same

CHOOSE = "choose"
CONCEDE = "concede"
TRIES_MAX = 64

Below: TypeAlias = Callable[[int], int]
"""Gives a number from 0 to its argument less one."""


def is_listed(action: Action, entries: Sequence[Entry]) -> bool:
    """Tell whether an action is one of the listed ones or an instance of a listed template."""
    return any(is_instance(action, entry) for entry in entries)


def is_instance(action: Action, entry: Entry) -> bool:
    """Tell whether an action is the entry itself or an instance of the template."""
    choosers = entry.get(CHOOSE, {})
    fixed = {key: value for key, value in entry.items() if key != CHOOSE}
    if action.keys() != fixed.keys() | choosers.keys():
        return False
    if not all(same(action[key], value) for key, value in fixed.items()):
        return False
    return all(_fits(action, field, chooser) for field, chooser in choosers.items())


def _fits(action: Action, field: str, chooser: Json) -> bool:
    value = action[field]
    if "by" in chooser:
        return _fits_by(value, action[chooser["by"]], chooser)
    if "min" not in chooser:
        return _is_among(value, chooser["from"])
    return (
        isinstance(value, list)
        and chooser["min"] <= len(value) <= chooser["max"]
        and all(_is_among(item, chooser["from"]) for item in value)
        and (bool(chooser.get("repeat")) or _all_differ(value))
        and _fits_weights(value, chooser)
        and ("unlike" not in chooser or _all_differ([chooser["unlike"][key] for key in value]))
    )


def _fits_by(value: Json, chosen: Json, chooser: Json) -> bool:
    if not isinstance(chosen, list):
        return False
    if "sum" in chooser:
        return (
            isinstance(value, dict)
            and value.keys() == set(chosen)
            and all(is_integer(part) and part >= 1 for part in value.values())
            and sum(value.values()) == chooser["sum"]
        )
    return (
        isinstance(value, list)
        and len(value) == len(chosen)
        and all(
            _is_among(item, _values_for(chooser, element))
            for item, element in zip(value, chosen, strict=True)
        )
    )


def _values_for(chooser: Json, element: Json) -> list[Json]:
    values = chooser["from"]
    return list(values[element] if isinstance(values, dict) else values)


def _fits_weights(chosen: Sequence[Json], chooser: Json) -> bool:
    return "weights" not in chooser or (
        sum(chooser["weights"][key] for key in chosen) <= chooser["at_most"]
    )


def _is_among(value: Json, values: Sequence[Json]) -> bool:
    return any(same(value, item) for item in values)


def _all_differ(values: Sequence[Json]) -> bool:
    return not any(_is_among(item, values[:at]) for at, item in enumerate(values))


def is_awaited(entries: Sequence[Entry]) -> bool:
    """Tell whether an actor with these entries is awaited: none, or more than conceding."""
    return not entries or any(entry["type"] != CONCEDE for entry in entries)


def instance(entry: Entry, below: Below) -> Action:
    """Fill a template with values chosen by `below`; an entry without choosers is the action."""
    choosers: Mapping[str, Json] = entry.get(CHOOSE, {})
    action = {key: value for key, value in entry.items() if key != CHOOSE}
    for field, chooser in choosers.items():
        if "by" not in chooser:
            action[field] = _chosen(chooser, _shares(field, choosers), below)
    for field, chooser in choosers.items():
        if "by" in chooser:
            action[field] = _chosen_by(chooser, action[chooser["by"]], below)
    return action


def _shares(field: str, choosers: Mapping[str, Json]) -> int | None:
    sums = [c["sum"] for c in choosers.values() if c.get("by") == field and "sum" in c]
    return min(sums, default=None)


def _chosen(chooser: Json, shares: int | None, below: Below) -> Json:
    values = chooser["from"]
    if "min" not in chooser:
        return values[below(len(values))]
    low, high = chooser["min"], chooser["max"]
    if not chooser.get("repeat"):
        high = min(high, len(values))
    if shares is not None:
        low, high = max(low, min(1, shares)), min(high, shares)
    for _ in range(TRIES_MAX):
        picked = _picked(values, low + below(high - low + 1), chooser, below)
        if _fits({"": picked}, "", chooser):
            return picked
    return values[:low]


def _picked(values: Sequence[Json], count: int, chooser: Json, below: Below) -> list[Json]:
    if chooser.get("repeat"):
        return [values[below(len(values))] for _ in range(count)]
    left = list(values)
    return [left.pop(below(len(left))) for _ in range(count)]


def _chosen_by(chooser: Json, chosen: Sequence[Json], below: Below) -> Json:
    if "sum" not in chooser:
        picked = []
        for element in chosen:
            values = _values_for(chooser, element)
            picked.append(values[below(len(values))])
        return picked
    shares = dict.fromkeys(chosen, 1)
    for _ in range(chooser["sum"] - len(shares)):
        shares[chosen[below(len(chosen))]] += 1
    return shares


def same_entries(left: Sequence[Entry], right: Sequence[Entry]) -> bool:
    """Tell whether two lists hold the same entries; no order counts, nor that of `from`."""
    return sorted(map(_ordered, left)) == sorted(map(_ordered, right))


def _ordered(entry: Entry) -> str:
    """Return a text that is equal for equal entries; JSON keeps `true`, `1` and `1.0` apart."""
    choosers = {
        field: chooser | ({"from": _sorted_values(chooser["from"])} if "from" in chooser else {})
        for field, chooser in entry.get(CHOOSE, {}).items()
    }
    return json.dumps(entry | ({CHOOSE: choosers} if choosers else {}), sort_keys=True)


def _sorted_values(values: Json) -> Json:
    if isinstance(values, dict):
        return {key: _sorted_values(part) for key, part in values.items()}
    return sorted(values, key=lambda value: json.dumps(value, sort_keys=True))
