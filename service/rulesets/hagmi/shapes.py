"""Shapes of JSON values: composable checks that name every fault with its place (FORMAT 1)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import TypeAlias

from service.engine.contract import Fault
from service.engine.values import Json, is_integer_in

Shape: TypeAlias = Callable[[Json, str], Iterator[Fault]]
"""Yields the faults of a value that lies at a place."""

NUMBER_MAX = 999
LARGEST = 2**53 - 1


def fault(place: str, text: str) -> Fault:
    """Return one fault; the place of a whole file is `.`."""
    return Fault(place=place or ".", text=text)


def below(place: str, key: str | int) -> str:
    """Return the place of an element or key."""
    return f"{place}.{key}" if place else str(key)


def text(value: Json, place: str) -> Iterator[Fault]:
    """Expect a string that is not empty."""
    if not isinstance(value, str) or not value:
        yield fault(place, "a string is expected")


def flag(value: Json, place: str) -> Iterator[Fault]:
    """Expect true or false."""
    if not isinstance(value, bool):
        yield fault(place, "true or false is expected")


def whole(low: int = 0, high: int = NUMBER_MAX) -> Shape:
    """Expect an integer from `low` to `high`."""

    def shape(value: Json, place: str) -> Iterator[Fault]:
        if not is_integer_in(value, low, high):
            yield fault(place, f"an integer from {low} to {high} is expected")

    return shape


def word(allowed: Collection[str]) -> Shape:
    """Expect one of the words."""

    def shape(value: Json, place: str) -> Iterator[Fault]:
        if not isinstance(value, str) or value not in allowed:
            yield fault(place, f"one of {', '.join(sorted(allowed))} is expected")

    return shape


def optional(inner: Shape) -> Shape:
    """Expect null or the inner shape."""

    def shape(value: Json, place: str) -> Iterator[Fault]:
        if value is not None:
            yield from inner(value, place)

    return shape


def either(when_dict: Shape, otherwise: Shape) -> Shape:
    """Expect the first shape of an object, the second of anything else."""

    def shape(value: Json, place: str) -> Iterator[Fault]:
        yield from (when_dict if isinstance(value, dict) else otherwise)(value, place)

    return shape


def listing(inner: Shape, *, least: int = 0, named_by: str | None = None) -> Shape:
    """Expect a list of at least `least` elements; a place names an element by a key it has."""

    def shape(value: Json, place: str) -> Iterator[Fault]:
        if not isinstance(value, list):
            yield fault(place, "a list is expected")
            return
        if len(value) < least:
            yield fault(place, f"at least {least} expected")
        for at, item in enumerate(value):
            name = item.get(named_by) if isinstance(item, dict) else None
            yield from inner(item, below(place, name if isinstance(name, str) else at))

    return shape


def mapping(key: Shape, inner: Shape) -> Shape:
    """Expect an object with keys and values of these shapes."""

    def shape(value: Json, place: str) -> Iterator[Fault]:
        if not isinstance(value, dict):
            yield fault(place, "an object is expected")
            return
        for name, part in value.items():
            yield from key(name, below(place, name))
            yield from inner(part, below(place, name))

    return shape


def record(required: Mapping[str, Shape], further: Mapping[str, Shape] | None = None) -> Shape:
    """Expect an object with the required keys, and no others than these and the further ones."""
    known = {**required, **(further or {})}

    def shape(value: Json, place: str) -> Iterator[Fault]:
        if not isinstance(value, dict):
            yield fault(place, "an object is expected")
            return
        for name in required:
            if name not in value:
                yield fault(below(place, name), "missing")
        for name, part in value.items():
            if name in known:
                yield from known[name](part, below(place, name))
            else:
                yield fault(below(place, name), "unknown key")

    return shape


def tagged(choices: Mapping[str, Shape]) -> Shape:
    """Expect an object with exactly one key, which names its meaning."""

    def shape(value: Json, place: str) -> Iterator[Fault]:
        if not isinstance(value, dict) or len(value) != 1:
            yield fault(place, f"an object with one key of {', '.join(choices)} is expected")
            return
        yield from record({}, choices)(value, place)

    return shape
