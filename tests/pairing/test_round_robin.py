from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from service.pairing.fields import Unpairable
from service.pairing.round_robin import round_robin

BERGER_6 = ["16 25 34", "64 53 12", "26 31 45", "65 14 23", "36 42 51"]


def test_six_players_follow_the_printed_table() -> None:
    found = round_robin(tuple("123456"))
    assert not isinstance(found, Unpairable)
    assert [" ".join("".join(table) for table in row.tables) for row in found] == BERGER_6


@pytest.mark.parametrize("size", [*range(2, 33), 63, 64])
@pytest.mark.parametrize("circles", [1, 2])
def test_everybody_meets_everybody_once_in_each_circle(size: int, circles: int) -> None:
    players = [f"p{number}" for number in range(size)]
    found = round_robin(players, circles=circles)
    assert not isinstance(found, Unpairable)
    assert [row.number for row in found] == list(range(1, len(found) + 1))
    assert len(found) == circles * (size - 1 + size % 2)
    for row in found:
        alone = [] if row.bye is None else [row.bye]
        seated = [*(name for table in row.tables for name in table), *alone]
        assert sorted(seated) == sorted(players)
        assert (row.bye is None) == (size % 2 == 0)
    met = Counter(frozenset(table) for row in found for table in row.tables)
    assert met == Counter({frozenset(pair): circles for pair in combinations(players, 2)})
    if circles == 2:
        named_first = Counter(table for row in found for table in row.tables)
        assert set(named_first.values()) == {1}


@pytest.mark.parametrize("size", range(2, 33))
def test_everybody_is_named_first_about_as_often_as_second(size: int) -> None:
    found = round_robin([f"p{number}" for number in range(size)])
    assert not isinstance(found, Unpairable)
    balance = Counter(one for row in found for one, _ in row.tables)
    balance.subtract(other for row in found for _, other in row.tables)
    assert all(abs(difference) <= 1 for difference in balance.values())


@pytest.mark.parametrize("players", [[], ["a"]])
def test_fewer_than_two_are_refused(players: list[str]) -> None:
    refused = Unpairable(reason="too_few_players", active=len(players))
    assert round_robin(players) == refused
