"""What may be fixed before a match between people (spec 16)."""

from __future__ import annotations

import pytest

from service.engine.contract import Ruleset, SetupFault
from service.engine.setups import deck_rejection, spelled_deck
from service.engine.values import Json

TWO, FOUR = ("P1", "P2"), ("P1", "P2", "P3", "P4")
BEASTS = {"mode": "machine_beast", "mothership": "HM-901", "beast_deck": {"HB-801": 5}}
LIVE = {"facility_sacrifice": False, "windows": "always"}


def test_people_play_versus_with_every_window(ruleset: Ruleset) -> None:
    whole = {"mode": "versus", "first": "draw", "options": LIVE}
    assert ruleset.prepared({}, TWO) == whole
    chosen = {"first": "P2", "options": {"windows": "auto", "facility_sacrifice": True}}
    assert ruleset.prepared(chosen, TWO) == {"mode": "versus", **chosen}


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_one_to_four_play_against_the_beasts(ruleset: Ruleset, count: int) -> None:
    setup = ruleset.prepared(BEASTS, FOUR[:count])
    assert setup == {**BEASTS, "first": "draw", "options": LIVE}
    assert deck_rejection(ruleset, setup, FOUR[:count], "@deck-shadowlink") is None


def test_a_named_beast_deck_is_spelled_out(ruleset: Ruleset) -> None:
    setup = ruleset.prepared({**BEASTS, "beast_deck": "@beasts-continental"}, ("P1",))
    assert setup["beast_deck"]["HB-801"] == 5


@pytest.mark.parametrize(
    ("sent", "seats", "place"),
    [
        (1, TWO, "setup"),
        ({"mode": "solo"}, TWO, "mode"),
        ({}, ("P1",), "seats"),
        ({}, FOUR[:3], "seats"),
        (BEASTS, (), "seats"),
        (BEASTS, ("P2", "P3"), "seats"),
        (BEASTS, (*FOUR, "P5"), "seats"),
        ({"first": "P3"}, TWO, "first"),
        ({"options": {"windows": True}}, TWO, "options.windows"),
        ({"options": {"facility_sacrifice": 1}}, TWO, "options.facility_sacrifice"),
        ({"options": {"hand_size": 1}}, TWO, "options.hand_size"),
        ({"mothership": "HM-901"}, TWO, "mothership"),
        ({"beast_deck": "@beasts-continental"}, TWO, "beast_deck"),
        ({"mode": "machine_beast"}, TWO, "mothership"),
        ({**BEASTS, "mothership": "HW-101"}, TWO, "mothership"),
        ({**BEASTS, "mothership": []}, TWO, "mothership"),
        ({**BEASTS, "beast_deck": "@deck-shadowlink"}, TWO, "beast_deck"),
        ({**BEASTS, "beast_deck": {}}, TWO, "beast_deck"),
        ({**BEASTS, "beast_deck": {"HB-801": 0}}, TWO, "beast_deck"),
        ({**BEASTS, "beast_deck": {"HM-901": 1}}, TWO, "beast_deck"),
    ],
)
def test_anything_else_is_refused(
    ruleset: Ruleset, sent: Json, seats: tuple[str, ...], place: str
) -> None:
    with pytest.raises(SetupFault) as fault:
        ruleset.prepared(sent, seats)
    assert fault.value.place == place


@pytest.mark.parametrize(
    "deck", [None, [], {}, "@beasts-continental", "@none", {"weapon_deck": {"HW-101": 40}}]
)
def test_a_deck_is_tried_by_itself(ruleset: Ruleset, deck: Json) -> None:
    found = deck_rejection(ruleset, ruleset.prepared({}, TWO), TWO, deck)
    assert found is not None
    assert found.rule == "HG-905"


def test_a_named_deck_is_spelled_out(ruleset: Ruleset) -> None:
    spelled = spelled_deck(ruleset, ruleset.prepared({}, TWO), "P1", "@deck-ironrain")
    assert spelled.keys() == {"weapon_deck", "operation_deck", "damage_deck", "secret"}
