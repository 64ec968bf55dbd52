"""Situations that went wrong elsewhere, paired right: one test for each public report."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from service.pairing.fields import Options, Pairing, Player, Unpairable
from service.pairing.repairing import Repair, pair_again
from service.pairing.swiss import pair
from tests.pairing import oracle
from tests.pairing.histories import WIN, Tournament, seed_of

SEEDS = [Options(seed=bytes([number])) for number in range(20)]


def paired(players: list[Player], options: Options) -> Pairing:
    found = pair(players, options)
    assert isinstance(found, Pairing)
    return found


def tables_of(pairing: Pairing) -> set[frozenset[str]]:
    return set(map(frozenset, pairing.tables))


def played(size: int, rounds: int, *, seed: int = 1, draw_share: float = 0.1) -> Tournament:
    event = Tournament(dice=random.Random(seed), draw_share=draw_share)
    event.enter(size)
    for _ in range(rounds):
        found = paired(event.players(), Options(seed=seed_of(event.dice)))
        event.play(found.tables, found.byes)
    return event


@pytest.mark.parametrize("options", SEEDS)
def test_two_rounds_of_four_leave_one_pairing(options: Options) -> None:
    """phase-rs/phase#7937: after A-B, C-D, A-C, B-D a greedy choice pairs A and B again."""
    met = {"A": "BC", "B": "AD", "C": "DA", "D": "CB"}
    points = {"A": 6, "B": 3, "C": 3, "D": 0}
    players = [Player(id=name, points=points[name], met=tuple(met[name])) for name in "ABCD"]
    found = paired(players, options)
    assert tables_of(found) == {frozenset("AD"), frozenset("BC")}
    reasons = dict(zip(found.tables, found.why.tables, strict=True))
    assert reasons["A", "D"].meetings == 0
    assert (reasons["A", "D"].down, reasons["A", "D"].up) == ("A", "D")


def test_a_third_round_of_three_tables_is_a_rematch_and_says_so() -> None:
    """phase-rs/phase#7937: where all have met, a rematch is made and flagged."""
    players = [
        Player(id=name, points=0, met=tuple(other for other in "ABCD" if other != name))
        for name in "ABCD"
    ]
    found = paired(players, SEEDS[0])
    assert [reason.meetings for reason in found.why.tables] == [1, 1]


@pytest.mark.parametrize("options", SEEDS)
def test_the_lowest_without_a_bye_gets_it(options: Options) -> None:
    """morphinepl/ANRTournament#22: of 17 players one with 4 points had the bye, not one with 2."""
    players = [Player(id=f"p{number}", points=4 + number % 3) for number in range(14)]
    players += [Player(id="lowest", points=2)]
    players += [Player(id=f"q{number}", points=0, byes=1) for number in range(2)]
    found = paired(players, options)
    assert found.byes == ("lowest",)
    passed = found.why.byes[0].passed_over
    assert {(other.player, other.cause) for other in passed} == {
        ("q0", "had_bye"),
        ("q1", "had_bye"),
    }


@pytest.mark.parametrize("options", SEEDS)
def test_the_next_lowest_gets_it_if_the_others_would_meet_again(options: Options) -> None:
    """morphinepl/ANRTournament#22: with the reason for passing the lowest over."""
    met = {"a": "bc", "b": "ac", "c": "ab", "d": "", "e": ""}
    players = [
        Player(id=name, points=points, met=tuple(met[name]))
        for name, points in zip("abcde", (6, 4, 3, 2, 1), strict=True)
    ]
    found = paired(players, options)
    assert found.byes == ("c",)
    reason = found.why.byes[0]
    assert [(other.player, other.cause) for other in reason.passed_over] == [
        ("e", "rematch"),
        ("d", "rematch"),
    ]


@pytest.mark.parametrize("size", [3, 5, 7, 11, 13])
def test_nobody_has_a_second_bye_before_all_had_one(size: int) -> None:
    """online-go/online-go.com#2412: the leader got five of eleven byes; leaders come last."""
    event = Tournament(dice=random.Random(size))
    event.enter(size)
    for _ in range(size):
        players = event.players()
        found = paired(players, Options(seed=seed_of(event.dice)))
        assert oracle.bye_is_right(players, found.byes[0])
        others = [player for player in players if player.byes == 0 and player.id != found.byes[0]]
        if event.entries[found.byes[0]].byes:
            for other in others:
                rest = [player for player in players if player is not other]
                assert oracle.fewest_rematches(rest) > 0
        event.play(found.tables, found.byes)


@pytest.mark.parametrize("kind", ["assigned", "given before the event", "a missed round made one"])
def test_every_kind_of_bye_counts(kind: str) -> None:
    """BieremaBoyzProgramming/bbpPairings#27 and #19: a bye under another code was not seen.

    The pairer knows one number for all kinds, so none can be forgotten by its code.
    """
    players = [Player(id="low", points=0, byes=1)]
    players += [Player(id=f"p{number}", points=WIN) for number in range(4)]
    for options in SEEDS:
        assert paired(players, options).byes != ("low",), kind


