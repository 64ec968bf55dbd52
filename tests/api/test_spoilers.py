"""Spoiler-free: a match that is over is answered as it was when so much of it had happened."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import pytest
from werkzeug.test import TestResponse

from service.api.application import ROUTES, api_app
from service.engine.values import Json
from service.worker import follow
from tests.api.streams import Spectator, served
from tests.api.tables import MATCHES, NO_LIMIT, Caller, Hall, good, hall_of, refused
from tests.conftest import opened_in

OFF = {"spoilers": "off"}
MODES = ("", "position", "events", "frames", "overview", "live", "notes")
VIEWERS = ("spectator", "P1")
PARTS = {"<seq>": "3"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Over:
    """A match that is over, and what was answered while it was played: index → answers."""

    hall: Hall
    one: Caller
    match_id: str
    then: Mapping[int, list[Json]]

    @property
    def path(self) -> str:
        return f"{MATCHES}/{self.match_id}"

    @property
    def version(self) -> int:
        return self.hall.installation.log.version_of(self.match_id)


def told(one: Caller, path: str, index: int, **more: Json) -> list[Json]:
    """Return what a caller is told of a match; whose views he may ask for is left out."""
    answers = [one.get(path, **more)]
    for viewer in VIEWERS:
        for name in ("position", "events", "frames", "overview"):
            window = {"to": index} if name in ("events", "frames") else {}
            answers.append(one.get(f"{path}/{name}", **window, **more, **{"as": viewer}))
    bodies = [good(answer, 200) for answer in answers]
    del bodies[0]["viewers"]
    return bodies


@pytest.fixture(scope="module")
def over(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Over]:
    found = opened_in(tmp_path_factory.mktemp("over"))
    hall = hall_of(found)
    one, two = hall.person("One"), hall.person("Two")
    match_id = hall.begin("hi-story", [one, two], policy={"after_end": "all"})
    path, then = f"{MATCHES}/{match_id}", {}
    for _ in range(5):
        index = found.log.version_of(match_id)
        then[index] = told(one, path, index)
        hall.play([one, two], match_id, 2)
    good(two.post(f"{path}/actions", {"action": {"type": "concede"}}))
    follow(found, 0)
    event = good(one.get(f"{path}/events"), 200)["items"][4]
    good(two.post(f"{path}/disputes", {"seq": 5, "hash": event["hash"], "claim": "no"}))
    yield Over(hall=hall, one=one, match_id=match_id, then=then)
    found.close()


def test_it_is_answered_as_it_was_then(over: Over) -> None:
    shown = good(over.one.get(over.path), 200)
    assert shown["state"] == "closed"
    assert shown["verdict"]["overall"] == "exact"
    for index, before in over.then.items():
        after = told(over.one, over.path, index, at=index, **OFF)
        assert after == before
        assert after[0]["state"] in ("beginning", "running")
        assert (after[0]["events"], after[0]["verdict"]) == (index, None)


def test_the_stream_ends_where_was_watched(over: Over) -> None:
    with served(api_app(over.hall.installation, rate_limit=NO_LIMIT)) as url:
        for at, last in (("5", 5), ("5.1", 6), ("0", 2)):
            query = {**OFF, "at": at, "from": 2}
            with Spectator(url=url, match_id=over.match_id, query=query) as stream:
                events = stream.rest()
            assert [event.id for event in events[:-1]] == list(range(3, last + 1))
            assert (events[-1].kind, events[-1].body) == ("end", {"index": last})


def test_an_event_in_whose_midst_one_is_was_watched(over: Over) -> None:
    index = max(over.then)
    body = good(over.one.get(f"{over.path}/position", at=f"{index - 1}.1", **OFF), 200)
    assert (body["index"], body["step"]) == (index - 1, 1)
    assert good(over.one.get(over.path, at=f"{index - 1}.1", **OFF), 200)["events"] == index
    assert good(over.one.get(over.path, at=f"{index - 1}.0", **OFF), 200)["events"] == index - 1


def test_without_a_place_nothing_was_watched(over: Over) -> None:
    assert good(over.one.get(over.path, **OFF), 200)["events"] == 1
    assert good(over.one.get(f"{over.path}/events", **OFF), 200)["to"] == 1
    assert good(over.one.get(f"{over.path}/position", **OFF), 200)["index"] == 1


def test_whoever_has_watched_it_all_is_told_the_end(over: Over) -> None:
    for at in (over.version, over.version + 100):
        assert good(over.one.get(over.path, at=at, **OFF), 200) == good(
            over.one.get(over.path), 200
        )


def test_other_values_are_refused(over: Over) -> None:
    for query in ({"spoilers": "on"}, {"spoilers": ""}, {**OFF, "at": "x"}, {**OFF, "at": "-1"}):
        refused(over.one.get(over.path, **query), 422, "invalid")


def test_no_route_of_a_match_tells_more(over: Over) -> None:
    """What does not know the mode refuses it; no answer holds a later event, a length, a result."""
    index = max(over.then)
    hall, log = over.hall, over.hall.installation.log
    later = [log.hash_of(over.match_id, seq) for seq in range(index + 1, over.version + 1)]
    later += [log.time_of(over.match_id, over.version), '"concede', '"match_closed"', '"winner":"']
    dispute = good(hall.anybody.get(f"{over.path}/disputes"), 200)["items"][0]["id"]
    modes = set()
    for route in ROUTES:
        _, is_of_match, name = route.rule.partition("/<match_id>")
        if not is_of_match or route.method != "GET":
            continue
        for part, value in PARTS.items():
            name = name.replace(part, value)
        for one in (over.one, hall.anybody, hall.person("Judge", "judge")):
            for viewer in ({}, *({"as": viewer} for viewer in VIEWERS)):
                answer = one.get(f"{over.path}{name}", at=index, **OFF, **viewer)
                check_silent(answer, [*later, dispute])
                if answer.status_code == 200:
                    modes.add(name.lstrip("/"))
    assert modes == set(MODES)


def check_silent(answer: TestResponse, later: list[str]) -> None:
    assert answer.status_code in (200, 401, 403, 422)
    text = f"{answer.get_data(as_text=True)}\n{answer.headers}"
    assert [word for word in later if word in text] == [], answer.request.url
    if answer.is_json and answer.status_code == 422:
        assert set(json.loads(answer.get_data())["errors"]) <= {"spoilers", "at", "as", "to"}


def test_beyond_what_was_watched_there_is_nothing(over: Over) -> None:
    index = max(over.then)
    for query in ({"to": index + 1}, {"from": index + 1}):
        for name in ("events", "frames"):
            body = refused(
                over.one.get(f"{over.path}/{name}", at=index, **OFF, **query), 404, "not-found"
            )
            assert str(over.version) not in body["detail"]


def test_the_facts_of_an_event_that_is_not_shown_are_not_told(hall: Hall) -> None:
    """Also not one by one behind the last index of a delay."""
    one, two = hall.person("One"), hall.person("Two")
    match_id = hall.begin("hi-story", [one, two], policy={"delay_events": 2})
    hall.play([one, two], match_id, 2)
    path = f"{MATCHES}/{match_id}"
    shown = good(hall.anybody.get(path), 200)["events"]
    for step in (1, 2):
        at = f"{shown}.{step}"
        refused(hall.anybody.get(f"{path}/position", at=at), 404, "not-found")
    good(one.get(f"{path}/position", at=f"{shown}.1"), 200)
