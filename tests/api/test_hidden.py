"""Planted secrets: a name that a caller may not know is in no byte of any answer to him."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from schemas.notes import AUDIENCES
from schemas.queries import VERDICTS, VIEWERS
from schemas.search import KINDS
from service.aggregates.access import Role, place_of_match
from service.api.application import ROUTES
from service.api.routing import Route
from service.engine.values import Json
from service.installation import clock
from service.settings import Settings
from service.store.databases import migrate
from tests.api.planted import EVENT_STREAM, NDJSON, Planted, planted_match, secrets_in, texts_in
from tests.api.tables import MATCHES, Caller, Hall, good, refused
from tests.conftest import settings_in

BECAUSE = {"reason": "because"}
Query = Mapping[str, Json]
WINDOWS: tuple[Query, ...] = (
    {},
    {"from": 0},
    {"from": 2, "to": 9},
    {"from": 0, "to": 99_999},
    {"from": "x"},
)
PLACES: tuple[Query, ...] = (
    {},
    {"at": "0"},
    {"at": "5"},
    {"at": "7.1"},
    {"at": "8.4"},
    {"at": "99999"},
    {"at": "x"},
)
EVERY_VIEWER: list[Query] = [{"as": viewer} for viewer in (*VIEWERS, "P9")]

ASKED: Mapping[str, tuple[str, list[Query]]] = {
    "/rulesets": ("/rulesets", [{}]),
    "/rulesets/<game>": ("/rulesets/hi-story", [{}]),
    "/rulesets/<game>/cards": ("/rulesets/hi-story/cards", [{}, {"cards": "x"}]),
    "/rulesets/<game>/editions": ("/rulesets/hi-story/editions", [{}]),
    "/rulesets/<game>/rules": ("/rulesets/hi-story/rules", [{}, {"limit": 500}, {"kind": "x"}]),
    "/rulesets/<game>/rules/diff": ("/rulesets/hi-story/rules/diff", [{"from": 1, "to": 1}, {}]),
    "/rulesets/<game>/examples": ("/rulesets/hi-story/examples", [{}, {"rule": "HS-312"}]),
    "/rulesets/<game>/examples/<example_id>": ("/rulesets/hi-story/examples/HS-E060", [{}]),
    "/rules/<rule_id>": ("/rules/HS-312", [{}]),
    "/rules/<rule_id>/occurrences": ("/rules/HS-312/occurrences", [{}, {"limit": 1}]),
    "/search": (
        "/search",
        [{"q": q, "in": kind} for q in ("secret", "no", "HS-312", "*") for kind in KINDS],
    ),
    "/matches": (
        "/matches",
        [
            *({}, {"person": "{two}"}, {"limit": 1}, {"game": "hi-story"}, {"after": "x"}),
            *({"verdict": verdict} for verdict in VERDICTS),
            *({"state": state} for state in ("running", "closed", "x")),
        ],
    ),
    "/matches/<match_id>": ("/matches/{match}", [{}]),
    "/matches/<match_id>/position": (
        "/matches/{match}/position",
        [{**viewer, **at} for viewer in EVERY_VIEWER for at in PLACES],
    ),
    **{
        f"/matches/<match_id>/{name}": (
            f"/matches/{{match}}/{name}",
            [{**viewer, **window} for viewer in EVERY_VIEWER for window in WINDOWS],
        )
        for name in ("events", "frames", "random")
    },
    **{
        f"/matches/<match_id>/{name}": (f"/matches/{{match}}/{name}", EVERY_VIEWER)
        for name in ("verification", "export")
    },
    "/matches/<match_id>/overview": (
        "/matches/{match}/overview",
        [{**viewer, **start} for viewer in EVERY_VIEWER for start in ({}, {"from": 7})],
    ),
    "/matches/<match_id>/live": (
        "/matches/{match}/live",
        # A stream of what is there so far, as it would never end otherwise.
        [{**viewer, "spoilers": "off", "at": "{events}"} for viewer in EVERY_VIEWER],
    ),
    "/matches/<match_id>/events/<seq>/explanation": (
        "/matches/{match}/events/8/explanation",
        [{}, *EVERY_VIEWER],
    ),
    **{
        f"/matches/<match_id>/{name}": (f"/matches/{{match}}/{name}", [{}, {"as": "P2"}])
        for name in ("legal-actions", "inspections", "refusals", "receipt", "grants")
    },
    "/matches/<match_id>/backup-cost": (
        "/matches/{match}/backup-cost",
        [{"to": "8"}, {"to": "999"}, {}],
    ),
    "/matches/<match_id>/disputes": ("/matches/{match}/disputes", [{}]),
    "/matches/<match_id>/notes": (
        "/matches/{match}/notes",
        [
            *({**viewer, **window} for viewer in EVERY_VIEWER for window in WINDOWS),
            *({"limit": 1}, {"after": "x"}, {"spoilers": "off", "at": "8"}),
        ],
    ),
    "/disputes": ("/disputes", [{}, {"match": "{match}"}, {"state": "final"}, {"after": "x"}]),
    "/disputes/<dispute_id>": ("/disputes/{dispute}", [{}]),
    "/rulings": ("/rulings", [{}, {"match": "{match}"}, {"rule": "HS-312"}]),
    "/rulings/<ruling>": ("/rulings/{dispute}.1", [{}]),
    "/persons/me": ("/persons/me", [{}]),
    "/persons/<person_id>": ("/persons/{two}", [{}]),
    "/tokens": ("/tokens", [{}]),
    "/sessions/current": ("/sessions/current", [{}]),
    "/grants": ("/grants", [{}]),
    "/access-log": ("/access-log", [{"day": clock()[:10]}]),
    "/operations": ("/operations", [{}]),
    "/jobs/<job_id>": ("/jobs/x", [{}]),
}
"""Every GET route of the API → how it is asked."""

OFFICES: tuple[Role, ...] = ("organizer", "judge", "head_judge", "auditor", "operator")


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Planted]:
    folder = tmp_path_factory.mktemp("planted")
    migrate(settings_in(folder).database_url)
    made = with_notes(with_backup(planted_match(settings_in(folder), folder)))
    yield made
    made.hall.installation.close()


def with_backup(planted: Planted) -> Planted:
    """Let a head judge take back the last action, and P1 play on: there are two lines now."""
    hall, head = planted.hall, planted.hall.person("Head", "head_judge")
    shown = good(planted.one.get(planted.path), 200)
    events = good(planted.one.get(f"{planted.path}/events", to=shown["events"]), 200)["items"]
    last = [one for one in events if one["actor"] == "P1"][-1]
    said = {"seq": last["seq"], "hash": last["hash"], "claim": "no"}
    dispute = good(planted.two.post(f"{planted.path}/disputes", said))["id"]
    ruling = {"outcome": "upheld", "kind": "full_backup", "to": last["seq"] - 1}
    text = {"text": {"en": "Back."}, "rules": ["HS-312"]}
    good(head.post(f"/api/v1/disputes/{dispute}/rulings", ruling | text))
    for _ in range(60):
        if hall.choose(planted.one, planted.match_id)[1] is None:
            break
        hall.play_one([planted.one], planted.match_id)
    return replace(planted, dispute=dispute)


def with_notes(planted: Planted) -> Planted:
    """Let somebody who saw it all note secrets, for every audience."""
    writer = planted.hall.person("Writer", "head_judge")
    for audience in AUDIENCES:
        body = {"seq": 8, "audience": audience, "body": f"secret-note-{audience}"}
        good(writer.post(f"{planted.path}/notes", body))
    return planted


def answers(planted: Planted, one: Caller) -> Iterator[tuple[str, Query, TestResponse]]:
    """Ask every GET route in every way, and for the document of the API and the health."""
    names = {
        "{match}": planted.match_id,
        "{two}": planted.two.person,
        "{dispute}": planted.dispute,
        "{events}": str(planted.hall.installation.log.version_of(planted.match_id)),
    }
    for path, queries in ASKED.values():
        for name, value in names.items():
            path = path.replace(name, value)
        for query in queries:
            filled = {key: names.get(str(value), value) for key, value in query.items()}
            yield path, filled, one.get(f"/api/v1{path}", **filled)
    for path in ("/api/v1/openapi.json", "/healthz", "/readyz", "/metrics", "/api/v1/nowhere"):
        yield path, {}, one.get(path)


def office(hall: Hall, role: Role, match_id: str) -> Caller:
    return hall.person(role, role, place=place_of_match(match_id))


def onlookers(planted: Planted) -> dict[str, Caller]:
    """Return everybody who may not see P2's cards before the end."""
    hall, place = planted.hall, place_of_match(planted.match_id)
    return {
        "P1": planted.one,
        "P1 without the scope": hall.with_scopes(planted.one.person, "read", "act"),
        "P2 without the scope": hall.with_scopes(planted.two.person, "read", "act"),
        "P2 narrowed to another match": hall.with_scopes(
            planted.two.person, "seat", place="match/another"
        ),
        "anybody": hall.anybody,
        "stranger": hall.person("Stranger"),
        **{role: hall.person(role, role) for role in OFFICES},
        "judge of the match": hall.person("J", "judge", place=place),
        "head judge of the match": hall.person("H", "head_judge", place=place),
    }


