"""Notes over HTTP, on both databases: who writes them, who reads them when, who removes them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import pytest
from werkzeug.test import TestResponse

from schemas.notes import AUDIENCES
from service.aggregates.access import place_of_match
from service.api.jobs import ACTIONS_MAX
from service.engine.values import Json
from service.installation import Installation
from service.notes import PER_PERSON_MAX
from tests.api.tables import MATCHES, Caller, Hall, good, hall_of, refused
from tests.api.test_judging import Court, court_of

DATABASES = ("sqlite", "postgresql")
BECAUSE = {"reason": "because"}
CONCEDE = {"action": {"type": "concede"}}
ALL = frozenset(AUDIENCES)
NONE: frozenset[str] = frozenset()
PUBLIC = frozenset({"public"})
NOWHERE = "0" * 32


def write(one: Caller, path: str, audience: str, seq: int = 3, **more: str) -> TestResponse:
    body: dict[str, Json] = {"seq": seq, "audience": audience, "body": f"planted {audience}"}
    return one.post(f"{path}/notes", {**body, **more})


def read(one: Caller, path: str, **query: Json) -> list[Json]:
    return list(good(one.get(f"{path}/notes", **query), 200)["items"])


def audiences(one: Caller, path: str, **query: Json) -> frozenset[str]:
    return frozenset(note["audience"] for note in read(one, path, **query))


def remove(one: Caller, path: str, note_id: str) -> TestResponse:
    return one.client.delete(f"{path}/notes/{note_id}", headers=one.headers)


@pytest.fixture
def court(installation: Installation) -> Court:
    return court_of(installation, "hi-story", played=4)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """Somebody who asks for notes. looks: opens the judge's view before."""

    caller: Caller
    viewer: str = "spectator"
    looks: bool = False

    def reads(self, path: str) -> frozenset[str]:
        if self.looks:
            good(self.caller.post(f"{path}/inspections", BECAUSE))
        return audiences(self.caller, path, **{"as": self.viewer})


def readers(court: Court) -> Mapping[str, tuple[Reader, frozenset[str], frozenset[str]]]:
    """Return those who ask: what each reads while P1's match goes on, and when it has closed."""
    hall, one, two = court.hall, *court.players
    place = place_of_match(court.match)
    narrowed = hall.with_scopes(one.person, "read", "act", "seat", place="match/another")
    office = hall.person("J", "judge", place=place)
    told = {
        "author": (Reader(caller=one), ALL, ALL),
        "author in his seat": (Reader(caller=one, viewer="P1"), ALL, ALL),
        "author narrowed to here": (
            Reader(caller=hall.with_scopes(one.person, "read", place=place)),
            ALL,
            ALL,
        ),
        "author narrowed elsewhere": (Reader(caller=narrowed), NONE, PUBLIC),
        "author without the scope": (
            Reader(caller=hall.with_scopes(one.person, "seat")),
            NONE,
            PUBLIC,
        ),
        "other player": (Reader(caller=two, viewer="P2"), NONE, PUBLIC),
        "anybody": (Reader(caller=hall.anybody), NONE, PUBLIC),
        "stranger": (Reader(caller=hall.person("S")), NONE, PUBLIC),
        "judge": (Reader(caller=office), NONE, PUBLIC),
        "judge who looks": (
            Reader(caller=court.judge, viewer="judge", looks=True),
            frozenset({"judges"}),
            frozenset({"judges", "public"}),
        ),
        "judge who looks as a spectator": (Reader(caller=court.head, looks=True), NONE, PUBLIC),
    }
    for role in ("organizer", "operator", "auditor"):
        told[role] = (Reader(caller=hall.person(role, role)), NONE, PUBLIC)
    return told


def check_readers(court: Court, *, is_closed: bool) -> None:
    for name, (reader, running, closed) in readers(court).items():
        assert reader.reads(court.path) == (closed if is_closed else running), name


def test_who_reads_which_notes_when(court: Court) -> None:
    one, path = court.players[0], court.path
    for audience in AUDIENCES:
        good(write(one, path, audience))
    check_readers(court, is_closed=False)
    good(court.judge.post(f"{path}/hold", BECAUSE))
    check_readers(court, is_closed=False)
    good(court.judge.post(f"{path}/release", {}))
    before = court.shown(one)["events"]
    good(one.post(f"{path}/actions", CONCEDE))
    # The policy opens the judge's view to all; notes for judges are not in it.
    for other in (court.hall.anybody, court.players[1], court.judge, court.head):
        assert audiences(other, path, **{"as": "judge"}) == PUBLIC
    check_readers(court, is_closed=True)
    dispute = court.dispute(one, before + 1)
    good(court.rule(court.head, dispute, kind="full_backup", to=before))
    assert court.shown(one)["state"] == "running"
    check_readers(court, is_closed=False)


