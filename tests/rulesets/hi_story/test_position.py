"""Positions that cannot be played on are refused with the place (4)."""

from __future__ import annotations

import pytest

from service.engine.contract import PositionFault, Ruleset
from service.engine.values import Json


@pytest.mark.parametrize("operation", [{"op": "rest"}, {"op": "ready"}, {"op": "flip", "to": "up"}])
def test_only_what_lies_on_top_is_turned(ruleset: Ruleset, operation: Json) -> None:
    position = {
        "phase": "effect",
        "players": {"P1": {"hand": ["a1=yasuke"], "fields": {"1": ["a2=shun-dash", "a3=yasuke"]}}},
        "frames": [{"source": "a3", "player": "P1", "effect": 0, "ops": []}],
    }
    pending = {
        "player": "P1",
        "kind": "cards",
        "card": "a3",
        "op": operation["op"],
        "min": 1,
        "max": 1,
        "operation": {**operation, "select": {"zone": "field"}, "pick": {"count": 1}},
    }
    for card in ("a1", "a2"):
        with pytest.raises(PositionFault) as fault:
            ruleset.normalise({**position, "pending": {**pending, "candidates": [card]}})
        assert fault.value.place == "pending.candidates"
    ruleset.normalise({**position, "pending": {**pending, "candidates": ["a3"]}})
