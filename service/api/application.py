"""The Flask app of the API."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Flask, Response
from flask.json.provider import JSONProvider

from service.api import (
    conditional,
    identity,
    limits,
    live,
    problems,
    requests,
    routing,
    sessions,
)
from service.api.access_log import ACCESS_LOG
from service.api.adjudications import ADJUDICATIONS
from service.api.brackets import BRACKETS
from service.api.conduct import CONDUCT
from service.api.disputes import DISPUTES
from service.api.entries import ENTRIES
from service.api.examples import EXAMPLES
from service.api.explanations import EXPLANATIONS
from service.api.exports import EXPORTS
from service.api.fixes import FIXES
from service.api.games import GAMES
from service.api.grants import GRANTS
from service.api.health import HEALTH, REDIS_URL
from service.api.jobs import JOBS
from service.api.live import LIVE
from service.api.matches import MATCHES
from service.api.notes import NOTES
from service.api.operations import OPERATIONS
from service.api.overview import OVERVIEW
from service.api.persons import PERSONS
from service.api.play import PLAY
from service.api.records import IMPORTS, RECORDS
from service.api.results import RESULTS
from service.api.rounds import ROUNDS
from service.api.routing import RAW_BYTES_MAX, Route
from service.api.rules import RULES
from service.api.rulesets import RULESETS
from service.api.rulings import RULINGS
from service.api.search import SEARCH
from service.api.seats import SEATS
from service.api.sessions import SESSIONS
from service.api.standings import STANDINGS
from service.api.tokens import TOKENS
from service.api.tournaments import TOURNAMENTS
from service.api.verification import VERIFY
from service.api.wiring import KEY, WINDOWS
from service.installation import Installation
from service.live.windows import Windows
from service.settings import RATE_LIMIT_DEFAULT, STREAMS_DEFAULT, StreamLimits

NOUNS = (
    RULESETS,
    RULES,
    SEARCH,
    EXAMPLES,
    ADJUDICATIONS,
    MATCHES,
    OVERVIEW,
    LIVE,
    SEATS,
    PLAY,
    CONDUCT,
    DISPUTES,
    RULINGS,
    FIXES,
    NOTES,
    RECORDS,
    EXPLANATIONS,
    IMPORTS,
    VERIFY,
    JOBS,
    TOURNAMENTS,
    ENTRIES,
    ROUNDS,
    GAMES,
    RESULTS,
    STANDINGS,
    BRACKETS,
    EXPORTS,
    PERSONS,
    TOKENS,
    SESSIONS,
    GRANTS,
    ACCESS_LOG,
    OPERATIONS,
)
ROUTES: tuple[Route, ...] = tuple(route for noun in NOUNS for route in noun.routes)
"""Every route of the API, in the order in which they were declared."""


class CanonicalProvider(JSONProvider):
    """Answers as the log holds values: one encoder, sorted keys."""

    def dumps(self, obj: Any, **_: Any) -> str:
        """Encode a value."""
        return msgspec.json.encode(obj, order="sorted").decode()

    def loads(self, s: str | bytes, **_: Any) -> Any:
        """Decode a value."""
        return msgspec.json.decode(s)


class KifuFlask(Flask):
    """Flask with the encoder above."""

    json_provider_class = CanonicalProvider


def api_app(
    installation: Installation,
    *,
    redis_url: str | None = None,
    rate_limit: str = RATE_LIMIT_DEFAULT,
    streams: StreamLimits = STREAMS_DEFAULT,
) -> Flask:
    """Return the app that serves an installation.

    redis_url: where requests are counted for all processes together, and windows are kept.
    rate_limit: of each caller over all routes. streams: how many may follow matches. Raises
    `ValueError` for a limit or an address that is none.
    """
    app = KifuFlask("kifu", static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = RAW_BYTES_MAX
    app.config[REDIS_URL] = redis_url
    app.extensions[KEY] = installation
    app.extensions[WINDOWS] = Windows(redis_url)
    # What is installed first sees a request first and its answer last.
    requests.install(app)
    conditional.install(app)
    app.after_request(_private)
    identity.install(app)
    limits.install(app, redis_url=redis_url, rate=rate_limit)
    live.install(app, installation, streams)
    sessions.install(app, installation)
    problems.install(app)
    routing.install(app, NOUNS)
    app.register_blueprint(HEALTH)
    return app


def _private(response: Response) -> Response:
    """Keep answers out of shared caches, but for files that are the same for everybody.

    What a caller sees depends on the caller.
    """
    response.headers["X-Content-Type-Options"] = "nosniff"
    if not response.cache_control.public:
        response.headers.setdefault("Cache-Control", "private, no-cache")
        response.headers["Vary"] = "Authorization, Cookie, Accept-Language"
    return response
