"""Every error of the API in one body: problem details after RFC 9457."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from flask import Flask, Response
from werkzeug.exceptions import HTTPException

from schemas.problems import PROBLEMS
from service.aggregates.world import Conflict, NotFound, WorldFault
from service.api.language import language_of_request
from service.api.routing import PROBLEM_JSON
from service.catalogue import UnknownGame

BY_STATUS = {problem.status: problem.code for problem in PROBLEMS.values()}
log = logging.getLogger("kifu.api")


class Forbidden(WorldFault):
    """The caller may not see or do this."""


def install(app: Flask) -> None:
    """Turn every error of the app into a problem."""
    app.extensions["kifu_http_error"] = on_http_error
    app.register_error_handler(HTTPException, on_http_error)
    app.register_error_handler(WorldFault, on_world_fault)
    app.register_error_handler(UnknownGame, lambda fault: problem("not-found", str(fault.args[0])))
    app.register_error_handler(Exception, on_bug)


def problem(code: str, detail: str | None = None, **more: Any) -> Response:
    """Return an answer that holds a problem."""
    kind = PROBLEMS[code]
    title = kind.ja if language_of_request() == "ja" else kind.en
    body: dict[str, Any] = {"type": f"/problems/{code}", "title": title, "status": kind.status}
    if detail:
        body["detail"] = detail
    answer = msgspec.json.encode(body | more, order="sorted")
    return Response(answer, status=kind.status, content_type=PROBLEM_JSON)


def on_http_error(error: HTTPException) -> Response:
    """Answer what the framework refuses; faults of the input come with their places."""
    status = error.code or 500
    messages = getattr(error, "data", None) or {}
    if status == 422 and "messages" in messages:
        return problem("invalid", errors=dict(_flattened(messages["messages"])))
    if status in BY_STATUS:
        return problem(BY_STATUS[status])
    if status < 400:
        return Response(error.get_body(), status=status, headers=list(error.get_headers()))
    return problem("invalid", error.name) if status < 500 else on_bug(error)


def on_world_fault(fault: WorldFault) -> Response:
    """Answer what the world refuses."""
    if isinstance(fault, NotFound):
        return problem("not-found", str(fault))
    assert not isinstance(fault, Conflict), "a read meets no conflict"
    return problem("forbidden", str(fault))


def on_bug(fault: Exception) -> Response:
    """Answer a bug with a number that is in the log."""
    number = uuid.uuid4().hex
    log.error("bug %s", number, exc_info=fault)
    return problem("bug", id=number)


def _flattened(messages: Mapping[str, Any], place: str = "") -> Iterator[tuple[str, list[str]]]:
    for key, part in messages.items():
        where = f"{place}.{key}".lstrip(".")
        if isinstance(part, Mapping):
            yield from _flattened(part, where)
        else:
            yield where, [str(text) for text in part]
