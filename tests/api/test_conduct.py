"""Ends and pauses that no rule decides: offices, agreements, withdrawals, looks into a match."""

from __future__ import annotations

import pytest

from schemas.play import OFFICE_CAUSES
from service.aggregates.access import Role, place_of_match
from service.engine.values import Json
from service.offline import verify_lines
from tests.api.tables import MATCHES, Caller, Hall, good, refused

BECAUSE = {"reason": "両者の合意 <b>&"}
CONCEDE = {"action": {"type": "concede"}}


def table(hall: Hall, game: str = "formation", **more: Json) -> tuple[Caller, Caller, str, str]:
    """Return two persons, the path of a match that they play, and its id."""
    one, two = hall.person("One"), hall.person("Two")
    match_id = hall.begin(game, [one, two], **more)
    return one, two, f"{MATCHES}/{match_id}", match_id


def office(hall: Hall, role: Role, match_id: str) -> Caller:
    return hall.person(role, role, place=place_of_match(match_id))


def test_a_judge_stops_play_and_lets_it_go_on(hall: Hall) -> None:
    one, _, path, match_id = table(hall)
    judge = office(hall, "judge", match_id)
    for other in (one, hall.person("Stranger"), office(hall, "organizer", match_id)):
        refused(other.post(f"{path}/hold", BECAUSE), 403, "forbidden")
    refused(hall.anybody.post(f"{path}/hold", BECAUSE), 401, "unauthenticated")
    refused(judge.post(f"{path}/release", {}), 409, "conflict")
    refused(judge.post(f"{path}/hold", {}), 422, "invalid")
    (event,) = good(judge.post(f"{path}/hold", BECAUSE))["events"]
    assert event["content"]["by"] == judge.person
    assert event["content"]["reason"] == BECAUSE["reason"]
    version = good(one.get(path), 200)["events"]
    offer = {"winner": "draw"}
    facts = {"facts": [{"fact": "x", "rules": ["x"]}], "reason": "x"}
    for what, body in (("actions", CONCEDE), ("end-offers", offer), ("proposals", facts)):
        refused(one.post(f"{path}/{what}", body), 409, "held")
    refused(judge.post(f"{path}/hold", BECAUSE), 409, "conflict")
    shown = good(hall.anybody.get(path), 200)
    assert (shown["state"], shown["events"]) == ("held", version)
    assert [row["id"] for row in good(one.get(MATCHES, state="held"), 200)["items"]] == [match_id]
    good(judge.post(f"{path}/release", {"expected_version": version}))
    good(one.post(f"{path}/actions", CONCEDE))
    refused(judge.post(f"{path}/hold", BECAUSE), 409, "closed")
    refused(judge.post(f"{path}/release", {}), 409, "closed")


@pytest.mark.parametrize("cause", OFFICE_CAUSES)
@pytest.mark.parametrize("role", ["judge", "head_judge", "organizer"])
def test_an_office_closes_a_match(hall: Hall, cause: str, role: Role) -> None:
    one, _, path, match_id = table(hall)
    closer = office(hall, role, match_id)
    before = hall.installation.log.version_of(match_id)
    for body, place in (
        ({"cause": "rules", "winner": "P1"}, "cause"),
        ({"cause": "agreed", "winner": "P1"}, "cause"),
        ({"cause": cause, "winner": 1}, "winner"),
        ({"cause": cause, "winner": "P2", "by": one.person}, "by"),
    ):
        answer = closer.post(f"{path}/closing", {**BECAUSE, **body})
        assert list(refused(answer, 422, "invalid")["errors"]) == [place]
    if cause != "abandoned":
        answer = closer.post(f"{path}/closing", {**BECAUSE, "cause": cause, "winner": "P3"})
        assert list(refused(answer, 422, "invalid")["errors"]) == ["winner"]
    refused(closer.post(f"{path}/closing", {"cause": cause, "winner": "P1"}), 422, "invalid")
    assert hall.installation.log.version_of(match_id) == before
    for other in (one, hall.person("Stranger"), office(hall, "auditor", match_id)):
        answer = other.post(f"{path}/closing", {**BECAUSE, "cause": cause, "winner": "P1"})
        refused(answer, 403, "forbidden")
    events = good(closer.post(f"{path}/closing", {**BECAUSE, "cause": cause, "winner": "P2"}))[
        "events"
    ]
    assert [event["type"] for event in events] == ["match_closed", "secrets_opened"]
    assert events[0]["content"]["by"] == closer.person
    shown = good(hall.anybody.get(path), 200)
    outcome = None if cause == "abandoned" else {"winner": "P2", "reason": cause}
    assert (shown["state"], shown["cause"], shown["outcome"]) == ("closed", cause, outcome)
    answer = closer.post(f"{path}/closing", {**BECAUSE, "cause": cause, "winner": "P1"})
    refused(answer, 409, "closed")
    lines = hall.anybody.get(f"{path}/export", **{"as": "judge"}).get_data().splitlines(True)
    assert verify_lines(hall.installation.catalogue, lines).overall == "exact"


