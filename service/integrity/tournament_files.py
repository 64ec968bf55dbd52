"""The file of a whole tournament `.event.jsonl`: its events in their chain, and its matches.

Lines, each canonical JSON: the header, one line per event, for each match that is linked to a table
a line about it and, if they came along, the lines of its exchange file, last the statement.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TypeVar

from msgspec import Struct, to_builtins

from schemas.strict import encoded
from service.engine.values import SPECTATOR, Json
from service.integrity.chain import Header, Sealed, form_for
from service.integrity.files import NEWLINE, LastLine, NamedText, Statement
from service.integrity.reading import MalformedFile, line_body, line_value
from service.integrity.signing import Signature

VERSION = 1
STREAM = "tournament/"

Body = TypeVar("Body", bound=Struct)


class TournamentHeader(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The first line. origin: the installation whose log it was.

    texts: names, and whatever else came along, by their digests; null where erased.
    """

    kifu_tournament: int
    origin: str
    tournament: str
    texts: dict[str, NamedText | None]


class PublicLine(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An event: it has one form, sealed without salt, so that the seal follows from it."""

    header: Header
    form: dict[str, Json]
    hash: str


class MatchLine(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A match that is linked to a table. lines: of its exchange file, which follow; 0 for none.

    statement: what the log states instead of a file, null if the match is not in it; signature: of
    the statement.
    """

    match: str
    lines: int
    statement: Statement | None = None
    signature: Signature | None = None


class MatchPart(Struct, frozen=True, kw_only=True):
    """What a file holds of a match. file: the lines of its exchange file, maybe none."""

    about: MatchLine
    file: list[bytes]


class TournamentFile(Struct, frozen=True, kw_only=True):
    """A file as it was read. last: None if it is cut before its statement; raw: the other lines."""

    header: TournamentHeader
    events: list[PublicLine]
    matches: list[MatchPart]
    last: LastLine | None
    raw: list[bytes]


def tournament_lines(
    header: TournamentHeader, events: Iterable[Sealed], matches: Iterable[MatchPart]
) -> Iterator[bytes]:
    """Yield the lines of a tournament's file, but for the last."""
    yield _line(header)
    for sealed in events:
        form = form_for(sealed, SPECTATOR)
        yield _line(PublicLine(header=sealed.header, form=form, hash=sealed.hash))
    for part in matches:
        yield _line(part.about)
        yield from part.file


def read_tournament_file(lines: Sequence[bytes]) -> TournamentFile:
    """Read a file; raises `MalformedFile`. Files of matches are not looked into."""
    if not lines:
        raise MalformedFile(1, "the file is empty")
    header = line_body(1, line_value(1, lines[0]), TournamentHeader)
    if header.kifu_tournament != VERSION:
        raise MalformedFile(1, f"version {header.kifu_tournament}; this is version {VERSION}")
    value = line_value(len(lines), lines[-1])
    is_whole = _has(value, ("statement", "digest"))
    end = len(lines) - is_whole
    events, at = _events(lines, end)
    return TournamentFile(
        header=header,
        events=events,
        matches=list(_matches(lines, at, end)),
        last=line_body(len(lines), value, LastLine) if is_whole else None,
        raw=list(lines[:end]),
    )


def _events(lines: Sequence[bytes], end: int) -> tuple[list[PublicLine], int]:
    """Return the events, and the index of the line behind them."""
    found: list[PublicLine] = []
    for at in range(1, end):
        value = line_value(at + 1, lines[at])
        if not _has(value, ("form",)):
            return found, at
        found.append(line_body(at + 1, value, PublicLine))
    return found, end


def _matches(lines: Sequence[bytes], at: int, end: int) -> Iterator[MatchPart]:
    while at < end:
        about = line_body(at + 1, line_value(at + 1, lines[at]), MatchLine)
        if not 0 <= about.lines < end - at:
            raise MalformedFile(at + 1, "the file of the match is not complete")
        yield MatchPart(about=about, file=list(lines[at + 1 : at + 1 + about.lines]))
        at += 1 + about.lines


def _has(value: Json, keys: Collection[str]) -> bool:
    return isinstance(value, dict) and all(key in value for key in keys)


def _line(body: Struct) -> bytes:
    return encoded(to_builtins(body)) + NEWLINE
