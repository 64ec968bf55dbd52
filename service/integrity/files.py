"""The exchange file `.kifu.jsonl`: one viewer's record of a match, with all that verifying needs.

Lines, each canonical JSON: the header, the card definitions, one line per event, the statement.
Behind it notes of people may stand, which nothing covers and no verdict is about.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Literal, Protocol

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from schemas.strict import encoded
from service.aggregates.attachments import Text
from service.aggregates.matches import Match, evolve
from service.engine.contract import Ruleset
from service.engine.values import JUDGE, Json, View, Viewer
from service.integrity.chain import Header, Sealed, form_for, salt_of
from service.integrity.sealing import match_event_of
from service.integrity.signing import STATEMENT, LogKey, Signature

VERSION = 1
NEWLINE = b"\n"
VIEW_EVERY = 50
NOTE_START = b'{"note":'
NOTES_MAX = 10_000
NOTE_BYTES_MAX = 64 * 2**10


class NamedText(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A name or free text with its salt, in hexadecimal: its digest stands in an event."""

    salt: str
    body: str

    @property
    def digest(self) -> str | None:
        """The digest under which it stands in an event; None if its salt is no hexadecimal."""
        try:
            return Text(salt=bytes.fromhex(self.salt), body=self.body).digest
        except ValueError:
            return None


class FileHeader(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The first line. origin: the installation whose log it was.

    names: of the seats; texts: reasons that people gave, by their digests; null where erased.
    """

    kifu: int
    origin: str
    match: str
    viewer: Viewer
    game: str
    edition: str
    engine: int
    rules_digest: str
    cards_digest: str
    viewers: list[Viewer]
    names: dict[str, NamedText | None]
    texts: dict[str, NamedText | None] = {}


class EventLine(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """An event as its viewer holds it. salts: of his own form; in the judge's file of all forms.

    view: the position as he sees it, in every 50th line and the last; the judge's folds instead.
    """

    header: Header
    form: dict[str, Json]
    salts: dict[Viewer, str]
    seals: dict[Viewer, str]
    hash: str
    view: View | None = None


class Statement(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the log states about a match: so many events, this head, as of this time."""

    origin: str
    match: str
    events: int
    head: str
    time: str


class LastLine(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The last line. digest: of all lines before it, then of the statement: finds any damage.

    signature: of the statement, null if the log has no key.
    """

    statement: Statement
    digest: str
    signature: Signature | None


class FileNote(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a person noted on an event. author: his name; null where it was erased."""

    seq: int
    audience: Literal["private", "judges", "public"]
    author: str | None
    body: str
    time: str


class NoteLine(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A line behind the last: `{"note": …}`, ordered by event, then time."""

    note: FileNote


class SealedHistory(Protocol):
    """The log as an export sees it."""

    def sealed_of(self, stream: str, *, after: int, to: int) -> Iterator[Sealed]:
        """Yield the sealed events with `after` < version ≤ `to`."""
        ...


def file_lines(
    log: SealedHistory,
    match: Match,
    ruleset: Ruleset,
    head: FileHeader,
    *,
    cards: Json,
    salt_key: bytes,
) -> Iterator[bytes]:
    """Yield the lines of a match's file for the viewer in `head`, but for the last."""
    yield _line(head)
    yield encoded({"cards": cards}) + NEWLINE
    state: Match | None = None
    for sealed in log.sealed_of(match.id, after=0, to=match.version):
        state = evolve(state, match_event_of(sealed), ruleset, match_id=match.id)
        line = _event_line(sealed, head.viewer, salt_key)
        if head.viewer != JUDGE and carries_view(state.version, match.version):
            line = replace(line, view=ruleset.view(state.position, head.viewer))
        yield _line(line)


def last_line(lines: Sequence[bytes], statement: Statement, key: LogKey | None) -> bytes:
    """Return the last line of a file whose other lines are given."""
    return _line(
        LastLine(
            statement=statement,
            digest=file_digest(lines, statement),
            signature=None if key is None else key.sign(STATEMENT, statement),
        )
    )


def note_lines(notes: Iterable[FileNote]) -> list[bytes]:
    """Return the lines of notes, of which a file has at most 10,000; further ones are left out."""
    return [_line(NoteLine(note=note)) for note in islice(notes, NOTES_MAX)]


def file_digest(lines: Sequence[bytes], statement: Statement) -> str:
    """Return the SHA-256 of the lines before the last, then of the statement."""
    digest = hashlib.sha256()
    for line in lines:
        digest.update(line)
    digest.update(encoded(msgspec.to_builtins(statement)))
    return digest.hexdigest()


def _line(body: Struct) -> bytes:
    return encoded(msgspec.to_builtins(body)) + NEWLINE


def _event_line(sealed: Sealed, viewer: Viewer, salt_key: bytes) -> EventLine:
    seen: Sequence[Viewer] = sealed.header.viewers if viewer == JUDGE else [viewer]
    return EventLine(
        header=sealed.header,
        form=form_for(sealed, viewer),
        salts={one: salt_of(salt_key, sealed.header.seq, one).hex() for one in seen},
        seals=sealed.seals,
        hash=sealed.hash,
    )


def carries_view(seq: int, last: int) -> bool:
    """Tell whether a redacted file shows the position after this event."""
    return seq % VIEW_EVERY == 0 or seq == last


def statement_of(match: Match, origin: str, now: str) -> Statement:
    """Return the statement about a match as it is."""
    return Statement(origin=origin, match=match.id, events=match.version, head=match.head, time=now)
