"""What is withheld for a while, and matches that not everybody may know of."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from werkzeug.test import TestResponse

from service.aggregates.access import INSTALLATION, Role, RoleRevoked, place_of_match
from service.api.application import ROUTES
from service.commands.access import revoke_role
from service.engine.values import Json
from service.installation import Installation, clock
from service.worker import follow
from tests.api.tables import MATCHES, Caller, Hall, good, refused

CONCEDE: dict[str, Json] = {"action": {"type": "concede"}}
BECAUSE: dict[str, Json] = {"reason": "because"}
BEHIND = 4
OFFICES: tuple[Role, ...] = ("organizer", "judge", "head_judge", "auditor", "operator")


@dataclass(frozen=True, slots=True, kw_only=True)
class Delayed:
    """A running match between others, opened by an organizer who has left his office since."""

    hall: Hall
    one: Caller
    two: Caller
    match_id: str

    @property
    def path(self) -> str:
        return f"{MATCHES}/{self.match_id}"

    @property
    def version(self) -> int:
        """The number of events that there are."""
        return self.hall.installation.log.version_of(self.match_id)

    def behind(self) -> Iterator[Caller]:
        """Yield those who are shown less."""
        yield self.hall.anybody
        yield self.hall.person("Stranger")
        yield self.hall.with_scopes(self.one.person, "seat", "read", place="match/another")


def delayed_match(hall: Hall, **policy: Json) -> Delayed:
    one, two = hall.person("One"), hall.person("Two")
    match_id = hall.begin("hi-story", [one, two], policy=policy)
    hall.play([one, two], match_id, most=8)
    return Delayed(hall=hall, one=one, two=two, match_id=match_id)


def shown(one: Caller, path: str) -> int:
    """Return the last index that a caller is shown, as every answer tells it."""
    told = good(one.get(path), 200)
    version = int(told["events"])
    listed = [row for row in good(one.get(MATCHES), 200)["items"] if row["id"] == told["id"]]
    assert [row["events"] for row in listed] == [version]
    assert good(one.get(f"{path}/position"), 200)["index"] == version
    assert good(one.get(f"{path}/events"), 200)["to"] == version
    assert len(good(one.get(f"{path}/events"), 200)["items"]) == version
    assert good(one.get(f"{path}/frames"), 200)["to"] == version
    assert good(one.get(f"{path}/overview"), 200)["to"] == version
    assert good(one.get(f"{path}/random"), 200)["to"] == version
    assert good(one.get(f"{path}/receipt"), 200)["receipt"]["seq"] == version
    assert good(one.get(f"{path}/verification"), 200)["events"] == version
    lines = one.get(f"{path}/export").get_data().splitlines()
    assert json.loads(lines[-1])["statement"]["events"] == version
    for later in (version + 1, version + BEHIND):
        refused(one.get(f"{path}/position", at=later), 404, "not-found")
        refused(one.get(f"{path}/position", at=f"{later}.1"), 404, "not-found")
        for name in ("events", "frames", "random"):
            query = {"from": version, "to": later}
            refused(one.get(f"{path}/{name}", **query), 404, "not-found")
    return version


def everything(one: Caller, path: str) -> list[tuple[bytes, str | None]]:
    """Return what a caller is answered about a match, with the tags.

    A verification tells when it was made, and is left out.
    """
    answers: list[TestResponse] = [one.get(MATCHES), one.get(path)]
    answers += [one.get(MATCHES, state=state) for state in ("running", "closed", "beginning")]
    answers += [one.get(MATCHES, verdict=verdict) for verdict in ("exact", "partial")]
    answers += [one.get(MATCHES, state="closed", limit=1)]
    for name in ("position", "events", "frames", "overview", "random", "receipt"):
        answers.append(one.get(f"{path}/{name}"))
    return [(answer.get_data(), answer.headers.get("ETag")) for answer in answers]


def test_those_without_seat_or_office_are_events_behind(hall: Hall) -> None:
    match = delayed_match(hall, delay_events=BEHIND)
    for one in match.behind():
        assert shown(one, match.path) == match.version - BEHIND
    for one, viewer in ((match.one, "P1"), (match.two, "P2")):
        assert good(one.get(match.path), 200)["events"] == match.version
        body = good(one.get(f"{match.path}/position", **{"as": viewer}), 200)
        assert body["index"] == match.version
    for role in OFFICES:
        for place in ("installation", place_of_match(match.match_id)):
            if role == "operator" and place != "installation":
                continue
            one = hall.person(role, role, place=place)
            assert good(one.get(match.path), 200)["events"] == match.version
    good(match.one.post(f"{match.path}/actions", CONCEDE))
    for one in match.behind():
        assert shown(one, match.path) == match.version, "when the end is past all is shown"
        assert good(one.get(match.path), 200)["state"] == "closed"


def test_nothing_that_happens_meanwhile_is_to_be_seen(hall: Hall) -> None:
    """Also not by filters, short pages, tags and what a verification found."""
    match = delayed_match(hall, delay_s=3_600)
    other = hall.begin("formation", [match.one, match.two])
    before = {at: everything(one, match.path) for at, one in enumerate(match.behind())}
    hall.play([match.one, match.two], match.match_id, most=3)
    good(match.one.post(f"{match.path}/end-offers", {"winner": "draw"}))
    good(match.two.post(f"{match.path}/actions", CONCEDE))
    follow(hall.installation, 0)
    assert good(match.one.get(match.path), 200)["verdict"]["overall"] == "exact"
    for at, one in enumerate(match.behind()):
        assert everything(one, match.path) == before[at]
        assert shown(one, match.path) == 1
        assert good(one.get(match.path), 200)["viewers"] == ["spectator"]
        rows = good(one.get(MATCHES, state="beginning"), 200)["items"]
        assert [row["id"] for row in rows] == [match.match_id]
        rows = good(one.get(MATCHES, state="running"), 200)["items"]
        assert [row["id"] for row in rows] == [other]


def test_when_the_end_is_past_all_is_shown(hall: Hall) -> None:
    match = delayed_match(hall, delay_s=2, delay_events=50)
    assert shown(hall.anybody, match.path) == 1
    good(match.one.post(f"{match.path}/actions", CONCEDE))
    assert shown(hall.anybody, match.path) == 1
    time.sleep(2.1)
    assert shown(hall.anybody, match.path) == match.version
    rows = good(hall.anybody.get(MATCHES, state="closed"), 200)["items"]
    assert [row["id"] for row in rows] == [match.match_id]
    assert good(hall.anybody.get(MATCHES, state="running"), 200)["items"] == []
    seen = good(hall.anybody.get(f"{match.path}/events", **{"as": "P2"}), 200)
    assert len(seen["items"]) == match.version


def test_no_command_tells_how_far_a_delayed_match_is(hall: Hall) -> None:
    """Whoever opened a match for others, or asks for a seat, is behind like a spectator."""
    one, two = hall.person("One"), hall.person("Two")
    judge = hall.person("Judge", "judge")
    match_id = hall.open(judge, {"P1": one.person, "P2": two.person}, policy={"delay_s": 3_600})
    hall.ready(one, match_id)
    hall.ready(two, match_id)
    path = f"{MATCHES}/{match_id}"
    opener = hall.with_scopes(judge.person, "act", place=place_of_match(match_id))
    revoke_all(hall.installation, judge.person)
    stranger = hall.person("Stranger")
    told: list[list[Any]] = []
    for _ in range(2):
        told.append(list(probes(hall, [opener, stranger], path)))
        if good(one.get(path), 200)["state"] == "running":
            hall.play([one, two], match_id, most=5)
            good(one.post(f"{path}/actions", CONCEDE))
    assert told[0] == told[1]
    assert good(one.get(path), 200)["state"] == "closed"


def revoke_all(installation: Installation, person: str) -> None:
    event = RoleRevoked(person=person, role="judge", place=INSTALLATION, by=None, time=clock())
    revoke_role(installation.access, event)


def probes(hall: Hall, callers: list[Caller], path: str) -> Iterator[Any]:
    """Yield what is answered to commands that should tell nothing of the course of a match."""
    for one in callers:
        for version in (*range(1, 16), None):
            more: dict[str, Json] = {} if version is None else {"expected_version": version}
            for what, body in (
                ("seats", {"seat": "P2"}),
                ("seats", {"seat": "P3"}),
                ("cancellation", BECAUSE),
                ("visibility", {"visibility": "listed"}),
                ("actions", CONCEDE),
                ("end-offers", {"winner": None}),
                ("hold", BECAUSE),
            ):
                sent = body if what == "cancellation" else {**body, **more}
                answer = one.post(f"{path}/{what}", sent)
                yield answer.status_code, answer.get_json()


# Matches that not everybody may know of.


def asked_of(path: str) -> list[tuple[str, str, Json]]:
    """Return every route of a match with a body that its schema takes."""
    bodies: dict[str, Json] = {
        "seats": {"seat": "P2"},
        "readiness": {"deck": "@mare"},
        "seeds": {"seed": "00" * 32},
        "visibility": {"visibility": "link"},
        "cancellation": BECAUSE,
        "actions": CONCEDE,
        "proposals": {**BECAUSE, "facts": [{"fact": "hand_settled", "rules": ["HS-212"]}]},
        "proposals/answers": {"proposed": 1, "accepted": True},
        "end-offers": {"winner": None},
        "hold": BECAUSE,
        "release": {},
        "closing": {**BECAUSE, "cause": "ruling", "winner": None},
        "inspections": BECAUSE,
        "grants": {"person": "x", "role": "judge"},
        "disputes": {"seq": 1, "hash": "ab" * 32, "claim": "no"},
        "notes": {"seq": 1, "audience": "private", "body": "no"},
        "fixes": {},
        "reviews": {**BECAUSE, "corrected": 1, "approved": True},
        "events/<seq>/explanation": CONCEDE,
    }
    found: list[tuple[str, str, Json]] = []
    for one in ROUTES:
        _, match, rest = one.rule.partition("/<match_id>")
        if match and one.method != "DELETE":
            name = rest.lstrip("/")
            body = bodies[name] if one.method == "POST" else None
            found.append((one.method, f"{path}/{name}".rstrip("/"), body))
    return found


def test_who_may_not_know_of_a_match_finds_nothing(hall: Hall) -> None:
    one, two = hall.person("One"), hall.person("Two")
    match_id = hall.begin("hi-story", [one, two], visibility="participants")
    path = f"{MATCHES}/{match_id}"
    nowhere = f"{MATCHES}/00000000-0000-0000-0000-000000000000"
    others = [
        hall.anybody,
        hall.person("Stranger", "judge", place=place_of_match("another")),
        hall.with_scopes(one.person, "read", "seat", "act", place="match/another"),
    ]
    for other in others:
        for (method, asked, body), (_, control, _) in zip(
            asked_of(path), asked_of(nowhere), strict=True
        ):
            answers = [
                other.client.open(where, method=method, json=body, headers=other.headers)
                for where in (asked, control)
            ]
            told = [(answer.status_code, answer.get_json()) for answer in answers]
            assert told[0][0] == 404, (method, asked)
            told[0][1]["detail"] = told[0][1]["detail"].replace(match_id, nowhere[-36:])
            assert told[0] == told[1], "as if there were none"
        for query in ({}, {"person": one.person}, {"state": "running"}, {"game": "hi-story"}):
            assert good(other.get(MATCHES, **query), 200)["items"] == []
    for viewer, knowing in (("P1", one), ("P2", two)):
        good(knowing.get(f"{path}/events", **{"as": viewer}), 200)
        rows = good(knowing.get(MATCHES, person=two.person), 200)["items"]
        assert [row["id"] for row in rows] == [match_id]
    for role in OFFICES:
        good(hall.person(role, role).get(path), 200)
    judge = hall.person("Judge", "judge", place=place_of_match(match_id))
    good(judge.get(path), 200)


def test_a_match_with_a_link_is_found_by_it_alone(hall: Hall) -> None:
    one, two = hall.person("One"), hall.person("Two")
    match_id = hall.begin("formation", [one, two], visibility="link")
    for other in (hall.anybody, hall.person("Stranger")):
        good(other.get(f"{MATCHES}/{match_id}/events"), 200)
        assert good(other.get(MATCHES), 200)["items"] == []
        assert good(other.get(MATCHES, person=one.person), 200)["items"] == []
    assert len(good(one.get(MATCHES), 200)["items"]) == 1


def test_a_seat_is_seen_with_the_scope_for_it(hall: Hall) -> None:
    one, two = hall.person("One"), hall.person("Two")
    match_id = hall.begin("hi-story", [one, two])
    path, place = f"{MATCHES}/{match_id}", place_of_match(match_id)
    for scopes, narrowed, sees in (
        (("seat",), None, True),
        (("seat",), place, True),
        (("seat",), "match/another", False),
        (("read", "act", "judge", "organize", "operate"), None, False),
    ):
        who = hall.with_scopes(one.person, *scopes, place=narrowed)
        for name in ("position", "events", "frames", "random", "export", "verification"):
            answer = who.get(f"{path}/{name}", **{"as": "P1"})
            assert answer.status_code == (200 if sees else 403), (scopes, narrowed, name)
        assert who.get(f"{path}/legal-actions").status_code == (200 if sees else 403)
        assert ("P1" in good(who.get(path), 200)["viewers"]) == sees


@pytest.mark.parametrize("own", ["act", "seat"])
def test_reading_and_acting_are_two_scopes(hall: Hall, own: str) -> None:
    one, two = hall.person("One"), hall.person("Two")
    path = f"{MATCHES}/{hall.begin('hi-story', [one, two])}"
    who = hall.with_scopes(one.person, own)
    if own == "seat":
        refused(who.post(f"{path}/actions", CONCEDE), 403, "forbidden")
    else:
        body = good(who.post(f"{path}/end-offers", {"winner": None}))
        assert body["viewer"] == "spectator", "what it does it sees as everybody does"
