"""Templates of legal actions: FORMAT 8, with its own example."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.engine.draws import numbers
from service.engine.templates import instance, is_awaited, is_instance, is_listed, same_entries
from service.engine.values import Json

PLAY_CARD: dict[str, Json] = {
    "type": "play_card",
    "card": "c1",
    "choose": {
        "pay": {"from": ["p1", "p2", "p3"], "min": 2, "max": 2},
        "targets": {"from": ["b1", "b2"], "min": 1, "max": 2},
        "allocation": {"by": "targets", "sum": 3},
    },
}
GOOD = {
    "type": "play_card",
    "card": "c1",
    "pay": ["p3", "p1"],
    "targets": ["b2"],
    "allocation": {"b2": 3},
}
PLACE: dict[str, Json] = {
    "type": "choose",
    "choose": {
        "cards": {
            "from": ["a4", "a9"],
            "min": 0,
            "max": 2,
            "weights": {"a4": 1, "a9": 2},
            "at_most": 2,
        },
        "fields": {"by": "cards", "from": {"a4": [1, 3], "a9": [3]}},
    },
}
UNLIKE: dict[str, Json] = {
    "type": "pick",
    "choose": {
        "cards": {"from": ["a", "b", "c"], "min": 0, "max": 3, "unlike": {"a": 1, "b": 1, "c": 2}}
    },
}
REPEAT: dict[str, Json] = {
    "type": "roll",
    "choose": {"dice": {"from": [1, 2], "min": 3, "max": 4, "repeat": True}},
}
ONE: dict[str, Json] = {"type": "draw", "choose": {"count": {"from": [0, 1, 2]}}}
ALL = [PLAY_CARD, PLACE, UNLIKE, REPEAT, ONE, {"type": "end_phase"}]


def test_the_instance_of_the_specification() -> None:
    assert is_instance(GOOD, PLAY_CARD)


@pytest.mark.parametrize(
    "change",
    [
        {"pay": ["p1"]},
        {"pay": ["p1", "p1"]},
        {"pay": ["p1", "p4"]},
        {"pay": "p1"},
        {"targets": []},
        {"allocation": {"b1": 3}},
        {"allocation": {"b2": 2}},
        {"allocation": {"b2": True}},
        {"allocation": {"b2": 3, "b1": 0}},
        {"card": "c2"},
        {"more": 1},
    ],
)
def test_no_instances(change: dict[str, Json]) -> None:
    assert not is_instance(GOOD | change, PLAY_CARD)


@pytest.mark.parametrize(
    ("cards", "fields", "result"),
    [
        ([], [], True),
        (["a4"], [1], True),
        (["a9"], [3], True),
        (["a9"], [1], False),
        (["a4", "a9"], [1, 3], False),
        (["a4"], [1, 3], False),
        (["a4"], 1, False),
    ],
)
def test_weights_and_values_by_element(cards: Json, fields: Json, result: bool) -> None:
    assert is_instance({"type": "choose", "cards": cards, "fields": fields}, PLACE) is result


def test_unlike_repeat_and_exact_types() -> None:
    assert is_instance({"type": "pick", "cards": ["a", "c"]}, UNLIKE)
    assert not is_instance({"type": "pick", "cards": ["a", "b"]}, UNLIKE)
    assert is_instance({"type": "roll", "dice": [1, 1, 2]}, REPEAT)
    assert not is_instance({"type": "roll", "dice": [1, 1]}, REPEAT)
    assert is_instance({"type": "draw", "count": 1}, ONE)
    assert not is_instance({"type": "draw", "count": True}, ONE)
    assert not is_instance({"type": "draw"}, ONE)


@given(st.sampled_from(ALL), st.integers(0, 10**6))
def test_every_instance_made_is_one(entry: dict[str, Json], seed: int) -> None:
    action = instance(entry, numbers(b"key", str(seed)))
    assert is_instance(action, entry)
    assert is_listed(action, ALL)


def test_lists_are_equal_in_any_order() -> None:
    reordered = {"type": "draw", "choose": {"count": {"from": [2, 0, 1]}}}
    assert same_entries([ONE, {"type": "end_phase"}], [{"type": "end_phase"}, reordered])
    assert not same_entries([ONE], [ONE, ONE])
    assert not same_entries([{"type": "a", "n": 1}], [{"type": "a", "n": True}])


def test_who_is_awaited() -> None:
    assert is_awaited([])
    assert is_awaited([{"type": "concede"}, {"type": "draw"}])
    assert not is_awaited([{"type": "concede"}])
