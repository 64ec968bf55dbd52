"""Notes behind the last line of a file: counted, never part of a verdict."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from schemas.play import TEXT_LENGTH_MAX
from schemas.strict import canonical
from service.engine.values import Json
from service.exchange import import_file
from service.integrity.files import (
    NOTE_BYTES_MAX,
    NOTE_START,
    NOTES_MAX,
    FileNote,
    note_lines,
)
from service.integrity.report import NoteCount, Report
from tests.conftest import opened_in
from tests.integrity.conftest import Lines, Signed

quick = settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
NOTE = FileNote(
    seq=3, audience="public", author="Ann", body="ここで", time="2026-01-02T03:04:05.000006Z"
)


@pytest.fixture(params=["judge", "P1", "spectator"])
def lines(signed: Signed, request: pytest.FixtureRequest) -> Lines:
    return signed.lines(signed.simulated["hi-story"], str(request.param))


def noted(count: int) -> Lines:
    return note_lines(replace(NOTE, seq=seq) for seq in range(1, count + 1))


def line_of(**changes: Json) -> bytes:
    return canonical({"note": {**json.loads(noted(1)[0])["note"], **changes}}) + b"\n"


def apart(report: Report) -> Report:
    return replace(report, notes=NoteCount())


def check_alike(signed: Signed, lines: Lines, notes: Iterable[bytes], damaged: int) -> None:
    """What is found is found without the notes, too; so many of them are damaged."""
    notes = list(notes)
    report = signed.verify([*lines, *notes])
    assert report.notes == NoteCount(count=len(notes), damaged=damaged)
    assert apart(report) == signed.verify(lines)


def test_notes_are_counted_and_decide_nothing(signed: Signed, lines: Lines) -> None:
    for count in (0, 1, 7):
        check_alike(signed, lines, noted(count), 0)
    changed = [*lines[:9], lines[9].replace(b'"seq":8', b'"seq":9', 1), *lines[10:]]
    check_alike(signed, changed, noted(2), 0)
    assert signed.verify([*changed, *noted(2)]).overall == "tampered"


def test_a_note_as_long_as_one_may_be_is_good(signed: Signed, lines: Lines) -> None:
    for character in ("\U0001f0a1", "\x01", '"'):
        (line,) = note_lines([replace(NOTE, body=character * TEXT_LENGTH_MAX, author="\x02" * 80)])
        check_alike(signed, lines, [line], 0)


def test_damaged_notes_are_counted(signed: Signed, lines: Lines) -> None:
    good = noted(1)[0]
    bad = [
        NOTE_START,
        NOTE_START + b"\n",
        good.rstrip(b"\n"),
        good.replace(b"{", b"{ ", 1).replace(b'{ "note":', b'{"note": '),
        line_of(seq=0),
        line_of(seq=10_000),
        line_of(audience="all"),
        line_of(body=None),
        line_of(more=1),
        line_of(body="x" * NOTE_BYTES_MAX),
        canonical({"note": {}}) + b"\n",
        canonical({"note": None, "statement": 1}) + b"\n",
    ]
    check_alike(signed, lines, [good, *bad, good], len(bad))


def test_so_many_are_read(signed: Signed, lines: Lines) -> None:
    assert len(noted(NOTES_MAX + 1)) == NOTES_MAX
    check_alike(signed, lines, [*noted(1) * NOTES_MAX, *noted(2)], 2)


@quick
@given(data=st.data())
def test_no_byte_of_a_note_decides_anything(signed: Signed, data: st.DataObject) -> None:
    lines = signed.lines(signed.imported["hi-story"], "spectator")
    note = noted(1)[0]
    place = data.draw(st.integers(len(NOTE_START), len(note) - 1))
    new = data.draw(st.integers(0, 255).filter(lambda byte: byte != ord("\n")))
    report = signed.verify([*lines, note[:place] + bytes([new]) + note[place + 1 :], note])
    assert report.notes.count == 2
    assert report.notes.damaged in (0, 1)
    assert apart(report) == signed.verify(lines)


@pytest.mark.parametrize("other", [b"{}\n", b"\n", b'{"comment":1}\n', b"\xff\n"])
def test_nothing_else_stands_behind_the_last_line(
    signed: Signed, lines: Lines, other: bytes
) -> None:
    for behind in ([other], [*noted(1), other], [other, *noted(1)]):
        report = signed.verify([*lines, *behind])
        assert report.overall == "malformed"
        assert report.line is not None
        assert report.line >= len(lines)


def test_notes_stand_behind_a_statement_alone(signed: Signed, lines: Lines) -> None:
    for cut in (lines[:-1], lines[:2], lines[:1], []):
        assert signed.verify([*cut, *noted(1)]).overall == "malformed"
    between = [*lines[:5], *noted(1), *lines[5:]]
    assert signed.verify(between).overall == "malformed"


def test_an_import_stores_no_notes(signed: Signed, tmp_path: Path) -> None:
    lines = [*signed.lines(signed.simulated["hi-story"]), *noted(3)]
    other = opened_in(tmp_path)
    report, _, match_id = import_file(other, lines)
    assert (report.overall, report.notes.count) == ("exact", 3)
    with other.database.reading() as tables:
        assert tables.rows("SELECT COUNT(*) FROM notes") == [(0,)]
    assert match_id is not None
    other.close()