def test_a_judge_reads_what_is_meant_for_judges_alone(court: Court) -> None:
    """As long as his look is open; what another judge keeps to himself he does not."""
    one, two = court.players
    for writer in (one, two, court.head):
        for audience in AUDIENCES:
            good(write(writer, court.path, audience))
    refused(court.judge.get(f"{court.path}/notes", **{"as": "judge"}), 403, "forbidden")
    good(court.judge.post(f"{court.path}/inspections", BECAUSE))
    found = read(court.judge, court.path, **{"as": "judge"})
    assert {(note["author"], note["audience"]) for note in found} == {
        (writer.person, "judges") for writer in (one, two, court.head)
    }
    assert {note["name"] for note in found} == {"One", "Two", "Head"}
    without = court.hall.with_scopes(court.judge.person, "act")
    assert read(without, court.path) == []


def test_a_note_is_answered_as_it_was_written(court: Court) -> None:
    one = court.players[0]
    text = "ここで待つべきだった。\n<b>🂡</b>"
    made = good(write(one, court.path, "public", body=text))
    assert read(one, court.path) == [made]
    assert (made["body"], made["author"], made["name"]) == (text, one.person, "One")
    assert (made["match"], made["seq"], made["removable"]) == (court.match, 3, True)


def test_notes_are_paged_by_event_and_time(court: Court) -> None:
    one, path = court.players[0], court.path
    made = [good(write(one, path, "private", seq)) for seq in (4, 2, 3, 2, 4)]
    order = [made[at]["id"] for at in (1, 3, 2, 0, 4)]
    assert [note["id"] for note in read(one, path)] == order
    found: list[str] = []
    query: dict[str, Json] = {"limit": 2}
    while True:
        page = good(one.get(f"{path}/notes", **query), 200)
        found += [note["id"] for note in page["items"]]
        if page["next"] is None:
            break
        query["after"] = page["next"]
    assert found == order
    for window, count in (((0, 2), 2), ((2, 3), 1), ((3, 10**30), 2), ((10**30, 3), 0)):
        assert len(read(one, path, **{"from": window[0], "to": window[1]})) == count
    for name, value in (("from", -1), ("from", "x"), ("after", "x"), ("limit", 0), ("as", "P9")):
        refused(one.get(f"{path}/notes", **{name: value}), 422, "invalid")
    refused(one.get(f"{path}/notes", **{"as": "P4"}), 404, "not-found")
    refused(one.get(f"{path}/notes", **{"as": "P2"}), 403, "forbidden")


def test_only_events_that_are_shown_can_be_noted(court: Court) -> None:
    one, path = court.players[0], court.path
    last = court.shown(one)["events"]
    good(write(one, path, "private", last))
    for seq in (0, -1, last + 1, 10**9):
        assert "seq" in refused(write(one, path, "private", seq), 422, "invalid")["errors"]
    for text in ("", "x" * 10_001):
        assert "body" in refused(write(one, path, "private", body=text), 422, "invalid")["errors"]
    for audience in ("", "parties", "all"):
        assert "audience" in refused(write(one, path, audience), 422, "invalid")["errors"]
    body: dict[str, Json] = {"seq": 2, "audience": "private", "body": "x"}
    refused(one.post(f"{path}/notes", body, **{"as": "P2"}), 403, "forbidden")
    watched: dict[str, Any] = {"spoilers": "off", "at": "3"}
    told = refused(one.post(f"{path}/notes", {**body, "seq": 4}, **watched), 422, "invalid")
    assert told["errors"]["seq"] == ["an event from 1 to 3"], "no length beyond what was watched"
    good(one.post(f"{path}/notes", {**body, "seq": 3}, **watched))


def test_who_writes(court: Court) -> None:
    hall, one = court.hall, court.players[0]
    refused(write(hall.anybody, court.path, "public"), 401, "unauthenticated")
    for scopes, place in (
        (("read", "seat", "judge", "organize", "operate"), None),
        (("act",), "match/another"),
    ):
        who = hall.with_scopes(one.person, *scopes, place=place)
        refused(write(who, court.path, "public"), 403, "forbidden")
    for writer in (hall.person("Stranger"), hall.person("Judge", "judge"), *court.players):
        good(write(writer, court.path, "public"))
    hidden = hall.begin("formation", court.players, visibility="participants")
    stranger = hall.person("Stranger")
    refused(write(stranger, f"{MATCHES}/{hidden}", "public"), 404, "not-found")
    refused(stranger.get(f"{MATCHES}/{hidden}/notes"), 404, "not-found")


