"""Long runs: the laws of pairing on thousands of tournaments and hard fields."""

from __future__ import annotations

import random

import pytest

from service.pairing.brackets import double_elimination, single_elimination
from tests.pairing import test_brackets as brackets
from tests.pairing import test_repairing as repairing
from tests.pairing import test_swiss as swiss

TOURNAMENTS = 3000
HARD_FIELDS = 2000
PARTS = 10
"""The seeds are dealt to so many tests, for workers side by side."""


@pytest.mark.soak
@pytest.mark.parametrize("part", range(PARTS))
def test_tournaments(part: int) -> None:
    for seed in range(10_000 + part, 10_000 + TOURNAMENTS, PARTS):
        swiss.check_tournament(seed)


@pytest.mark.soak
@pytest.mark.parametrize(("size", "played"), swiss.HARD)
def test_hard_fields(size: int, played: int) -> None:
    for seed in range(10_000, 10_000 + HARD_FIELDS):
        swiss.check_hard(seed, size, played)


@pytest.mark.soak
@pytest.mark.parametrize("part", range(PARTS))
def test_rounds_paired_again(part: int) -> None:
    dice = random.Random(part)
    for seed in range(10_000, 10_060):
        size = dice.randint(4, 9)
        repairing.check_least(seed, size, size // 2, dice.randint(0, 2), dice.randint(0, 2))


@pytest.mark.soak
@pytest.mark.parametrize("size", brackets.SIZES)
def test_corrected_brackets(size: int) -> None:
    for seed in range(5):
        for layout in (
            single_elimination(size, third_place=seed % 2 == 1),
            double_elimination(size, reset=seed % 2 == 0),
        ):
            brackets.check_corrections(layout, seed)
