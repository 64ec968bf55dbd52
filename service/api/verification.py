"""Verification over HTTP: of a stored match, and of a file that somebody brings."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Response

from schemas.queries import ViewerQuery
from schemas.verification import ReportBody
from service.api.jobs import ACTIONS_MAX, is_long, later, verified_later
from service.api.matches import MATCHES
from service.api.routing import noun, route
from service.api.seeing import SeenMatch
from service.api.wiring import installation
from service.engine.values import JUDGE, Json
from service.exchange import report_on
from service.installation import clock
from service.integrity.report import Report
from service.job_runner import verified
from service.times import moved

FRESH_S = 600
"""How long the report of the worker on a long match is given out as that of now."""
NDJSON = "application/x-ndjson"
VERIFY = noun("verify", prefix="/api/v1/verify")


@route(
    MATCHES,
    "/<match_id>/verification",
    action="read_match",
    answer=ReportBody,
    query=ViewerQuery,
)
def verify_match(query: dict[str, Any], seen: SeenMatch) -> dict[str, Json] | Response:
    """Verify a match as a viewer holds it; the judge's view of a long one by the worker.

    What is stored may have been changed since it was verified last, so it is verified now.
    """
    here, match, viewer = installation(), seen.match, seen.viewer(query["as_"])
    if viewer != JUDGE or match.actions <= ACTIONS_MAX:
        return report_body(report_on(here, match, viewer))
    kept = here.kept_report(match)
    if kept is not None and (kept.as_of or "") >= moved(clock(), -FRESH_S):
        return report_body(kept)
    return verified_later(match.id, f"/api/v1/matches/{match.id}/verification?as={JUDGE}")


@route(VERIFY, "", method="POST", action="verify_file", answer=ReportBody, takes=NDJSON)
def verify_upload(query: dict[str, Any], body: bytes) -> dict[str, Json] | Response:
    """Verify a file; nothing of it is kept."""
    if is_long(body):
        return later("verify_file", body)
    told: dict[str, Json] = verified(installation(), body)["body"]
    return told


def report_body(report: Report) -> dict[str, Json]:
    """Return a report as the API tells it."""
    body: dict[str, Json] = msgspec.to_builtins(report)
    return body
