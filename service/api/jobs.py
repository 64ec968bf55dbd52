"""Jobs over HTTP: what takes too long is answered 202, and its answer is fetched later."""

from __future__ import annotations

import uuid
from typing import Any

from flask import Response, jsonify

from schemas.jobs import JobBody
from service.aggregates.world import NotFound, Unauthenticated
from service.api.identity import principal
from service.api.routing import noun, route
from service.api.wiring import installation
from service.engine.values import Json
from service.installation import clock
from service.integrity.files import NOTE_START
from service.jobs import Job, Kind

ACTIONS_MAX = 2_000
"""How many actions are decided again while the sender waits (access.md, Limits)."""
WAIT_S = "2"
JOBS = noun("jobs", prefix="/api/v1/jobs")


@route(JOBS, "/<job_id>", action="read_job", answer=JobBody)
def show_job(query: dict[str, Any], job_id: str) -> dict[str, Json]:
    """Show whether a job of one's own is done, and its answer."""
    job = installation().jobs.find(job_id)
    if job is None or job.made_by != principal().person:
        raise NotFound(f"no job {job_id}")
    return body_of(job)


def is_long(body: bytes) -> bool:
    """Tell whether a file has more actions than a request is made to wait for; notes are none."""
    return body.count(b"\n") - body.count(b"\n" + NOTE_START) > ACTIONS_MAX


def later(kind: Kind, body: bytes) -> Response:
    """Let a file wait for the worker; raises `Unauthenticated`: the answer is for its sender."""
    person = principal().person
    if person is None:
        raise Unauthenticated(f"more than {ACTIONS_MAX} lines need somebody who is signed in")
    job = Job(id=str(uuid.uuid4()), kind=kind, made_by=person, body=body)
    installation().jobs.add(job, clock())
    return accepted(body_of(job), f"/api/v1/jobs/{job.id}")


def verified_later(match_id: str, path: str) -> Response:
    """Let a match wait for the worker; asked again, the same path has the report."""
    job = Job(id=f"match/{match_id}", kind="verify_match", made_by=None, body=match_id.encode())
    installation().jobs.add(job, clock())
    return accepted(body_of(job), path)


def accepted(body: dict[str, Json], path: str) -> Response:
    """Return the answer that there will be an answer, and where."""
    answer = jsonify(body)
    answer.status_code = 202
    answer.headers["Location"] = path
    answer.headers["Retry-After"] = WAIT_S
    return answer


def body_of(job: Job) -> dict[str, Json]:
    """Return a job as the API tells it."""
    state = "waiting" if job.answer is None else "done"
    return {"id": job.id, "kind": job.kind, "state": state, "answer": job.answer}
