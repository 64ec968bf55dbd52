"""Labelled draws: recorded, scripted and keyed."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.engine.draws import (
    DrawFault,
    Draws,
    KeyedSource,
    RecordedSource,
    ScriptedSource,
    numbers,
)
from service.engine.values import Json

KEY = bytes(range(32))
VECTOR = [95, 88, 64, 80, 56, 87, 77, 57, 82, 64, 32, 9]
SHUFFLED = "hagecdfb"


@given(st.lists(st.integers()), st.text(max_size=8))
def test_a_keyed_shuffle_is_a_permutation_and_repeats(items: list[int], name: str) -> None:
    first = KeyedSource(KEY, {}).ordered(name, items)
    assert sorted(first) == sorted(items)
    assert KeyedSource(KEY, {}).ordered(name, items) == first


def test_a_label_counts_per_name() -> None:
    source = KeyedSource(KEY, {})
    one, two = source.ordered("deck", range(20)), source.ordered("deck", range(20))
    assert one != two
    assert source.counts == {"shuffle/deck": 2}
    assert KeyedSource(KEY, {"shuffle/deck": 1}).ordered("deck", range(20)) == two
    assert KeyedSource(KEY, {"shuffle/other": 5}).ordered("deck", range(20)) == one


def test_vectors_do_not_change() -> None:
    """Stored draws are re-made from keys for ever."""
    assert KeyedSource(KEY, {}).rolled(6) == 4
    below = numbers(KEY, "vector")
    assert [below(100) for _ in range(12)] == VECTOR
    assert KeyedSource(KEY, {}).ordered("deck", list("abcdefgh")) == list(SHUFFLED)


def test_dice_are_even() -> None:
    """Chi-square over 20 fixed keys: 5 degrees of freedom, p = 0.001 at 20.5."""
    for key in range(20):
        source = KeyedSource(bytes([key]) * 32, {})
        counts = Counter(source.rolled(6) for _ in range(600))
        assert sum((counts[side] - 100) ** 2 / 100 for side in range(1, 7)) < 25


def test_draws_are_recorded_in_the_order_of_asking() -> None:
    draws = Draws(ScriptedSource([["c"], 4]))
    assert draws.shuffle("deck", ["a", "b", "c"]) == ["c", "a", "b"]
    assert draws.die(6) == 4
    assert draws.made == [
        {"shuffle": "deck", "order": ["c", "a", "b"]},
        {"die": 4, "sides": 6},
    ]


@pytest.mark.parametrize(
    ("rng", "expected"),
    [
        ([], ["a", "b", "c"]),
        (["keep"], ["a", "b", "c"]),
        ([["b"]], ["b", "a", "c"]),
        ([{"shuffle": "deck", "order": ["c", "b"]}], ["c", "b", "a"]),
        ([{"shuffle": "deck"}], ["a", "b", "c"]),
        ([{"shuffle": "other", "order": ["c"]}], ["a", "b", "c"]),
        ([{"die": 3}], ["a", "b", "c"]),
        ([3], ["a", "b", "c"]),
    ],
)
def test_short_forms_of_a_shuffle(rng: list[Json], expected: list[str]) -> None:
    assert ScriptedSource(rng).ordered("deck", ["a", "b", "c"]) == expected


def test_an_entry_for_another_shuffle_is_left() -> None:
    source = ScriptedSource([{"shuffle": "other", "order": ["c"]}])
    source.ordered("deck", ["a", "b", "c"])
    with pytest.raises(DrawFault):
        source.finish()


@pytest.mark.parametrize(
    "rng", [[["z"]], [["a", "a"]], [None], ["odd"], [True], [{"order": ["a"]}]]
)
def test_a_shuffle_refuses(rng: list[Json]) -> None:
    with pytest.raises(DrawFault):
        ScriptedSource(rng).ordered("deck", ["a", "b", "c"])


@pytest.mark.parametrize(
    "rng", [[], ["keep"], [["a"]], [7], [0], [True], [{"die": 3, "sides": 8}], [{"shuffle": "x"}]]
)
def test_a_die_refuses(rng: list[Json]) -> None:
    with pytest.raises(DrawFault):
        ScriptedSource(rng).rolled(6)


@pytest.mark.parametrize("rng", [[3], [{"die": 3}], [{"die": 3, "sides": 6}]])
def test_short_forms_of_a_die(rng: list[Json]) -> None:
    assert ScriptedSource(rng).rolled(6) == 3


@pytest.mark.parametrize(
    "draw",
    [
        {"shuffle": "other", "order": ["b", "a"]},
        {"shuffle": "deck", "order": ["a"]},
        {"shuffle": "deck", "order": ["a", "a"]},
        {"shuffle": "deck", "order": "ba"},
        {"shuffle": "deck"},
        {"shuffle": "deck", "order": ["b", "a"], "more": 1},
        {"die": 1, "sides": 6},
        ["b", "a"],
        "keep",
        None,
    ],
)
def test_a_recorded_shuffle_is_complete_and_named(draw: Json) -> None:
    with pytest.raises(DrawFault):
        RecordedSource([draw]).ordered("deck", ["a", "b"])


@pytest.mark.parametrize(
    "draw",
    [
        {"die": 7, "sides": 6},
        {"die": 0, "sides": 6},
        {"die": True, "sides": 6},
        {"die": 3, "sides": 8},
        {"die": 3},
        3,
    ],
)
def test_a_recorded_die_is_in_range(draw: Json) -> None:
    with pytest.raises(DrawFault):
        RecordedSource([draw]).rolled(6)


def test_recorded_draws_are_used_up() -> None:
    source = RecordedSource([{"die": 3, "sides": 6}])
    assert source.rolled(6) == 3
    source.finish()
    with pytest.raises(DrawFault):
        source.rolled(6)
    with pytest.raises(DrawFault):
        RecordedSource([{"die": 3, "sides": 6}]).finish()
