"""Shapes of JSON values: closed keys, types, ranges; every fault with its place (FORMAT 1)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from service.engine.contract import Fault
from service.engine.values import Json, is_integer

Shape: TypeAlias = Callable[[Json, str], Iterator[Fault]]
"""Gives the faults of a value that lies at a place."""

Part: TypeAlias = Mapping[str, Json]
"""An object somewhere in a value."""

DEPTH_MAX = 60
VALUES_MAX = 200_000


def at(place: str, key: str | int) -> str:
    """Return the place of a part."""
    return f"{place}.{key}" if place else str(key)


def parts(value: Json, place: str) -> Iterator[tuple[str, Part]]:
    """Give every object in a value, the value itself included, with its place."""
    if isinstance(value, dict):
        yield place, value
    if isinstance(value, dict | list):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from parts(part, at(place, key))


def leaf(fits: Callable[[Json], bool], text: str) -> Shape:
    """Return the shape of the values for which `fits` is true; `text` is for all others."""

    def faults(value: Json, place: str) -> Iterator[Fault]:
        if not fits(value):
            yield Fault(place=place, text=text)

    return faults


def word(*words: str | None) -> Shape:
    """Return the shape of the words listed."""
    listed = ", ".join("null" if known is None else known for known in words)
    return leaf(
        lambda value: (value is None or isinstance(value, str)) and value in words,
        f"must be one of {listed}",
    )


def matching(pattern: re.Pattern[str], text: str) -> Shape:
    """Return the shape of the strings that match a pattern as a whole."""
    return leaf(lambda value: isinstance(value, str) and pattern.fullmatch(value) is not None, text)


def integer(low: int | None = None, high: int | None = None) -> Shape:
    """Return the shape of the integers from `low` to `high`, both included; None is no bound."""
    bounds = [f"at least {low}"] * (low is not None) + [f"at most {high}"] * (high is not None)
    return leaf(
        lambda value: (
            is_integer(value) and (low is None or value >= low) and (high is None or value <= high)
        ),
        f"must be an integer {' and '.join(bounds)}".rstrip(),
    )


BOOLEAN = leaf(lambda value: type(value) is bool, "must be true or false")
TRUE = leaf(lambda value: value is True, "must be true")
NULL = leaf(lambda value: value is None, "must be null")
TEXT = leaf(lambda value: isinstance(value, str), "must be a string")
NAME = leaf(lambda value: isinstance(value, str) and value != "", "must be a string, not empty")


def list_of(shape: Shape, *, least: int = 0, most: int | None = None) -> Shape:
    """Return the shape of a list of `least` to `most` elements of a shape."""

    def faults(value: Json, place: str) -> Iterator[Fault]:
        if not isinstance(value, list):
            yield Fault(place=place, text="must be a list")
            return
        if len(value) < least:
            yield Fault(place=place, text=f"must hold at least {least}")
        if most is not None and len(value) > most:
            yield Fault(place=place, text=f"must hold at most {most}")
        for index, item in enumerate(value):
            yield from shape(item, at(place, index))

    return faults


def pair_of(shape: Shape) -> Shape:
    """Return the shape of a list `[from, to]`."""
    whole = leaf(lambda value: isinstance(value, list) and len(value) == 2, "must be [from, to]")

    def faults(value: Json, place: str) -> Iterator[Fault]:
        found = list(whole(value, place))
        yield from found or list_of(shape)(value, place)

    return faults


def map_of(shape: Shape) -> Shape:
    """Return the shape of an object with any keys and values of a shape."""

    def faults(value: Json, place: str) -> Iterator[Fault]:
        if not isinstance(value, dict):
            yield Fault(place=place, text="must be an object")
            return
        for key, part in value.items():
            if isinstance(key, str):
                yield from shape(part, at(place, key))
            else:
                yield Fault(place=at(place, str(key)), text="a key must be a string")

    return faults


def record(
    required: Mapping[str, Shape] | None = None, optional: Mapping[str, Shape] | None = None
) -> Shape:
    """Return the shape of an object with these keys and no others."""
    needed = dict(required or {})
    known = {**needed, **(optional or {})}

    def faults(value: Json, place: str) -> Iterator[Fault]:
        if not isinstance(value, dict):
            yield Fault(place=place, text="must be an object")
            return
        for key in needed:
            if key not in value:
                yield Fault(place=at(place, key), text="is missing")
        for key, part in value.items():
            if key in known:
                yield from known[key](part, at(place, key))
            else:
                yield Fault(place=at(place, str(key)), text="is no key that is known here")

    return faults


def by_type(**shapes: Shape) -> Shape:
    """Return the shape that depends on the type of the value.

    The names are those of the types: `int`, `str`, `bool`, `list`, `dict`, `NoneType`.
    """
    listed = " or ".join(shapes).replace("NoneType", "null")

    def faults(value: Json, place: str) -> Iterator[Fault]:
        shape = shapes.get(type(value).__name__)
        if shape is None:
            yield Fault(place=place, text=f"must be of type {listed}")
        else:
            yield from shape(value, place)

    return faults


def by_key(shapes: Mapping[str, Shape]) -> Shape:
    """Return the shape of an object that holds exactly one of these keys; the key decides."""
    listed = ", ".join(shapes)

    def faults(value: Json, place: str) -> Iterator[Fault]:
        if not isinstance(value, dict):
            yield Fault(place=place, text="must be an object")
            return
        present = [key for key in shapes if key in value]
        if len(present) == 1:
            yield from shapes[present[0]](value, place)
        else:
            yield Fault(place=place, text=f"must hold exactly one of {listed}")

    return faults


def by_word(key: str, shapes: Mapping[str, Shape]) -> Shape:
    """Return the shape of an object whose word under `key` decides its shape."""
    words = word(*shapes)

    def faults(value: Json, place: str) -> Iterator[Fault]:
        if not isinstance(value, dict):
            yield Fault(place=place, text="must be an object")
        elif key not in value:
            yield Fault(place=at(place, key), text="is missing")
        elif found := list(words(value[key], at(place, key))):
            yield from found
        else:
            yield from shapes[value[key]](value, place)

    return faults


def one_or_list(shape: Shape) -> Shape:
    """Return the shape of a value or of a list of at least one such value."""
    several = list_of(shape, least=1)

    def faults(value: Json, place: str) -> Iterator[Fault]:
        yield from (several if isinstance(value, list) else shape)(value, place)

    return faults


def unfolded(value: Json) -> tuple[Json, list[Fault]]:
    """Return a value that can be read to its end, and a fault for everything cut off for that.

    YAML can name a part from inside itself, or a large part many times over. null stands where
    something was cut off; an intact value comes back equal.
    """
    unfolding = _Unfolding()
    return unfolding.copy(value, "", ()), unfolding.faults


@dataclass(slots=True)
class _Unfolding:
    faults: list[Fault] = field(default_factory=list)
    values: int = 0

    def copy(self, value: Json, place: str, above: tuple[int, ...]) -> Json:
        """Return a value with null for what never ends; `above`: the values that hold it."""
        if not isinstance(value, dict | list):
            return value
        if id(value) in above:
            return self._cut(place, "holds itself")
        if len(above) == DEPTH_MAX:
            return self._cut(place, f"is nested deeper than {DEPTH_MAX} levels")
        if self.values > VALUES_MAX:
            return None
        self.values += len(value)
        if self.values > VALUES_MAX:
            return self._cut(place, f"makes the whole larger than {VALUES_MAX} values")
        inside = (*above, id(value))
        if isinstance(value, dict):
            return {
                key: self.copy(part, at(place, str(key)), inside) for key, part in value.items()
            }
        return [self.copy(part, at(place, index), inside) for index, part in enumerate(value)]

    def _cut(self, place: str, text: str) -> None:
        self.faults.append(Fault(place=place, text=text))
