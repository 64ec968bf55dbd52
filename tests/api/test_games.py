"""Games of tournaments over HTTP: opened once, logs that count, judges who play."""

from __future__ import annotations

import json

import pytest

from service.aggregates.access import place_of_tournament
from service.engine.values import Json
from service.installation import Installation, clock
from service.times import moved
from service.worker import meet_deadlines
from tests.api.cups import BECAUSE, SWISS, cup_of
from tests.api.tables import MATCHES, Hall, good, refused
from tests.conftest import import_log, log_of

# Games.


def test_a_game_is_opened_once_and_seats_alternate(hall: Hall) -> None:
    cup = cup_of(hall, {**SWISS, "best_of": 3}, players=2)
    cup.begin()
    first, second = cup.seated(1, 1)
    path = f"{cup.pairing(1, 1)}/games"
    one = cup.post(path, {}, cup.players[first])
    assert cup.post(path, {}, cup.players[second]) == one
    assert cup.post(path, {"game": 1}) == one
    shown = good(hall.anybody.get(f"{MATCHES}/{one['match']}"), 200)
    persons = {player: caller.person for player, caller in cup.players.items()}
    assert shown["persons"] == {"P1": persons[first], "P2": persons[second]}
    assert (shown["visibility"], shown["setup"]) == ("listed", cup.get()["setup"])
    assert shown["opened_by"] == persons[first]
    hiding = {"visibility": "participants"}
    hidden = cup.players[first].post(f"{MATCHES}/{one['match']}/visibility", hiding)
    refused(hidden, 403, "forbidden")
    refused(cup.staff.post(f"{cup.path}{path}", {"game": 2}), 409, "conflict")
    refused(cup.staff.post(f"{cup.path}{path}", {"game": 7}), 422, "invalid")
    match_id = cup.play(1, 1, first)
    assert match_id == one["match"]
    cup.follow(match_id)
    assert cup.get(cup.pairing(1, 1))["result"] is None, "one of three"
    two = cup.post(path, {"game": 2}, cup.players[second])
    shown = good(hall.anybody.get(f"{MATCHES}/{two['match']}"), 200)
    assert shown["persons"] == {"P1": persons[second], "P2": persons[first]}
    cup.follow(cup.play(1, 1, first, game=2))
    shown = cup.get(cup.pairing(1, 1))
    assert (shown["result"]["games"], shown["level"]) == ([2, 0, 0], "witnessed")
    assert [link["verdict"] for link in shown["links"]] == ["witnessed"] * 2
    refused(cup.staff.post(f"{cup.path}{path}", {"game": 3}), 409, "conflict")
    assert cup.post(path, {"game": 2}) == two


def test_a_game_that_was_cancelled_is_opened_again(hall: Hall) -> None:
    cup = cup_of(hall, players=2)
    cup.begin()
    path = f"{cup.pairing(1, 1)}/games"
    first = cup.post(path, {})["match"]
    meet_deadlines(hall.installation, moved(clock(), 11 * 60))
    second = cup.post(path, {})["match"]
    assert first != second
    assert cup.post(path, {})["match"] == second


def test_who_has_no_account_cannot_play_here(hall: Hall) -> None:
    cup = cup_of(hall, players=1)
    cup.post("/players", {"name": "Somebody", "player": "somebody"})
    cup.begin()
    refused(cup.staff.post(f"{cup.path}{cup.pairing(1, 1)}/games", {}), 409, "conflict")
    cup.report(1, 1, "somebody")
    assert cup.get(cup.pairing(1, 1))["level"] == "reported"


# Logs.


@pytest.fixture
def imported(installation: Installation) -> tuple[str, str]:
    """A match of formation that was imported, and the seat that won it."""
    match_id = import_log(installation, log_of("formation"))
    closed = installation.log.match(match_id).closed
    assert closed is not None
    assert closed.outcome is not None
    return match_id, str(closed.outcome["winner"])


def test_an_imported_log_is_audited_once_both_agree(hall: Hall, imported: tuple[str, str]) -> None:
    match_id, seat = imported
    cup = cup_of(hall, players=4)
    cup.begin()
    path, players = cup.pairing(1, 1), cup.seated(1, 1)
    winner = players[0] if seat == "P1" else players[1]
    loser = players[1] if seat == "P1" else players[0]
    stranger = next(iter(set(cup.players) - set(players)))
    body = {"match": match_id}
    refused(cup.players[stranger].post(f"{cup.path}{path}/links", body), 403, "forbidden")
    linked = cup.post(f"{path}/links", body, cup.players[winner])
    assert [one["type"] for one in linked["events"]] == ["match_linked"]
    assert cup.post(f"{path}/links", body, cup.players[loser])["events"] == []
    other = cup.pairing(1, 2)
    refused(cup.staff.post(f"{cup.path}{other}/links", body), 409, "conflict")
    reported = cup.report(1, 1, winner, cup.players[winner])
    assert cup.get(path)["level"] == "reported"
    said = {"reported": reported["version"]}
    own = cup.players[winner].post(f"{cup.path}{path}/confirmations", said)
    refused(own, 409, "conflict")
    cup.post(f"{path}/confirmations", said, cup.players[loser])
    shown = cup.get(path)
    assert (shown["level"], shown["result"]["confirmed"]) == ("audited", True)
    levels = {row["player"]: row["levels"] for row in cup.get("/standings")["items"]}
    assert levels[winner] == levels[loser] == {"audited": 1}


