"""Records of a match: its file for whoever may hold it, receipts, draws; logs that are brought."""

from __future__ import annotations

from typing import Any

from flask import Response
from msgspec import to_builtins

from schemas.plain_logs import read_lines
from schemas.play import ReceiptBody
from schemas.queries import ImportQuery, ViewerQuery, WindowQuery
from schemas.records import AuditBody, DrawsBody
from service.aggregates.world import Invalid, TooLarge
from service.api.matches import replay_for, window_of
from service.api.routing import noun, route
from service.api.seeing import SeenMatch
from service.api.wiring import installation
from service.engine.values import Json
from service.exchange import export_lines, receipt_of

NDJSON = "application/x-ndjson"
LINES_MAX = 2_000
"""Of a file whose actions are decided while the sender waits."""
RECORDS = noun("records", prefix="/api/v1/matches")
IMPORTS = noun("imports", prefix="/api/v1/imports")


@route(RECORDS, "/<match_id>/export", action="read_match", answer=NDJSON, query=ViewerQuery)
def export(query: dict[str, Any], seen: SeenMatch) -> Response:
    """Return a match as a file that anybody can verify, as a viewer holds it."""
    viewer = seen.viewer(query["as_"])
    lines = export_lines(installation(), seen.match, viewer)
    answer = Response(b"".join(lines), content_type=NDJSON)
    name = f"{seen.match.id}.{viewer}.kifu.jsonl"
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


@route(RECORDS, "/<match_id>/receipt", action="read_match", answer=ReceiptBody)
def show_receipt(query: dict[str, Any], seen: SeenMatch) -> dict[str, Json]:
    """Return the receipt for the last event that is shown."""
    body: dict[str, Json] = to_builtins(receipt_of(installation(), seen.match))
    return body


@route(RECORDS, "/<match_id>/random", action="read_match", answer=DrawsBody, query=WindowQuery)
def list_draws(query: dict[str, Any], seen: SeenMatch) -> dict[str, Json]:
    """List the draws that a viewer is shown; with roots and seeds each can be made again."""
    replay = replay_for(seen, query["as_"])
    start, to = window_of(query, replay)
    return {
        "match": seen.match.id,
        "viewer": replay.viewer,
        "to": to,
        "roots": to_builtins(seen.match.opened.roots),
        "seeds": seen.match.seeds,
        "items": [
            {"seq": event["seq"], "draws": event["draws"]}
            for event in replay.events(start, to)
            if event["draws"]
        ],
    }


@route(
    IMPORTS,
    "",
    method="POST",
    action="import_match",
    answer=AuditBody,
    query=ImportQuery,
    takes=NDJSON,
    status=201,
)
def import_log(query: dict[str, Any], body: bytes) -> dict[str, Json]:
    """Audit a plain log and store it if it is good; the same log again is the same match."""
    lines = list(read_lines(body.splitlines(keepends=True)))
    check_count(len(lines))
    found, match_id = installation().import_lines(lines, partial=query["partial_"])
    if match_id is None:
        said = found.fault if found.refused is None else f"{found.refused.rule} refuses the action"
        raise Invalid({f"lines.{found.line}": [f"{found.verdict}: {said}"]})
    return {"match": match_id, "verdict": found.verdict, "actions": len(found.records)}


def check_count(lines: int) -> None:
    """Raise `TooLarge` for a file with more actions than a request is made to wait for."""
    if lines > LINES_MAX:
        raise TooLarge(f"more than {LINES_MAX} lines: use the command `kifu` for this file")
