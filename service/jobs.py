"""Jobs: what takes longer than a request is made to wait for; the worker does it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import msgspec

from projections.tables import Database
from service.engine.values import Json

BROKEN = '"status":500}'
"""How the answer ends to a job that could not be done."""
Kind = Literal["verify_file", "import_log", "import_partial", "verify_match"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """Something to do. made_by: the person who may read the answer, None for nobody.

    body: a file, or the id of a match. answer: None while it waits.
    """

    id: str
    kind: Kind
    made_by: str | None
    body: bytes
    answer: Json = None


@dataclass(frozen=True, slots=True, kw_only=True)
class JobTally:
    """How many jobs of a kind wait, are done, or could not be done. since: the oldest one waits."""

    kind: str
    waiting: int
    done: int
    broken: int
    since: str | None


class Jobs:
    """The jobs of an installation, in the database of its log."""

    def __init__(self, database: Database) -> None:
        """Keep them in a database whose tables are there."""
        self._database = database

    def add(self, job: Job, now: str) -> None:
        """Let a job wait; one whose id is known already is left as it is."""
        with self._database.transaction() as tables:
            tables.execute(
                "INSERT INTO jobs (id, kind, made_by, body, created_at) VALUES (?,?,?,?,?) "
                "ON CONFLICT DO NOTHING",
                *(job.id, job.kind, job.made_by, job.body, now),
            )

    def find(self, job_id: str) -> Job | None:
        """Return a job, or None."""
        with self._database.reading() as tables:
            rows = tables.rows(
                "SELECT id, kind, made_by, body, answer FROM jobs WHERE id = ?", job_id
            )
        return _job_of(rows[0]) if rows else None

    def next(self) -> Job | None:
        """Return the job that waits longest, or None."""
        with self._database.reading() as tables:
            rows = tables.rows(
                "SELECT id, kind, made_by, body, answer FROM jobs "
                "WHERE answer IS NULL ORDER BY created_at LIMIT 1"
            )
        return _job_of(rows[0]) if rows else None

    def tallies(self) -> list[JobTally]:
        """Count the jobs of each kind."""
        with self._database.reading() as tables:
            rows = tables.rows(
                "SELECT kind, COUNT(*), COUNT(answer), "
                f"COUNT(CASE WHEN answer LIKE '%{BROKEN}' THEN 1 END), "
                "MIN(CASE WHEN answer IS NULL THEN created_at END) "
                "FROM jobs GROUP BY kind ORDER BY kind"
            )
        return [
            JobTally(
                kind=str(kind),
                waiting=count - answered,
                done=answered - broken,
                broken=broken,
                since=since,
            )
            for kind, count, answered, broken, since in rows
        ]

    def finish(self, job_id: str, answer: Json) -> None:
        """Keep the answer to a job; its body is forgotten."""
        text = msgspec.json.encode(answer, order="sorted").decode()
        with self._database.transaction() as tables:
            tables.execute("UPDATE jobs SET answer = ?, body = ? WHERE id = ?", text, b"", job_id)

    def remove(self, job_id: str) -> None:
        """Forget a job."""
        with self._database.transaction() as tables:
            tables.execute("DELETE FROM jobs WHERE id = ?", job_id)

    def forget(self, before: str) -> None:
        """Delete those of before a time."""
        with self._database.transaction() as tables:
            tables.execute("DELETE FROM jobs WHERE created_at < ?", before)


def _job_of(row: tuple[Json, ...]) -> Job:
    job_id, kind, made_by, body, answer = row
    return Job(
        id=job_id,
        kind=kind,
        made_by=made_by,
        body=bytes(body),
        answer=None if answer is None else msgspec.json.decode(answer),
    )
