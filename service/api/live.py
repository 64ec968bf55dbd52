"""Following a match live: Server-Sent Events, each with a frame as in `frames`."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack
from threading import Event
from typing import Any

from flask import Flask, Response, copy_current_request_context, current_app, request

from schemas.queries import LiveQuery
from service.aggregates.world import WorldFault
from service.api.identity import principal
from service.api.language import language_of_request
from service.api.limits import caller
from service.api.routing import noun, route
from service.api.seeing import UNDELAYED, SeenMatch, seen_match
from service.api.spoilers import watched_until
from service.api.wiring import FOLLOWED, followed_in
from service.engine.values import Viewer
from service.installation import Installation
from service.live.courses import Course, Eyes, Moment
from service.live.following import (
    HEARTBEAT_S,
    LAST_EVENT_ID,
    STREAM_S_MAX,
    Live,
    Place,
    begun,
    check_open_to_all,
)
from service.live.messages import GONE, HEADERS, HEARTBEAT, MEDIA_TYPE, beginning, end
from service.settings import StreamLimits

LIVE = noun("live", prefix="/api/v1/matches")
ACTION = "read_match"
FULL = 503
ASKED_AGAIN_S = 2
"""How often it is asked whether somebody with a seat or an office may still see what he sees."""


def install(app: Flask, installation: Installation, limits: StreamLimits) -> None:
    """Let matches be followed in this process."""
    app.extensions[FOLLOWED] = Live(installation, limits)


@route(
    LIVE,
    "/<match_id>/live",
    action=ACTION,
    answer=MEDIA_TYPE,
    query=LiveQuery,
    refuses=(FULL,),
)
def follow(query: dict[str, Any], seen: SeenMatch) -> Response:
    """Follow a match: what has happened since an index, and what happens from then on.

    Events `frame` have the index as their id and a frame with the definitions of its cards; `end`
    follows when there is nothing more to come, `gone` when the caller may not see it any longer.
    """
    viewer = seen.viewer(query["as_"])
    place = Place(
        sent=begun(request.headers.get(LAST_EVENT_ID), query["from_"]), last=watched_until(query)
    )
    following, who = followed_in(current_app), caller()
    following.enter(who)
    taken = ExitStack()
    taken.callback(following.leave, who)
    answer = Response(
        _stream(following, seen.match.id, Sight(seen, viewer), place, taken),
        content_type=f"{MEDIA_TYPE}; charset=utf-8",
        headers=HEADERS,
    )
    answer.call_on_close(taken.close)
    return answer


class Sight:
    """What a caller is shown of the match that he follows; asked again and again."""

    def __init__(self, seen: SeenMatch, viewer: Viewer) -> None:
        """Begin with what was found when he came."""
        self._match_id = seen.match.id
        self._viewer = viewer
        self._language = language_of_request()
        self._is_delayed = not UNDELAYED & seen.relations
        self._is_anybody = principal().person is None
        self._standing: tuple[object, ...] = ()
        self._asked_at = time.monotonic()
        # The request is over when this is asked; it is asked as if the same came again.
        self._asked = copy_current_request_context(self._as_if_he_came)

    def eyes(self, moment: Moment) -> Eyes:
        """Return by whose eyes he follows it at present.

        Raises what a new request would: `NotFound`, `Forbidden`, `Unauthenticated`.
        """
        if self._is_anybody:
            check_open_to_all(moment, self._viewer)
        elif moment.standing != self._standing or self._is_late:
            self._is_delayed = self._asked()
            self._standing, self._asked_at = moment.standing, time.monotonic()
        return Eyes(viewer=self._viewer, language=self._language, is_delayed=self._is_delayed)

    @property
    def _is_late(self) -> bool:
        return time.monotonic() >= self._asked_at + ASKED_AGAIN_S

    def _as_if_he_came(self) -> bool:
        seen = seen_match(self._match_id, ACTION)
        seen.viewer(self._viewer)
        return not UNDELAYED & seen.relations


def _stream(
    following: Live, match_id: str, sight: Sight, place: Place, taken: ExitStack
) -> Iterator[bytes]:
    """Yield what a caller follows, until it ends or he may not see it any longer.

    taken: gives his place back; so does the server with an answer that it never began to send.
    """
    woken = Event()
    with taken, following.followed(match_id) as course:
        yield beginning()
        course.listen(woken.set)
        try:
            for sent in _frames(course, sight, place, woken):
                yield sent
                if following.is_stopped:
                    return
        except WorldFault:
            yield GONE
        finally:
            course.leave(woken.set)


def _frames(course: Course, sight: Sight, place: Place, woken: Event) -> Iterator[bytes]:
    """Yield frames as they come. woken: is set when the course may have something new."""
    until = time.monotonic() + STREAM_S_MAX
    while time.monotonic() < until:
        woken.clear()
        moment = course.moment
        eyes = sight.eyes(moment)
        horizon = moment.horizon(is_delayed=eyes.is_delayed)
        to = place.due(horizon)
        if to > place.sent:
            yield b"".join(course.rendering(eyes).frames(horizon, place.sent, to))
            place.sent = to
        elif place.is_over(moment, horizon):
            yield end(place.sent)
            return
        else:
            woken.wait(HEARTBEAT_S)
            yield HEARTBEAT