def test_what_a_log_would_be_worth_is_told_beforehand(
    hall: Hall, imported: tuple[str, str]
) -> None:
    match_id, seat = imported
    cup = cup_of(hall, players=4)
    cup.begin()
    path, players = cup.pairing(1, 1), cup.seated(1, 1)
    seats = dict(zip(("P1", "P2"), players, strict=True))
    stranger = next(iter(set(cup.players) - set(players)))
    body = {"match": match_id}

    def foreseen(**more: Json) -> Json:
        return good(cup.staff.post(f"{cup.path}{path}/links/preview", {**body, **more}), 200)

    refused(cup.players[stranger].post(f"{cup.path}{path}/links/preview", body), 403, "forbidden")
    found = foreseen()
    assert found["is_new"]
    assert (found["link"]["seats"], found["link"]["winner"]) == (seats, seats[seat])
    assert (found["link"]["verdict"], found["fault"], found["result"]) == ("audited", None, None)
    assert cup.get(path)["links"] == [], "nothing was done"
    cup.report(1, 1, seats[seat])
    assert (foreseen()["level"], foreseen()["difference"]) == ("audited", None)
    swapped = foreseen(seats={"P1": players[1], "P2": players[0]})
    assert swapped["level"] == "disputed"
    assert swapped["difference"]["faults"] == []
    refused(cup.staff.post(f"{cup.path}{path}/links/preview", {**body, "game": 3}), 422, "invalid")
    linked = cup.post(f"{path}/links", body)
    assert [one["type"] for one in linked["events"]] == ["match_linked"]
    assert not foreseen()["is_new"]
    assert foreseen()["level"] == cup.get(path)["level"] == "audited"


def test_a_match_played_here_would_decide_its_table(hall: Hall) -> None:
    cup = cup_of(hall, players=2)
    cup.begin()
    path, (first, second) = cup.pairing(1, 1), cup.seated(1, 1)
    match_id = cup.play(1, 1, first)
    body = {"match": match_id}
    found = good(cup.players[second].post(f"{cup.path}{path}/links/preview", body), 200)
    assert (found["level"], found["result"]["games"]) == ("witnessed", [1, 0, 0])
    assert cup.get(path)["result"] is None


def test_a_log_that_says_otherwise_disputes_the_result_and_shows_it_to_staff(
    hall: Hall, imported: tuple[str, str]
) -> None:
    match_id, seat = imported
    cup = cup_of(hall, players=4)
    cup.begin()
    path, players = cup.pairing(1, 1), cup.seated(1, 1)
    seats = dict(zip(("P1", "P2"), reversed(players), strict=True))
    winner = seats[seat]
    liar = next(player for player in players if player != winner)
    cup.report(1, 1, liar)
    cup.post(f"{path}/links", {"match": match_id, "seats": seats})
    shown = cup.get(path, cup.staff)
    assert shown["level"] == "disputed"
    assert shown["links"][0]["winner"] == winner
    told = [int(player == liar) for player in players]
    assert shown["difference"] == {
        "reported": [*told, 0],
        "logged": [*(1 - one for one in told), 0],
        "faults": [],
    }
    assert cup.get(path, cup.players[liar])["difference"] == shown["difference"]
    assert cup.get(path)["difference"] is None
    assert cup.get(path)["level"] == "disputed", "that it is disputed is told to all"


def test_only_a_match_that_has_ended_here_and_by_these_persons_counts(hall: Hall) -> None:
    cup = cup_of(hall, players=4)
    cup.begin()
    path, (first, second) = cup.pairing(1, 1), cup.seated(1, 1)
    one, two = cup.players[first], cup.players[second]
    match_id = hall.begin("formation", [one, two])
    refused(cup.staff.post(f"{cup.path}{path}/links", {"match": match_id}), 409, "conflict")
    good(one.post(f"{MATCHES}/{match_id}/actions", {"action": {"type": "concede"}}))
    other = cup.pairing(1, 2)
    refused(cup.staff.post(f"{cup.path}{other}/links", {"match": match_id}), 409, "conflict")
    refused(cup.staff.post(f"{cup.path}{path}/links", {"match": "nowhere"}), 404, "not-found")
    cup.post(f"{path}/links", {"match": match_id})
    shown = cup.get(path)
    assert (shown["result"]["winner"], shown["level"]) == (second, "witnessed")
    another = hall.begin("hi-story", [one, two])
    good(one.post(f"{MATCHES}/{another}/actions", {"action": {"type": "concede"}}))
    refused(
        cup.staff.post(f"{cup.path}{path}/links", {"match": another, "game": 2}), 409, "conflict"
    )


