"""Notes on events: texts of persons beside the log, which may be withdrawn and erased."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from projections.tables import Database, Part, Spelled, Tables, joined
from service.aggregates.attachments import Command, Saved
from service.aggregates.world import NotFound, Refused

PER_PERSON_MAX = 500
"""How many notes a person has at most on a match."""
STREAM = "notes/"
COLUMNS = "id, match_id, seq, author, audience, body, time"
COLUMN_MARKS = ",".join("?" * len(COLUMNS.split(", ")))
AUTHOR = Spelled(
    "SELECT 1 FROM persons WHERE id = ?",
    postgresql="SELECT 1 FROM persons WHERE id = ? FOR UPDATE",
)

Audience: TypeAlias = Literal["private", "judges", "public"]
Place: TypeAlias = tuple[int, str, str]
"""Where a note stands among those of a match: seq, time, id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """What a person noted on an event of a match. author: his id; time: UTC, as in the log."""

    id: str
    match: str
    seq: int
    author: str
    audience: Audience
    body: str
    time: str

    @property
    def place(self) -> Place:
        """Where it stands among the notes of its match."""
        return self.seq, self.time, self.id


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedNotes:
    """Notes of a match on events with `after` < seq ≤ `to`, in the order of their places.

    audiences: those that are read; author: the person whose notes are read whatever their audience,
    None for nobody. behind: the place of the last note of the page before.
    """

    match: str
    audiences: Sequence[Audience]
    to: int
    author: str | None = None
    after: int = 0
    behind: Place | None = None
    limit: int


class Notes:
    """The notes of an installation, in the database of its log."""

    def __init__(self, database: Database) -> None:
        """Keep them in a database whose tables are there."""
        self._database = database

    def add(self, note: Note, command: Command | None = None) -> Saved:
        """Keep a note; the stream of what was saved names it by `id_in`.

        command: what asks for it; one that was carried out before saves nothing. Raises `NotFound`
        for an author who is not there, `Refused` for more than 500 of his on the match.
        """
        saved = Saved(stream=f"{STREAM}{note.id}", since=0, version=1)
        with self._database.transaction() as tables:
            # Who writes is held until the note is kept, so that nobody erases him meanwhile.
            if not tables.rows(AUTHOR, note.author):
                raise NotFound(f"no person {note.author}")
            if command is not None and not _is_first(tables, command, saved):
                return Saved(stream=saved.stream, since=0, version=0)
            if _count(tables, note) >= PER_PERSON_MAX:
                raise Refused(
                    f"a person has at most {PER_PERSON_MAX} notes on a match: withdraw one"
                )
            tables.execute(
                f"INSERT INTO notes ({COLUMNS}) VALUES ({COLUMN_MARKS})",
                *(note.id, note.match, note.seq, note.author),
                *(note.audience, note.body, note.time),
            )
        return saved

    def find(self, note_id: str) -> Note:
        """Return a note; raises `NotFound`, also for one that was withdrawn."""
        with self._database.reading() as tables:
            # PostgreSQL takes no text with a zero character.
            asked = note_id.replace("\0", "\ufffd")
            rows = tables.rows(f"SELECT {COLUMNS} FROM notes WHERE id = ?", asked)
        if not rows:
            raise NotFound(f"no note {note_id}")
        return _note_of(rows[0])

    def listed(self, wanted: WantedNotes) -> list[Note]:
        """Return the notes that are wanted, those on the first events first."""
        asked = joined(_conditions(wanted), " AND ")
        with self._database.reading() as tables:
            rows = tables.rows(
                f"SELECT {COLUMNS} FROM notes WHERE {asked.text} ORDER BY seq, time, id LIMIT ?",
                *asked.parameters,
                wanted.limit,
            )
        return [_note_of(row) for row in rows]

    def remove(self, note_id: str) -> None:
        """Delete a note, if it is there."""
        with self._database.transaction() as tables:
            tables.execute("DELETE FROM notes WHERE id = ?", note_id)


def id_in(saved: Saved) -> str:
    """Return the id of the note that was saved."""
    return saved.stream.removeprefix(STREAM)


def _is_first(tables: Tables, command: Command, saved: Saved) -> bool:
    rows = tables.rows(
        "INSERT INTO commands (command_id, stream, since, version, body_digest) "
        "VALUES (?,?,?,?,?) ON CONFLICT DO NOTHING RETURNING command_id",
        *(command.id, saved.stream, saved.since, saved.version, command.body_digest),
    )
    return bool(rows)


def _count(tables: Tables, note: Note) -> int:
    ((count,),) = tables.rows(
        "SELECT COUNT(*) FROM notes WHERE author = ? AND match_id = ?", note.author, note.match
    )
    return int(count)


def _conditions(wanted: WantedNotes) -> list[Part]:
    marks = ",".join("?" * len(wanted.audiences))
    readable = [Part("author = ?", (wanted.author,))] if wanted.author is not None else []
    if wanted.audiences:
        readable.append(Part(f"audience IN ({marks})", tuple(wanted.audiences)))
    either = joined(readable or [Part("1 = 0")], " OR ")
    found = [
        Part("match_id = ?", (wanted.match,)),
        Part("seq > ? AND seq <= ?", (wanted.after, wanted.to)),
        Part(f"({either.text})", either.parameters),
    ]
    if wanted.behind is not None:
        found.append(Part("(seq, time, id) > (?, ?, ?)", wanted.behind))
    return found


def _note_of(row: tuple[Any, ...]) -> Note:
    note_id, match, seq, author, audience, body, time = row
    return Note(
        id=note_id,
        match=match,
        seq=seq,
        author=author,
        audience=audience,
        body=body,
        time=time,
    )