def is_of_tournaments(one: Route) -> bool:
    return one.rule.startswith("/api/v1/tournaments")


def test_every_route_is_walked() -> None:
    """A route that is added has to be added to the walk; tournaments have one of their own."""
    rules = {one.rule for one in ROUTES if one.method == "GET" and not is_of_tournaments(one)}
    assert rules == {f"/api/v1{rule}" for rule in ASKED}


def test_no_answer_names_what_its_asker_may_not_see(planted: Planted) -> None:
    statuses = set()
    for name, one in onlookers(planted).items():
        for path, query, answer in answers(planted, one):
            assert answer.status_code < 500, (name, path, query)
            assert secrets_in(answer) == set(), (name, path, query)
            statuses.add(answer.status_code)
            if query.get("as") in ("P2", "judge") and answer.status_code == 200:
                assert "viewer" not in (answer.get_json(silent=True) or {}), (name, path)
    assert statuses >= {200, 401, 403, 404, 422}


def test_no_answer_holds_the_id_of_a_hidden_card(planted: Planted) -> None:
    """An id that survives a shuffle tells where a card went."""
    for one in (planted.one, planted.hall.anybody):
        for path, query, answer in answers(planted, one):
            if "/examples/" in path:
                continue  # an example is no match: its cards have ids of the same form
            if answer.is_json or answer.mimetype in (NDJSON, EVENT_STREAM):
                assert texts_in(answer).isdisjoint(planted.hidden), (path, query)


