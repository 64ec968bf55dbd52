"""Tournaments over HTTP: opened, entered, listed; who may do what, and who is told what."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from schemas.strict import canonical
from service.aggregates.access import Role, place_of_tournament
from service.aggregates.permissions import PERMISSIONS
from service.api.application import ROUTES
from service.api.routing import Route
from service.api.seeing_tournaments import HIDDEN
from service.engine.values import Json
from service.event_files.own import written_profile
from service.standings.profiles import PROFILES
from service.store.databases import migrate
from tests.api.cups import BECAUSE, SWISS, TOP_4, TOURNAMENTS, Cup, cup_of
from tests.api.hostile import mixed
from tests.api.tables import MATCHES, Caller, Hall, good, hall_of, refused
from tests.conftest import opened, settings_in

PREFIX = f"{TOURNAMENTS}/<tournament_id>"
HERE = [one for one in ROUTES if one.rule.startswith(PREFIX)]
OPENING: dict[str, Json] = {
    "name": "Cup",
    "game": "hi-story",
    "profile": "melee-floor",
    "phases": [SWISS],
}
SECRET = "planted"
quick = settings(max_examples=80, suppress_health_check=list(HealthCheck))


def name_of(one: Route) -> str:
    return f"{one.method} {one.rule.removeprefix(TOURNAMENTS)}"


# Opening.


def test_a_tournament_is_opened_with_all_that_it_has(hall: Hall) -> None:
    olga = hall.person("Olga", "organizer")
    own = {"kind": "points", "name": "pts"}
    profile = json.loads(written_profile(PROFILES["topdeck"]))
    profile |= {"name": "house", "criteria": [own, *profile["criteria"][1:]]}
    body = {
        **OPENING,
        "cards": "sample",
        "setup": {"first": "P2"},
        "phases": [{**SWISS, "best_of": 3}, {**TOP_4, "cut": {"top": 4, "points": 6}}],
        "profile": profile,
        "late": "half",
    }
    found = good(olga.post(TOURNAMENTS, body))
    assert [one["type"] for one in found["events"]] == ["tournament_opened"]
    shown = good(hall.anybody.get(f"{TOURNAMENTS}/{found['tournament']}"), 200)
    assert (shown["name"], shown["game"], shown["late"]) == ("Cup", "hi-story", "half")
    assert shown["profile"]["name"] == "house"
    assert shown["profile"]["criteria"][0] == own
    assert [one["best_of"] for one in shown["phases"]] == [3, 1]
    assert shown["phases"][1]["cut"] == {"top": 4, "points": 6}
    assert shown["setup"]["first"] == "P2"
    assert (shown["state"], shown["players"], shown["staff"]) == ("open", 0, False)
    assert good(olga.get(f"{TOURNAMENTS}/{found['tournament']}"), 200)["staff"]


def test_an_opening_that_comes_twice_is_one_tournament(hall: Hall) -> None:
    olga = hall.person("Olga", "organizer")
    first = good(olga.post(TOURNAMENTS, OPENING, key="k"))
    assert good(olga.post(TOURNAMENTS, OPENING, key="k")) == first
    other = {**OPENING, "name": "Another"}
    refused(olga.post(TOURNAMENTS, other, key="k"), 422, "idempotency-key-reused")
    assert good(olga.post(TOURNAMENTS, OPENING))["tournament"] != first["tournament"]
    assert good(olga.post(TOURNAMENTS, other, key="l"))["tournament"] != first["tournament"]


FAULTS: list[tuple[dict[str, Json], str]] = [
    ({"name": ""}, "name"),
    ({"name": "x\n001 injected"}, "name"),
    ({"game": "chess"}, "game"),
    ({"cards": "none"}, "cards"),
    ({"setup": {"colour": 1}}, "setup.colour"),
    ({"setup": []}, "setup"),
    ({"game": "hagmi", "setup": {"mode": "machine_beast"}}, "setup.mode"),
    ({"profile": "none"}, "profile"),
    ({"profile": {"name": "x"}}, "profile"),
    ({"profile": 7}, "profile"),
    ({"profile": None}, "profile"),
    ({"phases": []}, "phases"),
    ({"phases": [{"format": "swiss"}]}, "phases.0.rounds"),
    ({"phases": [{"format": "round_robin", "rounds": 3}]}, "phases.0.rounds"),
    ({"phases": [{**SWISS, "best_of": 2}]}, "phases.0.best_of"),
    ({"phases": [{**SWISS, "cut": {"top": 4}}]}, "phases.0.cut"),
    ({"phases": [SWISS, {**TOP_4, "cut": {"top": 1}}]}, "phases.1.cut.top"),
    ({"phases": [{**SWISS, "reset": 1}]}, "phases.0.reset"),
    ({"late": "win"}, "late"),
    ({"by": "somebody"}, "by"),
]


def test_a_tournament_that_cannot_be_is_refused_with_the_place(hall: Hall) -> None:
    olga = hall.person("Olga", "organizer")
    for changes, place in FAULTS:
        answer = olga.post(TOURNAMENTS, {**OPENING, **changes})
        assert list(refused(answer, 422, "invalid")["errors"]) == [place], changes
    assert good(olga.get(TOURNAMENTS), 200)["items"] == []


def test_tournaments_are_listed_in_pages(hall: Hall) -> None:
    cups = [cup_of(hall, players=2) for _ in range(3)]
    olga = hall.person("Olga", "organizer")
    other = good(olga.post(TOURNAMENTS, OPENING))["tournament"]
    cups[0].begin()
    cups[0].finish(1)
    cups[0].post("/closing", {"early": True})
    cups[1].begin()
    anybody = hall.anybody
    page = good(anybody.get(TOURNAMENTS, limit=2), 200)
    assert [one["id"] for one in page["items"]] == [other, cups[2].id]
    rest = good(anybody.get(TOURNAMENTS, limit=2, after=page["next"]), 200)
    assert [(one["id"], one["state"]) for one in rest["items"]] == [
        (cups[1].id, "running"),
        (cups[0].id, "closed"),
    ]
    assert rest["next"] is None
    assert (rest["items"][0]["name"], rest["items"][0]["players"]) == ("Spring Cup", 2)
    for query, ids in (
        ({"state": "running"}, [cups[1].id]),
        ({"game": "hi-story"}, [other]),
        ({"game": "hi-story", "state": "closed"}, []),
    ):
        found = good(anybody.get(TOURNAMENTS, **query), 200)["items"]
        assert [one["id"] for one in found] == ids


# Who plays.


def test_players_enter_once(hall: Hall) -> None:
    cup = cup_of(hall)
    one = hall.person("One")
    body = {"person": one.person, "byes": [1]}
    first = cup.post("/players", body)
    again = cup.post("/players", body)
    assert (again["player"], again["events"]) == (first["player"], [])
    named = good(cup.staff.post(f"{cup.path}/players", {"name": "Two"}, key="k"))
    assert good(cup.staff.post(f"{cup.path}/players", {"name": "Two"}, key="k")) == named
    other = cup.staff.post(f"{cup.path}/players", {"name": "Three"}, key="k")
    refused(other, 422, "idempotency-key-reused")
    cup.post("/players", {"name": "Four", "player": "four"})
    for wrong in (
        {},
        {"person": one.person, "name": "x"},
        {"person": "nobody"},
        {"name": "x\ny"},
        {"name": "x", "player": "a/b"},
        {"name": "x", "byes": [9]},
    ):
        refused(cup.staff.post(f"{cup.path}/players", wrong), 422, "invalid")
    refused(
        cup.staff.post(
            f"{cup.path}/players", {"person": hall.person("x").person, "player": "four"}
        ),
        409,
        "conflict",
    )
    items = cup.get("/players")["items"]
    assert [entry["player"] for entry in items] == [first["player"], named["player"], "four"]
    assert [entry["name"] for entry in items] == ["One", "Two", "Four"]
    assert [entry["person"] for entry in items] == [one.person, None, None]
    assert items[0]["byes"] == [1]
    page = cup.get("/players", limit=2)
    assert cup.get("/players", limit=2, after=page["next"])["items"] == items[2:]


def test_players_leave_and_come_back(hall: Hall) -> None:
    cup = cup_of(hall, players=5)
    one, two = list(cup.players)[:2]
    refused(cup.players[two].post(f"{cup.path}/players/{one}/drop", BECAUSE), 403, "forbidden")
    repaired = {**BECAUSE, "opponent": "repair"}
    refused(cup.players[one].post(f"{cup.path}/players/{one}/drop", repaired), 403, "forbidden")
    cup.begin()
    cup.finish(1)
    cup.post(f"/players/{one}/drop", BECAUSE, cup.players[one])
    assert cup.post(f"/players/{one}/drop", BECAUSE)["events"] == []
    cup.begin()
    assert one not in {name for table in cup.tables(2) for name in table["players"]}
    cup.finish(2)
    refused(cup.players[one].post(f"{cup.path}/players/{one}/return", {}), 403, "forbidden")
    cup.post(f"/players/{one}/return", {})
    assert cup.post(f"/players/{one}/return", {})["events"] == []
    cup.begin()
    assert cup.get("/rounds/3/pairings", player=one)["items"] or [
        sits["player"] for sits in cup.get("/rounds/3")["without"]
    ] == [one]
    refused(cup.staff.post(f"{cup.path}/players/nobody/drop", BECAUSE), 404, "not-found")


# Decks.


def registered(cup: Cup, player: str, deck: Json, one: Caller | None = None) -> Json:
    caller = one or cup.players[player]
    answer = cup.hall.client.put(
        f"{cup.path}/players/{player}/deck", json={"deck": deck}, headers=caller.headers
    )
    return good(answer, 200)


def test_a_deck_is_for_its_player_and_staff_and_is_what_he_plays(hall: Hall) -> None:
    cup = cup_of(hall, players=3, game="hi-story")
    one, two, three = cup.players
    assert len(registered(cup, one, "@mare")["events"]) == 1
    assert registered(cup, one, "@mare")["events"] == [], "the same again changes nothing"
    own = cup.get(f"/players/{one}/deck", cup.players[one])
    assert own == cup.get(f"/players/{one}/deck", cup.staff)
    assert "@" not in str(own["deck"])
    for other in (cup.players[two], hall.anybody, hall.person("x"), hall.person("a", "auditor")):
        refused(other.get(f"{cup.path}/players/{one}/deck"), 404, "not-found")
    refused(cup.staff.get(f"{cup.path}/players/{two}/deck"), 404, "not-found")
    listed = cup.get("/players")["items"]
    assert listed[0]["deck"] is not None
    assert listed[1]["deck"] is None
    registered(cup, two, "@tenka", cup.staff)
    answer = hall.client.put(
        f"{cup.path}/players/{three}/deck",
        json={"deck": "@mare"},
        headers=cup.players[two].headers,
    )
    refused(answer, 403, "forbidden")
    cup.post(f"/players/{three}/drop", BECAUSE)
    cup.begin()
    match_id = cup.post(f"{cup.pairing(1, 1)}/games", {})["match"]
    path = f"{MATCHES}/{match_id}/readiness"
    wrong = cup.players[one].post(path, {"deck": "@tenka"})
    assert list(refused(wrong, 422, "invalid")["errors"]) == ["deck"]
    good(cup.players[one].post(path, {"deck": own["deck"]}))
    good(cup.players[two].post(path, {"deck": "@tenka"}))
    late = hall.client.put(
        f"{cup.path}/players/{one}/deck",
        json={"deck": "@tenka"},
        headers=cup.players[one].headers,
    )
    refused(late, 409, "conflict")


def test_a_deck_against_the_rules_is_refused_in_both_languages(hall: Hall) -> None:
    cup = cup_of(hall, players=1, game="hi-story")
    (player,) = cup.players
    deck: Json
    for deck in ("@none", [], 7, {"x": 1}):
        texts = set()
        for language in ("ja", "en"):
            answer = hall.client.put(
                f"{cup.path}/players/{player}/deck",
                json={"deck": deck},
                query_string={"lang": language},
                headers=cup.staff.headers,
            )
            texts.add(refused(answer, 422, "rule")["reason"])
        assert len(texts) == 2
    assert cup.get("/players")["items"][0]["deck"] is None


# Who may do what.

GOOD: Mapping[str, Json] = {
    "players": {"name": "New", "player": "new"},
    "players/<player>/deck": {"deck": "@mare"},
    "players/<player>/drop": BECAUSE,
    "players/<player>/return": {},
    "phases/<number>": {},
    "closing": {},
    "rounds": {"round": 2},
    "rounds/<number>/publication": {},
    "rounds/<number>/repair": BECAUSE,
    "rounds/<number>/closing": {},
    "rounds/<number>/penalties": {
        **BECAUSE,
        "player": "{player}",
        "kind": "warning",
        "expected_version": 1,
    },
    "rounds/<number>/pairings/<table>/games": {},
    "rounds/<number>/pairings/<table>/links": {"match": "nowhere"},
    "rounds/<number>/pairings/<table>/links/preview": {"match": "nowhere"},
    "rounds/<number>/pairings/<table>/results": {"winner": "{player}", "games": [9, 9, 9]},
    "rounds/<number>/pairings/<table>/confirmations": {"reported": 1},
    "rounds/<number>/pairings/<table>/corrections": {
        **BECAUSE,
        "winner": "{player}",
        "games": [9, 9, 9],
        "supersedes": None,
    },
    "rounds/<number>/pairings/<table>/corrections/preview": {
        "winner": "{player}",
        "games": [9, 9, 9],
    },
    "rounds/<number>/pairings/<table>/extensions": {
        **BECAUSE,
        "minutes": 1,
        "expected_version": 1,
    },
}
"""Part of the path behind the tournament → a body that its schema takes, of little consequence."""
OFFICES: tuple[Role, ...] = get_args(Role)


def part_of(one: Route) -> str:
    return one.rule.removeprefix(PREFIX).removeprefix("/")


def sent(cup: Cup, one: Route, caller: Caller, player: str) -> int:
    """Ask a route about table 1 of round 1 and a player; return the status."""
    path = one.rule
    marks = {"<tournament_id>": cup.id, "<player>": player, "<number>": "1", "<table>": "1"}
    for mark, value in marks.items():
        path = path.replace(mark, value)
    body = json.loads(json.dumps(GOOD.get(part_of(one))).replace("{player}", player))
    return cup.hall.client.open(
        path, method=one.method, json=body, headers=caller.headers
    ).status_code


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Cup, dict[str, Caller]]]:
    """A tournament whose first round is played, and somebody of each kind."""
    found = settings_in(tmp_path_factory.mktemp("cup"))
    migrate(found.database_url)
    hall = hall_of(opened(found))
    cup = cup_of(hall, players=4, game="hi-story")
    cup.begin()
    place = place_of_tournament(cup.id)
    own = cup.players[cup.seated(1, 1)[0]]
    callers: dict[str, Caller] = {
        "anybody": hall.anybody,
        "person": hall.person("Somebody"),
        "player": own,
        **{role: hall.person(role, role, place=place) for role in OFFICES if role != "operator"},
        "operator": hall.person("operator", "operator"),
    }
    yield cup, callers
    hall.installation.close()


def test_every_route_that_takes_a_body_has_one_here() -> None:
    assert {part_of(one) for one in HERE if one.takes is not None} == set(GOOD)


@pytest.mark.parametrize("one", HERE, ids=name_of)
def test_whoever_may_not_is_kept_out(begun: tuple[Cup, dict[str, Caller]], one: Route) -> None:
    cup, callers = begun
    permission, player = PERMISSIONS[one.action], cup.seated(1, 1)[0]
    for kind, caller in callers.items():
        status = sent(cup, one, caller, player)
        if not permission.relations.isdisjoint(("anybody", kind)):
            assert status in (200, 201, 404, 409, 422), kind
        elif one.action in HIDDEN:
            assert status == 404, kind
        else:
            assert status == (401 if kind == "anybody" else 403), kind


def test_an_office_holds_in_its_own_tournament(hall: Hall) -> None:
    cup, other = cup_of(hall, players=2), cup_of(hall, players=2)
    judge = hall.person("Judge", "head_judge", place=place_of_tournament(other.id))
    refused(judge.post(f"{cup.path}/rounds", {"round": 1}), 403, "forbidden")
    good(judge.post(f"{other.path}/rounds", {"round": 1}))
    narrow = hall.with_scopes(cup.staff.person, "organize", place=place_of_tournament(other.id))
    refused(narrow.post(f"{cup.path}/rounds", {"round": 1}), 403, "forbidden")


def test_a_scope_is_that_of_the_side_which_is_taken(hall: Hall) -> None:
    cup = cup_of(hall, players=4)
    cup.begin()
    path = f"{cup.path}{cup.pairing(1, 1)}/results"
    player, _ = cup.seated(1, 1)
    body = cup.outcome(1, 1, player)
    acting = hall.with_scopes(cup.staff.person, "act")
    refused(acting.post(path, body), 403, "forbidden")
    other = next(name for name in cup.players if name not in cup.seated(1, 1))
    refused(cup.players[other].post(path, body), 403, "forbidden")
    judging = hall.with_scopes(cup.players[player].person, "judge", "organize")
    refused(judging.post(path, body), 403, "forbidden")
    good(hall.with_scopes(cup.players[player].person, "act").post(path, body))


def test_a_stale_version_is_told(hall: Hall) -> None:
    cup = cup_of(hall, players=2)
    body = {"name": "x", "expected_version": 1}
    refused(cup.staff.post(f"{cup.path}/players", body), 409, "conflict")
    good_body = {**body, "expected_version": cup.state.version}
    first = good(cup.staff.post(f"{cup.path}/players", good_body, key="k"))
    again = good(cup.staff.post(f"{cup.path}/players", good_body, key="k"))
    assert again == first
    for _ in range(2):
        good(cup.staff.post(f"{cup.path}/rounds", {"round": 1}, key="r"))
    refused(
        cup.staff.post(f"{cup.path}/rounds", {"round": 2}, key="r"), 422, "idempotency-key-reused"
    )


# What is hidden.


def test_no_answer_tells_a_draft_or_a_deck(hall: Hall) -> None:
    """A player with a name of his own sits in the draft alone, and a deck has words of its own."""
    cup = cup_of(hall, players=2, game="hi-story")
    one, two = cup.players
    registered(cup, one, "@mare")
    cup.begin()
    cup.finish(1)
    planted = [cup.post("/players", {"name": SECRET, "player": SECRET})["player"]]
    planted += [cup.post("/players", {"name": "other", "player": "other"})["player"]]
    cup.post("/rounds", {"round": 2})
    draft = cup.get("/draft", cup.staff)
    deck = canonical(cup.get(f"/players/{one}/deck", cup.staff)["deck"]).decode()
    tables = [canonical(table["players"]).decode() for table in draft["tables"]]
    assert any(SECRET in table for table in tables)
    hidden = {draft["seed"], draft["input"], deck, *tables}
    onlookers = (cup.players[two], hall.anybody, hall.person("x"), hall.person("o", "operator"))
    for caller in onlookers:
        for path in walk(cup, [one, two, *planted]):
            body = caller.get(path).get_data(as_text=True)
            assert not [text for text in hidden if text in body], path
    seen = [cup.staff.get(path).get_data(as_text=True) for path in walk(cup, [one])]
    assert all(any(text in body for body in seen) for text in hidden), "staff is told"


def walk(cup: Cup, players: list[str]) -> list[str]:
    """Every path below the tournament that can be read, for these players and two rounds."""
    found = [TOURNAMENTS]
    for one in HERE:
        if one.method != "GET":
            continue
        for player in players:
            for number in ("1", "2"):
                marks = {"<tournament_id>": cup.id, "<player>": player, "<number>": number}
                path = one.rule.replace("<table>", "1")
                for mark, value in marks.items():
                    path = path.replace(mark, value)
                found.append(path)
    return sorted(set(found))


# What wants to break it.


@quick
@given(st.data())
def test_no_body_breaks_a_tournament(
    begun: tuple[Cup, dict[str, Caller]], data: st.DataObject
) -> None:
    cup, callers = begun
    one = data.draw(st.sampled_from([one for one in HERE if one.takes is not None]))
    player = cup.seated(1, 1)[0]
    good_body = json.loads(json.dumps(GOOD[part_of(one)]).replace("{player}", player))
    body = data.draw(mixed(good_body))
    caller = data.draw(st.sampled_from([*callers.values(), cup.staff]))
    number = data.draw(st.sampled_from(["1", "2", "0", "x", "９", "999999999"]))
    path = one.rule.replace("<tournament_id>", cup.id).replace("<player>", player)
    path = path.replace("<number>", number).replace("<table>", number)
    answer = cup.hall.client.open(path, method=one.method, json=body, headers=caller.headers)
    assert answer.status_code < 500, (path, body)
    assert answer.status_code < 300 or answer.content_type == "application/problem+json"
