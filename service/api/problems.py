"""Every error of the API in one body: problem details after RFC 9457."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from flask import Flask, Response
from flask_limiter import RateLimitExceeded
from werkzeug.exceptions import HTTPException

from schemas.faults import in_japanese
from schemas.problems import PROBLEMS
from service.aggregates.world import (
    Closed,
    Conflict,
    Forbidden,
    Full,
    Held,
    Invalid,
    KeyReused,
    NotFound,
    Parked,
    Refused,
    TooMany,
    Unauthenticated,
    WorldFault,
)
from service.api.language import language_of_request
from service.api.limits import rate_fault
from service.api.requests import log_bug
from service.api.routing import PROBLEM_JSON
from service.catalogue import UnknownGame
from service.engine.contract import Rejection
from service.engine.texts import Scene, Words

BY_STATUS = {
    400: "malformed-json",
    403: "forbidden",
    404: "not-found",
    405: "method-not-allowed",
    406: "not-acceptable",
    412: "precondition-failed",
    413: "too-large",
    415: "unsupported-media",
    422: "invalid",
    428: "precondition-required",
    429: "too-many",
}
CODES: Mapping[type[WorldFault], str] = {
    NotFound: "not-found",
    Conflict: "conflict",
    Invalid: "invalid",
    Unauthenticated: "unauthenticated",
    Forbidden: "forbidden",
    KeyReused: "idempotency-key-reused",
    TooMany: "too-many",
    Full: "full",
    Held: "held",
    Closed: "closed",
    Refused: "conflict",
    Parked: "parked",
}
KEPT_HEADERS = frozenset({"Allow", "Retry-After"})
UNNAMED = "_schema"
WHOLE_BODY = "body"


def install(app: Flask) -> None:
    """Turn every error of the app into a problem."""
    app.extensions["kifu_http_error"] = on_http_error
    app.register_error_handler(HTTPException, on_http_error)
    app.register_error_handler(RateLimitExceeded, lambda error: on_world_fault(rate_fault(error)))
    app.register_error_handler(WorldFault, on_world_fault)
    app.register_error_handler(UnknownGame, lambda fault: problem("not-found", str(fault.args[0])))
    app.register_error_handler(Exception, on_bug)


def problem(code: str, detail: str | None = None, **more: Any) -> Response:
    """Return an answer that holds a problem."""
    kind = PROBLEMS[code]
    title = kind.ja if language_of_request() == "ja" else kind.en
    body: dict[str, Any] = {"type": f"/problems/{code}", "title": title, "status": kind.status}
    if detail:
        reason = said(detail)
        body |= {"detail": detail} | ({} if reason is None else {"reason": reason})
    if "errors" in more:
        body["reasons"] = {path: list(map(said, texts)) for path, texts in more["errors"].items()}
    answer = msgspec.json.encode(body | more, order="sorted")
    return Response(answer, status=kind.status, content_type=PROBLEM_JSON)


def said(text: str) -> str | None:
    """Return a text of ours in the language asked for, None where it is in English alone."""
    return in_japanese(text) if language_of_request() == "ja" else text


def refusal(rejection: Rejection, words: Words, scene: Scene) -> Response:
    """Return the answer to an action that a rule refuses, in words that the asker may read.

    scene: of the asker's own view.
    """
    reason = words.reason(rejection, scene, language_of_request())
    rule_url = f"/api/v1/rules/{rejection.rule}"
    return problem("rule", rule=rejection.rule, reason=reason, rule_url=rule_url)


def on_http_error(error: HTTPException) -> Response:
    """Answer what the framework refuses; faults of the input come with their places."""
    status = error.code or 500
    if status < 400:
        return Response(error.get_body(), status=status, headers=list(error.get_headers()))
    if status >= 500:
        return on_bug(error)
    messages = (getattr(error, "data", None) or {}).get("messages")
    if messages is not None:
        return problem("invalid", errors=errors_in(messages))
    answer = problem(BY_STATUS.get(status, "invalid"), _told(error))
    answer.headers.extend(
        (name, value) for name, value in error.get_headers() if name in KEPT_HEADERS
    )
    return answer


def _told(error: HTTPException) -> str | None:
    """Return what we said ourselves; the sentences of the framework say no more than the title."""
    return None if error.description == type(error).description else error.description


def on_world_fault(fault: WorldFault) -> Response:
    """Answer what the world refuses."""
    code = CODES.get(type(fault))
    if code is None:
        return on_bug(fault)
    if isinstance(fault, Invalid):
        return problem(code, errors={path: list(texts) for path, texts in fault.errors.items()})
    if isinstance(fault, Conflict):
        return problem(code, str(fault), version=fault.version)
    answer = problem(code, str(fault))
    if isinstance(fault, Unauthenticated):
        answer.headers["WWW-Authenticate"] = "Bearer"
    if isinstance(fault, TooMany | Full):
        answer.headers["Retry-After"] = str(fault.wait_s)
    return answer


def on_bug(fault: Exception) -> Response:
    """Answer a bug with a number that is in the log."""
    number = uuid.uuid4().hex
    log_bug(number, fault)
    return problem("bug", id=number)


def errors_in(messages: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return the faults that a schema found: path → texts. messages: by where the value was sent.

    The path is the one inside the query or the body; a body that is no object is told as `body`.
    """
    found: dict[str, list[str]] = {}
    for part in messages.values():
        for path, texts in _flattened(part, ""):
            found.setdefault(path or WHOLE_BODY, []).extend(texts)
    return found


def _flattened(part: Any, place: str) -> Iterator[tuple[str, list[str]]]:
    if isinstance(part, Mapping):
        for key, inner in part.items():
            yield from _flattened(inner, place if key == UNNAMED else f"{place}.{key}".lstrip("."))
    else:
        yield place, [str(text) for text in ([part] if isinstance(part, str) else part)]
