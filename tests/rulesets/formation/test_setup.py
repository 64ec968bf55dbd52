"""What may be fixed before a match between people (spec 14)."""

from __future__ import annotations

import pytest

from service.engine.contract import Ruleset, SetupFault
from service.engine.setups import deck_rejection
from service.engine.values import Json

SEATS = ("P2", "P1")
DEFAULT = {"first": "draw", "options": {"hand_size": 4, "round_limit": 60}}


def test_what_is_left_out_is_completed(ruleset: Ruleset) -> None:
    assert ruleset.prepared({}, SEATS) == DEFAULT
    assert ruleset.prepared({"first": "P2", "options": {"hand_size": 1}}, SEATS) == {
        "first": "P2",
        "options": {"hand_size": 1, "round_limit": 60},
    }


@pytest.mark.parametrize(
    ("sent", "place"),
    [
        ([], "setup"),
        ({"first": "MB"}, "first"),
        ({"options": None}, "options"),
        ({"options": {"colour": 1}}, "options.colour"),
        ({"options": {"hand_size": 0}}, "options.hand_size"),
        ({"options": {"hand_size": True}}, "options.hand_size"),
        ({"options": {"round_limit": "3"}}, "options.round_limit"),
        ({"options": {"round_limit": 2**53}}, "options.round_limit"),
        ({"hand_size": 4}, "hand_size"),
    ],
)
def test_anything_else_is_refused(ruleset: Ruleset, sent: Json, place: str) -> None:
    with pytest.raises(SetupFault) as fault:
        ruleset.prepared(sent, SEATS)
    assert fault.value.place == place


@pytest.mark.parametrize(
    ("deck", "rule"),
    [
        (None, "FM-988"),
        ([], "FM-988"),
        ({"": 30}, "FM-914"),
        ({}, "FM-914"),
        ("@none", "FM-988"),
        ({"militia": 1_001}, "FM-914"),
    ],
)
def test_a_deck_is_tried_by_itself(ruleset: Ruleset, deck: Json, rule: str) -> None:
    found = deck_rejection(ruleset, DEFAULT, SEATS, deck)
    assert found is not None
    assert found.rule == rule
