"""What may be fixed before a match between people (21)."""

from __future__ import annotations

import pytest

from service.engine.contract import Ruleset, SetupFault
from service.engine.setups import deck_rejection, spelled_deck
from service.engine.values import Json

SEATS = ("P1", "P2")


def test_a_die_decides_unless_the_first_player_is_named(ruleset: Ruleset) -> None:
    assert ruleset.prepared({}, SEATS) == {}
    assert ruleset.prepared({"first": "P2"}, SEATS) == {"first": "P2"}


@pytest.mark.parametrize(
    ("sent", "seats", "place"),
    [
        (None, SEATS, "setup"),
        ({"first": "draw"}, SEATS, "first"),
        ({"first": None}, SEATS, "first"),
        ({"first": "P3"}, SEATS, "first"),
        ({"options": {}}, SEATS, "options"),
        ({"decks": {}}, SEATS, "decks"),
        ({}, ("P1",), "seats"),
        ({}, ("P1", "P2", "P3"), "seats"),
    ],
)
def test_anything_else_is_refused(
    ruleset: Ruleset, sent: Json, seats: tuple[str, ...], place: str
) -> None:
    with pytest.raises(SetupFault) as fault:
        ruleset.prepared(sent, seats)
    assert fault.value.place == place


@pytest.mark.parametrize(
    ("deck", "rule"),
    [
        ("@nowhere", "HS-110"),
        (["yasuke*2"], "HS-110"),
        (["blank*32"], "HS-115"),
        ([None] * 32, "HS-115"),
        (["yasuke*32"], "HS-111"),
    ],
)
def test_a_deck_is_tried_by_itself(ruleset: Ruleset, deck: Json, rule: str) -> None:
    found = deck_rejection(ruleset, {}, SEATS, deck)
    assert found is not None
    assert found.rule == rule


def test_a_named_deck_is_spelled_out(ruleset: Ruleset) -> None:
    spelled = spelled_deck(ruleset, {}, "P2", "@mare")
    assert isinstance(spelled, list)
    assert deck_rejection(ruleset, {}, SEATS, spelled) is None
    assert deck_rejection(ruleset, {}, SEATS, "@mare") is None
