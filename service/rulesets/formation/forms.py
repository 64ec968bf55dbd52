"""Forms of values in a data file, put together from smaller ones; they never raise."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from service.engine.contract import Fault
from service.engine.values import Json, is_integer

Form: TypeAlias = Callable[[Json, str], Iterator[Fault]]
"""Takes a value and its place in the file and yields what is wrong with it."""

SNAKE_CASE = re.compile(r"[a-z0-9]+(_[a-z0-9]+)*")


def within(place: str, key: object) -> str:
    """Return the place of a part; the place of the whole file is empty."""
    return f"{place}.{key}" if place else str(key)


def place_in(whole: str, index: int, item: Json) -> str:
    """Return the place of an element of a list by its id, without one by its index."""
    known = item.get("id") if isinstance(item, dict) else None
    return within(whole, known if isinstance(known, str) else index)


def _expecting(what: str, fits: Callable[[Json], bool]) -> Form:
    def form(value: Json, place: str) -> Iterator[Fault]:
        if not fits(value):
            yield Fault(place=place, text=f"expected {what}")

    return form


TEXT = _expecting("a string", lambda value: isinstance(value, str))
NAME = _expecting(
    "an id in snake_case",
    lambda value: isinstance(value, str) and SNAKE_CASE.fullmatch(value) is not None,
)
FLAG = _expecting("true or false", lambda value: isinstance(value, bool))
INTEGER = _expecting("an integer", is_integer)
CHANGE = _expecting("an integer other than 0", lambda value: is_integer(value) and value != 0)


def at_least(low: int) -> Form:
    """Expect an integer from `low` on."""
    return _expecting(f"an integer from {low} on", lambda value: is_integer(value) and value >= low)


def one_of(*values: Json) -> Form:
    """Expect one of these strings or integers."""
    choices = ", ".join(map(str, values))
    return _expecting(
        f"one of {choices}", lambda value: type(value) in (str, int) and value in values
    )


def optional(other: Form) -> Form:
    """Expect null or what the other form expects."""

    def form(value: Json, place: str) -> Iterator[Fault]:
        if value is not None:
            yield from other(value, place)

    return form


def list_of(element: Form, *, low: int = 0, high: int | None = None) -> Form:
    """Expect a list of `low` to `high` elements."""

    def form(value: Json, place: str) -> Iterator[Fault]:
        if not isinstance(value, list):
            yield Fault(place=place, text="expected a list")
            return
        if len(value) < low or (high is not None and len(value) > high):
            limits = f"{low} or more" if high is None else f"{low} to {high}"
            yield Fault(place=place, text=f"expected {limits} elements")
        for index, item in enumerate(value):
            yield from element(item, within(place, index))

    return form


def list_by_id(element: Form) -> Form:
    """Expect a list of objects with ids that differ; the id is the place of an element."""

    def form(value: Json, place: str) -> Iterator[Fault]:
        if not isinstance(value, list):
            yield Fault(place=place, text="expected a list")
            return
        met: set[str] = set()
        for index, item in enumerate(value):
            at = place_in(place, index, item)
            if at in met:
                yield Fault(place=at, text="the id is there twice")
            met.add(at)
            yield from element(item, at)

    return form


def map_of(element: Form) -> Form:
    """Expect an object whose values are of one form."""

    def form(value: Json, place: str) -> Iterator[Fault]:
        if not isinstance(value, dict):
            yield Fault(place=place, text="expected an object")
            return
        for key, item in value.items():
            yield from element(item, within(place, key))

    return form


def fields(required: Mapping[str, Form], others: Mapping[str, Form] | None = None) -> Form:
    """Expect an object with the required fields and no fields but these and the others."""
    known = {**required, **(others or {})}

    def form(value: Json, place: str) -> Iterator[Fault]:
        if not isinstance(value, dict):
            yield Fault(place=place, text="expected an object")
            return
        for key in required:
            if key not in value:
                yield Fault(place=within(place, key), text="is missing")
        for key, part in value.items():
            if key in known:
                yield from known[key](part, within(place, key))
            else:
                yield Fault(place=within(place, key), text="unknown key")

    return form


def by(key: str, forms: Mapping[str, Form]) -> Form:
    """Expect an object whose field `key` names the form of its other fields."""
    named = one_of(*forms)

    def form(value: Json, place: str) -> Iterator[Fault]:
        if not isinstance(value, dict):
            yield Fault(place=place, text="expected an object")
            return
        faults = list(named(value.get(key), within(place, key)))
        yield from faults
        if not faults:
            rest = {other: part for other, part in value.items() if other != key}
            yield from forms[value[key]](rest, place)

    return form
