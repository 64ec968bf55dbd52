"""Cuts, bracket pairs and final placing."""

from __future__ import annotations

from fractions import Fraction

import pytest

from service.standings.cuts import bracket_pairs, bracket_seeds, cut_of, final_placing
from service.standings.profiles import PROFILES
from service.standings.tables import Table, table_of
from tests.standings.events import event

SWISS = ("A-H 2-0, B-G 2-0, C-F 2-0, D-E 2-0", "A-D 2-0, B-C 2-0, E-H 2-0, F-G 2-0", "A-B 2-0")
PLAYERS = "A B C D E F G H"


def table() -> Table:
    return table_of(event(PLAYERS, *SWISS), PROFILES["mtr-2024"])


def test_a_cut_by_rank_and_by_points() -> None:
    order = [row.player for row in table().rows]
    assert cut_of(table(), size=2).seeds == ("A", "B")
    assert cut_of(table(), points=Fraction(6)).seeds == ("A", "B")
    assert cut_of(table(), size=4, points=Fraction(6)).seeds == ("A", "B")
    assert cut_of(table(), size=1, points=Fraction(3)).seeds == ("A",)
    assert cut_of(table()).seeds == tuple(order)
    assert cut_of(table(), size=0).seeds == ()


def test_a_tie_across_the_line_is_told() -> None:
    tied = table_of(event("A B C D", "A-B 2-0, C-D 2-0"), PROFILES["mtr-2024"])
    assert cut_of(tied, size=1).undecided == ("A", "C")
    assert cut_of(tied, size=2).undecided == ()
    assert cut_of(tied, size=3).undecided == ("B", "D")


@pytest.mark.parametrize("size", [1, 2, 4, 8, 16, 32, 64])
def test_seeds_meet_as_late_as_they_can(size: int) -> None:
    seeds = bracket_seeds(size)
    assert sorted(seeds) == list(range(1, size + 1))
    while len(seeds) > 1:
        assert {one + other for one, other in zip(seeds[::2], seeds[1::2], strict=True)} == {
            len(seeds) + 1
        }
        seeds = [min(pair) for pair in zip(seeds[::2], seeds[1::2], strict=True)]


@pytest.mark.parametrize("size", range(1, 40))
def test_the_first_seeds_have_no_opponent_where_places_are_left(size: int) -> None:
    names = [str(seed) for seed in range(1, size + 1)]
    pairs = bracket_pairs(names)
    alone = {first for first, second in pairs if second is None}
    assert alone == set(names[: 2 * len(pairs) - size])
    assert sorted(player for pair in pairs for player in pair if player) == sorted(names)


def test_eight_seeds() -> None:
    assert bracket_pairs(list("12345678")) == [("1", "8"), ("4", "5"), ("3", "6"), ("2", "7")]


def placed(*bracket: str) -> list[tuple[int, str]]:
    one = event(PLAYERS, *SWISS, bracket=bracket)
    places = final_placing(one, table_of(one, PROFILES["mtr-2024"]), bracket=1)
    return [(place.place, place.player) for place in places]


def test_final_placing_is_by_round_then_by_the_table() -> None:
    order = [row.player for row in table().rows]
    cut = order[:4]
    places = placed(f"{cut[0]}-{cut[3]} 0-2, {cut[1]}-{cut[2]} 2-0", f"{cut[3]}-{cut[1]} 2-0")
    assert [player for _, player in places] == [cut[3], cut[1], cut[0], cut[2], *order[4:]]
    assert [place for place, _ in places[:5]] == [1, 2, 3, 4, 5]


def test_a_match_for_the_third_place() -> None:
    one, two, three, four, *_ = (row.player for row in table().rows)
    places = placed(f"{one}-{four} 2-0, {two}-{three} 2-0", f"{one}-{two} 0-2, {three}-{four} 0-2")
    assert [player for _, player in places[:4]] == [two, one, four, three]


def test_an_unfinished_bracket_and_byes() -> None:
    one, two, three, *_ = (row.player for row in table().rows)
    places = placed(f"{one} bye, {two}-{three} unreported")
    assert [player for _, player in places[:3]] == [one, two, three]
    places = placed(f"{one} bye, {two}-{three} 0-2", f"{one}-{three} unreported")
    assert [player for _, player in places[:3]] == [one, three, two]
    places = placed(f"{two}-{three} 0-2, {one} absence")
    assert [player for _, player in places[:3]] == [three, one, two]


def test_the_table_is_frozen_at_the_cut() -> None:
    before = table_of(event(PLAYERS, *SWISS), PROFILES["mtr-2024"])
    after = table_of(event(PLAYERS, *SWISS, bracket=["A-B 0-2"]), PROFILES["mtr-2024"])
    assert before == after


def test_ties_of_the_table_stay_ties_of_the_placing() -> None:
    one = event("A B C D", "A-B 2-0, C-D 2-0", bracket=["A-C 2-0"])
    places = final_placing(one, table_of(one, PROFILES["mtr-2024"]), bracket=1)
    assert [(place.place, place.player, place.tied) for place in places] == [
        (1, "A", 1), (2, "C", 1), (3, "B", 2), (3, "D", 2)
    ]  # fmt: skip
