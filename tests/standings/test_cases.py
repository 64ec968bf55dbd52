"""Complaints about standings of other software, each for its whole kind."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import pytest
from msgspec.structs import replace

from service.standings.profiles import PROFILES, Criterion, Profile
from service.standings.records import Event, Player
from service.standings.tables import Row, code_of, table_of
from tests.standings.events import event, shuffled

THIRD = Fraction(1, 3)


def rows(one: Event, name: str = "mtr-2024") -> dict[str, Row]:
    return {row.player: row for row in table_of(one, PROFILES[name]).rows}


@pytest.mark.parametrize("kind", ["bye", "awarded_bye"])
def test_a_bye_is_a_win_at_once(kind: str) -> None:
    """phase-rs/phase#6349: a bye credits three points and two games without any report."""
    own = rows(event("A B C", f"A {kind}, B-C unreported"))["A"]
    assert own.rank == 1
    assert [own.points, own.values["gw"], own.values["omw"]] == [3, 1, 0]
    assert rows(event("A B C", f"A {kind}, B-C 2-0"), "game-difference")["A"].values["gd"] == 2


def test_a_bye_is_a_round_won_for_the_opponents() -> None:
    found = rows(event("A B C", "A-B 0-2, C bye", "A bye, B-C 2-0"))
    assert found["B"].values["omw"] == Fraction(1, 2)
    assert found["C"].values["omw"] == 1


def test_who_leaves_keeps_results_and_stays_an_opponent() -> None:
    """slashinfty/tournament-organizer#10: the result stays, opponents keep him."""
    one = event("A B C D", "A-B 2-0, C-D 2-0", "A-C 2-0, D bye", B=1)
    found = rows(one)
    assert [found["B"].points, found["B"].values["omw"]] == [0, 1]
    assert found["A"].values["omw"] == (Fraction(33, 100) + Fraction(1, 2)) / 2


@pytest.mark.parametrize(
    ("credit", "points", "share"),
    [
        ("C assigned_loss", 3, Fraction(1, 2)),
        ("C bye", 6, Fraction(1)),
        ("C half_bye", 4, Fraction(2, 3)),
        ("C absence", 3, Fraction(1)),
        ("C zero_bye", 3, Fraction(1)),
        ("", 3, Fraction(1)),
    ],
)
def test_late_entry_with_credit(credit: str, points: int, share: Fraction) -> None:
    """ThatRickGuy/PGSwiss#77 and lichess-org/lila#12497: only what was awarded counts."""
    found = rows(event("A B C", f"A-B 2-0, {credit}", "A-C 0-2, B bye"))
    assert found["C"].points == points
    assert found["A"].values["omw"] == (Fraction(1, 2) + share) / 2


def test_states_of_a_round_are_told_apart() -> None:
    """lichess-org/lila#15450: not yet entered, absent, bye and forfeited are not the same."""
    one = event("A B C D E", "A bye, B absence, C-D forfeit first")
    late = replace(one.players[4], entered=2)
    assert late.entered == 2
    found = rows(one)
    assert [found[name].points for name in "ABCDE"] == [3, 0, 3, 0, 0]
    assert [found[name].values["omw"] > 0 for name in "ABCDE"] == [False, False, True, True, False]


@pytest.mark.parametrize("wins", range(7))
def test_a_floor_lifts_everything_below_it(wins: int) -> None:
    """insrcd/PreRegMePublic#65: each value in (0, floor) is lifted, not 0 alone."""
    texts = [f"A-B {'2-0' if number < wins else '0-2'}" for number in range(6)]
    own = rows(event("A B", *texts), "melee-floor")
    assert own["B"].values["omw"] == max(THIRD, Fraction(wins, 6))
    assert own["A"].values["gw"] == max(THIRD, Fraction(wins, 6))
    assert rows(event("A B", *texts), "melee-raw")["A"].values["gw"] == Fraction(wins, 6)


def test_ranks_are_made_from_exact_values() -> None:
    """india-ultimate/hub#568: 10.375, 10.4 and 10.4286 are three places."""
    shares = {"A": Fraction(10375, 10**6), "B": Fraction(104, 10**4), "C": Fraction(104286, 10**7)}
    near = {"D": Fraction(1, 3), "E": Fraction(333333333333333333, 10**18)}
    players = tuple(
        Player(id=name, name=name, game_wins=share) for name, share in (shares | near).items()
    )
    profile = Profile(name="own", version="1", criteria=(Criterion(kind="gw"),))
    table = table_of(Event(name="made up", players=players, phases=()), profile)
    assert [(row.rank, row.player) for row in table.rows] == [
        (1, "D"), (2, "E"), (3, "C"), (4, "B"), (5, "A")
    ]  # fmt: skip


