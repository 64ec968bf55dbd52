"""One line of the structured log for each request, without anything that its sender wrote."""

from __future__ import annotations

import re
import sys
import time
import traceback
import uuid
from collections.abc import Iterator
from typing import Any

import structlog
from flask import Flask, Response, g, request

from service.api import metrics

ID_HEADER = "X-Request-ID"
GOOD_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
METHODS = frozenset({"GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"})
UNMATCHED = "unmatched"


def configure_log() -> None:
    """Write JSON lines to standard error."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True, key="time"),
            structlog.processors.JSONRenderer(sort_keys=True),
        ],
        logger_factory=lambda *_: structlog.WriteLogger(sys.stderr),
        cache_logger_on_first_use=False,
    )


def install(app: Flask) -> None:
    """Number and log the requests of an app; installed first, it sees the answer last."""
    configure_log()
    app.before_request(begin)
    app.after_request(end)


def begin() -> None:
    """Give the present request its id: the one it came with, if that is a plain one."""
    asked = request.headers.get(ID_HEADER, "")
    g.request_id = asked if GOOD_ID.fullmatch(asked) else uuid.uuid4().hex
    g.began = time.perf_counter()


def begin_command(action: str) -> None:
    """Have the present request counted as a command, by its action of `PERMISSIONS`."""
    g.action = action


def note(**fields: str) -> None:
    """Add to the line of the present request: `person`, `command`, by their ids."""
    g.noted = noted() | fields


def noted() -> dict[str, str]:
    """Return what was noted about the present request."""
    found: dict[str, str] = g.get("noted", {})
    return found


def end(response: Response) -> Response:
    """Log and count the present request; nothing is taken from what it holds but its method."""
    response.headers[ID_HEADER] = g.request_id
    route = request.url_rule.rule if request.url_rule is not None else UNMATCHED
    method = request.method if request.method in METHODS else UNMATCHED
    seconds = time.perf_counter() - g.began
    metrics.count_request(method, route, response.status_code, seconds)
    if "action" in g:
        metrics.count_command(g.action, response.status_code)
    _log().info(
        "request",
        request=g.request_id,
        method=method,
        route=route,
        status=response.status_code,
        ms=round(seconds * 1000),
        **noted(),
    )
    return response


def log_bug(number: str, fault: BaseException) -> None:
    """Log a bug under its number."""
    _log().error("bug", id=number, request=g.get("request_id"), **traced(fault))


def traced(fault: BaseException) -> dict[str, list[str]]:
    """Return the kinds and places of a fault. Its text is left out, as it may quote a secret."""
    chain = list(_with_causes(fault))
    return {
        "kinds": [f"{type(one).__module__}.{type(one).__qualname__}" for one in chain],
        "places": [
            f"{frame.filename}:{frame.lineno} {frame.name}"
            for one in chain
            for frame in traceback.extract_tb(one.__traceback__)
        ],
    }


def _with_causes(fault: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    waiting: BaseException | None = fault
    while waiting is not None and id(waiting) not in seen:
        yield waiting
        seen.add(id(waiting))
        waiting = waiting.__cause__ or waiting.__context__


def _log() -> Any:
    return structlog.get_logger()
