"""Matches: the list, one match, its positions, events and frames."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, Literal

import msgspec
from flask import Response
from msgspec import to_builtins
from msgspec.structs import replace

from projections.definitions import definitions_named
from projections.matches import MatchRow, Wanted, row_of
from projections.replay import EVENTS_PER_WINDOW_MAX, Replay, Window
from projections.verdicts import Verdict
from schemas.matches import EventsBody, MatchesBody, OneMatchBody, PositionBody, WindowBody
from schemas.queries import (
    WINDOW_DEFAULT,
    MatchesQuery,
    PlaceQuery,
    WatchedQuery,
    WatchedWindowQuery,
)
from service.aggregates.access import INSTALLATION, relations
from service.aggregates.world import NotFound
from service.api.cursors import cursor_of, place_of
from service.api.identity import principal
from service.api.language import language_of_request
from service.api.routing import noun, route
from service.api.seeing import PARTICIPANTS, SeenMatch, relations_to, shown_to
from service.api.spoilers import watched
from service.api.wiring import installation, windows
from service.engine.values import Json, Viewer
from service.installation import clock
from service.live.windows import WindowKey

MATCHES = noun("matches", prefix="/api/v1/matches")
LIST = "matches"
PINNED = ("engine", "rules_digest", "cards_digest", "texts_digest", "setup")


@route(MATCHES, "", action="list_matches", answer=MatchesBody, query=MatchesQuery)
def list_matches(query: dict[str, Any]) -> dict[str, Json]:
    """List the matches that the caller may know of, the last opened first."""
    limit = query["limit"]
    rows = list(islice(_fitting(query, limit + 1), limit + 1))
    return {
        "items": [listed(row, verdict) for row, verdict in rows[:limit]],
        "next": cursor_of(rows[limit - 1][0].place, of=LIST) if len(rows) > limit else None,
    }


def _fitting(query: Mapping[str, Any], at_once: int) -> Iterator[tuple[MatchRow, Verdict | None]]:
    """Yield the matches that are asked for, as far as they are shown; read so many at once.

    Pages are filled with what fits as it is shown: a short one would tell what a delay withholds.
    """
    wanted = _wanted(query, at_once)
    while True:
        rows = installation().matches(wanted)
        for row, verdict in rows:
            shown = shown_row(row)
            if _fits(shown, query):
                yield shown, verdict
        if len(rows) < at_once:
            return
        wanted = replace(wanted, before=rows[-1][0].place)


def _wanted(query: Mapping[str, Any], limit: int) -> Wanted:
    asking = principal()
    offices = PARTICIPANTS & relations(asking, [installation().access.at(INSTALLATION)])
    return Wanted(
        game=query.get("game"),
        verdict=query.get("verdict"),
        state=query.get("state"),
        person=query.get("person"),
        known_to=asking.person if asking.narrowed_to is None else None,
        everything=bool(offices),
        before=place_of(query["after"], of=LIST) if "after" in query else None,
        limit=limit,
        now=clock(),
    )


def _fits(row: MatchRow, query: Mapping[str, Any]) -> bool:
    """Tell whether a match is still one that was asked for as far as it is shown.

    A filter must not tell of a match what its delay withholds.
    """
    is_verified = "verdict" not in query or row.state == "closed"
    takes_part = "person" not in query or query["person"] in row.persons
    return is_verified and takes_part and query.get("state") in (None, row.state)


@route(MATCHES, "/<match_id>", action="read_match", answer=OneMatchBody, query=WatchedQuery)
def show_match(query: dict[str, Any], seen: SeenMatch) -> dict[str, Json]:
    """Show a match."""
    seen = watched(seen, query)
    match, opened = seen.match, to_builtins(seen.match.opened)
    _, verdict = installation().match_row(match.id)
    # What was verified is the match as it is, not as far as it is shown.
    return listed(row_of(match, 0), None if seen.is_behind else verdict) | {
        "viewers": seen.viewers,
        "seat": seen.seat,
        "offers": match.offers,
        "proposal": None if match.proposal is None else match.proposal.seq,
        "unreviewed": match.unreviewed,
        "backups": [{"seq": line.begins, "to": line.parent} for line in match.lines],
        "roots": to_builtins(match.roots),
        **{name: opened[name] for name in PINNED},
    }


@route(
    MATCHES,
    "/<match_id>/position",
    action="read_match",
    answer=PositionBody,
    query=PlaceQuery,
)
def show_position(query: dict[str, Any], seen: SeenMatch) -> dict[str, Json]:
    """Show the position at a place of a match."""
    replay = replay_for(watched(seen, query), query["as_"])
    index, _, step = query.get("at", str(replay.match.version)).partition(".")
    position = replay.position(int(index), int(step or 0))
    return {
        "match": replay.match.id,
        "index": int(index),
        "step": int(step or 0),
        "viewer": replay.viewer,
        "position": position,
        "cards": definitions_named(position, replay.ruleset.cards),
    }


@route(
    MATCHES,
    "/<match_id>/events",
    action="read_match",
    answer=EventsBody,
    query=WatchedWindowQuery,
)
def list_events(query: dict[str, Any], seen: SeenMatch) -> dict[str, Json]:
    """List the events of a match with their facts in words."""
    replay = replay_for(watched(seen, query), query["as_"])
    start, to = window_of(query, replay)
    return {
        "match": replay.match.id,
        "viewer": replay.viewer,
        "to": to,
        "items": replay.events(start, to),
    }


@route(
    MATCHES,
    "/<match_id>/frames",
    action="read_match",
    answer=WindowBody,
    query=WatchedWindowQuery,
)
def show_frames(query: dict[str, Any], seen: SeenMatch) -> Response:
    """Show a window of a match: a position, then a patch for every fact."""
    replay = replay_for(watched(seen, query), query["as_"])
    start, to = window_of(query, replay)
    key = window_key(seen, replay, "frames", start, to)
    body = windows().get(key)
    if body is None:
        window = replay.window(start, to)
        body = _window_body(replay, window)
        # A text can be erased, and is not kept anywhere else.
        contents = [frame["event"]["content"] or {} for frame in window["frames"]]
        if all(content.get("reason") is None for content in contents):
            windows().put(key, body)
    return Response(body, mimetype="application/json")


def window_key(
    seen: SeenMatch, replay: Replay, holds: Literal["frames", "overview"], start: int, to: int
) -> WindowKey:
    """Return the key under which a window of a replay is kept."""
    here, opened = installation(), replay.match.opened
    return WindowKey(
        holds=holds,
        installation=here.log.installation(),
        match=replay.match.id,
        edition=f"{opened.edition} {opened.cards_digest} {opened.texts_digest}",
        viewer=replay.viewer,
        language=replay.language,
        is_closed=seen.present.closed is not None,
        start=start,
        to=to,
        head=here.log.hash_of(replay.match.id, to) if to else "",
        names=replay.names,
    )


def _window_body(replay: Replay, window: Window) -> bytes:
    told = {
        "match": replay.match.id,
        "viewer": replay.viewer,
        **window,
        "cards": definitions_named(window, replay.ruleset.cards),
    }
    return msgspec.json.encode(WindowBody().dump(told), order="sorted")


def shown_row(row: MatchRow) -> MatchRow:
    """Return a row of the list as far as the caller is shown the match."""
    if not (row.policy.delay_events or row.policy.delay_s):
        return row
    present = installation().log.match(row.id)
    return row_of(shown_to(present, relations_to(present)), row.place)


def listed(row: MatchRow, verdict: Verdict | None) -> dict[str, Json]:
    """Return a match as lists tell it; what was verified is told when its end is."""
    body: dict[str, Json] = to_builtins(row)
    for name in ("place", "policy", "updated_at"):
        del body[name]
    return body | {
        "seats": installation().names(row.seats),
        "persons": {seat: one.person for seat, one in row.seats.items()},
        "verdict": to_builtins(verdict) if row.state == "closed" else None,
    }


def replay_for(seen: SeenMatch, viewer: Viewer) -> Replay:
    """Return a replay for a viewer that the caller may ask for; raises `NotFound`, `Forbidden`."""
    return installation().replay(seen.match, seen.viewer(viewer), language_of_request())


def window_of(query: Mapping[str, Any], replay: Replay) -> tuple[int, int]:
    """Return the bounds of a window within the match; raises `NotFound` beyond its end."""
    start, last = query["from_"], replay.match.version
    to = query.get("to", min(start + WINDOW_DEFAULT, last))
    if not start <= to <= last:
        raise NotFound(f"no window from {start} to {to}: the match has the indexes 0 to {last}")
    if to - start > EVENTS_PER_WINDOW_MAX:
        raise NotFound(f"a window holds at most {EVENTS_PER_WINDOW_MAX} events")
    return start, to
