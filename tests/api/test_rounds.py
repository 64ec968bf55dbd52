"""Rounds over HTTP: a whole tournament, games that count, disputes, amendments, races."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

from werkzeug.test import TestResponse

from service.aggregates.tournaments.events import ResultReported, RoundDrafted, RoundPublished
from service.engine.values import Json
from tests.api.cups import BECAUSE, SWISS, TOP_4, Cup, cup_of
from tests.api.tables import Caller, Hall, good, refused

DATABASES = ("sqlite", "postgresql")


def events_of(cup: Cup, kind: type) -> list[Any]:
    book = cup.hall.installation.tournaments
    return [event for event in book.events(cup.id) if isinstance(event, kind)]


def at_once(cup: Cup, *calls: Callable[[Cup], TestResponse]) -> list[TestResponse]:
    """Let several callers ask at the same moment, each with a client of his own."""

    def call(one: Callable[[Cup], TestResponse]) -> TestResponse:
        hall = cup.hall.beside()
        return one(replace(cup, hall=hall))

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(call, calls))


def beside(cup: Cup, one: Caller) -> Caller:
    return replace(one, client=cup.hall.client)


# Why players meet.


def test_reasons_of_a_round_are_those_of_its_tables(hall: Hall) -> None:
    cup = cup_of(hall, SWISS, TOP_4, players=9)
    cup.finish(cup.begin())
    cup.begin()
    reasons = cup.get("/rounds/2/reasons")["items"]
    assert any(one["why"]["down"] is not None for one in reasons), "somebody was floated"
    for one in reasons:
        told = cup.get(f"{cup.pairing(2, one['table'])}/why")
        assert told == {"round": 2, **one}
    page = cup.get("/rounds/2/reasons", limit=3)
    rest = cup.get("/rounds/2/reasons", limit=3, after=page["next"])
    assert page["items"] + rest["items"] == reasons
    assert rest["next"] is None
    refused(hall.anybody.get(f"{cup.path}/rounds/3/reasons"), 404, "not-found")
    cup.finish(2)
    cup.finish(cup.begin())
    cup.post("/phases/2", {})
    cup.begin()
    assert [one["why"] for one in cup.get("/rounds/4/reasons")["items"]] == [None, None]


# A whole tournament.


def test_nine_players_three_rounds_and_a_top_four(hall: Hall) -> None:
    cup = cup_of(hall, SWISS, TOP_4, players=8)
    late = cup.enter("Late", from_round=1)
    assert cup.get()["state"] == "open"
    # Round 1: nine players, one of them with a bye, and one who comes too late for it.
    assert cup.begin() == 1
    (bye,) = cup.get("/rounds/1")["without"]
    assert (bye["kind"], bye["why"]["cause"]) == ("bye", "odd")
    latest = cup.enter("Latest", from_round=2)
    assert cup.state.entries[latest].from_round == 2
    # A game that is played here decides its table; another is told otherwise than its log.
    first, _ = cup.seated(1, 1)
    cup.follow(cup.play(1, 1, first))
    shown = cup.get(cup.pairing(1, 1))
    assert (shown["result"]["winner"], shown["level"]) == (first, "witnessed")
    liar, honest = cup.seated(1, 2)
    cup.post(f"{cup.pairing(1, 2)}/games", {}, cup.players[honest])
    cup.report(1, 2, liar, cup.players[liar])
    cup.follow(cup.play(1, 2, honest))
    assert cup.get(cup.pairing(1, 2))["level"] == "disputed"
    cup.finish(1)
    # Round 2: one leaves after it.
    assert cup.begin() == 2
    cup.finish(2)
    cup.post(f"/players/{late}/drop", BECAUSE, cup.players[late])
    # The dispute is settled when round 3 is being played.
    assert cup.begin() == 3
    amended = amend(cup, 1, 2, honest)
    assert amended["events"][0]["type"] == "result_amended"
    assert cup.get("/rounds/1")["amended"] == []
    for number in (2, 3):
        assert cup.get(f"/rounds/{number}")["amended"] == [{"round": 1, "table": 2}]
    assert cup.get("/standings")["provisional"]
    cup.finish(3)
    assert late not in {one for table in cup.tables(3) for one in table["players"]}
    # The top four.
    seeded = cup.post("/phases/2", {})
    assert [one["type"] for one in seeded["events"]] == ["cut_made"]
    seeds = cup.get()["phases"][1]["seeds"]
    order = [
        row["player"] for row in cup.get("/standings", phase=1)["items"] if row["player"] != late
    ]
    assert seeds == order[:4]
    for number in (4, 5):
        assert cup.begin() == number
        cup.finish(number)
    assert cup.get("/placing")["provisional"]
    cup.post("/closing", {})
    placing = cup.get("/placing")
    assert not placing["provisional"]
    assert {one["player"] for one in placing["items"][:4]} == set(seeds)
    assert cup.get()["state"] == "closed"
    refused(cup.staff.post(f"{cup.path}/rounds", {"round": 6}), 409, "closed")


def amend(cup: Cup, number: int, table: int, winner: str) -> Any:
    """Look at what another result changes, then make it so."""
    path, outcome = cup.pairing(number, table), cup.outcome(number, table, winner)
    before = cup.state
    preview = good(cup.staff.post(f"{cup.path}{path}/corrections/preview", outcome), 200)
    assert cup.state == before, "a preview does nothing"
    assert preview["standings"]
    told = {(one["round"], one["player"]): one["after"] for one in preview["standings"]}
    result = cup.get(path)["result"]
    done = cup.post(f"{path}/corrections", {**outcome, **BECAUSE, "supersedes": result["seq"]})
    assert cup.get(path)["level"] == "amended"
    for (at, player), after in told.items():
        rows = {row["player"]: row for row in cup.get("/standings", round=at)["items"]}
        row = rows[player]
        assert (row["rank"], row["points"]) == (after["rank"], after["points"])
        assert row["exact"] == after["values"]
    again = cup.post(f"{path}/corrections", {**outcome, **BECAUSE, "supersedes": result["seq"]})
    assert again["events"] == [], "the same again changes nothing"
    return done


# Two at once.


def test_two_reports_at_once_are_one_event(hall: Hall) -> None:
    cup = cup_of(hall, players=2)
    cup.begin()
    first, second = cup.seated(1, 1)
    path = f"{cup.path}{cup.pairing(1, 1)}/results"
    body = cup.outcome(1, 1, first)

    def telling(player: str, told: Json) -> Callable[[Cup], TestResponse]:
        return lambda there: beside(there, cup.players[player]).post(path, told)

    answers = at_once(cup, *(telling(player, body) for player in (first, second) * 3))
    assert [answer.status_code for answer in answers] == [201] * 6
    assert len(events_of(cup, ResultReported)) == 1
    assert sorted(len(good(answer)["events"]) for answer in answers) == [0] * 5 + [1]
    other = cup.outcome(1, 1, second)
    refused(cup.players[second].post(path, other), 409, "conflict")


def test_two_reports_at_once_that_differ_are_one_event_and_a_conflict(hall: Hall) -> None:
    cup = cup_of(hall, players=2)
    cup.begin()
    path = f"{cup.path}{cup.pairing(1, 1)}/results"

    def telling(player: str) -> Callable[[Cup], TestResponse]:
        body = cup.outcome(1, 1, player)
        return lambda there: beside(there, cup.players[player]).post(path, body)

    answers = at_once(cup, *map(telling, cup.seated(1, 1)))
    assert sorted(answer.status_code for answer in answers) == [201, 409]
    assert len(events_of(cup, ResultReported)) == 1


def test_a_round_that_is_started_twice_at_once_is_one(hall: Hall) -> None:
    cup = cup_of(hall, players=6)
    staff = cup.staff

    def drafting(there: Cup) -> TestResponse:
        return beside(there, staff).post(f"{cup.path}/rounds", {"round": 1})

    def publishing(there: Cup) -> TestResponse:
        return beside(there, staff).post(f"{cup.path}/rounds/1/publication", {})

    assert {one.status_code for one in at_once(cup, *[drafting] * 4)} == {201}
    assert len(events_of(cup, RoundDrafted)) == 1
    assert {one.status_code for one in at_once(cup, *[publishing] * 4)} == {201}
    assert len(events_of(cup, RoundPublished)) == 1
    assert cup.post("/rounds", {"round": 1})["events"] == []


# Rounds.


def test_a_round_that_cannot_be_is_refused(hall: Hall) -> None:
    cup = cup_of(hall, players=1)
    refused(cup.staff.post(f"{cup.path}/rounds", {"round": 1}), 409, "conflict")
    refused(cup.staff.post(f"{cup.path}/rounds", {"round": 2}), 404, "not-found")
    refused(cup.staff.post(f"{cup.path}/rounds/1/publication", {}), 404, "not-found")
    refused(cup.staff.post(f"{cup.path}/rounds/x/publication", {}), 404, "not-found")
    refused(hall.anybody.get(f"{cup.path}/rounds/1"), 404, "not-found")
    cup.enter("Two")
    cup.begin()
    refused(cup.staff.post(f"{cup.path}/rounds", {"round": 2}), 409, "conflict")
    refused(cup.staff.post(f"{cup.path}/rounds/1/closing", {}), 409, "conflict")
    cup.post("/rounds/1/closing", {"missing": [1]})
    assert cup.get("/rounds/1")["missing"] == [1]
    answer = cup.staff.post(f"{cup.path}/rounds", {"round": 2, "expected_version": 1})
    assert refused(answer, 409, "conflict")["version"] == cup.state.version


def test_a_draft_is_looked_at_drawn_again_and_published(hall: Hall) -> None:
    cup = cup_of(hall, players=8)
    cup.post("/rounds", {"round": 1})
    before = cup.get("/draft", cup.staff)
    assert before["fits"]
    assert [len(table["names"]) for table in before["tables"]] == [2] * 4
    cup.post("/rounds", {"round": 1, "again": True, "expected_version": cup.state.version})
    after = cup.get("/draft", cup.staff)
    assert after["seed"] != before["seed"]
    late = cup.enter("Late")
    assert not cup.get("/draft", cup.staff)["fits"]
    refused(cup.staff.post(f"{cup.path}/rounds/1/publication", {}), 409, "conflict")
    cup.post("/rounds", {"round": 1, "sitting": {late: "half"}})
    cup.post("/rounds/1/publication", {})
    (sits,) = cup.get("/rounds/1")["without"]
    assert (sits["player"], sits["kind"], sits["why"]) == (late, "half", None)
    refused(cup.staff.get(f"{cup.path}/draft"), 404, "not-found")


def test_a_round_is_paired_again_but_no_table_that_has_begun(hall: Hall) -> None:
    cup = cup_of(hall, players=6)
    cup.begin()
    kept = cup.seated(1, 2)
    cup.post(f"{cup.pairing(1, 2)}/games", {})
    leaver = cup.seated(1, 1)[0]
    whole = {**BECAUSE, "minimal": False}
    refused(cup.staff.post(f"{cup.path}/rounds/1/repair", whole), 409, "conflict")
    dropped = cup.post(f"/players/{leaver}/drop", {**BECAUSE, "opponent": "repair"})
    assert [one["type"] for one in dropped["events"]] == ["player_dropped", "round_repaired"]
    assert kept == cup.seated(1, 2)
    assert len(cup.get("/rounds/1")["without"]) == 1
    assert cup.post("/rounds/1/repair", BECAUSE)["events"] == []
    cup.enter("Late", from_round=1)
    cup.post("/rounds/1/repair", BECAUSE)
    assert cup.get("/rounds/1")["without"] == []
    assert kept == cup.seated(1, 2)


def test_time_and_penalties_are_given_once(hall: Hall) -> None:
    cup = cup_of(hall, players=4)
    cup.begin()
    version, path = cup.state.version, f"{cup.path}{cup.pairing(1, 1)}"
    body = {**BECAUSE, "minutes": 5, "expected_version": version}
    good(cup.staff.post(f"{path}/extensions", body))
    refused(cup.staff.post(f"{path}/extensions", body), 409, "conflict")
    assert cup.get(cup.pairing(1, 1))["minutes"] == 55
    first, second = cup.seated(1, 1)
    penalty = {**BECAUSE, "player": first, "kind": "match_loss", "expected_version": version + 1}
    given = cup.post("/rounds/1/penalties", penalty)
    assert [one["type"] for one in given["events"]] == ["penalty_given", "result_reported"]
    refused(cup.staff.post(f"{cup.path}/rounds/1/penalties", penalty), 409, "conflict")
    assert cup.get(cup.pairing(1, 1))["result"]["winner"] == second
