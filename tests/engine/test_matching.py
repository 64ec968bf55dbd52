"""Partial matching and paths of FORMAT 5."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.engine.matching import at_path, matches, missing_from
from service.engine.values import Json, same

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=12,
)


@given(VALUES)
def test_a_value_matches_itself(value: Json) -> None:
    assert matches(value, value)
    assert same(value, value)


@pytest.mark.parametrize(
    ("expected", "actual", "result"),
    [
        ({"a": 1}, {"a": 1, "b": 2}, True),
        ({"a": None}, {}, True),
        ({"a": None}, {"a": 0}, False),
        ({"a": 1}, {"a": True}, False),
        ({"a": 1}, {"a": "1"}, False),
        ([1, 2], [1, 2], True),
        ([1, 2], [2, 1], False),
        ([1], [1, 2], False),
        ([{"a": 1}], [{"a": 1, "b": 1}], True),
        ({"rules": ["R2", "R1"]}, {"rules": ["R1", "R3", "R2"]}, True),
        ({"rules": ["R4"]}, {"rules": ["R1"]}, False),
        ({"x": {"rules": ["R1"]}}, {"x": {"rules": ["R2", "R1"]}}, True),
        ({"other": ["R1"]}, {"other": ["R2", "R1"]}, False),
        ({}, [], False),
        ([], {}, False),
    ],
)
def test_matching(expected: Json, actual: Json, result: bool) -> None:
    assert matches(expected, actual) is result


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("a.b", 1),
        ("a.c.d", 2),
        ("list.1", "y"),
        ("list.#", 2),
        ("a.#", 2),
        ("list.2", None),
        ("list.-1", None),
        ("list.x", None),
        ("nowhere.at.all", None),
        ("places.P2.3", "card"),
        ("places.P2.hand.1.x", 5),
        ("list.1.#", None),
        ("#", 3),
    ],
)
def test_paths(path: str, expected: Json) -> None:
    value = {
        "a": {"b": 1, "c.d": 2},
        "list": ["x", "y"],
        "places": {"P2.3": "card", "P2.hand.1": {"x": 5}, "P2": {"3": "wrong"}},
    }
    assert same(at_path(value, path), expected)


def test_facts_match_as_a_subsequence_and_one_serves_one_entry() -> None:
    facts = [{"fact": "a"}, {"fact": "b"}, {"fact": "a"}]
    assert missing_from([{"fact": "a"}, {"fact": "a"}], facts) is None
    assert missing_from([{"fact": "b"}, {"fact": "b"}], facts) == 1
    assert missing_from([{"fact": "b"}, {"fact": "a"}], facts) is None
    assert missing_from([{"fact": "a"}, {"fact": "a"}, {"fact": "b"}], facts) == 2
