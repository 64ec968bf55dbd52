"""Matches: the list, one match, its positions, events and frames."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import asdict

from projections.matches import MatchRow, Wanted, as_json
from projections.replay import EVENTS_PER_WINDOW_MAX, Replay
from projections.verdicts import Verdict
from schemas.matches import EventsBody, MatchesBody, OneMatchBody, PositionBody, WindowBody
from schemas.queries import (
    WINDOW_DEFAULT,
    LanguageQuery,
    MatchesQuery,
    PlaceQuery,
    WindowQuery,
)
from service.aggregates.matches import Match
from service.aggregates.world import NotFound
from service.api.language import language_of_request
from service.api.problems import Forbidden
from service.api.routing import noun, route
from service.api.wiring import installation
from service.engine.values import JUDGE, SPECTATOR, Json, Viewer
from service.installation import Installation

MATCHES = noun("matches", prefix="/api/v1/matches")


@route(MATCHES, "", answer=MatchesBody, query=MatchesQuery)
def list_matches(query: dict[str, Any]) -> dict[str, Json]:
    """List matches, the last opened first."""
    here, limit = installation(), query["limit"]
    wanted = Wanted(
        game=query.get("game"),
        verdict=query.get("verdict"),
        before=int(query["after"]) if "after" in query else None,
        limit=limit + 1,
    )
    rows = here.matches(wanted)
    shown = rows[:limit]
    return {
        "items": [listed(here, row, verdict) for row, verdict in shown],
        "next": str(shown[-1][0].place) if len(rows) > limit else None,
    }


@route(MATCHES, "/<match_id>", answer=OneMatchBody, query=LanguageQuery)
def show_match(query: dict[str, Any], match_id: str) -> dict[str, Json]:
    """Show a match."""
    here = installation()
    match = here.log.match(match_id)
    opened = match.opened
    return listed(here, *here.match_row(match_id)) | {
        "viewers": viewers_of(match),
        "engine": opened.engine,
        "rules_digest": opened.rules_digest,
        "cards_digest": opened.cards_digest,
        "texts_digest": opened.texts_digest,
    }


@route(MATCHES, "/<match_id>/position", answer=PositionBody, query=PlaceQuery)
def show_position(query: dict[str, Any], match_id: str) -> dict[str, Json]:
    """Show the position at a place of a match."""
    replay = replay_for(match_id, query["as_"])
    index, _, step = query.get("at", str(replay.match.version)).partition(".")
    position = replay.position(int(index), int(step or 0))
    return {
        "match": match_id,
        "index": int(index),
        "step": int(step or 0),
        "viewer": replay.viewer,
        "position": position,
        "cards": definitions_named(position, replay.ruleset.cards),
    }


@route(MATCHES, "/<match_id>/events", answer=EventsBody, query=WindowQuery)
def list_events(query: dict[str, Any], match_id: str) -> dict[str, Json]:
    """List the events of a match with their facts in words."""
    replay = replay_for(match_id, query["as_"])
    start, to = window_of(query, replay)
    return {
        "match": match_id,
        "viewer": replay.viewer,
        "to": to,
        "items": replay.events(start, to),
    }


@route(MATCHES, "/<match_id>/frames", answer=WindowBody, query=WindowQuery)
def show_frames(query: dict[str, Any], match_id: str) -> dict[str, Json]:
    """Show a window of a match: a position, then a patch for every fact."""
    replay = replay_for(match_id, query["as_"])
    window = replay.window(*window_of(query, replay))
    return {
        "match": match_id,
        "viewer": replay.viewer,
        **window,
        "cards": definitions_named(window, replay.ruleset.cards),
    }


def listed(here: Installation, row: MatchRow, verdict: Verdict | None) -> dict[str, Json]:
    """Return a match as lists tell it."""
    body = as_json(row) | {"seats": here.names(row.seats)}
    return body | {"verdict": None if verdict is None else asdict(verdict)}


def replay_for(match_id: str, viewer: Viewer) -> Replay:
    """Return a replay for a viewer that the caller may ask for; raises `NotFound`, `Forbidden`."""
    replay = installation().replay(match_id, viewer, language_of_request())
    seats = replay.match.opened.seats
    if viewer not in (*seats, SPECTATOR, JUDGE):
        raise NotFound(f"the match has no seat {viewer}")
    if viewer not in viewers_of(replay.match):
        raise Forbidden("while a match runs everybody sees what a spectator sees")
    return replay


def viewers_of(match: Match) -> list[Viewer]:
    """Return whose views everybody may ask for: after the end the reveal policy decides."""
    if match.closed is None or match.opened.policy.after_end == "nothing":
        return [SPECTATOR]
    seats = [SPECTATOR, *sorted(match.opened.seats)]
    return [*seats, JUDGE] if match.opened.policy.after_end == "all" else seats


def window_of(query: Mapping[str, Any], replay: Replay) -> tuple[int, int]:
    """Return the bounds of a window within the match; raises `NotFound` beyond its end."""
    start, last = query["from_"], replay.match.version
    to = query.get("to", min(start + WINDOW_DEFAULT, last))
    if not start <= to <= last:
        raise NotFound(f"no window from {start} to {to}: the match has the indexes 0 to {last}")
    if to - start > EVENTS_PER_WINDOW_MAX:
        raise NotFound(f"a window holds at most {EVENTS_PER_WINDOW_MAX} events")
    return start, to


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