@pytest.mark.parametrize("options", SEEDS)
def test_the_bye_leaves_a_legal_pairing_after_a_drop(options: Options) -> None:
    """magefree/mage#11781: a drop, and the bye went to one without whom the rest had all met."""
    event = Tournament(dice=random.Random(1), draw_share=0.0)
    event.enter(6)
    one, two, three, four, five, six = event.entries
    event.play([(one, two), (three, four), (five, six)], [])
    event.play([(one, three), (two, five), (four, six)], [])
    event.play([(one, four), (two, six), (three, five)], [])
    event.drop(six)
    players = event.players()
    found = paired(players, options)
    rest = [player for player in players if player.active and player.id not in found.byes]
    assert oracle.score_of(found.tables, rest)[0] == 0
    assert six not in {name for table in found.tables for name in table}


def test_byes_by_hand_that_leave_an_odd_rest_are_refused_before_pairing() -> None:
    """woogles-io/liwords#792: two byes by hand, paired again, and a third bye appeared."""
    players = [Player(id=f"p{number}", points=0) for number in range(9)]
    by_hand = Options(seed=b"", byes_max=0, byes_given=("p0", "p1"))
    refused = Unpairable(reason="odd_without_bye", active=7)
    assert pair(players, by_hand) == refused
    published = paired(players, Options(seed=b""))
    assert pair_again(published, players, by_hand) == refused
    even = Options(seed=b"", byes_max=0, byes_given=("p0", "p1", "p2"))
    again = pair_again(published, players, even)
    assert isinstance(again, Repair)
    assert again.pairing.byes == ("p0", "p1", "p2")
    assert len(again.pairing.tables) == 3


@pytest.mark.parametrize("size", [8, 9])
def test_a_drop_after_pairing_changes_the_list_of_pairings(size: int) -> None:
    """woogles-io/liwords#481: the published pairing still showed a player who had been removed."""
    event = played(size, 3)
    published = paired(event.players(), SEEDS[0])
    dropped, opponent = published.tables[1]
    event.drop(dropped)
    again = pair_again(published, event.players(), SEEDS[1])
    assert isinstance(again, Repair)
    named = [name for table in again.pairing.tables for name in table] + [*again.pairing.byes]
    assert sorted(named) == sorted(event.active())
    assert opponent in named
    assert (dropped, opponent) in again.fallen
    if opponent in again.pairing.byes:
        assert again.pairing.why.byes[0].player == opponent


def test_nobody_meets_himself_after_a_drop_behind_a_result() -> None:
    """slashinfty/tournament-organizer#10: a drop right after a result; his opponents keep him."""
    event = played(7, 2)
    dropped = event.active()[0]
    opponents = [name for name, entry in event.entries.items() if dropped in entry.met]
    event.drop(dropped)
    for options in SEEDS:
        found = paired(event.players(), options)
        named = [name for table in found.tables for name in table]
        assert len(named) == len(set(named)) == 6
        assert dropped not in named
    assert all(dropped in event.entries[name].met for name in opponents)


@pytest.mark.parametrize("size", [4, 8, 9, 32])
def test_a_round_after_draws_only_is_paired(size: int) -> None:
    """slashinfty/tournament-organizer#9: after draws only, the next round never came back."""
    event = played(size, 2, draw_share=1.0)
    found = paired(event.players(), SEEDS[0])
    assert len(found.tables) == size // 2
    assert not any(reason.meetings for reason in found.why.tables)


def test_a_round_that_is_paired_twice_is_the_same_round() -> None:
    """lichess-org/lila#12147: a double start made two games of each pairing."""
    event = played(20, 4)
    first, second = (paired(event.players(), SEEDS[0]) for _ in range(2))
    assert first == second
    seats = Counter(name for table in first.tables for name in table)
    assert set(seats.values()) == {1}


@pytest.mark.parametrize("left", [0, 1])
def test_nobody_is_paired_when_everybody_has_withdrawn(left: int) -> None:
    """lichess-org/lila#10812: the server went on pairing."""
    event = played(6, 1)
    for name in event.active()[left:]:
        event.drop(name)
    refused = Unpairable(reason="too_few_players", active=left)
    assert pair(event.players(), SEEDS[0]) == refused


def test_who_has_left_collects_no_bye() -> None:
    """lichess-org/lila#12497: leaving and coming back around a pairing gave free byes."""
    event = played(7, 1)
    leaver = event.active()[2]
    had = event.entries[leaver].byes
    event.drop(leaver)
    for _ in range(3):
        found = paired(event.players(), Options(seed=seed_of(event.dice)))
        assert leaver not in found.byes
        event.play(found.tables, found.byes)
    event.entries[leaver].active = True
    assert event.entries[leaver].byes == had
    found = paired(event.players(), Options(seed=seed_of(event.dice)))
    assert leaver in {name for table in found.tables for name in table} | set(found.byes)


@pytest.mark.parametrize(("points", "byes"), [(0, 0), (WIN, 1), (1, 1)])
def test_all_can_be_paired_with_a_late_entry(points: int, byes: int) -> None:
    """ThatRickGuy/PGSwiss#77: one player more with a bye for round 1, and pairing again failed."""
    event = played(4, 1)
    published = paired(event.players(), SEEDS[0])
    event.enter(1, points=points, byes=byes)
    found = paired(event.players(), SEEDS[0])
    assert (len(found.tables), len(found.byes)) == (2, 1)
    again = pair_again(published, event.players(), SEEDS[0])
    assert isinstance(again, Repair)
    assert len(again.pairing.tables) == 2
    assert len(again.pairing.byes) == 1