@pytest.mark.parametrize("order", list(permutations("ABC")))
def test_a_cycle_is_a_tie_for_every_order(order: tuple[str, ...]) -> None:
    """wingedsheep/argentum-engine#1124 and dave0/leaguerunner#2: no comparator, no exception."""
    one = event(" ".join(order), "A-B 2-0, C bye", "B-C 2-0, A bye", "C-A 2-0, B bye")
    found = table_of(one, PROFILES["head-to-head"])
    assert [(row.rank, row.player, row.tied) for row in found.rows] == [
        (1, "A", 3), (1, "B", 3), (1, "C", 3)
    ]  # fmt: skip
    assert {row.values["h2h"] for row in found.rows} == {3}


def test_three_of_four_tied_are_1_1_1_4() -> None:
    """sivert-io/matchzy-auto-tournament#225: the last of four is fourth, and nobody has won."""
    one = event("A B C D", "A-B 2-0, C-D 2-0", "A-D 2-0, B-C 2-0", "C-A 2-0, B-D 2-0")
    for name in ("head-to-head", "mtr-2024", "game-difference"):
        assert [row.rank for row in table_of(one, PROFILES[name]).rows] == [1, 1, 1, 4]


def test_tied_is_who_has_the_same_points() -> None:
    """sendou-ink/sendou.ink#1989: one win and a draw is not tied with one win."""
    one = event(
        "A B C D",
        "A-C 2-0, B-D 2-0",
        "A-B 1-1-1, C-D 2-0",
        "A-D 0-2, B bye",
        A=3,
    )  # fmt: skip
    found = rows(one, "head-to-head")
    assert [found[name].points for name in "ABCD"] == [4, 7, 3, 3]
    assert {name for name, row in found.items() if "h2h" in row.values} == {"C", "D"}
    assert [found[name].rank for name in "ABCD"] == [2, 1, 3, 4]


def test_head_to_head_looks_at_groups_of_whom_all_met() -> None:
    one = event("A B C D", "A-B 0-2, C-D 2-0", "A-D 2-0, B-C 0-2", "A-C 1-1, B bye")
    found = table_of(one, PROFILES["head-to-head"]).rows
    assert [(row.player, row.rank, row.values.get("h2h")) for row in found] == [
        ("C", 1, None), ("B", 2, None), ("A", 3, None), ("D", 4, None)
    ]  # fmt: skip
    one = event("A B C D", "A-B 0-2, C-D 2-0", "A bye, B assigned_loss", "D bye, C assigned_loss")
    found = table_of(one, PROFILES["head-to-head"]).rows
    assert {row.rank for row in found} == {1}
    pair = event("A B", "A-B 0-2", "A bye")
    assert [row.player for row in table_of(pair, PROFILES["head-to-head"]).rows] == ["B", "A"]


def test_head_to_head_of_tom_is_for_two() -> None:
    one = event("A B C", "A-B 0-2, C bye", "B-C 0-2, A bye", "C-A 0-2, B bye")
    found = table_of(one, PROFILES["pokemon-tom"]).rows
    assert [row.rank for row in found] == [1, 1, 1]
    assert all("h2h" not in row.values for row in found)
    pair = event("A B", "A-B 0-2", "A bye")
    assert [row.player for row in table_of(pair, PROFILES["pokemon-tom"]).rows] == ["A", "B"]


def test_rounds_of_nothing_but_draws() -> None:
    """slashinfty/tournament-organizer#9: everybody drew everything."""
    one = event("A B C D", "A-B 0-0-1, C-D 0-0-1", "A-C 0-0-3, B-D 0-0-3")
    for name in PROFILES:
        found = table_of(shuffled(one, 3), PROFILES[name]).rows
        assert {row.rank for row in found} == {1}
    own = rows(one)["A"]
    assert [own.points, own.values["gw"], own.values["omw"]] == [2, THIRD, THIRD]


def test_a_tie_of_yugioh_is_a_double_loss() -> None:
    one = event("A B C D", "A-B 1-1, C-D 2-0", "A-C 2-0, B-D 2-1")
    found = rows(one, "ygo-kts")
    assert [found[name].points for name in "ABCD"] == [3, 3, 3, 0]
    assert found["A"].values["omw"] == Fraction(1, 2)
    assert found["D"].values["oomw"] == Fraction(1, 4)
    assert code_of(found["D"], PROFILES["ygo-kts"]) == "00500250"
    alone = rows(event("A B", *["A-B 2-0"] * 40), "ygo-kts")
    assert code_of(alone["B"], PROFILES["ygo-kts"]) == "00999000"
    assert code_of(alone["A"], PROFILES["ygo-kts"]) == "99000999"


def test_no_opponent_at_all() -> None:
    found = rows(event("A B", "A bye, B assigned_loss"))
    assert [found["A"].values[label] for label in ("omw", "gw", "ogw")] == [0, 1, 0]
    assert [found["B"].values[label] for label in ("omw", "gw", "ogw")] == [
        0,
        Fraction(33, 100),
        0,
    ]
    alone = rows(event("A", "A bye"), "pokemon-tom")["A"]
    assert alone.rank == 1
    assert [alone.values["wp"], alone.values["ow"]] == [Fraction(1, 4), 0]
