"""The one strict reader of JSON and YAML, and the one encoder of canonical bytes.

Profile: integers within ±(2^53-1), no floats, no duplicate keys, keys of 1–128 printable ASCII
characters, strings in NFC without lone surrogates, at most 64 levels. In it canonical bytes are
those of RFC 8785 (JSON Canonicalization Scheme).
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Hashable
from typing import Any

import msgspec
import yaml

DEPTH_MAX = 64
INTEGER_MAX = 2**53 - 1
DIGITS_MAX = 17
PARTS_MAX = 4_000_000
KEY_LENGTH_MAX = 128

Json = Any


class Unreadable(ValueError):
    """Bytes that are no value of the profile; the text names the place."""


def read_json(body: bytes) -> Json:
    """Parse JSON and check it against the profile; raises `Unreadable`."""
    try:
        value = json.loads(
            body.decode(),
            object_pairs_hook=_object,
            parse_constant=_refuse_number,
            parse_float=_refuse_number,
            parse_int=_integer,
        )
    except RecursionError as fault:
        raise Unreadable("nested too deeply") from fault
    except UnicodeDecodeError as fault:
        raise Unreadable(f"no UTF-8 at byte {fault.start}") from fault
    except json.JSONDecodeError as fault:
        raise Unreadable(f"line {fault.lineno} column {fault.colno}: {fault.msg}") from fault
    check(value)
    return value


def read_yaml(body: bytes) -> Json:
    """Parse one YAML document and check it against the profile; raises `Unreadable`."""
    try:
        value = yaml.load(body.decode(), Loader=_StrictLoader)
    except RecursionError as fault:
        raise Unreadable("nested too deeply") from fault
    except UnicodeDecodeError as fault:
        raise Unreadable(f"no UTF-8 at byte {fault.start}") from fault
    except (yaml.YAMLError, ValueError) as fault:
        raise Unreadable(" ".join(str(fault).split())) from fault
    check(value)
    return value


def canonical(value: Json) -> bytes:
    """Return the canonical bytes of a value of the profile; raises `Unreadable` for any other."""
    check(value)
    return encoded(value)


def encoded(value: Json) -> bytes:
    """Return the canonical bytes of a value made of parts that were checked before."""
    return _ENCODER.encode(value)


def check(value: Json) -> None:
    """Raise `Unreadable` with the place of a part that is outside the profile.

    Counts parts, so that a small file whose anchors unfold without end is refused, too.
    """
    waiting: list[tuple[Json, str, int]] = [(value, "", 0)]
    for _ in range(PARTS_MAX):
        if not waiting:
            return
        part, place, depth = waiting.pop()
        if isinstance(part, list | dict):
            if depth == DEPTH_MAX:
                raise Unreadable(f"{_place(place)} nested too deeply (or a cycle of anchors)")
            waiting += _parts(part, place, depth + 1)
        else:
            _check_scalar(part, place)
    raise Unreadable(f"more than {PARTS_MAX} parts")


_ENCODER = msgspec.json.Encoder(order="sorted")


def _parts(whole: Json, place: str, depth: int) -> list[tuple[Json, str, int]]:
    if isinstance(whole, list):
        return [(item, f"{place}.{index}", depth) for index, item in enumerate(whole)]
    for key in whole:
        _check_key(key, place)
    return [(item, f"{place}.{key}", depth) for key, item in whole.items()]


def _check_scalar(value: Json, place: str) -> None:
    if isinstance(value, str):
        _check_text(value, place)
    elif isinstance(value, int):
        if abs(value) > INTEGER_MAX:
            raise Unreadable(f"{_place(place)} number too large")
    elif value is not None:
        raise Unreadable(f"{_place(place)} {type(value).__name__} is no value of a log")


def _place(place: str) -> str:
    return f"at {place[1:]}:" if place else "the document:"


def _check_text(text: str, place: str) -> None:
    if "\0" in text:
        raise Unreadable(f"{_place(place)} the character U+0000")
    if text.isascii():
        return
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise Unreadable(f"{_place(place)} lone surrogate")
    if not unicodedata.is_normalized("NFC", text):
        raise Unreadable(f"{_place(place)} text is not in Unicode normal form C")


def _check_key(key: Json, place: str) -> None:
    if not isinstance(key, str):
        raise Unreadable(f"{_place(place)} the key {key!r} is no text")
    if not (0 < len(key) <= KEY_LENGTH_MAX and key.isascii() and key.isprintable()):
        raise Unreadable(f"{_place(place)} the key {key[:40]!r} is not 1 to 128 printable ASCII")


def _object(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    found: dict[str, Json] = {}
    for key, value in pairs:
        if key in found:
            raise Unreadable(f"duplicate key {key!r}")
        found[key] = value
    return found


def _refuse_number(text: str) -> Json:
    raise Unreadable(f"the number {text[:20]} is no integer")


def _integer(text: str) -> int:
    if len(text) > DIGITS_MAX:
        raise Unreadable("number too large")
    return int(text)


class _StrictLoader(yaml.CSafeLoader):
    """The safe loader, refusing duplicate keys."""


def _mapping(loader: _StrictLoader, node: yaml.MappingNode) -> dict[Hashable, Json]:
    loader.flatten_mapping(node)
    seen: set[Hashable] = set()
    for key_node, _ in node.value:
        key = loader.construct_object(key_node)
        if isinstance(key, Hashable):
            if key in seen:
                line = key_node.start_mark.line + 1
                raise Unreadable(f"line {line}: duplicate key {key!r}")
            seen.add(key)
    return loader.construct_mapping(node)


def _construct_mapping(loader: _StrictLoader, node: yaml.MappingNode) -> Json:
    found: dict[Hashable, Json] = {}
    yield found
    found.update(_mapping(loader, node))


_StrictLoader.add_constructor("tag:yaml.org,2002:map", _construct_mapping)
