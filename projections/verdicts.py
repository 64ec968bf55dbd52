"""What verification said of matches; a further event makes a verdict void."""

from __future__ import annotations

from collections.abc import Collection

import msgspec

from projections.runner import Page, Projection
from projections.tables import Tables
from service.integrity.report import Report

NAME = "verdicts_2"
COLUMNS = ("id", "overall", "body", "report")


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """The verdict of a match. fair: of its draws; events: how many were verified; at: when."""

    overall: str
    fair: str | None
    first_bad: int | None
    events: int
    at: str


def apply(tables: Tables, page: Page) -> None:
    """Forget the verdicts of the matches that went on."""
    streams = {one.stream for one in page}
    marks = ", ".join("?" * len(streams))
    tables.execute(f"DELETE FROM {NAME} WHERE id IN ({marks})", *streams)


PROJECTION = Projection(
    name=NAME,
    tables=(NAME,),
    create=(
        f"CREATE TABLE {NAME} (id TEXT PRIMARY KEY, overall TEXT NOT NULL, body TEXT NOT NULL, "
        "report TEXT NOT NULL)",
    ),
    apply=apply,
)


def verdict_of(report: Report, events: int, now: str) -> Verdict:
    """Return the verdict of a report."""
    fair = report.checks.get("fair")
    return Verdict(
        overall=report.overall,
        fair=None if fair is None else fair.verdict,
        first_bad=report.first_bad,
        events=events,
        at=now,
    )


def record(tables: Tables, match_id: str, found: Verdict, report: Report) -> None:
    """Keep the verdict of a match, and the judge's report that it comes from."""
    body, whole = (msgspec.json.encode(one).decode() for one in (found, report))
    tables.upsert(NAME, COLUMNS, [(match_id, found.overall, body, whole)])


def report_of(tables: Tables, match_id: str) -> Report | None:
    """Return the judge's report of a match that has not gone on since, or None."""
    rows = tables.rows(f"SELECT report FROM {NAME} WHERE id = ?", match_id)
    return msgspec.json.decode(rows[0][0], type=Report) if rows else None


def verdicts_of(tables: Tables, ids: Collection[str]) -> dict[str, Verdict]:
    """Return the verdicts of matches that have one."""
    if not ids:
        return {}
    rows = tables.rows_among(f"SELECT id, body FROM {NAME} WHERE id IN", ids)
    return {match_id: msgspec.json.decode(body, type=Verdict) for match_id, body in rows}