def test_how_many_actions_the_other_seat_has_is_told_nowhere(planted: Planted) -> None:
    path = f"{planted.path}/legal-actions"
    own = good(planted.two.get(path), 200)
    assert len(own["actions"]) > 1
    seen = good(planted.one.get(path), 200)
    assert set(seen) == {"match", "version", "seat", "actions", "awaited"}
    assert (seen["seat"], seen["awaited"]) == ("P1", ["P2"])
    assert all(entry["type"] == "concede" for entry in seen["actions"])
    asking = onlookers(planted)
    for one in asking.values():
        if one.person != planted.one.person:
            assert one.get(path).status_code in (401, 403)
    for one in (asking["P1"], asking["judge of the match"]):
        for route, _, answer in answers(planted, one):
            for entry in own["actions"]:
                if entry["type"] != "concede":
                    assert all(
                        entry != other for other in objects_in(answer.get_json(silent=True))
                    ), route


def objects_in(value: Json) -> Iterator[dict[str, Any]]:
    parts: list[Any] = [value]
    while parts:
        part = parts.pop()
        if isinstance(part, dict):
            yield part
            parts.extend(part.values())
        elif isinstance(part, list):
            parts.extend(part)


COMMANDS: Mapping[str, list[tuple[str, Json]]] = {
    "/matches": [("/matches", {"game": "hi-story", "cards": "planted", "seats": {"P1": "{two}"}})],
    "/matches/<match_id>/seats": [("/matches/{match}/seats", {"seat": "P2"})],
    "/matches/<match_id>/readiness": [
        ("/matches/{match}/readiness", {"deck": "@mare"}),
        ("/matches/{match}/readiness", {"deck": ["kotaro*99"]}),
    ],
    "/matches/<match_id>/seeds": [("/matches/{match}/seeds", {"seed": "00" * 32})],
    "/matches/<match_id>/visibility": [("/matches/{match}/visibility", {"visibility": "listed"})],
    "/matches/<match_id>/cancellation": [("/matches/{match}/cancellation", BECAUSE)],
    "/matches/<match_id>/actions": [
        ("/matches/{match}/actions", {"action": action})
        for action in (
            {"type": "end_phase"},
            {"type": "play_card", "card": "{hidden}"},
            {"type": "attack", "attacker": "{hidden}", "target": "{hidden}"},
            {"type": "mulligan", "cards": ["{hidden}"]},
            {"type": "choose", "cards": ["{hidden}"]},
            {"type": "{hidden}"},
        )
    ],
    "/matches/<match_id>/proposals": [
        (
            "/matches/{match}/proposals",
            {**BECAUSE, "facts": [{"fact": "hand_settled", "rules": ["HS-212"], "player": "P2"}]},
        )
    ],
    "/matches/<match_id>/proposals/answers": [
        ("/matches/{match}/proposals/answers", {"proposed": 7, "accepted": True})
    ],
    "/matches/<match_id>/end-offers": [("/matches/{match}/end-offers", {"winner": "P1"})],
    "/matches/<match_id>/events/<seq>/explanation": [
        ("/matches/{match}/events/8/explanation", {"actor": actor, "action": action})
        for actor in ("P1", "P2")
        for action in ({"type": "set_card", "card": "{hidden}", "field": 1}, {"type": "{hidden}"})
    ],
    "/matches/<match_id>/disputes": [
        ("/matches/{match}/disputes", {"seq": 8, "hash": "ab" * 32, "claim": "no"})
    ],
    "/matches/<match_id>/notes": [
        ("/matches/{match}/notes", {"seq": 8, "audience": audience, "body": "no"})
        for audience in AUDIENCES
    ],
    "/matches/<match_id>/reviews": [
        ("/matches/{match}/reviews", {**BECAUSE, "corrected": 8, "approved": True})
    ],
    "/matches/<match_id>/fixes": [
        ("/matches/{match}/fixes", {}),
        (
            "/matches/{match}/fixes",
            {"facts": [{"fact": "hand_settled", "rules": ["HS-212"], "player": "P2"}]},
        ),
    ],
    "/disputes/<dispute_id>/comments": [("/disputes/{dispute}/comments", {"text": "no"})],
    "/disputes/<dispute_id>/assignment": [("/disputes/{dispute}/assignment", {})],
    "/disputes/<dispute_id>/appeal": [("/disputes/{dispute}/appeal", {**BECAUSE, "ruling": 1})],
    "/disputes/<dispute_id>/withdrawal": [("/disputes/{dispute}/withdrawal", {})],
    "/disputes/<dispute_id>/finalization": [("/disputes/{dispute}/finalization", {})],
    "/disputes/<dispute_id>/rulings": [
        (
            "/disputes/{dispute}/rulings",
            {"outcome": "upheld", "kind": "full_backup", "to": 8, "text": {"en": "no"}},
        )
    ],
    "/matches/<match_id>/hold": [("/matches/{match}/hold", BECAUSE)],
    "/matches/<match_id>/release": [("/matches/{match}/release", {})],
    "/matches/<match_id>/closing": [
        ("/matches/{match}/closing", {**BECAUSE, "cause": "forfeit", "winner": "P1"})
    ],
    "/matches/<match_id>/inspections": [("/matches/{match}/inspections", BECAUSE)],
    "/matches/<match_id>/grants": [
        ("/matches/{match}/grants", {"person": "{two}", "role": "judge"})
    ],
    "/imports": [],
    "/verify": [],
    "/persons": [("/persons", {"name": "x"})],
    "/tokens": [("/tokens", {"scopes": ["seat"]})],
    "/sessions": [("/sessions", {"token": "x.y"})],
    "/grants": [("/grants", {"person": "{two}", "role": "judge"})],
    "/rulesets/<game>/adjudications": [
        (
            "/rulesets/hi-story/adjudications",
            {"match": "{match}", "at": 7, "actions": [{"actor": "P2", "type": "keep_hand"}]},
        )
    ],
}
"""Every POST route → what P1 sends; imports and files bring their own records."""


