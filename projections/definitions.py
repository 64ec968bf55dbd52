"""The definitions of the cards that an answer names, and of no others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from service.engine.values import Json


def definitions_named(value: Json, cards: Mapping[str, Json]) -> dict[str, Json]:
    """Return the definitions of the cards that an answer names, and of no others."""
    return {name: cards[name] for name in sorted(set(_texts(value))) if name in cards}


def _texts(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value.rpartition("=")[2]
    elif isinstance(value, dict):
        for part in value.values():
            yield from _texts(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _texts(part)