def test_all_seats_end_a_match_with_the_same_result(hall: Hall) -> None:
    one, two, path, _ = table(hall)
    for winner in ("P3", "both", ""):
        refused(one.post(f"{path}/end-offers", {"winner": winner}), 422, "invalid")
    refused(one.post(f"{path}/end-offers", {}), 422, "invalid")
    refused(hall.person("Stranger").post(f"{path}/end-offers", {"winner": None}), 403, "forbidden")
    first = good(one.post(f"{path}/end-offers", {"winner": "draw"}))
    again = good(one.post(f"{path}/end-offers", {"winner": "draw"}))
    assert (again["version"], again["events"]) == (first["version"], [])
    good(two.post(f"{path}/end-offers", {"winner": "P2"}))
    shown = good(hall.anybody.get(path), 200)
    assert shown["state"] == "running"
    assert {seat: offer["winner"] for seat, offer in shown["offers"].items()} == {
        "P1": "draw",
        "P2": "P2",
    }
    assert hall.play_one([one, two], path.rpartition("/")[2])
    assert good(hall.anybody.get(path), 200)["offers"] == {}, "an action takes all offers back"
    good(two.post(f"{path}/end-offers", {"winner": None}))
    good(one.post(f"{path}/end-offers", {"winner": None}))
    shown = good(hall.anybody.get(path), 200)
    assert (shown["state"], shown["cause"]) == ("closed", "agreed")
    assert shown["outcome"] == {"winner": None, "reason": "agreed"}
    refused(one.post(f"{path}/end-offers", {"winner": None}), 409, "closed")


def test_a_match_is_cancelled_before_it_begins(hall: Hall) -> None:
    one, two, three = (hall.person(name) for name in ("One", "Two", "Three"))
    organizer = hall.person("Organizer", "organizer")
    for canceller in (one, two, organizer):
        match_id = hall.open(one, {"P1": one.person, "P2": two.person})
        path = f"{MATCHES}/{match_id}"
        refused(three.post(f"{path}/cancellation", BECAUSE), 403, "forbidden")
        refused(hall.anybody.post(f"{path}/cancellation", BECAUSE), 401, "unauthenticated")
        refused(canceller.post(f"{path}/cancellation", {}), 422, "invalid")
        (event,) = good(canceller.post(f"{path}/cancellation", BECAUSE))["events"]
        assert event["content"]["by"] == canceller.person
        shown = good(hall.anybody.get(path), 200)
        assert (shown["state"], shown["cause"]) == ("cancelled", "withdrawn")
        refused(canceller.post(f"{path}/cancellation", BECAUSE), 409, "closed")
        answer = two.post(f"{path}/readiness", {"deck": hall.deck_of("hi-story")})
        refused(answer, 409, "closed")
    begun = table(hall)
    refused(begun[0].post(f"{begun[2]}/cancellation", BECAUSE), 409, "conflict")


