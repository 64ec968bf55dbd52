"""The Flask app of the API."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Flask, Response
from flask.json.provider import JSONProvider

from service.api import problems, routing
from service.api.matches import MATCHES
from service.api.rulesets import RULES, RULESETS
from service.api.verification import VERIFY
from service.api.wiring import KEY
from service.installation import Installation

BODY_BYTES_MAX = 64 * 2**20


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


def api_app(installation: Installation) -> Flask:
    """Return the app that serves an installation."""
    app = KifuFlask("kifu", static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = BODY_BYTES_MAX
    app.extensions[KEY] = installation
    problems.install(app)
    routing.install(app, [RULESETS, RULES, MATCHES, VERIFY])
    app.after_request(_private)
    return app


def _private(response: Response) -> Response:
    """Keep answers out of shared caches: what a caller sees depends on the caller."""
    response.headers.setdefault("Cache-Control", "private, no-cache")
    response.headers["Vary"] = "Authorization, Cookie, Accept-Language"
    response.headers["X-Content-Type-Options"] = "nosniff"
    return response
