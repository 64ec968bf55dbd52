"""The ASGI app of `kifu live`: the stream of a match, for thousands of spectators in one process.

Only what anybody may see is served here. Whoever has a seat or an office follows at `kifu serve`,
which has the same route: a token is refused, a cookie is not looked at.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from marshmallow import ValidationError
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

from schemas.problems import PROBLEMS
from schemas.queries import LiveQuery
from service.accounts.sign_ins import block_of
from service.aggregates.world import Forbidden, Full, Invalid, NotFound, TooMany, WorldFault
from service.api.language import COOKIE, language_of
from service.api.problems import CODES, errors_in
from service.api.routing import PROBLEM_JSON
from service.api.spoilers import watched_until
from service.engine.texts import Language
from service.installation import Installation
from service.live.courses import Course, Eyes
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

PATH = "/api/v1/matches/{match_id}/live"


class Pulse:
    """Wakes all coroutines that wait for a course; called from other threads."""

    def __init__(self) -> None:
        """Belong to the running loop."""
        self._loop = asyncio.get_running_loop()
        self.beat = asyncio.Event()

    def __call__(self) -> None:
        """Wake those who wait for the present beat."""
        self._loop.call_soon_threadsafe(self._next)

    def _next(self) -> None:
        past, self.beat = self.beat, asyncio.Event()
        past.set()


@dataclass(slots=True, kw_only=True)
class Followed:
    """A course and what wakes its spectators. looking: held by the one who looks first."""

    course: Course
    pulse: Pulse
    spectators: int = 0
    looking: asyncio.Lock = field(default_factory=asyncio.Lock)


class Spectators:
    """Those who follow matches in this process; everything happens in one loop."""

    def __init__(self, live: Live) -> None:
        """Begin without any."""
        self._live = live
        self._followed: dict[str, Followed] = {}

    def join(self, match_id: str) -> Followed:
        """Let one more follow a match."""
        found = self._followed.get(match_id)
        if found is None:
            found = Followed(course=self._live.join(match_id), pulse=Pulse())
            found.course.listen(found.pulse)
            self._followed[match_id] = found
        found.spectators += 1
        return found

    def part(self, match_id: str) -> None:
        """Let one follow it less."""
        found = self._followed[match_id]
        found.spectators -= 1
        if not found.spectators:
            found.course.leave(found.pulse)
            self._live.part(match_id)
            del self._followed[match_id]

    async def stream(self, followed: Followed, eyes: Eyes, place: Place) -> AsyncIterator[bytes]:
        """Yield a stream, as `service.api.live` does for those with a seat or an office."""
        course, until = followed.course, time.monotonic() + STREAM_S_MAX
        yield beginning()
        while time.monotonic() < until and not self._live.is_stopped:
            beat, moment = followed.pulse.beat, course.moment
            if not is_open(course, eyes):
                yield GONE
                return
            horizon = moment.shown
            to = place.due(horizon)
            if to > place.sent:
                rendering = course.rendering(eyes)
                frames = rendering.kept(place.sent, to)
                if frames is None:
                    frames = await asyncio.to_thread(rendering.frames, horizon, place.sent, to)
                yield b"".join(frames)
                place.sent = to
            elif place.is_over(moment, horizon):
                yield end(place.sent)
                return
            elif not await _beats(beat):
                yield HEARTBEAT


def is_open(course: Course, eyes: Eyes) -> bool:
    """Tell whether anybody may follow a match by these eyes."""
    try:
        check_open_to_all(course.moment, eyes.viewer)
    except NotFound:
        return False
    return True


async def _beats(beat: asyncio.Event) -> bool:
    """Wait for a beat; tell whether there was one before it is time for a heartbeat."""
    try:
        async with asyncio.timeout(HEARTBEAT_S):
            await beat.wait()
    except TimeoutError:
        return False
    return True


class Stream(StreamingResponse):
    """A stream that gives its place back however it ends."""

    def __init__(self, content: AsyncIterator[bytes], leave: Callable[[], None]) -> None:
        """Begin; `leave` is called at the end."""
        super().__init__(content, media_type=MEDIA_TYPE, headers=dict(HEADERS))
        self._leave = leave

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it, until it ends or nobody listens any longer."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._leave()


class Endpoints:
    """The routes of the app."""

    def __init__(self, installation: Installation, live: Live) -> None:
        """Serve what goes on in an installation."""
        self._installation = installation
        self._live = live
        self._spectators = Spectators(live)

    async def follow(self, request: Request) -> Response:
        """Follow a match; see `service.api.live`."""
        query = _query_of(request)
        language = _language_of(request)
        place = Place(
            sent=begun(request.headers.get(LAST_EVENT_ID), query["from_"]),
            last=watched_until(query),
        )
        if "Authorization" in request.headers:
            raise Forbidden("with a token matches are followed at the server that took it")
        eyes = Eyes(viewer=query["as_"], language=language, is_delayed=True)
        match_id = request.path_params["match_id"]
        caller = block_of(request.client.host if request.client else None)
        self._live.enter(caller)
        followed = self._spectators.join(match_id)

        def leave() -> None:
            self._spectators.part(match_id)
            self._live.leave(caller)

        try:
            async with followed.looking:
                if not followed.course.has_looked:
                    await asyncio.to_thread(followed.course.look)
            check_open_to_all(followed.course.moment, eyes.viewer)
        except BaseException:
            leave()
            raise
        if request.method == "HEAD":
            leave()
            return Response(media_type=MEDIA_TYPE, headers=dict(HEADERS))
        return Stream(self._spectators.stream(followed, eyes, place), leave)

    async def alive(self, _: Request) -> Response:
        """Tell that the process answers."""
        return JSONResponse({"status": "alive"})

    async def ready(self, _: Request) -> Response:
        """Tell whether the log answers, where it is heard from what goes on, and for how many."""
        try:
            await asyncio.to_thread(self._installation.log.last_position)
            is_there = True
        # Whatever the driver raises is the answer asked for.
        except Exception:
            is_there = False
        body = {
            "status": "ready" if is_there else "unready",
            "database": "ok" if is_there else "away",
            "live": self._live.source,
            "streams": self._live.streams,
        }
        return JSONResponse(body, status_code=200 if is_there else 503)


def _query_of(request: Request) -> dict[str, Any]:
    """Return the query as the schema reads it; raises `Invalid`."""
    try:
        query: dict[str, Any] = LiveQuery().load(dict(request.query_params))
    except ValidationError as fault:
        raise Invalid(errors_in({"query": fault.messages})) from fault
    return query


def _language_of(request: Request) -> Language:
    accepted = parse_accept_header(request.headers.get("Accept-Language"), LanguageAccept)
    return language_of(request.query_params.get("lang") or request.cookies.get(COOKIE), accepted)


async def _on_fault(request: Request, fault: Exception) -> Response:
    """Answer what the world refuses, as problem details."""
    assert isinstance(fault, WorldFault), "nothing else is given here"
    code = CODES[type(fault)]
    kind = PROBLEMS[code]
    title = kind.ja if _language_of(request) == "ja" else kind.en
    body = {"type": f"/problems/{code}", "title": title, "status": kind.status}
    body |= {"errors": fault.errors} if isinstance(fault, Invalid) else {"detail": str(fault)}
    headers = {"Retry-After": str(fault.wait_s)} if isinstance(fault, Full | TooMany) else {}
    return JSONResponse(body, status_code=kind.status, headers=headers, media_type=PROBLEM_JSON)


def asgi_app(installation: Installation, limits: StreamLimits) -> tuple[Starlette, Live]:
    """Return the app for spectators, and what is followed in it."""
    live = Live(installation, limits)
    endpoints = Endpoints(installation, live)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        live.start()
        yield
        live.stop()

    app = Starlette(
        routes=[
            Route(PATH, endpoints.follow),
            Route("/healthz", endpoints.alive),
            Route("/readyz", endpoints.ready),
        ],
        exception_handlers={WorldFault: _on_fault},
        lifespan=lifespan,
    )
    return app, live
