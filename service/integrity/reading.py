"""Reading an exchange file: every line must be the canonical bytes of what it says.

Notes behind the last line are counted apart; whatever they hold, the rest is read as without them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TypeVar

import msgspec
from msgspec import Struct

from schemas.strict import Unreadable, encoded, read_json
from service.engine.values import Json
from service.integrity.files import (
    NEWLINE,
    NOTE_BYTES_MAX,
    NOTE_START,
    NOTES_MAX,
    VERSION,
    EventLine,
    FileHeader,
    LastLine,
    NoteLine,
)
from service.integrity.report import NoteCount

Body = TypeVar("Body", bound=Struct)


class MalformedFile(ValueError):
    """A line that is no line of such a file. line: its number, from 1."""

    def __init__(self, line: int, text: str) -> None:
        """Say what is wrong with line `line`."""
        super().__init__(text)
        self.line = line


class ExchangeFile(Struct, frozen=True, kw_only=True):
    """A file as it was read. last: None if it is cut before its statement; raw: the other lines.

    notes: how many lines of notes stand behind the last.
    """

    header: FileHeader
    cards: Json
    events: list[EventLine]
    last: LastLine | None
    raw: list[bytes]
    notes: NoteCount

    @property
    def cards_digest(self) -> str:
        """The SHA-256 of the card definitions in the file."""
        return hashlib.sha256(encoded(self.cards)).hexdigest()


def read_file(lines: Sequence[bytes]) -> ExchangeFile:
    """Read a file; raises `MalformedFile`."""
    lines, noted = _parted(lines)
    values = [line_value(number, line) for number, line in enumerate(lines, start=1)]
    if len(values) < 2:
        raise MalformedFile(len(values) + 1, "the file ends before its card definitions")
    header = line_body(1, values[0], FileHeader)
    if header.kifu != VERSION:
        raise MalformedFile(1, f"a file of version {header.kifu}; this is version {VERSION}")
    if not isinstance(values[1], dict) or set(values[1]) != {"cards"}:
        raise MalformedFile(2, "the second line holds the card definitions")
    ends = bool(values[2:]) and isinstance(values[-1], dict) and "statement" in values[-1]
    if noted and not ends:
        raise MalformedFile(len(lines) + 1, "a note before the statement")
    events = values[2:-1] if ends else values[2:]
    return ExchangeFile(
        header=header,
        cards=values[1]["cards"],
        events=[
            line_body(number, value, EventLine) for number, value in enumerate(events, start=3)
        ],
        last=line_body(len(values), values[-1], LastLine) if ends else None,
        raw=list(lines[:-1] if ends else lines),
        notes=_counted(noted, len(events)),
    )


def _parted(lines: Sequence[bytes]) -> tuple[Sequence[bytes], Sequence[bytes]]:
    """Return the lines of the record, and those of the notes behind them."""
    end = len(lines)
    while end and lines[end - 1].startswith(NOTE_START):
        end -= 1
    return lines[:end], lines[end:]


def _counted(noted: Sequence[bytes], events: int) -> NoteCount:
    """Count notes on so many events; what is too much or too long is not read."""
    good = sum(_is_note(line, events) for line in noted[:NOTES_MAX])
    return NoteCount(count=len(noted), damaged=len(noted) - good)


def _is_note(line: bytes, events: int) -> bool:
    if len(line) > NOTE_BYTES_MAX:
        return False
    try:
        found = line_body(0, line_value(0, line), NoteLine)
    except MalformedFile:
        return False
    return 1 <= found.note.seq <= events


def line_value(number: int, line: bytes) -> Json:
    """Return the value of a line; raises `MalformedFile` unless it is in canonical form."""
    try:
        value = read_json(line)
    except Unreadable as fault:
        raise MalformedFile(number, str(fault)) from fault
    if encoded(value) + NEWLINE != line:
        raise MalformedFile(number, "the line is not in canonical form")
    return value


def line_body(number: int, value: Json, kind: type[Body]) -> Body:
    """Return what a line says, as a struct; raises `MalformedFile`."""
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as fault:
        raise MalformedFile(number, str(fault)) from fault
