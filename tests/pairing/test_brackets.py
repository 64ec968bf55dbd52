"""Laws of brackets, for every size and with results and corrections by dice."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import msgspec
import pytest

from service.pairing.bracket_play import (
    BYE,
    Bracket,
    NotPossible,
    RewindNeeded,
    champion,
    correct,
    opened,
    ready,
    report,
    rewind,
    seatings,
    start,
)
from service.pairing.brackets import (
    Layout,
    Seed,
    double_elimination,
    seed_pairs,
    single_elimination,
)

SIZES = range(2, 65)
LARGE = (100, 127, 128, 129, 1000, 4095, 4096)


def bracket_of(layout: Layout) -> Bracket:
    return opened(layout, [f"s{number}" for number in range(1, layout.size + 1)])


def reported(bracket: Bracket, match: str, winner: str | None) -> Bracket:
    found = report(bracket, match, winner)
    assert isinstance(found, Bracket)
    return found


def play(bracket: Bracket, dice: random.Random) -> Iterator[Bracket]:
    """Decide matches by dice, some at a time, until none is left; give each state."""
    while True:
        yield bracket
        open_matches = ready(bracket)
        if not open_matches:
            return
        seated = seatings(bracket)
        for match in dice.sample(open_matches, dice.randint(1, len(open_matches))):
            bracket = reported(bracket, match, dice.choice(seated[match]))


def played(layout: Layout, seed: int) -> Bracket:
    *_, last = play(bracket_of(layout), random.Random(seed))
    return last


def refusal(reason: str, match: str) -> NotPossible:
    return msgspec.convert({"reason": reason, "match": match}, NotPossible)


def losses(bracket: Bracket) -> Counter[str | None]:
    return Counter(
        name
        for match, winner in bracket.winners.items()
        for name in seatings(bracket)[match]
        if name != winner
    )


def test_the_first_round_of_eight_is_the_usual_one() -> None:
    assert seed_pairs(8) == [(1, 8), (4, 5), (3, 6), (2, 7)]


@pytest.mark.parametrize("size", [*SIZES, *LARGE])
def test_byes_are_in_round_one_only_and_go_to_the_top_seeds(size: int) -> None:
    layout = single_elimination(size)
    first = [match for match in layout.matches if match.round == 1]
    places = 2 * len(first)
    assert places // 2 < size <= places
    numbers = [seat.number for match in first for seat in match.seats if isinstance(seat, Seed)]
    assert sorted(numbers) == list(range(1, places + 1))
    assert not any(
        isinstance(seat, Seed)
        for match in layout.matches
        if match.round > 1
        for seat in match.seats
    )
    with_bye = {min(pair) for pair in seed_pairs(size) if max(pair) > size}
    assert with_bye == set(range(1, places - size + 1))
    assert all(min(pair) <= size for pair in seed_pairs(size))


@pytest.mark.parametrize("size", [*SIZES, *LARGE])
def test_top_seeds_are_as_far_apart_as_can_be(size: int) -> None:
    pairs = seed_pairs(size)
    parts = 2
    while parts <= len(pairs):
        width = len(pairs) // parts
        best = [min(map(min, pairs[at : at + width])) for at in range(0, len(pairs), width)]
        assert sorted(best) == list(range(1, parts + 1))
        parts *= 2


@pytest.mark.parametrize("size", SIZES)
def test_one_loss_ends_a_single_elimination(size: int) -> None:
    for seed in range(3):
        bracket = played(single_elimination(size), seed)
        lost = losses(bracket)
        assert len(bracket.winners) == size - 1
        assert set(lost.values()) == {1}
        assert {champion(bracket)} == set(bracket.players) - set(lost)


@pytest.mark.parametrize("size", SIZES)
def test_two_losses_end_a_double_elimination(size: int) -> None:
    for seed in range(2):
        bracket = played(double_elimination(size), seed)
        lost = losses(bracket)
        best = champion(bracket)
        assert best is not None
        assert lost[best] <= 1
        assert all(lost[name] == 2 for name in bracket.players if name != best)
        assert ("F2-1" in bracket.winners) == (
            bracket.winners["F1-1"] == seatings(bracket)["F1-1"][1]
        )


@pytest.mark.parametrize("size", SIZES)
def test_without_reset_the_final_decides(size: int) -> None:
    bracket = played(double_elimination(size, reset=False), size)
    assert champion(bracket) == bracket.winners["F1-1"]
    assert len(bracket.winners) == 2 * size - 2


@pytest.mark.parametrize("size", [*SIZES, 100, 128, 129])
def test_nobody_waits_for_a_bye_and_no_bye_is_a_player(size: int) -> None:
    """When the best seed always wins, every match with two players is decided, no other is."""
    bracket = bracket_of(double_elimination(size))
    number: dict[str | None, int] = {name: at for at, name in enumerate(bracket.players)}
    while matches := ready(bracket):
        seated = seatings(bracket)
        for match in matches:
            bracket = reported(bracket, match, min(seated[match], key=number.__getitem__))
    assert champion(bracket) == "s1"
    for match, seating in seatings(bracket).items():
        assert None not in seating
        assert (match in bracket.winners) == (BYE not in seating)


@pytest.mark.parametrize("size", [8, 16, 32, 64, 128])
def test_whoever_falls_does_not_at_once_meet_whom_he_has_met(size: int) -> None:
    """In each losers' round that takes up the fallen, while its places allow it."""
    layout = double_elimination(size)
    for seed in range(3):
        met: set[frozenset[str | None]] = set()
        seated = seatings(played(layout, seed))
        for match in layout.matches:
            pair = frozenset(seated[match.id])
            if match.side == "winners":
                met.add(pair)
        counts = Counter(match.round for match in layout.matches if match.side == "losers")
        for match in layout.matches:
            if (
                match.side == "losers"
                and match.round % 2 == 0
                and counts[match.round] > match.round // 2
            ):
                assert frozenset(seated[match.id]) not in met, (match.id, seed)


