"""The sample pool of HAGMI!, and the game bound to it."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from service.engine.contract import Ruleset
from service.engine.values import Json
from service.rulesets.hagmi import GAME

CARDS = Path(__file__).parents[3] / "seeds" / "hagmi" / "cards.yaml"


@pytest.fixture(scope="session")
def cards_text() -> str:
    return CARDS.read_text(encoding="utf-8")


@pytest.fixture
def cards(cards_text: str) -> Json:
    """Return a copy of the sample pool that a test may spoil."""
    return yaml.load(cards_text, Loader=yaml.CSafeLoader)


@pytest.fixture(scope="session")
def ruleset(cards_text: str) -> Ruleset:
    return GAME.ruleset(yaml.load(cards_text, Loader=yaml.CSafeLoader))
