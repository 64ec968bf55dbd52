"""The overview of a match over HTTP: all of what is shown, and nothing behind it."""

from __future__ import annotations

from service.engine.values import Json
from service.installation import Installation
from tests.api.conftest import Reading
from tests.api.tables import MATCHES, Caller, Hall, good, refused
from tests.api.test_judging import court_of, last_action
from tests.long_match import store_long_match

OFF = {"spoilers": "off"}
BEHIND = 4
LONG = 2_100


def each(stretches: list[Json], name: str) -> list[Json]:
    """Return the value of every event that stretches tell."""
    return [
        part[name]["values"][number]
        for part in stretches
        for number, length in zip(part[name]["runs"][::2], part[name]["runs"][1::2], strict=True)
        for _ in range(length)
    ]


def overview(one: Caller, path: str, **query: Json) -> Json:
    return good(one.get(f"{path}/overview", **query), 200)


def test_it_agrees_with_the_events(reading: Reading) -> None:
    path = f"{MATCHES}/{reading.match_id}"
    body = reading.client.get(f"{path}/overview?as=P1&lang=en").get_json()
    events = reading.client.get(f"{path}/events?as=P1&lang=en&to={body['to']}").get_json()["items"]
    assert (body["match"], body["viewer"], body["to"]) == (reading.match_id, "P1", len(events))
    assert each(body["stretches"], "actors") == [event["actor"] for event in events]
    assert each(body["stretches"], "kinds") == [
        {"type": event["type"], "action": event["action"] and event["action"]["type"]}
        for event in events
    ]
    (mark,) = body["stretches"][0]["marks"]
    closed = events[mark["seq"] - 1]
    assert (mark["kind"], mark["text"]) == ("result", closed["text"])


def test_a_long_match_comes_in_stretches(hall: Hall, installation: Installation) -> None:
    game = installation.catalogue.game("hi-story")
    path = f"{MATCHES}/{store_long_match(installation, game, LONG)}"
    whole = overview(hall.anybody, path)
    assert [(one["index"], one["to"]) for one in whole["stretches"]] == [
        *((0, 1000), (1000, 2000), (2000, LONG)),
    ]
    assert len(each(whole["stretches"], "turns")) == LONG
    later = overview(hall.anybody, path, **{"from": 1500})
    assert later == whole | {"stretches": whole["stretches"][1:]}
    assert overview(hall.anybody, path, **{"from": LONG + 5000})["stretches"] == []
    refused(hall.anybody.get(f"{path}/overview", **{"from": -1}), 422, "invalid")


def test_it_is_shown_as_late_as_everything(hall: Hall) -> None:
    one, two = hall.person("One"), hall.person("Two")
    match_id = hall.begin("hi-story", [one, two], policy={"delay_events": BEHIND})
    hall.play([one, two], match_id, most=8)
    path, version = f"{MATCHES}/{match_id}", hall.installation.log.version_of(match_id)
    assert overview(one, path)["to"] == version
    behind = overview(hall.anybody, path)
    assert behind["to"] == version - BEHIND
    for name in ("actors", "kinds", "turns", "phases"):
        assert len(each(behind["stretches"], name)) == version - BEHIND
    refused(hall.anybody.get(f"{path}/overview", **{"as": "P1"}), 403, "forbidden")


def test_without_spoilers_it_ends_where_was_watched(reading: Reading) -> None:
    path = f"{MATCHES}/{reading.match_id}"
    whole = reading.client.get(f"{path}/overview").get_json()
    for at, to in ((None, 1), ("30", 30), ("30.1", 31)):
        query = OFF if at is None else {**OFF, "at": at}
        body = reading.client.get(f"{path}/overview", query_string=query).get_json()
        assert (body["to"], body["stretches"][0]["marks"]) == (to, [])
        assert each(body["stretches"], "kinds") == each(whole["stretches"], "kinds")[:to]


def test_it_marks_a_backup_and_what_was_struck_stays(installation: Installation) -> None:
    court = court_of(installation, "hi-story")
    disputed = last_action(court)
    dispute = court.dispute(court.players[1], disputed["seq"])
    to = disputed["seq"] - 2
    good(court.rule(court.head, dispute, kind="full_backup", to=to))
    court.hall.play(court.players, court.match, 2)
    body = overview(court.judge, court.path, lang="en")
    backup = next(one for one in court.events(court.judge) if one["type"] == "backed_up")
    (mark,) = [one for one in body["stretches"][0]["marks"] if one["kind"] == "backup"]
    assert mark["seq"] == backup["seq"]
    assert str(to) in mark["text"]
    for name in ("turns", "phases"):
        moments = each(body["stretches"], name)
        assert moments[backup["seq"] - 1] == moments[to - 1]
        assert len(moments) == court.shown(court.judge)["events"]
