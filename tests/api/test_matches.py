"""Matches over HTTP: what is answered, what is refused, what stays hidden."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient
from hypothesis import given, settings
from hypothesis import strategies as st

from service.engine.values import same
from service.installation import Installation
from tests.api.conftest import Reading
from tests.long_match import store_long_match

MATCHES = "/api/v1/matches"


def test_the_list_pages(client: FlaskClient, match_id: str) -> None:
    page = client.get(MATCHES).get_json()
    assert [item["id"] for item in page["items"]] == [match_id]
    assert page["next"] is None
    assert "place" not in page["items"][0]
    assert page["items"][0]["seats"] == {"P1": "Player One", "P2": "Player Two"}


def test_a_match_tells_its_result_and_viewers(client: FlaskClient, match_id: str) -> None:
    body = client.get(f"{MATCHES}/{match_id}").get_json()
    assert body["outcome"] == {"winner": "P1", "reason": "deck_out"}
    assert body["viewers"] == ["spectator", "P1", "P2", "judge"]
    assert body["cause"] == "rules"


@pytest.mark.parametrize("viewer", ["spectator", "P1", "P2", "judge"])
def test_positions_are_those_of_the_replay(reading: Reading, viewer: str) -> None:
    client, installation, match_id = reading.client, reading.installation, reading.match_id
    replay = installation.replay(installation.log.match(match_id), viewer, "ja")
    for at, place in (("0", (0, 0)), ("40", (40, 0)), ("40.2", (40, 2))):
        answer = client.get(f"{MATCHES}/{match_id}/position?at={at}&as={viewer}").get_json()
        assert same(answer["position"], replay.position(*place))
    end = client.get(f"{MATCHES}/{match_id}/position?as={viewer}").get_json()
    assert end["index"] == replay.match.version


def test_frames_and_events_agree(client: FlaskClient, match_id: str) -> None:
    window = client.get(f"{MATCHES}/{match_id}/frames?from=10&to=30&as=P1").get_json()
    events = client.get(f"{MATCHES}/{match_id}/events?from=10&to=30&as=P1").get_json()
    assert [frame["event"] for frame in window["frames"]] == events["items"]
    assert all(len(frame["patches"]) == len(frame["event"]["facts"]) for frame in window["frames"])


def test_sentences_come_in_the_language_asked_for(client: FlaskClient, match_id: str) -> None:
    path = f"{MATCHES}/{match_id}/events?from=1&to=2"
    assert "対戦" in client.get(path).get_json()["items"][0]["text"]
    english = client.get(f"{path}&lang=en").get_json()["items"][0]["text"]
    assert english == "The match is started."
    header = {"Accept-Language": "en-GB,en;q=0.8"}
    assert client.get(path, headers=header).get_json()["items"][0]["text"] == english
    client.set_cookie("lang", "en")
    assert client.get(path).get_json()["items"][0]["text"] == english


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/nowhere", 404),
        ("/nowhere/position", 404),
        ("/{id}/position?at=9999", 404),
        ("/{id}/position?at=136.1", 404),
        ("/{id}/position?at=40.999", 404),
        ("/{id}/position?at=-1", 422),
        ("/{id}/position?at=1.2.3", 422),
        ("/{id}/position?at=x", 422),
        ("/{id}/position?as=P9", 422),
        ("/{id}/position?as=P3", 404),
        ("/{id}/position?colour=red", 422),
        ("/{id}/frames?from=50&to=10", 404),
        ("/{id}/frames?from=-1", 422),
        ("/{id}/frames?from=0&to=9999", 404),
        ("/{id}/events?lang=fr", 422),
        ("?limit=0", 422),
        ("?limit=501", 422),
        ("?after=x", 422),
        ("?as=judge", 422),
    ],
)
def test_what_is_wrong_is_said(reading: Reading, path: str, status: int) -> None:
    answer = reading.client.get(MATCHES + path.format(id=reading.match_id))
    assert answer.status_code == status
    assert answer.content_type == "application/problem+json"
    body = answer.get_json()
    assert body["status"] == status
    assert body["type"] in ("/problems/invalid", "/problems/not-found")


@settings(max_examples=60, deadline=None)
@given(
    name=st.sampled_from(["at", "as", "from", "to", "lang", "limit", "after", "game"]),
    value=st.text(max_size=12),
    route=st.sampled_from(
        ["", "/{id}", "/{id}/position", "/{id}/events", "/{id}/frames", "/{id}/overview"]
    ),
)
def test_no_query_makes_a_bug(reading: Reading, name: str, value: str, route: str) -> None:
    path = MATCHES + route.format(id=reading.match_id)
    answer = reading.client.get(path, query_string={name: value})
    assert answer.status_code in (200, 404, 422)


def test_while_a_match_runs_only_the_open_view_is_given(
    client: FlaskClient, installation: Installation
) -> None:
    match_id = store_long_match(installation, installation.catalogue.game("hi-story"), 40)
    assert client.get(f"{MATCHES}/{match_id}").get_json()["viewers"] == ["spectator"]
    for route in ("position", "events", "frames", "overview"):
        for viewer in ("P1", "P2", "judge"):
            answer = client.get(f"{MATCHES}/{match_id}/{route}?as={viewer}")
            assert answer.status_code == 403
            assert answer.get_json()["type"] == "/problems/forbidden"


def test_answers_are_kept_out_of_shared_caches(client: FlaskClient, match_id: str) -> None:
    for path in (MATCHES, f"{MATCHES}/{match_id}/position", f"{MATCHES}/nowhere"):
        headers = client.get(path).headers
        assert "private" in headers["Cache-Control"]
        assert "Accept-Language" in headers["Vary"]
