"""Verification over HTTP."""

from __future__ import annotations

from flask.testing import FlaskClient

from service.exchange import export_lines
from service.installation import Installation
from tests.long_match import store_long_match

NDJSON = "application/x-ndjson"


def test_a_stored_match_is_verified(client: FlaskClient, match_id: str) -> None:
    report = client.get(f"/api/v1/matches/{match_id}/verification?as=judge").get_json()
    assert (report["overall"], report["first_bad"]) == ("exact", None)
    assert report["checks"]["fair"]["verdict"] == "supplied"
    seen = client.get(f"/api/v1/matches/{match_id}/verification?as=P1").get_json()
    assert (seen["overall"], seen["viewer"]) == ("partial", "P1")


def test_while_a_match_runs_only_the_open_record_is_verified(
    client: FlaskClient, installation: Installation
) -> None:
    match_id = store_long_match(installation, installation.catalogue.game("hi-story"), 30)
    path = f"/api/v1/matches/{match_id}/verification"
    assert client.get(f"{path}?as=judge").status_code == 403
    report = client.get(path).get_json()
    assert (report["overall"], report["checks"]["fair"]["verdict"]) == ("partial", "closed")


def test_a_file_that_is_brought_is_verified_and_not_kept(
    client: FlaskClient, installation: Installation, match_id: str
) -> None:
    lines = export_lines(installation, installation.log.match(match_id), "judge")
    before = installation.log.last_position()
    good = client.post("/api/v1/verify", data=b"".join(lines), content_type=NDJSON)
    assert good.get_json()["overall"] == "exact"
    bad = client.post("/api/v1/verify", data=b"".join(lines[:-3]), content_type=NDJSON)
    assert bad.get_json()["overall"] == "partial"
    nothing = client.post("/api/v1/verify", data=b"what", content_type=NDJSON)
    assert (nothing.status_code, nothing.get_json()["overall"]) == (200, "malformed")
    assert installation.log.last_position() == before