def test_behind_a_delay_nothing_later_is_read_or_noted(hall: Hall) -> None:
    one, two, stranger = (hall.person(name) for name in ("One", "Two", "Stranger"))
    match_id = hall.begin("hi-story", [one, two], policy={"delay_s": 3_600})
    path = f"{MATCHES}/{match_id}"
    hall.play([one, two], match_id, most=4)
    for seq in (1, 3):
        good(write(one, path, "public", seq))
    good(write(stranger, path, "public", 1))
    told = refused(write(stranger, path, "public", 2), 422, "invalid")
    assert told["errors"]["seq"] == ["an event from 1 to 1"]
    good(one.post(f"{path}/actions", CONCEDE))
    assert [note["seq"] for note in read(two, path)] == [1, 1, 3]
    assert [note["author"] for note in read(stranger, path)] == [stranger.person]
    assert read(hall.anybody, path) == [], "for him the match goes on"


def test_without_spoilers_notes_are_read_up_to_the_place(court: Court) -> None:
    one, path = court.players[0], court.path
    for seq in (1, 3, 5):
        good(write(one, path, "public", seq))
    good(one.post(f"{path}/actions", CONCEDE))
    off = {"spoilers": "off"}
    for at, seen in ((None, [1]), ("0", [1]), ("3", [1, 3]), ("4.1", [1, 3, 5]), ("99", [1, 3, 5])):
        query = off if at is None else {**off, "at": at}
        assert [note["seq"] for note in read(court.hall.anybody, path, **query)] == seen


def test_a_note_is_sent_again_and_kept_once(court: Court) -> None:
    one, two = court.players
    body = {"seq": 2, "audience": "private", "body": "x"}
    path = f"{court.path}/notes"
    made = good(one.post(path, body, key="k"))
    assert good(one.post(path, body, key="k")) == made
    refused(one.post(path, {**body, "seq": 3}, key="k"), 422, "idempotency-key-reused")
    assert good(two.post(path, body, key="k"))["author"] == two.person
    assert len(read(one, court.path)) == 1
    assert remove(one, court.path, made["id"]).status_code == 204
    refused(one.post(path, body, key="k"), 404, "not-found")
    assert read(one, court.path) == [], "what was withdrawn does not come back"


def test_somebody_has_so_many_notes_on_a_match(court: Court, installation: Installation) -> None:
    one, two = court.players
    first = good(write(one, court.path, "private"))
    note = installation.notes.find(first["id"])
    for number in range(PER_PERSON_MAX - 1):
        installation.notes.add(replace(note, id=str(number)))
    told = refused(write(one, court.path, "private"), 409, "conflict")
    assert str(PER_PERSON_MAX) in told["detail"]
    good(write(two, court.path, "private"))
    assert remove(one, court.path, first["id"]).status_code == 204
    good(write(one, court.path, "private"))


def removers(court: Court) -> Mapping[str, tuple[Caller, Mapping[str, int]]]:
    """Return those who want to remove a note of P1 when the match has closed: audience → status."""
    hall, (one, two) = court.hall, court.players
    here = place_of_match(court.match)
    gone = dict.fromkeys(AUDIENCES, 404)
    seen, moderating = {**gone, "public": 403}, {**gone, "judges": 204, "public": 204}
    looking = hall.person("Auditor", "auditor")
    good(looking.post(f"{court.path}/inspections", BECAUSE))
    return {
        "anybody": (hall.anybody, dict.fromkeys(AUDIENCES, 401)),
        "stranger": (hall.person("S"), seen),
        "other player": (two, seen),
        "judge of another match": (hall.person("J", "judge", place="match/another"), seen),
        "auditor": (hall.person("A", "auditor"), seen),
        "auditor who looks": (looking, {**seen, "judges": 403}),
        "author without the scope": (
            hall.with_scopes(one.person, "read", "judge"),
            dict.fromkeys(AUDIENCES, 403),
        ),
        "author narrowed elsewhere": (
            hall.with_scopes(one.person, "act", place="match/another"),
            dict.fromkeys(AUDIENCES, 403),
        ),
        "judge": (hall.person("J", "judge", place=here), moderating),
        "head judge": (court.head, moderating),
        "organizer": (hall.person("O", "organizer"), moderating),
        "operator": (hall.person("P", "operator"), moderating),
        "judge without the scope": (hall.with_scopes(court.judge.person, "act"), seen),
        "author": (one, dict.fromkeys(AUDIENCES, 204)),
    }


def test_who_removes_which_notes(court: Court) -> None:
    one, path = court.players[0], court.path
    good(one.post(f"{path}/actions", CONCEDE))
    for name, (caller, statuses) in removers(court).items():
        for audience, status in statuses.items():
            note = good(write(one, path, audience))["id"]
            if status != 401:
                told = {row["id"]: row["removable"] for row in read(caller, path)}
                assert told.get(note, status == 204) == (status == 204), (name, audience)
            answer = remove(caller, path, note)
            assert answer.status_code == status, (name, audience)
            left = {row["id"] for row in read(one, path)}
            assert (note in left) == (status != 204), (name, audience)


