"""Verification over HTTP: of a stored match, and of a file that somebody brings."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import request

from schemas.queries import LanguageQuery, ViewerQuery
from schemas.verification import ReportBody
from service.api.matches import MATCHES, replay_for
from service.api.routing import body_route, noun, route
from service.api.wiring import installation
from service.engine.values import Json
from service.exchange import report_on
from service.integrity.report import Report
from service.offline import verify_lines

VERIFY = noun("verify", prefix="/api/v1/verify")


@route(MATCHES, "/<match_id>/verification", answer=ReportBody, query=ViewerQuery)
def verify_match(query: dict[str, Any], match_id: str) -> dict[str, Json]:
    """Verify a match as a viewer holds it."""
    viewer = replay_for(match_id, query["as_"]).viewer
    return report_body(report_on(installation(), match_id, viewer))


@body_route(VERIFY, "", answer=ReportBody, query=LanguageQuery, takes="application/x-ndjson")
def verify_upload(query: dict[str, Any]) -> dict[str, Json]:
    """Verify a file; nothing of it is kept."""
    lines = request.get_data().splitlines(keepends=True)
    return report_body(verify_lines(installation().catalogue, lines))


def report_body(report: Report) -> dict[str, Json]:
    """Return a report as the API tells it."""
    body: dict[str, Json] = msgspec.to_builtins(report)
    return body
