"""Every test here runs for every game there is."""

from __future__ import annotations

import pytest

from service.catalogue import LoadedGame
from tests.conftest import CATALOGUE


@pytest.fixture(params=CATALOGUE.names())
def game(request: pytest.FixtureRequest) -> LoadedGame:
    return CATALOGUE.game(request.param)