def test_a_match_is_shown_or_hidden_by_its_opener(hall: Hall) -> None:
    one, two, path, match_id = table(hall)
    refused(two.post(f"{path}/visibility", {"visibility": "link"}), 403, "forbidden")
    for unknown in ("0", "1", "", "public", "LISTED", 0, True, None):
        body = refused(one.post(f"{path}/visibility", {"visibility": unknown}), 422, "invalid")
        assert list(body["errors"]) == ["visibility"]
    first = good(one.post(f"{path}/visibility", {"visibility": "participants"}))
    again = good(one.post(f"{path}/visibility", {"visibility": "participants"}))
    assert (again["version"], again["events"]) == (first["version"], [])
    refused(hall.anybody.get(path), 404, "not-found")
    assert good(hall.anybody.get(MATCHES), 200)["items"] == []
    good(two.get(path), 200)
    good(one.post(f"{path}/actions", CONCEDE))
    refused(hall.anybody.get(path), 404, "not-found")
    good(one.post(f"{path}/visibility", {"visibility": "listed"}))
    assert [row["id"] for row in good(hall.anybody.get(MATCHES), 200)["items"]] == [match_id]


def test_looks_are_on_record_and_told_to_the_seats_afterwards(hall: Hall) -> None:
    one, two, path, match_id = table(hall)
    judge, auditor = office(hall, "judge", match_id), office(hall, "auditor", match_id)
    for other in (one, two, hall.person("Stranger"), office(hall, "organizer", match_id)):
        refused(other.post(f"{path}/inspections", BECAUSE), 403, "forbidden")
    refused(auditor.post(f"{path}/inspections", BECAUSE), 403, "forbidden")
    refused(judge.get(f"{path}/position", **{"as": "judge"}), 403, "forbidden")
    look = good(judge.post(f"{path}/inspections", BECAUSE))
    assert (look["person"], look["reason"]) == (judge.person, BECAUSE["reason"])
    good(judge.get(f"{path}/position", **{"as": "judge"}), 200)
    other_judge = office(hall, "judge", match_id)
    refused(other_judge.get(f"{path}/position", **{"as": "judge"}), 403, "forbidden")
    assert good(judge.get(f"{path}/inspections"), 200)["items"] == [look]
    assert good(one.get(f"{path}/inspections"), 200)["items"] == []
    good(one.post(f"{path}/actions", CONCEDE))
    assert good(one.get(f"{path}/inspections"), 200)["items"] == [look]
    refused(hall.anybody.get(f"{path}/inspections"), 401, "unauthenticated")


def test_who_sits_at_the_table_judges_it_not(hall: Hall) -> None:
    one, two = hall.person("One", "judge", "head_judge", "auditor"), hall.person("Two")
    match_id = hall.begin("formation", [one, two])
    path = f"{MATCHES}/{match_id}"
    for what, body in (
        ("hold", BECAUSE),
        ("closing", {**BECAUSE, "cause": "ruling", "winner": "P1"}),
        ("inspections", BECAUSE),
    ):
        refused(one.post(f"{path}/{what}", body), 403, "forbidden")
    refused(one.get(f"{path}/refusals"), 403, "forbidden")
    refused(one.get(f"{path}/events", **{"as": "P2"}), 403, "forbidden")


def test_too_many_refused_actions_are_stopped_and_counted(hall: Hall) -> None:
    one, two, path, match_id = table(hall)
    wrong = {"action": {"type": "no such action"}}
    for _ in range(30):
        refused(one.post(f"{path}/actions", wrong), 422, "rule")
    answer = one.post(f"{path}/actions", CONCEDE)
    refused(answer, 429, "too-many")
    assert int(answer.headers["Retry-After"]) > 0
    refused(two.post(f"{path}/actions", wrong), 422, "rule")
    judge = office(hall, "judge", match_id)
    assert good(judge.get(f"{path}/refusals"), 200)["counts"] == {"P1": 30, "P2": 1}
    for other in (one, two, hall.anybody):
        assert other.get(f"{path}/refusals").status_code in (401, 403)
