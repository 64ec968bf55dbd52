"""Damaged and made-up files: a fault with its place or an event that can be used, never a crash."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.event_files import FILE_BYTES_MAX
from schemas.strict import Unreadable
from service.event_files.differences import differences
from service.event_files.forms import DEFAULT_PROFILES
from service.event_files.own import (
    read_profile,
    written_event_csv,
    written_event_json,
    written_profile,
)
from service.event_files.reading import read_event
from service.event_files.trf import written_trf
from service.standings.profiles import PROFILES, fault_of
from service.standings.records import laws
from tests.event_files import made_up
from tests.standings.events import event

SMALL = event(
    "A B C D E",
    "A-B 2-1, C-D 1-1-1, E bye",
    "A-C 2-0, E-D 0-2, B assigned_loss",
    bracket=["A-E 2-0"],
    B=2,
)
ROWS = made_up.rows(SMALL, PROFILES["melee-floor"].criteria[1].floor, raw=False)
FILES = {
    "melee": made_up.platform(SMALL, ROWS),
    "tom": made_up.tom_json(SMALL, {"A": 1, "C": 2}),
    "tdf": made_up.tdf(SMALL, {"A": 1, "C": 2}),
    "trf": written_trf(SMALL).encode(),
    "json": written_event_json(SMALL),
    "csv": written_event_csv(SMALL).encode(),
}
PIECES = [
    b"", b"-1", b"0", b"9" * 30, b"1e999", b"null", b"[]", b"{}", b'"', b"<", b">", b"&", b"\xff",
    b"\x00", b"\n", b",", b"-", b"A", b"B", b"true", b"NaN", b"\xc2\xb2", b"2-0-0", b"0-0-0",
]  # fmt: skip


def use(body: bytes) -> None:
    """Read a file and do with it all that can be done."""
    try:
        read = read_event(body)
    except Unreadable:
        return
    assert laws(read.event) is None
    for name in (DEFAULT_PROFILES[read.format], "buchholz-cut1", "head-to-head"):
        differences(read, PROFILES[name])
    assert read_event(written_event_json(read.event)).event == read.event
    assert read_event(written_event_csv(read.event).encode()).event == read.event
    if read.event.players:
        written_trf(read.event)


def damaged(body: bytes, seed: int) -> bytes:
    random = Random(seed)
    for _ in range(random.randrange(1, 4)):
        start = random.randrange(len(body) + 1)
        end = min(len(body), start + random.choice((0, 1, 1, 2, 5, 40)))
        body = body[:start] + random.choice(PIECES) + body[end:]
    return body


@pytest.mark.parametrize("name", FILES)
def test_the_files_are_good(name: str) -> None:
    assert read_event(FILES[name]).event.players
    use(FILES[name])


@pytest.mark.parametrize("name", FILES)
@given(seed=st.integers(0, 10**9))
@settings(max_examples=150)
def test_damaged_files(name: str, seed: int) -> None:
    use(damaged(FILES[name], seed))


@given(body=st.binary(max_size=60), start=st.sampled_from([b"", b"{", b"<", b"001 ", b"record,"]))
def test_any_bytes(body: bytes, start: bytes) -> None:
    use(start + body)


@given(seed=st.integers(0, 10**9))
def test_damaged_profiles(seed: int) -> None:
    try:
        profile = read_profile(damaged(written_profile(PROFILES["pokemon-tom"]), seed))
    except Unreadable:
        return
    assert fault_of(profile) is None


def test_a_file_that_is_too_large() -> None:
    with pytest.raises(Unreadable, match="bytes"):
        read_event(b" " * (FILE_BYTES_MAX + 1))