def test_in_a_bracket_a_game_that_was_opened_stands_in_the_way(hall: Hall) -> None:
    cup = cup_of(hall, {"format": "single_elimination"}, players=4)
    cup.post("/phases/1", {"order": list(cup.players)})
    cup.begin()
    _, second = cup.seated(1, 1)
    for table in (1, 2):
        cup.report(1, table, cup.seated(1, table)[0])
    cup.post("/rounds/1/closing", {})
    cup.begin()
    cup.post(f"{cup.pairing(2, 1)}/games", {})
    path = cup.pairing(1, 1)
    seq = cup.get(path)["result"]["seq"]
    body = {**cup.outcome(1, 1, second), **BECAUSE, "supersedes": seq}
    refused(cup.staff.post(f"{cup.path}{path}/corrections", body), 409, "conflict")
    preview = good(
        cup.staff.post(f"{cup.path}{path}/corrections/preview", cup.outcome(1, 1, second)), 200
    )
    assert list(preview["bracket"]["repaired"]) == ["2"]
    assert preview["bracket"]["undone"] == [[2, 1]]
    cup.post(f"{path}/corrections", {**body, "rewind": True})
    assert second in cup.seated(2, 1)


def test_a_part_of_a_log_counts_for_no_table(hall: Hall) -> None:
    cup = cup_of(hall, players=2)
    cup.begin()
    lines = log_of("formation").read_bytes().splitlines(keepends=True)
    first = json.loads(lines[2])
    first["actor"] = "P1" if first["actor"] == "P2" else "P2"
    lines[2] = json.dumps(first).encode() + b"\n"
    answer = hall.client.post(
        "/api/v1/imports",
        data=b"".join(lines),
        query_string={"partial": "true"},
        content_type="application/x-ndjson",
        headers=cup.staff.headers,
    )
    match_id = good(answer)["match"]
    refused(
        cup.staff.post(f"{cup.path}{cup.pairing(1, 1)}/links", {"match": match_id}), 409, "conflict"
    )


# Judges who play.


def test_a_judge_who_plays_neither_looks_nor_rules_until_the_round_is_closed(hall: Hall) -> None:
    cup = cup_of(hall, players=4)
    player = next(iter(cup.players))
    judge = hall.person("Judge", "judge", place=place_of_tournament(cup.id))
    playing = hall.person("Both", "judge", "organizer", place=place_of_tournament(cup.id))
    own = cup.post("/players", {"person": playing.person})["player"]
    cup.players[own] = playing
    cup.begin()
    number = next(table["table"] for table in cup.tables(1) if own not in table["players"])
    match_id = cup.post(f"{cup.pairing(1, number)}/games", {})["match"]
    inspect = f"{MATCHES}/{match_id}/inspections"
    good(judge.post(inspect, BECAUSE))
    refused(playing.post(inspect, BECAUSE), 403, "forbidden")
    refused(playing.post(f"{MATCHES}/{match_id}/hold", BECAUSE), 403, "forbidden")
    good(judge.post(f"{MATCHES}/{match_id}/hold", BECAUSE))
    good(judge.post(f"{MATCHES}/{match_id}/release", {}))
    cup.finish(1)
    good(playing.post(inspect, BECAUSE))
    refused(cup.players[player].post(inspect, BECAUSE), 403, "forbidden")


def test_nobody_rules_on_his_own_table(hall: Hall) -> None:
    cup = cup_of(hall, players=1)
    own = cup.post("/players", {"person": cup.staff.person})["player"]
    cup.players[own] = cup.staff
    cup.begin()
    path = cup.pairing(1, 1)
    reported = cup.report(1, 1, own)
    result = cup.state.rounds[1].tables[1].result
    assert result is not None
    assert result.side == own, "he reports as who he is there"
    said = {"reported": reported["version"]}
    refused(cup.staff.post(f"{cup.path}{path}/confirmations", said), 409, "conflict")
    body = {**cup.outcome(1, 1, own), **BECAUSE, "supersedes": None}
    refused(cup.staff.post(f"{cup.path}{path}/corrections", body), 403, "forbidden")
    other = next(player for player in cup.players if player != own)
    penalty = {
        **BECAUSE,
        "player": other,
        "kind": "match_loss",
        "expected_version": cup.state.version,
    }
    refused(cup.staff.post(f"{cup.path}/rounds/1/penalties", penalty), 403, "forbidden")
