"""What takes too long is answered 202, done by the worker, and fetched by its sender alone."""

from __future__ import annotations

import pytest

from service.api import jobs
from service.exchange import export_lines
from service.installation import Installation, clock
from service.jobs import Job
from service.worker import do_jobs
from tests.api.tables import Caller, Hall, good, hall_of
from tests.conftest import import_log, log_of
from tests.long_match import store_long_match

NDJSON = "application/x-ndjson"
LONG = jobs.ACTIONS_MAX + 100


@pytest.fixture
def hall(installation: Installation) -> Hall:
    return hall_of(installation)


def sent(one: Caller, path: str, body: bytes) -> tuple[int, str]:
    answer = one.client.post(path, data=body, content_type=NDJSON, headers=one.headers)
    return answer.status_code, answer.headers.get("Location", "")


def padded(body: bytes) -> bytes:
    """Return a file with so many lines that nobody is made to wait for it."""
    return body + b"{}\n" * LONG


def test_a_long_file_is_verified_beside_and_its_report_is_its_senders(hall: Hall) -> None:
    here = hall.installation
    match_id = import_log(here, log_of("hi-story"))
    file = b"".join(export_lines(here, here.log.match(match_id), "judge"))
    one, two = hall.person("One"), hall.person("Two")
    assert sent(hall.anybody, "/api/v1/verify", padded(file))[0] == 401
    status, job = sent(one, "/api/v1/verify", padded(file))
    assert status == 202
    assert good(one.get(job), 200)["state"] == "waiting"
    assert two.get(job).status_code == 404
    assert hall.anybody.get(job).status_code == 401
    do_jobs(here, clock())
    done = good(one.get(job), 200)
    assert (done["state"], done["answer"]["status"]) == ("done", 200)
    assert done["answer"]["body"]["overall"] == "malformed"


def test_a_long_log_is_imported_beside(hall: Hall) -> None:
    organizer = hall.person("O", "organizer")
    log = log_of("hi-story").read_bytes()
    assert sent(organizer, "/api/v1/imports", log)[0] == 201
    assert sent(hall.person("P"), "/api/v1/imports", log)[0] == 403
    status, job = sent(organizer, "/api/v1/imports", padded(log))
    assert status == 202
    do_jobs(hall.installation, clock())
    answer = good(organizer.get(job), 200)["answer"]
    assert answer["status"] == 422
    assert any("malformed" in text for texts in answer["body"].values() for text in texts)


def test_a_long_match_is_verified_beside_and_then_at_once(hall: Hall) -> None:
    here = hall.installation
    match_id = store_long_match(here, here.catalogue.game("hi-story"), LONG)
    judge = hall.person("Judge", "judge")
    path = f"/api/v1/matches/{match_id}"
    good(judge.post(f"{path}/inspections", {"reason": "is it sound?"}))
    first = judge.get(f"{path}/verification", **{"as": "judge"})
    assert first.status_code == 202
    assert first.headers["Location"] == f"{path}/verification?as=judge"
    assert judge.get(f"{path}/verification", **{"as": "judge"}).status_code == 202
    do_jobs(here, clock())
    report = good(judge.get(f"{path}/verification", **{"as": "judge"}), 200)
    assert (report["overall"], report["first_bad"]) == ("partial", None)


def test_a_match_that_could_not_be_verified_may_be_asked_for_again(hall: Hall) -> None:
    waiting = hall.installation.jobs
    lost = Job(id="match/lost", kind="verify_match", made_by=None, body=b"lost")
    waiting.add(lost, clock())
    do_jobs(hall.installation, clock())
    assert waiting.find(lost.id) is None
    waiting.add(lost, clock())
    assert waiting.next() == lost
