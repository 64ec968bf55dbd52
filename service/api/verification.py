"""Verification over HTTP: of a stored match, and of a file that somebody brings."""

from __future__ import annotations

from typing import Any

import msgspec

from schemas.queries import ViewerQuery
from schemas.verification import ReportBody
from service.api.matches import MATCHES
from service.api.routing import noun, route
from service.api.seeing import SeenMatch
from service.api.wiring import installation
from service.engine.values import Json
from service.exchange import report_on
from service.integrity.report import Report
from service.offline import verify_lines

NDJSON = "application/x-ndjson"
VERIFY = noun("verify", prefix="/api/v1/verify")


@route(
    MATCHES,
    "/<match_id>/verification",
    action="read_match",
    answer=ReportBody,
    query=ViewerQuery,
)
def verify_match(query: dict[str, Any], seen: SeenMatch) -> dict[str, Json]:
    """Verify a match as a viewer holds it."""
    return report_body(report_on(installation(), seen.match, seen.viewer(query["as_"])))


@route(VERIFY, "", method="POST", action="verify_file", answer=ReportBody, takes=NDJSON)
def verify_upload(query: dict[str, Any], body: bytes) -> dict[str, Json]:
    """Verify a file; nothing of it is kept."""
    lines = body.splitlines(keepends=True)
    return report_body(verify_lines(installation().catalogue, lines))


def report_body(report: Report) -> dict[str, Json]:
    """Return a report as the API tells it."""
    body: dict[str, Json] = msgspec.to_builtins(report)
    return body
