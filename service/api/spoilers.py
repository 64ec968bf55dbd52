"""Spoiler-free mode: a match is answered as if no more had happened than was watched of it.

The rule is the one of delays: everything is made from the state at an earlier index, so nothing
later can slip in. Whose views may be asked for stays as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from service.aggregates.showing import FIRST
from service.api.seeing import SeenMatch
from service.api.wiring import installation
from service.engine.values import Json

START = "0"


def watched_until(query: Mapping[str, Json]) -> int | None:
    """Return the last index that was watched, or None without the mode.

    Without a place nothing was watched yet. An event in whose midst the place is was: `142.3` is
    in event 143.
    """
    if "spoilers" not in query:
        return None
    index, _, step = query.get("at", START).partition(".")
    return int(index) + (int(step or 0) > 0)


def watched(seen: SeenMatch, query: Mapping[str, Json]) -> SeenMatch:
    """Return a match as far as it was watched, if the query asks for that mode."""
    until = watched_until(query)
    if until is None or until >= seen.match.version:
        return seen
    match = installation().log.match(seen.match.id, version=max(FIRST, until))
    return replace(seen, match=match)
