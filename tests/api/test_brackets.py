"""Brackets over HTTP: every match, who sits at it, where he comes from, what came of it."""

from __future__ import annotations

import pytest

from tests.api.cups import TOP_4, Cup, cup_of
from tests.api.tables import Hall, refused

DOUBLE = {"format": "double_elimination", "reset": True}
BRACKET = "/phases/1/bracket"


def bracket_of(hall: Hall, players: int = 5) -> Cup:
    cup = cup_of(hall, DOUBLE, players=players)
    cup.post("/phases/1", {})
    return cup


def test_a_bracket_is_shown_before_it_is_played(hall: Hall) -> None:
    found = bracket_of(hall).get(BRACKET)
    assert (found["phase"], found["champion"]) == (1, None)
    first = found["matches"][0]
    assert (first["slot"], first["side"], first["column"]) == ("W1-1", "winners", 1)
    assert [seat["seed"] for seat in first["seats"]] == [1, None]
    assert [seat["bye"] for seat in first["seats"]] == [False, True]
    assert (first["round"], first["games"], first["decided"]) == (None, None, False)
    final = next(match for match in found["matches"] if match["slot"] == "F1-1")
    assert [seat["as_winner"] for seat in final["seats"]] == [True, True]
    assert [seat["player"] for seat in final["seats"]] == [None, None]


def test_who_wins_goes_on_and_whoever_is_left_has_won(hall: Hall) -> None:
    cup = bracket_of(hall, players=2)
    number = cup.begin()
    first, second = cup.seated(number, 1)
    cup.report(number, 1, first)
    cup.post(f"/rounds/{number}/closing", {})
    slots = {match["slot"]: match for match in cup.get(BRACKET)["matches"]}
    assert slots["W1-1"]["winner"] == first
    assert (slots["W1-1"]["round"], slots["W1-1"]["table"]) == (number, 1)
    assert slots["W1-1"]["games"] in ([1, 0], [0, 1])
    won = [seat["player"] for seat in slots["W1-1"]["seats"]].index(first)
    assert slots["W1-1"]["games"][won] == 1
    assert [seat["player"] for seat in slots["F1-1"]["seats"]] == [first, second]
    number = cup.begin()
    cup.report(number, 1, first)
    assert cup.get(BRACKET)["champion"] == first


@pytest.mark.parametrize("number", ["2", "3", "x", "0"])
def test_what_is_no_bracket_is_not_there(hall: Hall, number: str) -> None:
    cup = cup_of(hall, {"format": "swiss", "rounds": 1}, TOP_4, players=2)
    for phase in ("1", number):
        path = f"{cup.path}/phases/{phase}/bracket"
        refused(hall.anybody.get(path), 404, "not-found")


def test_whoever_runs_a_tournament_is_told_so(hall: Hall) -> None:
    cup = bracket_of(hall)
    judge = hall.person("Jun", "judge")
    for one, staff, runs in ((cup.staff, True, True), (judge, True, False), (None, False, False)):
        found = cup.get("", one)
        assert (found["staff"], found["runs"]) == (staff, runs)
