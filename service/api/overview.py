"""The overview of a match: what its bar of time shows, for the whole match in one answer."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Response
from msgspec import to_builtins

from projections.overview import stretch, stretches, total_paths
from projections.replay import Replay
from schemas.overview import OverviewBody, OverviewQuery, StretchBody
from service.api.matches import replay_for, window_key
from service.api.routing import noun, route
from service.api.seeing import SeenMatch
from service.api.spoilers import watched
from service.api.wiring import windows

OVERVIEW = noun("overview", prefix="/api/v1/matches")


@route(
    OVERVIEW,
    "/<match_id>/overview",
    action="read_match",
    answer=OverviewBody,
    query=OverviewQuery,
)
def show_overview(query: dict[str, Any], seen: SeenMatch) -> Response:
    """Show who acted when, what came, turns, phases and marks, as far as the match is shown."""
    replay = replay_for(watched(seen, query), query["as_"])
    to = replay.match.version
    board = replay.words.display["board"]
    told = {
        "match": replay.match.id,
        "total": board.get("total"),
        "paths": total_paths(board, sorted(replay.match.seats)),
        "viewer": replay.viewer,
        "to": to,
        "stretches": [
            msgspec.Raw(_told(seen, replay, *bounds)) for bounds in stretches(query["from_"], to)
        ],
    }
    return Response(msgspec.json.encode(told, order="sorted"), mimetype="application/json")


def _told(seen: SeenMatch, replay: Replay, start: int, to: int) -> bytes:
    """Return a stretch as it is told, kept or made."""
    key = window_key(seen, replay, "overview", start, to)
    found = windows().get(key)
    if found is None:
        body = StretchBody().dump(to_builtins(stretch(replay, start, to)))
        found = msgspec.json.encode(body, order="sorted")
        windows().put(key, found)
    return found
