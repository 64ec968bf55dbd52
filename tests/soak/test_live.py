"""Long runs: whole matches of every game and mode over HTTP, however long they get."""

from __future__ import annotations

import pytest

from service.installation import Installation
from tests.api.tables import PLAYED_MAX, hall_of
from tests.api.test_live import SETUPS, check_played


@pytest.mark.soak
@pytest.mark.parametrize("name", SETUPS)
def test_a_match_is_played_to_its_end(installation: Installation, name: str) -> None:
    check_played(hall_of(installation), name, PLAYED_MAX)
