"""Doing jobs: files that are brought and matches, if they are too long for a request to wait."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypedDict

from msgspec import to_builtins

from schemas.plain_logs import read_lines
from service.engine.values import JUDGE, Json
from service.exchange import report_on
from service.installation import Installation
from service.jobs import Job, Kind
from service.offline import verify_lines


class Answer(TypedDict):
    """What the request would have been answered. status: of HTTP; body: or its problem's errors."""

    status: int
    body: Json


BROKEN: Answer = {"status": 500, "body": {}}
"""The answer to a job that could not be done; the log of the worker says why."""


def run(installation: Installation, job: Job) -> None:
    """Do a job and keep the answer."""
    if job.kind == "verify_match":
        _verify_match(installation, job)
    else:
        installation.jobs.finish(job.id, RUNNERS[job.kind](installation, job))


def give_up(installation: Installation, job: Job) -> None:
    """Keep that a job could not be done; a match may be asked for again."""
    if job.kind == "verify_match":
        installation.jobs.remove(job.id)
    else:
        installation.jobs.finish(job.id, BROKEN)


def _verify_match(installation: Installation, job: Job) -> None:
    """Keep the report with the match, where everybody finds it who may see it."""
    match = installation.log.match(job.body.decode())
    installation.record_verdict(match.id, report_on(installation, match, JUDGE))
    installation.jobs.remove(job.id)


def verified(installation: Installation, body: bytes) -> Answer:
    """Verify a file; nothing of it is kept."""
    report = verify_lines(installation.catalogue, body.splitlines(keepends=True))
    return {"status": 200, "body": to_builtins(report)}


def imported(installation: Installation, body: bytes, *, partial: bool) -> Answer:
    """Audit a plain log and store it if it is good, or as far as it is legal if `partial`."""
    lines = list(read_lines(body.splitlines(keepends=True)))
    found, match_id = installation.import_lines(lines, partial=partial)
    if match_id is None:
        said = found.fault if found.refused is None else f"{found.refused.rule} refuses the action"
        return {"status": 422, "body": {f"lines.{found.line}": [f"{found.verdict}: {said}"]}}
    told = {"match": match_id, "verdict": found.verdict, "actions": len(found.records)}
    return {"status": 201, "body": told}


RUNNERS: Mapping[Kind, Callable[[Installation, Job], Answer]] = {
    "verify_file": lambda installation, job: verified(installation, job.body),
    "import_log": lambda installation, job: imported(installation, job.body, partial=False),
    "import_partial": lambda installation, job: imported(installation, job.body, partial=True),
}
