"""The laws of Swiss rounds, on whole tournaments played by dice and on small hard fields."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Sequence

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.pairing.fields import Options, Pairing, Player, Unpairable, input_digest
from service.pairing.swiss import pair
from tests.pairing import oracle
from tests.pairing.histories import Tournament, hard, rounds, seed_of

EXACT_MAX = 64
HARD = [(6, 3), (8, 4), (16, 7), (5, 4), (7, 5), (10, 6)]


def paired(players: Sequence[Player], options: Options) -> Pairing:
    found = pair(players, options)
    assert isinstance(found, Pairing)
    return found


def check(players: Sequence[Player], pairing: Pairing) -> None:
    """Hold a pairing without byes by decision against every law."""
    active = [player for player in players if player.active]
    named = [name for table in pairing.tables for name in table]
    assert sorted([*named, *pairing.byes]) == sorted(player.id for player in active)
    assert len(pairing.byes) == len(active) % 2
    rest = [player for player in active if player.id not in pairing.byes]
    found = oracle.score_of(pairing.tables, rest)
    assert found[0] == oracle.fewest_rematches(rest)
    if len(rest) <= EXACT_MAX:
        assert found == oracle.best_score(rest)
        for bye in pairing.byes:
            assert oracle.bye_is_right(active, bye)
    check_reasons(active, pairing)


def check_reasons(active: Sequence[Player], pairing: Pairing) -> None:
    by_id = {player.id: player for player in active}
    assert len(pairing.why.tables) == len(pairing.tables)
    for (first, second), reason in zip(pairing.tables, pairing.why.tables, strict=True):
        one, other = by_id[first], by_id[second]
        is_float = one.points != other.points
        assert reason.points == (one.points, other.points)
        assert (reason.down, reason.up) == ((first, second) if is_float else (None, None))
        assert reason.points[0] >= reason.points[1]
        assert reason.meetings == one.met.count(second)
        assert reason.apart == (second in one.apart)
        for name, barred in reason.barred:
            assert barred in by_id[name].met + by_id[name].apart
            assert by_id[name].points == by_id[barred].points
    for bye in pairing.why.byes:
        got_it = by_id[bye.player]
        for passed in bye.passed_over:
            other = by_id[passed.player]
            assert (passed.points, passed.byes) == (other.points, other.byes)
            if passed.cause == "had_bye":
                assert other.points < got_it.points
                assert other.byes > got_it.byes
            else:
                rest = [player for player in active if player is not other]
                without = [player for player in active if player is not got_it]
                assert oracle.fewest_rematches(rest) > oracle.fewest_rematches(without)


def check_tournament(seed: int) -> None:
    for event, options, pairing in rounds(seed):
        players = event.players()
        check(players, pairing)
        random.Random(seed).shuffle(players)
        assert pair(players, options) == pairing


def check_hard(seed: int, size: int, played: int) -> None:
    players = hard(seed, size, played)
    check(players, paired(players, Options(seed=seed.to_bytes(4, "big"))))


@pytest.mark.parametrize("seed", range(40))
def test_every_round_of_a_tournament_keeps_the_laws(seed: int) -> None:
    check_tournament(seed)


@pytest.mark.parametrize(("size", "played"), HARD)
def test_hard_small_fields_keep_the_laws(size: int, played: int) -> None:
    for seed in range(25):
        check_hard(seed, size, played)


@st.composite
def fields(draw: st.DrawFn) -> list[Player]:
    """Any field of up to 12: points of any spread, meetings as often as you like."""
    names = [f"p{number}" for number in range(draw(st.integers(2, 12)))]
    some_points = draw(st.lists(st.integers(-1000, 1000), min_size=1, max_size=4))
    often = draw(st.sampled_from([(0, 0, 0, 1), (0, 1), (0, 1, 1, 2), (1, 2, 3)]))
    met: dict[str, list[str]] = {name: [] for name in names}
    apart: dict[str, list[str]] = {name: [] for name in names}
    for place, one in enumerate(names):
        for other in names[:place]:
            for _ in range(draw(st.sampled_from(often))):
                met[one].append(other)
                met[other].append(one)
            if draw(st.integers(0, 9)) == 0:
                apart[one].append(other)
                apart[other].append(one)
    return [
        Player(
            id=name,
            points=draw(st.sampled_from(some_points)),
            met=tuple(met[name]),
            apart=tuple(apart[name]),
            byes=draw(st.integers(0, 2)),
            floated=draw(st.booleans()),
        )
        for name in names
    ]


@given(players=fields(), seed=st.binary(max_size=4))
def test_any_field_keeps_the_laws(players: list[Player], seed: bytes) -> None:
    pairing = paired(players, Options(seed=seed))
    check(players, pairing)
    assert pair(players[::-1], Options(seed=seed)) == pairing


@pytest.mark.parametrize("size", [2, 4, 6, 8])
def test_the_exact_oracle_agrees_with_trying_everything(size: int) -> None:
    for seed in range(10):
        players = hard(seed, size, size // 2)
        assert oracle.best_score(players) == oracle.brute_score(players)


def test_players_who_have_all_met_meet_those_they_met_least() -> None:
    """Six rounds of four players are two round robins, whoever wins."""
    event = Tournament(dice=random.Random(5))
    event.enter(4)
    for number in range(6):
        found = paired(event.players(), Options(seed=bytes([number])))
        event.play(found.tables, found.byes)
        assert max(reason.meetings for reason in found.why.tables) == number // 3
    for name, entry in event.entries.items():
        assert sorted(entry.met) == sorted([other for other in event.entries if other != name] * 2)


def test_those_to_be_kept_apart_meet_only_if_they_must() -> None:
    family = ("a", "b", "c")
    others = ("d", "e")

    def field(names: Sequence[str]) -> list[Player]:
        return [
            Player(id=name, points=0, apart=tuple(set(family) - {name}) if name in family else ())
            for name in names
        ]

    for seed in range(20):
        options = Options(seed=bytes([seed]))
        found = paired(field((*family, "d", "e", "f")), options)
        assert not any(reason.apart for reason in found.why.tables)
        found = paired([*field((*family, "d"))], options)
        assert sum(reason.apart for reason in found.why.tables) == 1
        found = paired(field((*family, *others)), options)
        assert found.byes[0] in family


def test_a_group_is_drawn_and_every_order_can_come() -> None:
    players = [Player(id=name, points=0) for name in "abcd"]
    found = {
        frozenset(map(frozenset, paired(players, Options(seed=bytes([n]))).tables))
        for n in range(40)
    }
    assert len(found) == 3


def test_the_bye_is_drawn_inside_the_lowest_group() -> None:
    players = [Player(id=name, points=int(name == "a")) for name in "abcde"]
    byes = {paired(players, Options(seed=bytes([n]))).byes for n in range(60)}
    assert byes == {("b",), ("c",), ("d",), ("e",)}


@pytest.mark.parametrize("active", [0, 1])
def test_fewer_than_two_active_players_are_refused(active: int) -> None:
    players = [Player(id=f"p{number}", points=0, active=number < active) for number in range(5)]
    refused = Unpairable(reason="too_few_players", active=active)
    assert pair(players, Options(seed=b"")) == refused


def test_an_odd_field_is_refused_where_no_bye_is_allowed() -> None:
    players = [Player(id=name, points=0) for name in "abc"]
    refused = Unpairable(reason="odd_without_bye", active=3)
    assert pair(players, Options(seed=b"", byes_max=0)) == refused


def test_more_byes_are_given_only_where_they_save_rematches() -> None:
    """a and b have met all others: with one bye more nobody meets again."""
    met = {"a": "bcd", "b": "acd", "c": "ab", "d": "ab"}
    players = [Player(id=name, points=0, met=tuple(met[name])) for name in "abcd"]
    options = Options(seed=b"", byes_max=2)
    found = paired(players, options)
    assert found.tables in ((("c", "d"),), (("d", "c"),))
    assert {reason.cause for reason in found.why.byes} == {"rematch"}
    fresh = [Player(id=name, points=0) for name in "abcd"]
    assert paired(fresh, options).byes == ()
    one_bye = paired(players, Options(seed=b""))
    assert sum(reason.meetings for reason in one_bye.why.tables) == 1


def test_byes_by_decision_are_kept_and_said() -> None:
    players = [Player(id=name, points=0) for name in "abcde"]
    found = paired(players, Options(seed=b"", byes_max=0, byes_given=("c",)))
    assert found.byes == ("c",)
    assert found.why.byes[0].cause == "given"
    assert len(found.tables) == 2


@pytest.mark.parametrize("size", [2, 3, 4, 33, 64, 200])
def test_only_draws_pair_in_bounded_time(size: int) -> None:
    event = Tournament(dice=random.Random(size), draw_share=1.0)
    event.enter(size)
    began = time.process_time()
    for _ in range(15):
        found = paired(event.players(), Options(seed=seed_of(event.dice)))
        check(event.players(), found)
        event.play(found.tables, found.byes)
    assert time.process_time() - began < 5


def test_a_large_field_with_a_large_team_pairs_in_bounded_time() -> None:
    """Of 300 players 200 must not meet each other: 50 tables cannot but have two of them."""
    team = [f"t{number}" for number in range(200)]
    players = [
        Player(id=name, points=number % 7, apart=tuple(other for other in team if other != name))
        for number, name in enumerate(team)
    ]
    players += [Player(id=f"o{number}", points=number % 7) for number in range(100)]
    began = time.process_time()
    found = paired(players, Options(seed=b""))
    assert time.process_time() - began < 10
    assert sum(reason.apart for reason in found.why.tables) == 50


def test_the_pairing_does_not_depend_on_the_process() -> None:
    script = (
        "from tests.pairing.histories import rounds\n"
        "import hashlib\n"
        "made = repr([[p.tables, p.byes] for s in range(12) for _, _, p in rounds(s)])\n"
        "print(hashlib.sha256(made.encode()).hexdigest())"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={"PYTHONHASHSEED": hash_seed, "PYTHONPATH": ":".join(filter(None, sys.path))},
            check=True,
            capture_output=True,
        ).stdout
        for hash_seed in ("1", "2", "3")
    }
    assert len(digests) == 1


def test_the_digest_covers_all_input_and_not_its_order() -> None:
    players = [Player(id=name, points=0) for name in "abc"]
    options = Options(seed=b"seed")
    digest = input_digest(players, options)
    assert input_digest(players[::-1], options) == digest
    changed = [msgspec.structs.replace(players[0], byes=1), *players[1:]]
    assert input_digest(changed, options) != digest
    assert input_digest(players, Options(seed=b"tree")) != digest
