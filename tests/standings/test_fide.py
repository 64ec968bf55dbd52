"""Buchholz and Sonneborn-Berger by hand, with every kind of unplayed round (C.07, article 16)."""

from __future__ import annotations

from fractions import Fraction

import pytest

from service.standings.profiles import PROFILES, Criterion, Profile
from service.standings.records import Event
from service.standings.tables import table_of
from tests.standings.events import event

HALF = Fraction(1, 2)


def values(one: Event, name: str, label: str) -> dict[str, Fraction]:
    return {row.player: row.values[label] for row in table_of(one, PROFILES[name]).rows}


def test_everything_played() -> None:
    one = event("A B C D", "A-B 1-0, C-D 1-0", "A-C 1-1, B-D 1-0", "A-D 0-1, B-C 1-0")
    # A 1.5, B 2, C 1.5, D 1
    assert values(one, "buchholz", "bh") == {
        "A": Fraction("4.5"), "B": 4, "C": Fraction("4.5"), "D": 5
    }  # fmt: skip
    assert values(one, "buchholz-cut1", "bh1") == {
        "A": Fraction("3.5"), "B": 3, "C": Fraction("3.5"), "D": Fraction("3.5")
    }  # fmt: skip
    assert values(one, "median-buchholz", "mbh") == {
        "A": Fraction("1.5"), "B": Fraction("1.5"), "C": Fraction("1.5"), "D": Fraction("1.5")
    }  # fmt: skip
    assert values(one, "sonneborn-berger", "sb") == {
        "A": Fraction("2.75"), "B": Fraction("2.5"), "C": Fraction("1.75"), "D": Fraction("1.5")
    }  # fmt: skip
    # with 3 points for a win and 1 for a draw: 3 + 4 + 4, 0 + 3 + 6, 3 + 4 + 4, 0 + 0 + 3
    assert values(one, "cumulative", "cum") == {"A": 11, "B": 9, "C": 11, "D": 3}


def test_own_unplayed_rounds_count_as_the_own_score() -> None:
    one = event("A B C", "A-B 1-0, C bye", "A half_bye, B-C 1-0", "C-A forfeit first, B zero_bye")
    # A 1.5, B 1 (absent at the end: 1.5 for opponents), C 2
    assert values(one, "buchholz", "bh") == {
        "A": Fraction("1.5") * 3, "B": Fraction("1.5") + 2 + 1, "C": 2 + Fraction("1.5") + 2
    }  # fmt: skip
    assert values(one, "sonneborn-berger", "sb") == {
        "A": Fraction("1.5") + HALF * Fraction("1.5"), "B": 2, "C": 2 + 0 + 2
    }  # fmt: skip


@pytest.mark.parametrize(
    ("rest", "for_opponents"),
    [
        ("B zero_bye|B zero_bye", 1 + HALF + HALF),
        ("B half_bye|B zero_bye", 1 + HALF + HALF),
        ("B zero_bye|B bye", Fraction(2)),
        ("B zero_bye|B-C 0-1", Fraction(1)),
        ("B zero_bye|B-C forfeit second", 1 + HALF),
        ("|", 1 + HALF + HALF),
        ("B zero_bye|B absence", 1 + HALF),
        ("B absence|B absence", Fraction(1)),
        ("B assigned_loss|B zero_bye", 1 + HALF),
    ],
)
def test_only_rounds_missed_at_the_end_count_as_draws_for_opponents(
    rest: str, for_opponents: Fraction
) -> None:
    one = event("A B C", "A-B 0-1", *rest.split("|"))
    table = table_of(one, PROFILES["buchholz"])
    own = next(row for row in table.rows if row.player == "A")
    assert own.values["bh"] == for_opponents + own.points * 2


def test_a_cut_takes_voluntarily_unplayed_rounds_first() -> None:
    one = event("A B C D", "A-B 1-0, C-D 1-0", "A zero_bye, B-C 0-1", "A-D 1-0, B-C 0-1")
    # A 2 (one zero_bye worth 2), B 0, C 3, D 0
    assert values(one, "buchholz", "bh")["A"] == 0 + 2 + HALF * 0 + values_of_d(one)
    assert values(one, "buchholz-cut1", "bh1")["A"] == 0 + values_of_d(one)


def values_of_d(one: Event) -> Fraction:
    """D lost twice and was not listed in round 2, before a round that he played."""
    return next(row.points for row in table_of(one, PROFILES["buchholz"]).rows if row.player == "D")


def test_the_virtual_opponent_of_the_older_rule() -> None:
    one = event("A B C", "A-B 1-0, C bye", "A half_bye, B-C 1-0", "C-A forfeit first, B zero_bye")
    # for A in round 2: 1 before, half of a win left, one draw; in round 3: 1.5 and the whole win
    a = 1 * (0 + 1 + HALF) + HALF * (1 + HALF + HALF) + 0
    # for C in round 1: 0 before, nothing left, two draws; in round 3: 1 before, nothing left
    c = 1 * (0 + 0 + 1) + 0 + 1 * (1 + 0)
    # C's two unplayed rounds are draws for B, who beat him
    b = 1 * (HALF + 0 + HALF)
    assert values(one, "sonneborn-berger-virtual", "sb") == {"A": a, "B": b, "C": c}


def test_without_a_treatment_only_played_rounds_count() -> None:
    one = event("A B C", "A-B 1-0, C bye", "A half_bye, B-C 1-0", "C-A forfeit first, B zero_bye")
    assert values(one, "sonneborn-berger-played", "sb") == {"A": 1, "B": 2, "C": 0}


def test_sonneborn_berger_does_not_depend_on_the_scale_of_points() -> None:
    one = event("A B C D", "A-B 1-0, C-D 1-1", "A-C 1-1, B-D 1-0")
    doubled = Profile(
        name="own",
        version="1",
        criteria=(Criterion(kind="points"), Criterion(kind="sb")),
        win=Fraction(2),
        draw=Fraction(1),
    )
    chess = values(one, "sonneborn-berger", "sb")
    assert {row.player: row.values["sb"] for row in table_of(one, doubled).rows} == {
        player: 2 * value for player, value in chess.items()
    }