def filled(value: Json, names: Mapping[str, str]) -> Json:
    """Return a value with names in place of their marks."""
    if isinstance(value, dict):
        return {key: filled(part, names) for key, part in value.items()}
    if isinstance(value, list):
        return [filled(part, names) for part in value]
    return names.get(value, value) if isinstance(value, str) else value


def test_no_command_of_the_other_seat_is_answered_with_secrets(planted: Planted) -> None:
    rules = {one.rule for one in ROUTES if one.method == "POST" and not is_of_tournaments(one)}
    assert rules <= {f"/api/v1{rule}" for rule in COMMANDS}, "add it to what P1 sends"
    statuses = set()
    for hidden in sorted(planted.hidden)[:4]:
        names = {"{match}": planted.match_id, "{two}": planted.two.person, "{hidden}": hidden}
        for path, body in (sent for all_sent in COMMANDS.values() for sent in all_sent):
            answer = planted.one.post(
                f"/api/v1{path.replace('{match}', planted.match_id)}".replace(
                    "{dispute}", planted.dispute
                ),
                filled(body, names),
            )
            assert answer.status_code < 500, (path, body)
            assert secrets_in(answer) == set(), (path, body)
            statuses.add(answer.status_code)
    assert statuses >= {201, 403, 404, 409, 422}


