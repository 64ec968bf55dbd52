"""JSON Patches: applying them to the one gives the other."""

from __future__ import annotations

import copy

from hypothesis import given
from hypothesis import strategies as st

from service.engine.patches import applied, patch
from service.engine.values import Json, same

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.text("ab/~", max_size=2),
    lambda inner: (
        st.lists(inner, max_size=5)
        | st.dictionaries(st.text("ab/~.", max_size=2), inner, max_size=4)
    ),
    max_leaves=25,
)


@given(VALUES, VALUES)
def test_a_patch_leads_from_one_value_to_the_other(before: Json, after: Json) -> None:
    untouched = copy.deepcopy(before)
    assert same(applied(before, patch(before, after)), after)
    assert same(before, untouched)


@given(VALUES)
def test_equal_values_need_no_patch(value: Json) -> None:
    assert patch(value, copy.deepcopy(value)) == []


def test_a_drawn_card_is_a_small_patch() -> None:
    before = {"deck": ["?"] * 30, "hand": ["a1"]}
    after = {"deck": ["?"] * 29, "hand": ["a1", "a2"]}
    assert patch(before, after) == [
        {"op": "remove", "path": "/deck/29"},
        {"op": "add", "path": "/hand/1", "value": "a2"},
    ]
