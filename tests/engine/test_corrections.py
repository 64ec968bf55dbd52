"""Corrections, whatever the game: bounds on what is folded and on what comes out of it."""

from __future__ import annotations

import time

import pytest

from service.engine.contract import Fault, Record
from service.engine.corrections import (
    FACTS_MAX,
    INSTANCES_MAX,
    PARTS_MAX,
    corrected,
    is_plain,
    size_fault,
    vocabulary_fault,
)
from service.engine.values import Json, Position
from tests.conftest import CATALOGUE

GAME = CATALOGUE.game("hi-story")
RULESET = GAME.sample.ruleset
SECONDS_MAX = 60


def position() -> Position:
    return RULESET.normalise(
        {
            "phase": "set",
            "players": {
                "P1": {"hand": ["a1=yasuke"], "fields": {"1": "a2=shun-dash"}},
                "P2": {"hand": ["b1=yasuke"], "fields": {"1": "b2=shun-dash"}},
            },
        }
    )


def fact(name: str, **fields: Json) -> Json:
    return {"fact": name, "rules": ["HS-710"], **fields}


def fault_of(*facts: Json) -> Fault:
    found = corrected(RULESET, position(), list(facts))
    assert isinstance(found, Fault)
    return found


def test_a_forgotten_movement_is_made_up_for() -> None:
    destroyed = fact("card_destroyed", player="P2", field=1, card="b2")
    found = corrected(RULESET, position(), [destroyed])
    assert isinstance(found, Record)
    assert found.before == position()
    assert found.after["players"]["P2"]["graveyard"] == ["b2"]
    assert found.facts == [destroyed]


def test_a_fact_that_does_not_fit_is_named() -> None:
    rested = fact("stack_rested", player="P1", field=1)
    assert fault_of(rested, fact("stack_rested", player="P1", field=4)).place == "facts.1"
    assert fault_of(rested, rested, fact("stack_rested", player="P1")).place == "facts.2"
    assert fault_of(fact("stack_rested", player=["P1"], field=1)).place == "facts.0"
    assert fault_of(fact("cards_shown", player="P1", cards=5)).place == "facts.0", "no form of it"


@pytest.mark.parametrize(
    ("given", "text"),
    [
        (fact("zone_shuffled", player="P1", zone="hand", order=[]), "HS-915"),
        (fact("zone_shuffled", player="P1", zone="hand", order=["a1", "a1"]), "HS-915"),
        (fact("deck_accepted", player="P1", cards={"a1": "aesop"}, order=["ad1"]), "HS-915"),
        (fact("phase_started", phase="tea"), "phase"),
        (fact("turn_started", player="P1", turn=[]), "turn"),
        (fact("zone_shuffled", player="P1", zone="deck", order=[]), "HS-915"),
    ],
)
def test_what_comes_out_is_a_sound_position_with_the_same_cards(given: Json, text: str) -> None:
    found = fault_of(given)
    assert found.place == "position"
    assert text in found.text


def test_a_definition_cannot_be_exchanged() -> None:
    swapped = fact(
        "deck_accepted",
        player="P1",
        cards={"a1": "aesop"},
        order=position()["players"]["P1"]["deck"],
    )
    assert "same cards" in fault_of(swapped).text


def test_a_lost_match_without_a_result_is_refused() -> None:
    deck = position()["players"]["P1"]["deck"]
    milled = fact("cards_milled", player="P1", cards=deck)
    ended = fact("game_ended", winner="P2", reason="deck_out")
    assert "no result" in fault_of(milled).text
    assert isinstance(corrected(RULESET, position(), [milled, ended]), Record)


def test_the_vocabulary_is_told_without_a_position() -> None:
    good = fact("stack_rested", player="P1", field=9)
    assert vocabulary_fault([good], RULESET.vocabulary) is None
    for facts, place in (
        ({}, "facts"),
        ([good] * (FACTS_MAX + 1), "facts"),
        ([good, 1], "facts.1"),
        ([good | {"fact": "stack_broken"}], "facts.0.fact"),
        ([good | {"rules": ["HS-710", "HS-000"]}], "facts.0.rules"),
        ([good | {"rules": "HS-710"}], "facts.0.rules"),
        ([good | {"field": list(range(PARTS_MAX))}], "facts.0"),
    ):
        found = vocabulary_fault(facts, RULESET.vocabulary)
        assert found is not None
        assert found.place == place


def test_most_facts_of_most_parts_take_bounded_time() -> None:
    """Each of them makes a pile longer until the position is too large to be kept."""
    names = [f"a{number}" for number in range(PARTS_MAX - 20)]
    many = [
        fact("cards_moved", player="P1", cards=names, **{"from": "hand", "to": to})
        for to in ("deck_top", "graveyard") * 200
    ]
    began = time.monotonic()
    assert "exceeds" in fault_of(*many).text
    small = [fact("cards_moved", player="P1", cards=["a1"], **{"from": "deck", "to": "hand"})]
    corrected(RULESET, position(), small * FACTS_MAX)
    assert time.monotonic() - began < SECONDS_MAX


def test_a_position_is_kept_small() -> None:
    side = {"deck": 600}
    large = RULESET.normalise({"players": {"P1": side, "P2": side}})
    assert size_fault(RULESET, position()) is None
    assert size_fault(RULESET, large) == f"holds more than {INSTANCES_MAX} cards"
    assert "bytes" in str(size_fault(RULESET, position() | {"used": ["a1#0"] * 50_000}))


def test_values_that_cannot_be_stored_are_told() -> None:
    deep: Json = 0
    for _ in range(80):
        deep = [deep]
    assert is_plain({"a": [1, None, True, "x"]})
    for value in (deep, 2**53, {"a": -(2**53)}, {"": 1}, {"é": 1}, {"a" * 129: 1}, {1: 1}):
        assert not is_plain(value)
    assert is_plain([0] * 9, 10)
    assert not is_plain([0] * 10, 10)
