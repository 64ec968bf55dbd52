"""The game of the folder in which a test lies, and its sample pool."""

from __future__ import annotations

import copy

import pytest

from service.catalogue import LoadedGame
from service.engine.contract import Ruleset
from service.engine.values import Json
from tests.conftest import CATALOGUE


@pytest.fixture
def game(request: pytest.FixtureRequest) -> LoadedGame:
    return CATALOGUE.game(request.path.parent.name.replace("_", "-"))


@pytest.fixture
def cards(game: LoadedGame) -> Json:
    """A copy of the sample pool that a test may spoil."""
    return copy.deepcopy(game.sample.cards)


@pytest.fixture
def ruleset(game: LoadedGame) -> Ruleset:
    return game.sample.ruleset
