"""Partial matching and paths of worked examples and display texts (FORMAT 5)."""

from __future__ import annotations

from collections.abc import Sequence

from service.engine.values import Json, same

COUNT = "#"
CONTAINED = "rules"


def matches(expected: Json, actual: Json, *, contained: bool = False) -> bool:
    """Tell whether `actual` fits the partial value `expected`.

    Every key of an expected object must match (null also an absent key); lists match element by
    element, under the key `rules` they need only be contained; anything else must be equal.
    """
    if isinstance(expected, dict):
        return isinstance(actual, dict) and all(
            matches(part, actual.get(key), contained=key == CONTAINED)
            for key, part in expected.items()
        )
    if isinstance(expected, list) and isinstance(actual, list):
        if contained:
            return all(any(matches(part, item) for item in actual) for part in expected)
        return len(expected) == len(actual) and all(map(matches, expected, actual))
    return same(expected, actual)


def missing_from(expected: Sequence[Json], actual: Sequence[Json]) -> int | None:
    """Return the index of the first partial value that the subsequence `actual` does not serve."""
    found = 0
    for item in actual:
        if found < len(expected) and matches(expected[found], item):
            found += 1
    return None if found == len(expected) else found


def at_path(value: Json, path: str) -> Json:
    """Return what lies at a dotted path; null if the path leads nowhere.

    In an object the longest run of segments that is a key is taken; a last segment `#` counts the
    elements of a list or object.
    """
    return _at(value, path.split("."))


def _at(value: Json, segments: list[str]) -> Json:
    if not segments:
        return value
    if segments == [COUNT]:
        return len(value) if isinstance(value, dict | list) else None
    if isinstance(value, list):
        index = segments[0]
        if index.isascii() and index.isdigit() and int(index) < len(value):
            return _at(value[int(index)], segments[1:])
        return None
    if isinstance(value, dict):
        for length in range(len(segments), 0, -1):
            key = ".".join(segments[:length])
            if key in value:
                return _at(value[key], segments[length:])
    return None
