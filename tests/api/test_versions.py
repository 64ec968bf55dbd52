"""Versions and keys: who decided on what he saw, and what comes twice; on both databases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from werkzeug.test import TestResponse

from service.engine.values import Json
from tests.api.tables import MATCHES, Caller, Hall, good, refused

DATABASES = ("sqlite", "postgresql")
CONCEDE: dict[str, Json] = {"action": {"type": "concede"}}
KEY = "7c1e"
WRITERS = 16
ROUNDS = 4
OFFERS: tuple[tuple[Json, Json], ...] = (("P1", None), ("P2", "draw"))
"""What each seat offers by turns: never what the other does, which would end the match."""


@pytest.fixture
def two(hall: Hall) -> tuple[Caller, Caller]:
    return hall.person("One"), hall.person("Two")


@pytest.fixture
def path(hall: Hall, two: tuple[Caller, Caller]) -> str:
    return f"{MATCHES}/{hall.begin('hi-story', two)}"


def at_once(hall: Hall, requests: Sequence[Callable[[Hall], TestResponse]]) -> list[TestResponse]:
    """Send all requests at the same moment, each over a client of its own."""
    start = Barrier(len(requests))

    def send(request: Callable[[Hall], TestResponse]) -> TestResponse:
        beside = hall.beside()
        start.wait()
        return request(beside)

    with ThreadPoolExecutor(len(requests)) as threads:
        return list(threads.map(send, requests))


def poster(
    one: Caller, path: str, body: Json, key: str | None = None
) -> Callable[[Hall], TestResponse]:
    def post(hall: Hall) -> TestResponse:
        caller = Caller(client=hall.client, person=one.person, token=one.token)
        return caller.post(path, body, key=key)

    return post


def events_of(one: Caller, path: str) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = good(one.get(f"{path}/events"), 200)["items"]
    return items


def legal(hall: Hall, one: Caller, path: str) -> dict[str, Json]:
    """Return a body that plays a legal action of a seat, at the present version."""
    version, action = hall.choose(one, path.rpartition("/")[2])
    assert action is not None
    return {"action": action, "expected_version": version}


# What a rule refuses.


def test_a_refused_action_says_why_and_changes_nothing(
    hall: Hall, two: tuple[Caller, Caller], path: str
) -> None:
    one, version = two[0], good(two[0].get(path), 200)["events"]
    for action in (
        {"type": "no such action"},
        {"type": "attack", "attacker": "a1", "target": "b1"},
        {"type": "keep_hand", "colour": "red"} | {"type": "end_phase"},
    ):
        told = {
            language: refused(
                one.post(f"{path}/actions", {"action": action}, lang=language), 422, "rule"
            )
            for language in ("ja", "en")
        }
        assert told["ja"]["rule"] == told["en"]["rule"]
        assert told["en"]["reason"] != told["ja"]["reason"]
        assert told["en"]["title"] != told["ja"]["title"]
        good(one.get(told["en"]["rule_url"]), 200)
        assert good(one.get(path), 200)["events"] == version
    junk: Json
    for junk in (None, [], "x", 1):
        body = refused(one.post(f"{path}/actions", {"action": junk}), 422, "invalid")
        assert list(body["errors"]) == ["action"]
    good(one.post(f"{path}/actions", legal(hall, one, path)))


# Two who write at the same version.


def test_of_two_writers_one_wins_and_the_other_is_told_the_version(
    hall: Hall, two: tuple[Caller, Caller], path: str
) -> None:
    for number in range(ROUNDS):
        version = good(two[0].get(path), 200)["events"]
        bodies: list[dict[str, Json]] = [
            {"winner": winners[number % 2], "expected_version": version} for winners in OFFERS
        ]
        answers = at_once(
            hall,
            [
                poster(one, f"{path}/end-offers", body)
                for one, body in zip(two, bodies, strict=True)
            ],
        )
        assert sorted(answer.status_code for answer in answers) == [201, 409]
        (lost,) = (answer for answer in answers if answer.status_code == 409)
        told = refused(lost, 409, "conflict")
        assert told["version"] == good(two[0].get(path), 200)["events"] == version + 1
        loser, body = two[answers.index(lost)], bodies[answers.index(lost)]
        again: dict[str, Json] = {**body, "expected_version": told["version"]}
        assert good(loser.post(f"{path}/end-offers", again))["version"] == version + 2


def test_one_of_sixteen_wins_each_version_and_nothing_is_doubled(
    hall: Hall, two: tuple[Caller, Caller], path: str
) -> None:
    one = two[0]
    for number in range(ROUNDS):
        version = good(one.get(path), 200)["events"]
        winner = ("P1", "P2", "draw")[number % 3]
        body: dict[str, Json] = {"winner": winner, "expected_version": version}
        answers = at_once(hall, [poster(one, f"{path}/end-offers", body)] * WRITERS)
        assert Counter(answer.status_code for answer in answers) == {201: 1, 409: WRITERS - 1}
        for answer in answers:
            if answer.status_code == 409:
                assert refused(answer, 409, "conflict")["version"] == version + 1
    seqs = [event["seq"] for event in events_of(one, path)]
    assert seqs == list(range(1, len(seqs) + 1))
    assert [event["type"] for event in events_of(one, path)].count("end_offered") == ROUNDS


def test_without_a_version_both_are_heard(
    hall: Hall, two: tuple[Caller, Caller], path: str
) -> None:
    """Whoever names no version wants his command whatever happened meanwhile."""
    version = good(two[0].get(path), 200)["events"]
    bodies: list[dict[str, Json]] = [{"winner": "P1"}, {"winner": "P2"}]
    answers = at_once(
        hall,
        [poster(one, f"{path}/end-offers", body) for one, body in zip(two, bodies, strict=True)],
    )
    assert [answer.status_code for answer in answers] == [201, 201]
    assert good(two[0].get(path), 200)["events"] == version + 2


def test_a_version_that_is_none_is_named(hall: Hall, two: tuple[Caller, Caller], path: str) -> None:
    expected: Json
    for expected in (0, -1, "1", None, True, 10**7, []):
        body: dict[str, Json] = {**CONCEDE, "expected_version": expected}
        answer = refused(two[0].post(f"{path}/actions", body), 422, "invalid")
        assert list(answer["errors"]) == ["expected_version"]
    assert good(two[0].get(path), 200)["state"] == "running"


# Keys: the same command again.


def test_a_repeated_command_gets_the_first_answer(
    hall: Hall, two: tuple[Caller, Caller], path: str
) -> None:
    one, other = two
    first = legal(hall, one, path)
    answered = one.post(f"{path}/actions", first, key=KEY)
    body = good(answered)
    good(other.post(f"{path}/end-offers", {"winner": "draw"}))
    for again in (one, hall.with_scopes(one.person, "act", "seat")):
        assert again.post(f"{path}/actions", first, key=KEY).get_data() == answered.get_data()
    english = good(one.post(f"{path}/actions", first, key=KEY, lang="en"))
    assert [event["seq"] for event in english["events"]] == [
        event["seq"] for event in body["events"]
    ]
    assert english["receipt"] == body["receipt"]
    seen = good(hall.with_scopes(one.person, "act").post(f"{path}/actions", first, key=KEY))
    assert (seen["viewer"], seen["version"]) == ("spectator", body["version"])
    assert good(one.get(path), 200)["events"] == body["version"] + 1


def test_a_key_belongs_to_one_body_one_person_and_one_path(
    hall: Hall, two: tuple[Caller, Caller], path: str
) -> None:
    one, other = two
    good(one.post(f"{path}/end-offers", {"winner": "P1"}, key=KEY))
    changed: dict[str, Json] = {"winner": "P1", "expected_version": 1}
    for body in ({"winner": "P2"}, changed):
        refused(one.post(f"{path}/end-offers", body, key=KEY), 422, "idempotency-key-reused")
    his = good(other.post(f"{path}/end-offers", {"winner": "P2"}, key=KEY))
    assert his["viewer"] == "P2"
    good(one.post(f"{path}/actions", CONCEDE, key=KEY))
    assert [event["type"] for event in events_of(one, path)].count("end_offered") == 2
    assert good(one.get(path), 200)["cause"] == "rules"
    again = good(one.post(f"{path}/end-offers", {"winner": "P1"}, key=KEY))
    assert again["events"][0]["content"]["outcome"]["winner"] == "P1", "also after the end"


def test_a_refused_command_leaves_its_key_free(
    hall: Hall, two: tuple[Caller, Caller], path: str
) -> None:
    one = two[0]
    wrong: dict[str, Json] = {"action": {"type": "no such action"}}
    refused(one.post(f"{path}/actions", wrong, key=KEY), 422, "rule")
    stale: dict[str, Json] = {**CONCEDE, "expected_version": 1}
    refused(one.post(f"{path}/actions", stale, key=KEY), 409, "conflict")
    good(one.post(f"{path}/actions", CONCEDE, key=KEY))


@pytest.mark.parametrize("count", [2, 8])
def test_the_same_command_at_the_same_moment_is_carried_out_once(
    hall: Hall, two: tuple[Caller, Caller], path: str, count: int
) -> None:
    one = two[0]
    for number in range(ROUNDS):
        body = legal(hall, one, path)
        if number % 2:
            del body["expected_version"]
        version = good(one.get(path), 200)["events"]
        answers = at_once(
            hall, [poster(one, f"{path}/actions", body, key=f"{KEY}-{number}")] * count
        )
        assert {answer.status_code for answer in answers} == {201}, answers[-1].get_data()
        assert len({answer.get_data() for answer in answers}) == 1
        assert good(one.get(path), 200)["events"] == good(answers[0])["version"] > version
        if good(one.get(path), 200)["state"] != "running":
            break
        while hall.choose(one, path.rpartition("/")[2])[1] is None:
            hall.play_one([two[1]], path.rpartition("/")[2])


def test_a_seat_is_readied_once_however_often_it_is_sent(
    hall: Hall, two: tuple[Caller, Caller]
) -> None:
    one, other = two
    match_id = hall.open(one, {"P1": one.person, "P2": other.person})
    sent = f"{MATCHES}/{match_id}/readiness"
    body: dict[str, Json] = {"deck": hall.deck_of("hi-story")}
    answers = at_once(hall, [poster(one, sent, body, key=KEY)] * 6)
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.get_data() for answer in answers}) == 1
    refused(one.post(sent, body), 409, "conflict")


def test_a_match_is_opened_once_for_a_key(hall: Hall, two: tuple[Caller, Caller]) -> None:
    one, other = two
    body: dict[str, Json] = {
        "game": "hi-story",
        "seats": {"P1": one.person, "P2": other.person},
    }
    answers = at_once(hall, [poster(one, MATCHES, body, key=KEY)] * 6)
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.get_data() for answer in answers}) == 1
    assert len(good(one.get(MATCHES), 200)["items"]) == 1
    refused(
        one.post(MATCHES, {**body, "visibility": "link"}, key=KEY), 422, "idempotency-key-reused"
    )
    his = good(other.post(MATCHES, body, key=KEY))
    assert his["match"] != good(answers[0])["match"]
    assert len(good(one.get(MATCHES), 200)["items"]) == 2


def test_a_key_that_is_none_is_named(hall: Hall, two: tuple[Caller, Caller], path: str) -> None:
    for key in ("", " ", "k" * 129, "clé", "a b"):
        body = refused(two[0].post(f"{path}/actions", CONCEDE, key=key), 422, "invalid")
        assert list(body["errors"]) == ["Idempotency-Key"]
    assert good(two[0].get(path), 200)["state"] == "running"
