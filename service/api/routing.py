"""The one file that knows flask-smorest: one typed decorator over its untyped ones."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from threading import Lock
from typing import Any, Literal, Required, TypeAlias, TypedDict, Unpack

import flask_smorest
from flask import Flask, Request, Response, request
from marshmallow import RAISE, Schema
from webargs.flaskparser import FlaskParser
from werkzeug.exceptions import (
    BadRequest,
    HTTPException,
    RequestEntityTooLarge,
    UnsupportedMediaType,
)

from schemas.problems import PROBLEMS, ProblemBody
from schemas.queries import IdempotencyHeaders, LanguageQuery
from schemas.strict import Json, Unreadable, read_json
from service.aggregates.access import INSTALLATION, Place
from service.aggregates.permissions import PERMISSIONS
from service.api.identity import COOKIE, permit
from service.api.requests import begin_command
from service.api.seeing import seen_match
from service.api.seeing_disputes import seen_dispute
from service.api.seeing_tournaments import seen_tournament

PROBLEM_JSON = "application/problem+json"
JSON = "application/json"
STREAM = "text/event-stream"
JSON_BYTES_MAX = 256 * 2**10
RAW_BYTES_MAX = 64 * 2**20
SEEN: Mapping[str, Callable[[str, str], object]] = {
    "match_id": seen_match,
    "tournament_id": seen_tournament,
    "dispute_id": seen_dispute,
}
"""Part of a path that names a resource → what gives it to one who may do something with it."""
PART = re.compile(r"<(?:\w+:)?(\w+)>")

Function: TypeAlias = Callable[..., Any]
Method = Literal["GET", "POST", "PUT", "DELETE"]
SCHEMES: Mapping[str, Mapping[str, str]] = {
    "bearer": {"type": "http", "scheme": "bearer", "description": "A token: `id.secret`."},
    "session": {"type": "apiKey", "in": "cookie", "name": COOKIE},
}


class Declared(TypedDict, total=False):
    """What a route says of itself; see `Route`."""

    action: Required[str]
    answer: Required[type[Schema] | str | None]
    method: Method
    query: type[Schema]
    takes: type[Schema] | str | None
    status: int
    idempotent: bool
    refuses: tuple[int, ...]
    place: Callable[..., Place]


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """One route of the API, as it was declared.

    rule: the whole path; action: of `PERMISSIONS`. answer, takes: the schema of a JSON body, the
    media type of a body that is given or taken as it is, None for no body. idempotent: takes the
    header `Idempotency-Key`. refuses: statuses of problems that not every route has. place: where
    the action must be permitted, from what the function gets before the parts of the path; without
    it the whole installation. With `<match_id>` or `<tournament_id>` in the rule the match or
    tournament is that place, with `<dispute_id>` the match whose event is disputed.
    """

    rule: str
    endpoint: str
    action: str
    answer: type[Schema] | str | None
    method: Method = "GET"
    query: type[Schema] = LanguageQuery
    takes: type[Schema] | str | None = None
    status: int = 200
    idempotent: bool = False
    refuses: tuple[int, ...] = ()
    place: Callable[..., Place] = lambda *_: INSTALLATION

    @property
    def parts(self) -> list[str]:
        """Return the names of the parts of the path."""
        return PART.findall(self.rule)

    @property
    def parsed(self) -> int:
        """Return how many arguments stand before the parts of the path: query and body."""
        return 1 if self.takes is None else 2


class StrictParser(FlaskParser):
    """Reads JSON bodies strictly."""

    def _raw_load_json(self, req: Request) -> Json:
        """Read a body with our own reader, which refuses what the log could not hold."""
        try:
            return read_json(_body(req, JSON, JSON_BYTES_MAX))
        except Unreadable as fault:
            raise BadRequest(str(fault)) from fault


class Noun(flask_smorest.Blueprint):
    """A blueprint: the routes of one noun."""

    ARGUMENTS_PARSER = StrictParser()

    def __init__(self, name: str, import_name: str, **options: Any) -> None:
        """Begin without routes."""
        super().__init__(name, import_name, **options)
        self.routes: list[Route] = []


class Api(flask_smorest.Api):
    """The OpenAPI document and the errors, as problem details."""

    ERROR_SCHEMA = ProblemBody

    def __init__(self, app: Flask) -> None:
        """Begin without routes; the document is written when it is asked for."""
        self._undocumented: list[Noun] = []
        self._writing = Lock()
        super().__init__(app)

    def register_blueprint(self, blp: Noun, **_: Any) -> None:
        """Bind the routes of a noun. Writing down what they are takes far longer than that."""
        self._app.extensions["flask-smorest"]["blp_name_to_api"][blp.name] = self
        self._app.register_blueprint(blp)
        self._undocumented.append(blp)

    def _openapi_json(self) -> Any:
        with self._writing:
            while self._undocumented:
                noun = self._undocumented.pop(0)
                noun.register_views_in_doc(
                    self, self._app, self.spec, name=noun.name, parameters=None
                )
                self.spec.tag({"name": noun.name, "description": noun.description})
            for (described, *_), name in self.ma_plugin.converter.refs.items():
                # What the class says of itself; the library leaves it out.
                self.spec.components.schemas[name]["description"] = inspect.getdoc(described)
        return super()._openapi_json()

    def handle_http_exception(self, error: HTTPException) -> Response:
        """Leave errors to the handlers of `problems`."""
        handler: Callable[[HTTPException], Response] = self._app.extensions["kifu_http_error"]
        return handler(error)

    def _register_responses(self) -> None:
        self.DEFAULT_RESPONSE_CONTENT_TYPE = PROBLEM_JSON
        super()._register_responses()
        del self.DEFAULT_RESPONSE_CONTENT_TYPE


def noun(name: str, *, prefix: str) -> Noun:
    """Return the blueprint of a noun."""
    return Noun(name, __name__, url_prefix=prefix)


def route(target: Noun, rule: str, **declared: Unpack[Declared]) -> Callable[[Function], Function]:
    """Bind a function that answers a request; see `Route` for what a route declares.

    The function takes the query as a dict, then the body, if there is one (a dict, or bytes), then
    the parts of the path. For `<match_id>` it gets the match as the caller may see it, for
    `<tournament_id>` the tournament, for `<dispute_id>` the dispute. It returns what the schema of
    the answer dumps, or with another status a pair of both, or a `Response`.
    What is bound is also returned, for callers inside the service: it checks who asks, too.
    """

    def bind(function: Function) -> Function:
        made = Route(
            rule=f"{target.url_prefix}{rule}",
            endpoint=f"{target.name}.{function.__name__}",
            **declared,
        )
        guarded = _guarded(function, made)
        target.route(rule, methods=[made.method])(
            _documented(target, _parsing(guarded, made), made)
        )
        target.routes.append(made)
        return guarded

    return bind


def _guarded(function: Function, made: Route) -> Function:
    """Return the function behind the check whether the caller may do this."""
    permission = PERMISSIONS[made.action]
    assert permission.relations, f"nobody may {made.action}"
    part = next((name for name in made.parts if name in SEEN), None)
    if part is None:

        @wraps(function)
        def permitted(*given: Any) -> Any:
            permit(made.action, made.place(*given[: made.parsed]))
            return function(*given)

        return permitted

    at, see = made.parsed + made.parts.index(part), SEEN[part]

    @wraps(function)
    def seen(*given: Any) -> Any:
        return function(*given[:at], see(given[at], made.action), *given[at + 1 :])

    return seen


def _parsing(guarded: Function, made: Route) -> Function:
    """Return the function as flask-smorest calls it: the parts of the path come by their names."""

    @wraps(guarded)
    def answer(*parsed: Any, **parts: str) -> Any:
        given = list(parsed[: made.parsed])
        if isinstance(made.takes, str):
            given.append(_body(request, made.takes, RAW_BYTES_MAX))
        if made.method != "GET":
            begin_command(made.action)
        found = guarded(*given, *(parts[name] for name in made.parts))
        return Response(status=made.status) if found is None else found

    return answer


def _body(sent: Request, media_type: str, bytes_max: int) -> bytes:
    """Read a body of a media type; of one that is too large at most its limit is read."""
    if sent.mimetype != media_type:
        raise UnsupportedMediaType(f"send {media_type}")
    # A body that comes in chunks tells no length and is cut at the limit, not refused: one byte
    # more shows that it was.
    sent.max_content_length = bytes_max + 1
    body = sent.get_data()
    if len(body) > bytes_max:
        raise RequestEntityTooLarge
    return body


def _permission_of(made: Route) -> dict[str, Json]:
    """Return who may use a route, as an extension of the document."""
    permission = PERMISSIONS[made.action]
    return {
        "action": made.action,
        "relations": sorted(permission.relations),
        "scopes": sorted(permission.scopes),
    }


def _documented(target: Noun, view: Function, made: Route) -> Function:
    """Add the arguments and answers of a route, for parsing and for the OpenAPI document."""
    if isinstance(made.answer, str):
        # A stream is told by its events, which are objects to some readers of the document.
        kind = {} if made.answer == STREAM else {"type": "string"}
        view = target.response(made.status, kind, content_type=made.answer)(view)
    else:
        view = target.response(made.status, made.answer)(view)
    if made.idempotent:
        view = target.arguments(IdempotencyHeaders, location="headers")(view)
    if isinstance(made.takes, str):
        content = {made.takes: {"schema": {"type": "string"}}}
        view = target.doc(requestBody={"required": True, "content": content})(view)
    elif made.takes is not None:
        view = target.arguments(made.takes, location="json")(view)
    view = target.arguments(made.query, location="query", unknown=RAISE)(view)
    documented: Function = target.doc(
        **{"x-permission": _permission_of(made)},
        security=_security_of(made),
        responses={str(status): _problem(status) for status in statuses_of(made)},
    )(view)
    return documented


def _problem(status: int) -> dict[str, Json]:
    """Return how the document describes the problems of a status, by the name of their schema.

    The schema itself would be copied again for every further decorator of a route.
    """
    text = ", ".join(one.code for one in PROBLEMS.values() if one.status == status)
    schema = {"$ref": f"#/components/schemas/{ProblemBody.__name__}"}
    return {"description": text, "content": {PROBLEM_JSON: {"schema": schema}}}


def statuses_of(made: Route) -> list[int]:
    """Return the statuses of the problems that a route may answer with."""
    found = {401, 422, 429, 500, *made.refuses}
    if "anybody" not in PERMISSIONS[made.action].relations or made.method != "GET":
        found.add(403)
    if made.parts:
        found |= {403, 404}
    if made.takes is not None:
        found |= {400, 404, 413, 415}
    if made.method != "GET":
        found |= {404, 409}
    return sorted(found)


def _security_of(made: Route) -> list[dict[str, list[str]]]:
    """Return the ways to say who asks; the empty one for routes that are open to anybody."""
    ways: list[dict[str, list[str]]] = [{name: []} for name in SCHEMES]
    return [{}, *ways] if "anybody" in PERMISSIONS[made.action].relations else ways


def install(app: Flask, nouns: Sequence[Noun]) -> None:
    """Register the nouns and the OpenAPI document at `/api/v1/openapi.json`."""
    app.config.update(
        API_TITLE="Kifu",
        API_VERSION="v1",
        OPENAPI_VERSION="3.1.0",
        OPENAPI_URL_PREFIX="/api/v1",
        OPENAPI_JSON_PATH="openapi.json",
    )
    api = Api(app)
    for name, scheme in SCHEMES.items():
        api.spec.components.security_scheme(name, dict(scheme))
    for one in nouns:
        api.register_blueprint(one)
