"""Rulings in a tournament: they reach its tables, its standings and its penalties, at once."""

from __future__ import annotations

from typing import Any

import pytest

from service.aggregates.access import place_of_tournament
from service.engine.values import Json
from service.installation import Installation
from service.tournament_exchange import verify_tournament_lines
from tests.api.cups import SWISS, TOP_4, Cup, cup_of
from tests.api.tables import MATCHES, Caller, Hall, good, hall_of, refused

RULED = {"outcome": "upheld", "text": {"en": "So it is."}}


def dispute_last(cup: Cup, match: str, by: Caller) -> str:
    """Dispute the last event of a match; return the id of the dispute."""
    version = good(by.get(f"{MATCHES}/{match}"), 200)["events"]
    events = good(by.get(f"{MATCHES}/{match}/events", **{"from": version - 1}), 200)["items"]
    body = {"seq": version, "hash": events[0]["hash"], "claim": "not so"}
    return str(good(by.post(f"{MATCHES}/{match}/disputes", body))["id"])


def rule(judge: Caller, dispute: str, **ruling: Json) -> Any:
    return judge.post(f"/api/v1/disputes/{dispute}/rulings", {**RULED, **ruling})


def head_of(cup: Cup) -> Caller:
    return cup.hall.person("Head", "head_judge", place=place_of_tournament(cup.id))


def standing(cup: Cup, player: str) -> int:
    rows = cup.get("/standings")["rows"]
    return next(int(row["points"]) for row in rows if row["player"] == player)


def test_an_amended_match_amends_its_table(hall: Hall) -> None:
    cup = cup_of(hall, SWISS, players=4)
    cup.begin()
    first, second = cup.seated(1, 1)
    match = cup.play(1, 1, first)
    cup.follow(match)
    cup.finish(1)
    cup.begin()
    head, loser = head_of(cup), cup.players[second]
    dispute = dispute_last(cup, match, loser)
    ruled = good(rule(head, dispute, kind="result_amendment", winner="P2"))
    assert ruled["tournament"] == cup.id
    shown = cup.get(cup.pairing(1, 1))
    assert (shown["result"]["winner"], shown["level"]) == (second, "amended")
    assert [link["winner"] for link in shown["links"]] == [second]
    assert cup.get("/rounds/2")["amended"] == [{"round": 1, "table": 1}]
    cup.follow(match)
    assert len(cup.state.rounds[1].tables[1].links) == 1
    file = hall.anybody.get(f"{cup.path}/file").get_data().splitlines(keepends=True)
    report = verify_tournament_lines(hall.installation.catalogue, file).report
    assert (report.overall, report.checks["matches"].verdict) == ("partial", "good"), "it goes on"


def test_a_bracket_that_has_gone_on_is_rewound_only_when_it_is_said(hall: Hall) -> None:
    cup = cup_of(hall, TOP_4 | {"cut": None}, players=4)
    cup.post("/phases/1", {})
    cup.begin()
    first, _ = cup.seated(1, 1)
    match = cup.play(1, 1, first)
    cup.follow(match)
    cup.finish(1)
    cup.begin()
    cup.play(2, 1, cup.seated(2, 1)[0])
    head = head_of(cup)
    dispute = dispute_last(cup, match, head)
    before = good(head.get(f"/api/v1/disputes/{dispute}"), 200)
    refused(rule(head, dispute, kind="result_amendment", winner="P2"), 409, "conflict")
    assert good(head.get(f"/api/v1/disputes/{dispute}"), 200) == before
    assert good(head.get(f"{MATCHES}/{match}"), 200)["outcome"]["winner"] == "P1"


@pytest.mark.parametrize("kind", ["warning", "game_loss", "match_loss", "disqualification"])
def test_a_penalty_is_one_of_the_tournament_too(hall: Hall, kind: str) -> None:
    cup = cup_of(hall, SWISS, players=4)
    cup.begin()
    first, second = cup.seated(1, 1)
    body = {"game": 1}
    match = cup.post(f"{cup.pairing(1, 1)}/games", body, cup.players[first])["match"]
    for player in (first, second):
        hall.ready(cup.players[player], match)
    head = head_of(cup)
    dispute = dispute_last(cup, match, head)
    good(rule(head, dispute, kind="penalty", penalty={"seat": "P1", "kind": kind}))
    listed = cup.get("/penalties", head)
    assert listed["counts"] == {first: {kind: 1}}
    assert cup.get("/penalties", cup.players[first])["counts"] == {first: {kind: 1}}
    assert cup.get("/penalties", cup.players[second])["items"] == []
    refused(hall.anybody.get(f"{cup.path}/penalties"), 401, "unauthenticated")
    outcome = good(hall.anybody.get(f"{MATCHES}/{match}"), 200)["outcome"]
    if kind == "warning":
        assert outcome is None
        return
    assert outcome == {"winner": "P2", "reason": "ruling"}
    cup.follow(match)
    assert cup.get(cup.pairing(1, 1))["result"]["winner"] == second
    assert (cup.state.entries[first].dropped_after is not None) == (kind == "disqualification")


def test_who_plays_in_the_same_phase_does_not_judge_before_the_round_closes(hall: Hall) -> None:
    cup = cup_of(hall, SWISS, players=4)
    cup.begin()
    first, _ = cup.seated(1, 1)
    match = cup.play(1, 1, first)
    beside = cup.players[cup.seated(1, 2)[0]]
    here, place = hall.installation, place_of_tournament(cup.id)
    grants = {"person": beside.person, "role": "judge"}
    good(cup.staff.post("/api/v1/grants", grants, place=place))
    dispute = dispute_last(cup, match, cup.players[first])
    refused(rule(beside, dispute, kind="no_action"), 403, "forbidden")
    refused(beside.post(f"{MATCHES}/{match}/inspections", {"reason": "x"}), 403, "forbidden")
    refused(beside.get(f"{MATCHES}/{match}/backup-cost"), 403, "forbidden")
    cup.follow(match)
    cup.finish(1)
    good(rule(beside, dispute, kind="no_action"))
    assert here.disputes.dispute(dispute).state == "ruled"


def test_a_ruling_on_a_tournament_at_once_with_a_report_keeps_both(
    installation: Installation,
) -> None:
    hall = hall_of(installation)
    cup = cup_of(hall, SWISS, players=4)
    cup.begin()
    first, second = cup.seated(1, 1)
    match = cup.play(1, 1, first)
    dispute = dispute_last(cup, match, cup.players[second])
    head = head_of(cup)
    cup.report(1, 2, cup.seated(1, 2)[0])
    good(rule(head, dispute, kind="result_amendment", winner="draw"))
    assert cup.state.rounds[1].tables[1].links == ()
    cup.follow(match)
    shown = cup.get(cup.pairing(1, 1))
    assert (shown["result"]["winner"], shown["result"]["games"]) == (None, [0, 0, 1])