# Who may see them does.


def names_seen(planted: Planted, one: Caller, viewer: str) -> dict[str, bool]:
    """Return for each part of the record whether a caller is shown secrets: None if refused."""
    found = {}
    for name in ("position", "events", "frames", "export"):
        answer = one.get(f"{planted.path}/{name}", **{"as": viewer})
        found[name] = answer.status_code == 200 and bool(secrets_in(answer))
    return found


ALL = dict.fromkeys(("position", "events", "frames", "export"), True)
NONE = dict.fromkeys(ALL, False)


def test_whose_they_are_sees_them(planted: Planted) -> None:
    assert names_seen(planted, planted.two, "P2") == ALL
    narrow = planted.hall.with_scopes(planted.two.person, "seat")
    assert names_seen(planted, narrow, "P2") == ALL
    for viewer in ("spectator", "P1", "judge"):
        assert names_seen(planted, planted.two, viewer) == NONE


def test_a_judge_with_an_open_look_sees_them(planted: Planted) -> None:
    judge = office(planted.hall, "judge", planted.match_id)
    assert names_seen(planted, judge, "judge") == NONE
    good(judge.post(f"{planted.path}/inspections", BECAUSE))
    for viewer in ("P2", "judge"):
        assert names_seen(planted, judge, viewer) == ALL
    assert names_seen(planted, judge, "spectator") == NONE
    again = planted.hall.with_scopes(judge.person, "judge")
    assert names_seen(planted, again, "judge") == ALL, "the same person, the same view"
    without = planted.hall.with_scopes(judge.person, "act", "seat")
    assert names_seen(planted, without, "judge") == NONE


@pytest.mark.parametrize(
    ("after_end", "shown"),
    [
        ("nothing", {"spectator"}),
        ("seats", {"spectator", "P1", "P2"}),
        ("all", {"spectator", "P1", "P2", "judge"}),
    ],
)
def test_after_the_end_the_policy_decides(
    settings: Settings, tmp_path: Path, after_end: str, shown: set[str]
) -> None:
    planted = planted_match(settings, tmp_path, policy={"after_end": after_end})
    auditor = office(planted.hall, "auditor", planted.match_id)
    refused(auditor.post(f"{planted.path}/inspections", BECAUSE), 403, "forbidden")
    good(planted.one.post(f"{planted.path}/actions", {"action": {"type": "concede"}}))
    for one in (planted.hall.anybody, planted.one, planted.hall.person("Stranger")):
        mine = {"P1"} if one is planted.one else set()
        assert set(good(one.get(planted.path), 200)["viewers"]) == shown | mine
        for viewer in ("P2", "judge"):
            assert names_seen(planted, one, viewer) == (ALL if viewer in shown else NONE)
        assert names_seen(planted, one, "spectator") == NONE
    assert names_seen(planted, planted.two, "P2") == ALL
    opened = good(planted.hall.anybody.get(f"{planted.path}/events"), 200)["items"][-1]
    assert opened["type"] == "secrets_opened"
    assert (opened["content"]["closed"] is not None) == (after_end == "all")
    good(auditor.post(f"{planted.path}/inspections", BECAUSE))
    assert names_seen(planted, auditor, "judge") == ALL
    planted.hall.installation.close()


def test_ids_of_the_other_player_are_never_shown(client: FlaskClient, match_id: str) -> None:
    """Instance ids of Hi! story survive shuffles: those of P2 are for P2 and the judge."""
    query = {"from": 0, "to": 136, "as": "P1"}
    for name in ("frames", "events"):
        answer = client.get(f"{MATCHES}/{match_id}/{name}", query_string=query)
        shown = texts_in(answer)
        assert [text for text in shown if re.fullmatch(r"b[a-z]?[0-9]+(#[0-9]+)?", text)] == []
