"""JSON Patches (RFC 6902) between two values: `add`, `remove`, `replace`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypedDict

from service.engine.values import Json, same


class Operation(TypedDict, total=False):
    """One operation of a patch: `add`, `remove` or `replace`."""

    op: str
    path: str
    value: Json


def patch(before: Json, after: Json) -> list[Operation]:
    """Return the operations that turn `before` into `after`, in the order of carrying them out."""
    return list(_changes(before, after, ""))


def applied(value: Json, operations: Sequence[Operation]) -> Json:
    """Return the value after a patch that `patch` made; the input is left untouched."""
    whole: Json = {"": value}
    for operation in operations:
        whole = _changed(whole, operation["path"].split("/"), operation)
    return whole[""]


def _changed(target: Json, keys: Sequence[str], operation: Operation) -> Json:
    copy = target.copy()
    name = keys[0].replace("~1", "/").replace("~0", "~")
    key: Json = int(name) if isinstance(copy, list) else name
    if len(keys) > 1:
        copy[key] = _changed(copy[key], keys[1:], operation)
    elif operation["op"] == "remove":
        del copy[key]
    elif operation["op"] == "add" and isinstance(copy, list):
        copy.insert(key, operation["value"])
    else:
        copy[key] = operation["value"]
    return copy


def _changes(before: Json, after: Json, path: str) -> Iterator[Operation]:
    if before is after or same(before, after):
        return
    if isinstance(before, dict) and isinstance(after, dict):
        yield from _changes_of_object(before, after, path)
    elif isinstance(before, list) and isinstance(after, list):
        yield from _changes_of_list(before, after, path)
    else:
        yield {"op": "replace", "path": path, "value": after}


def _changes_of_object(
    before: dict[str, Json], after: dict[str, Json], path: str
) -> Iterator[Operation]:
    for key in before:
        if key not in after:
            yield {"op": "remove", "path": f"{path}/{_escaped(key)}"}
    for key, value in after.items():
        if key not in before:
            yield {"op": "add", "path": f"{path}/{_escaped(key)}", "value": value}
        else:
            yield from _changes(before[key], value, f"{path}/{_escaped(key)}")


def _changes_of_list(before: list[Json], after: list[Json], path: str) -> Iterator[Operation]:
    """Keep the equal ends; change what lies between place by place, then shorten or lengthen."""
    start = _equal_length(before, after)
    most = min(len(before), len(after)) - start
    end = min(_equal_length(before[::-1], after[::-1]), most)
    old, new = before[start : len(before) - end], after[start : len(after) - end]
    both = min(len(old), len(new))
    for number in range(both):
        yield from _changes(old[number], new[number], f"{path}/{start + number}")
    for number in range(len(old) - 1, both - 1, -1):
        yield {"op": "remove", "path": f"{path}/{start + number}"}
    for number in range(both, len(new)):
        yield {"op": "add", "path": f"{path}/{start + number}", "value": new[number]}


def _equal_length(before: list[Json], after: list[Json]) -> int:
    pairs = zip(before, after, strict=False)
    return next(
        (number for number, (old, new) in enumerate(pairs) if not same(old, new)),
        min(len(before), len(after)),
    )


def _escaped(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")
