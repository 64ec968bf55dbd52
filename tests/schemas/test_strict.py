"""The strict reader and the canonical bytes."""

from __future__ import annotations

import unicodedata

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from schemas.strict import INTEGER_MAX, Unreadable, canonical, read_json, read_yaml

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8).map(
    lambda text: unicodedata.normalize("NFC", text)
)
KEYS = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=8)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-INTEGER_MAX, INTEGER_MAX) | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=20,
)


@given(VALUES)
def test_canonical_bytes_are_those_of_rfc_8785(value: object) -> None:
    assert canonical(value) == rfc8785.dumps(value)  # type: ignore[arg-type]  # its own alias


@given(VALUES)
def test_reading_is_the_inverse(value: object) -> None:
    assert read_json(canonical(value)) == value


@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_refused(body: bytes) -> None:
    for read in (read_json, read_yaml):
        try:
            value = read(body)
        except Unreadable:
            continue
        assert read_json(canonical(value)) == value


@pytest.mark.parametrize(
    ("body", "named"),
    [
        (b'{"a":1,"a":2}', "duplicate key 'a'"),
        (b"1.5", "1.5"),
        (b"1e3", "1e3"),
        (b"NaN", "NaN"),
        (b"9007199254740993", "too large"),
        (b"9" * 5000, "too large"),
        (b"[" * 100 + b"]" * 100, "too deeply"),
        (b"[" * 100_000, "too deeply"),
        (b'"\\ud800"', "surrogate"),
        (b'"e\\u0301"', "normal form"),
        (b"\xff", "UTF-8"),
        (b'\xef\xbb\xbf{"a":1}', "line 1"),
        (b'{"\\u00e9":1}', "ASCII"),
        (b'{"":1}', "ASCII"),
        (b'{"a":', "line 1"),
        (b"", "line 1"),
    ],
)
def test_json_refuses_and_says_what(body: bytes, named: str) -> None:
    with pytest.raises(Unreadable, match=named):
        read_json(body)


@pytest.mark.parametrize(
    ("body", "named"),
    [
        (b"a: 1\na: 2", "line 2: duplicate key"),
        (b"a: &x [1, *x]", "cycle of anchors"),
        (b"a: 1.5", "at a: float"),
        (b"a: 2023-01-01", "at a: date"),
        (b"a: !!python/object:os.system {}", "could not determine"),
        (b"1: a", "no text"),
        (b"a: [1", "flow sequence"),
    ],
)
def test_yaml_refuses_and_says_where(body: bytes, named: str) -> None:
    with pytest.raises(Unreadable, match=named):
        read_yaml(body)


def test_a_small_file_that_unfolds_without_end_is_refused() -> None:
    lines = ["a0: &a0 [1,1,1,1,1,1,1,1,1]"]
    lines += [f"a{n}: &a{n} [{','.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12)]
    with pytest.raises(Unreadable, match="more than"):
        read_yaml("\n".join(lines).encode())


def test_y_is_a_text() -> None:
    assert read_yaml(b"[y, n, 'yes']") == ["y", "n", "yes"]