def test_the_match_for_the_third_place_has_the_losers_of_the_semifinals() -> None:
    bracket = played(single_elimination(6, third_place=True), 1)
    out = {name for match in ("W2-1", "W2-2") for name in seatings(bracket)[match]}
    assert set(seatings(bracket)["T1-1"]) == out - set(seatings(bracket)["W3-1"])
    assert champion(bracket) == bracket.winners["W3-1"]


def test_a_lost_match_of_two_lets_the_next_opponent_go_on() -> None:
    bracket = reported(bracket_of(single_elimination(4)), "W1-1", None)
    bracket = reported(bracket, "W1-2", "s2")
    assert seatings(bracket)["W2-1"] == (BYE, "s2")
    assert champion(bracket) == "s2"


def test_a_correction_replaces_the_slot_while_the_next_match_has_not_started() -> None:
    bracket = reported(bracket_of(single_elimination(4)), "W1-1", "s1")
    corrected = correct(bracket, "W1-1", "s4")
    assert isinstance(corrected, Bracket)
    assert seatings(corrected)["W2-1"] == ("s4", None)
    running = start(reported(corrected, "W1-2", "s2"), "W2-1")
    assert isinstance(running, Bracket)
    assert correct(running, "W1-1", "s1") == RewindNeeded(match="W1-1", started=("W2-1",))
    assert correct(running, "W1-1", "s4") == running
    back = rewind(running, "W1-1", "s1")
    assert isinstance(back, Bracket)
    assert seatings(back)["W2-1"] == ("s1", "s2")
    assert back.started == {"W1-1", "W1-2"}


def test_a_final_that_is_corrected_calls_the_second_final_off() -> None:
    bracket = bracket_of(double_elimination(2))
    bracket = reported(reported(bracket, "W1-1", "s1"), "F1-1", "s2")
    assert ready(bracket) == ["F2-1"]
    corrected = correct(bracket, "F1-1", "s1")
    assert isinstance(corrected, Bracket)
    assert champion(corrected) == "s1"
    assert ready(corrected) == []
    assert correct(reported(bracket, "F2-1", "s2"), "F1-1", "s1") == RewindNeeded(
        match="F1-1", started=("F2-1",)
    )


@pytest.mark.parametrize(
    ("match", "winner", "reason"),
    [
        ("W9-9", "s1", "no_such_match"),
        ("W2-1", "s1", "waiting"),
        ("W1-1", "s2", "not_seated"),
        ("W1-2", "s2", "already_decided"),
    ],
)
def test_what_cannot_be_reported_changes_nothing(match: str, winner: str, reason: str) -> None:
    bracket = reported(bracket_of(single_elimination(4)), "W1-2", "s3")
    assert report(bracket, match, winner) == refusal(reason, match)


@pytest.mark.parametrize(
    ("match", "winner", "reason"),
    [("W9-9", "s1", "no_such_match"), ("W1-1", "s1", "not_decided"), ("W1-2", "s1", "not_seated")],
)
def test_what_cannot_be_corrected_changes_nothing(match: str, winner: str, reason: str) -> None:
    bracket = reported(bracket_of(single_elimination(4)), "W1-2", "s3")
    refused = refusal(reason, match)
    assert correct(bracket, match, winner) == refused
    assert rewind(bracket, match, winner) == refused


def check_corrections(layout: Layout, seed: int) -> None:
    """Correct results by dice while a bracket is played; it stays sound and comes to its end."""
    dice = random.Random(seed)
    bracket = bracket_of(layout)
    for _ in range(6 * layout.size):
        before = seatings(bracket)
        if bracket.winners and dice.random() < 0.3:
            match = dice.choice(sorted(bracket.winners))
            winner = dice.choice(before[match])
            found = correct(bracket, match, winner)
            if isinstance(found, RewindNeeded):
                assert found.started
                assert set(found.started) <= bracket.started
                found = rewind(bracket, match, winner)
            assert isinstance(found, Bracket)
            bracket = found
            kept = bracket.started & set(before)
            assert all(seatings(bracket)[name] == before[name] for name in kept)
        elif matches := ready(bracket):
            match = dice.choice(matches)
            bracket = reported(bracket, match, dice.choice(before[match]))
        for name, winner in bracket.winners.items():
            assert winner in seatings(bracket)[name]
    *_, last = play(bracket, dice)
    assert champion(last) is not None


@pytest.mark.parametrize("size", range(2, 17))
def test_corrections_leave_a_sound_bracket(size: int) -> None:
    for layout in (single_elimination(size), double_elimination(size)):
        check_corrections(layout, size)


@pytest.mark.parametrize("size", [2, 3, 8, 21])
def test_brackets_survive_json(size: int) -> None:
    bracket = played(double_elimination(size), size)
    assert msgspec.json.decode(msgspec.json.encode(bracket), type=Bracket) == bracket
