"""Positions that cannot be played on are refused with the place (spec 3)."""

from __future__ import annotations

import pytest

from service.engine.contract import PositionFault, Ruleset
from service.engine.values import Json

COMBAT: Json = {
    "attacker": "b1",
    "side": "MB",
    "targets": ["P2"],
    "present": ["b1"],
    "defences": {},
    "to_defend": ["P2", "P1"],
    "must_defend": None,
    "step": None,
    "struck": [],
    "doomed": {},
}


@pytest.mark.parametrize(
    ("given", "place"),
    [
        ({"active": "P1"}, "active"),
        ({"prompt": {"kind": "order_triggers", "player": "P1"}}, "prompt.player"),
        ({"window": {"kind": "attack", "holder": "P1", "left": []}}, "window.holder"),
        ({"combat": COMBAT, "agenda": [{"t": "end_combat"}]}, "combat.to_defend"),
    ],
)
def test_a_game_that_goes_on_waits_for_nobody_who_has_lost(
    ruleset: Ruleset, given: Json, place: str
) -> None:
    """A window may name him among those to be asked: he is passed over when it comes to him."""
    position = {
        "mode": "machine_beast",
        "players": {"P1": {"lost": True}, "P2": {}},
        "beast": {"field": {"b1": {"card": "HB-801"}}},
        "active": "P2",
    }
    with pytest.raises(PositionFault) as fault:
        ruleset.normalise({**position, **given})
    assert fault.value.place == place
    over = {"result": {"winner": "MB", "reason": "damage"}}
    ruleset.normalise({**position, **given, **over})
