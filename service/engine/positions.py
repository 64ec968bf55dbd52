"""Copy-on-write changes of positions: the old value is never touched, most of it is shared."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from service.engine.values import Json

Key = str | int
Part = TypeVar("Part", bound=Json)


def put(whole: Part, path: Sequence[Key], *, value: Json) -> Part:
    """Return `whole` with `value` at `path`; the objects on the way are copied, nothing else."""
    if not path:
        return value  # type: ignore[no-any-return]
    copy = whole.copy()
    copy[path[0]] = value if len(path) == 1 else put(whole[path[0]], path[1:], value=value)
    return copy  # type: ignore[no-any-return]


def drop(whole: Part, path: Sequence[Key]) -> Part:
    """Return `whole` without the key at the end of `path`, which must exist."""
    copy = whole.copy()
    if len(path) == 1:
        del copy[path[0]]
    else:
        copy[path[0]] = drop(whole[path[0]], path[1:])
    return copy  # type: ignore[no-any-return]


def get(whole: Json, path: Sequence[Key]) -> Json:
    """Return the value at `path`, which must exist."""
    for key in path:
        whole = whole[key]
    return whole
