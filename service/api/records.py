"""Records of a match: its file for whoever may hold it, receipts, draws; logs that are brought."""

from __future__ import annotations

from typing import Any

from flask import Response
from msgspec import to_builtins

from projections.drawn import Chance
from schemas.play import ReceiptBody
from schemas.queries import ImportQuery, ViewerQuery, WindowQuery
from schemas.records import AuditBody, DrawsBody
from service.aggregates.world import Invalid
from service.api.jobs import is_long, later
from service.api.matches import replay_for, window_of
from service.api.notes import notes_for
from service.api.routing import noun, route
from service.api.seeing import SeenMatch
from service.api.wiring import installation
from service.engine.values import Json
from service.exchange import export_lines, noted_lines, receipt_of
from service.integrity.files import NOTES_MAX
from service.job_runner import imported

NDJSON = "application/x-ndjson"
RECORDS = noun("records", prefix="/api/v1/matches")
IMPORTS = noun("imports", prefix="/api/v1/imports")


@route(RECORDS, "/<match_id>/export", action="read_match", answer=NDJSON, query=ViewerQuery)
def export(query: dict[str, Any], seen: SeenMatch) -> Response:
    """Return a match as a file that anybody can verify, as a viewer holds it.

    Behind its last line stand the notes that are meant for the caller.
    """
    here, viewer = installation(), seen.viewer(query["as_"])
    notes = noted_lines(here, notes_for(seen, viewer, limit=NOTES_MAX))
    lines = [*export_lines(here, seen.match, viewer), *notes]
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
    chance = Chance(
        log=replay.log,
        match=replay.match,
        ruleset=replay.ruleset,
        words=replay.words,
        names=replay.names,
        viewer=replay.viewer,
        language=replay.language,
    )
    return {
        "match": seen.match.id,
        "viewer": replay.viewer,
        "to": to,
        "roots": to_builtins(seen.match.opened.roots),
        "periods": to_builtins(chance.periods()),
        "seeds": seen.match.seeds,
        "seals": chance.seals(),
        "items": [to_builtins(one) for one in chance.draws(start, to)],
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
def import_log(query: dict[str, Any], body: bytes) -> dict[str, Json] | Response:
    """Audit a plain log and store it if it is good; the same log again is the same match."""
    if is_long(body):
        return later("import_partial" if query["partial_"] else "import_log", body)
    answer = imported(installation(), body, partial=query["partial_"])
    if answer["status"] == 422:
        raise Invalid(answer["body"])
    told: dict[str, Json] = answer["body"]
    return told