def test_a_note_is_removed_below_its_own_match(court: Court) -> None:
    one, path = court.players[0], court.path
    note = good(write(one, path, "public"))["id"]
    other = court.hall.begin("hi-story", court.players)
    refused(remove(one, f"{MATCHES}/{other}", note), 404, "not-found")
    for asked in (NOWHERE, "x", "%00", "' OR 1=1 --"):
        refused(remove(one, path, asked), 404, "not-found")
    assert remove(one, path, note).status_code == 204
    refused(remove(one, path, note), 404, "not-found")


def noted_in(one: Caller, path: str, **query: Json) -> tuple[list[bytes], list[Json]]:
    """Return the lines of a match's file as somebody gets it, and the notes behind them."""
    answer = one.get(f"{path}/export", **query)
    assert answer.status_code == 200
    lines = answer.get_data().splitlines(keepends=True)
    notes = [json.loads(line)["note"] for line in lines if line.startswith(b'{"note":')]
    return lines, notes


def test_a_file_holds_the_notes_of_its_reader(court: Court) -> None:
    one, two = court.players
    for audience in AUDIENCES:
        good(write(one, court.path, audience, 4))
        good(write(two, court.path, audience, 2))
    assert len(noted_in(court.hall.anybody, court.path)[1]) == 0
    good(one.post(f"{court.path}/actions", CONCEDE))
    good(court.judge.post(f"{court.path}/inspections", BECAUSE))
    own = [("Two", "public")]
    own += [("One", audience) for audience in AUDIENCES]
    for caller, viewer, expected in (
        (court.hall.anybody, "spectator", [("Two", "public"), ("One", "public")]),
        (one, "judge", own),
        (one, "P1", own),
        (
            court.judge,
            "judge",
            [(name, audience) for name in ("Two", "One") for audience in AUDIENCES[1:]],
        ),
        (court.judge, "spectator", [("Two", "public"), ("One", "public")]),
    ):
        lines, notes = noted_in(caller, court.path, **{"as": viewer})
        assert [(note["author"], note["audience"]) for note in notes] == expected
        assert all(set(note) == {"seq", "audience", "author", "body", "time"} for note in notes)
        check_verified(caller, lines, len(notes))


def check_verified(one: Caller, lines: list[bytes], notes: int) -> None:
    """A file is verified with its notes as it is without them."""
    record = lines[: len(lines) - notes]
    told = []
    for part in (lines, record):
        answer = one.client.post(
            "/api/v1/verify", data=b"".join(part), content_type="application/x-ndjson"
        )
        told.append(good(answer, 200))
    assert told[0]["notes"] == {"count": notes, "damaged": 0}
    assert {**told[0], "notes": None} == {**told[1], "notes": None}
    assert told[1]["overall"] in ("exact", "partial")


def test_a_file_with_many_notes_is_verified_at_once(court: Court) -> None:
    good(write(court.players[0], court.path, "public"))
    good(court.players[0].post(f"{court.path}/actions", CONCEDE))
    lines, _ = noted_in(court.hall.anybody, court.path)
    check_verified(court.hall.anybody, [*lines, *lines[-1:] * ACTIONS_MAX], ACTIONS_MAX + 1)


def test_who_is_erased_leaves_no_note(court: Court) -> None:
    one, two = court.players
    for writer in (one, two):
        for audience in AUDIENCES:
            good(write(writer, court.path, audience))
    good(one.post(f"{court.path}/actions", CONCEDE))
    good(court.judge.post(f"{court.path}/inspections", BECAUSE))
    court.hall.installation.persons.erase(one.person)
    for caller in (court.hall.anybody, two, court.judge):
        viewer = "judge" if caller is court.judge else "spectator"
        found = read(caller, court.path, **{"as": viewer})
        assert {note["author"] for note in found} == {two.person}
        assert {note["author"] for note in noted_in(caller, court.path)[1]} == {"Two"}


def test_a_name_is_told_as_it_is_today(court: Court) -> None:
    one = court.players[0]
    good(write(one, court.path, "public"))
    good(one.client.put("/api/v1/persons/me/name", json={"name": "Uno"}, headers=one.headers), 200)
    assert [note["name"] for note in read(one, court.path)] == ["Uno"]


def test_one_installation_tells_all_games_alike(installation: Installation) -> None:
    hall = hall_of(installation)
    judge = hall.person("Judge", "judge")
    for game in installation.catalogue.names():
        one, two = hall.person("One"), hall.person("Two")
        path = f"{MATCHES}/{hall.begin(game, [one, two])}"
        good(write(one, path, "public", 1))
        good(judge.post(f"{path}/closing", {**BECAUSE, "cause": "time", "winner": None}))
        assert audiences(hall.anybody, path) == PUBLIC
