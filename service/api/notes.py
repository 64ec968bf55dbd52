"""Notes on events: written by whoever is shown them, read by those they are meant for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import to_builtins

from schemas.notes import NoteBody, NoteRequest, NotesBody, NotesQuery, NotingQuery
from service.aggregates.attachments import Command, Saved
from service.aggregates.permissions import allowed
from service.aggregates.world import Forbidden, NotFound
from service.api.commands import once
from service.api.cursors import cursor_of, place_of
from service.api.dispute_answers import check_shown
from service.api.identity import principal
from service.api.persons import caller_id
from service.api.routing import noun, route
from service.api.seeing import SeenMatch
from service.api.spoilers import watched
from service.api.wiring import installation
from service.engine.values import JUDGE, SPECTATOR, Json, Viewer
from service.installation import clock
from service.notes import Audience, Note, WantedNotes, id_in

NOTES = noun("notes", prefix="/api/v1/matches")
LIST = "notes"
ID_BYTES = 16


@route(NOTES, "/<match_id>/notes", action="read_match", answer=NotesBody, query=NotesQuery)
def list_notes(query: dict[str, Any], seen: SeenMatch) -> dict[str, Json]:
    """List the notes that are meant for the caller, on the events that he is shown."""
    until, limit = watched(seen, query).match.version, query["limit"]
    rows = _read(
        seen,
        seen.viewer(query["as_"]),
        after=min(query["from_"], until),
        to=min(query.get("to", until), until),
        behind=tuple(place_of(query["after"], of=LIST)) if "after" in query else None,
        limit=limit + 1,
    )
    shown = rows[:limit]
    return {
        "items": _bodies(seen, shown),
        "next": cursor_of(list(shown[-1].place), of=LIST) if len(rows) > limit else None,
    }


@route(
    NOTES,
    "/<match_id>/notes",
    method="POST",
    action="write_note",
    answer=NoteBody,
    query=NotingQuery,
    takes=NoteRequest,
    status=201,
    idempotent=True,
)
def write_note(query: dict[str, Any], body: dict[str, Any], seen: SeenMatch) -> dict[str, Json]:
    """Note something on an event that the caller is shown."""
    seen.viewer(query["as_"])
    check_shown(watched(seen, query), body["seq"], "seq")
    note = Note(
        id=installation().entropy(ID_BYTES).hex(),
        match=seen.match.id,
        author=caller_id(),
        time=clock(),
        **body,
    )

    def carry(asked: Command | None) -> Saved:
        return installation().notes.add(note, asked)

    outcome = once(body, carry)
    assert isinstance(outcome, Saved), "no rule of a game is asked here"
    (told,) = _bodies(seen, [installation().notes.find(id_in(outcome))])
    return told


@route(
    NOTES,
    "/<match_id>/notes/<note_id>",
    method="DELETE",
    action="remove_note",
    answer=None,
    status=204,
)
def remove_note(query: dict[str, Any], seen: SeenMatch, note_id: str) -> None:
    """Delete a note: one's own, or by an office at the match one that is not private."""
    note = installation().notes.find(note_id)
    if note.match != seen.match.id:
        raise NotFound(f"no note {note_id}")
    if not _may_remove(seen, note):
        if not _is_readable(seen, note):
            raise NotFound(f"no note {note_id}")
        raise Forbidden("its author withdraws a note, or an office at the match removes it")
    installation().notes.remove(note.id)


def notes_for(seen: SeenMatch, viewer: Viewer, *, limit: int) -> list[Note]:
    """Return so many of the notes that are meant for the caller who asks as a viewer."""
    return _read(seen, viewer, to=seen.match.version, limit=limit)


def _read(seen: SeenMatch, viewer: Viewer, **place: Any) -> list[Note]:
    wanted = WantedNotes(
        match=seen.match.id, audiences=_audiences(seen, viewer), author=_own(seen), **place
    )
    return installation().notes.listed(wanted)


def _audiences(seen: SeenMatch, viewer: Viewer) -> list[Audience]:
    """Return whose notes the caller reads besides his own.

    A match that is still played, or still is for him, tells nobody anything by notes.
    """
    judging: list[Audience] = ["judges"] if viewer == JUDGE and seen.inspects else []
    told: list[Audience] = ["public"] if seen.match.closed is not None else []
    return [*judging, *told]


def _own(seen: SeenMatch) -> str | None:
    """Return the caller if he may read what he wrote himself."""
    asking = principal()
    return asking.person if allowed(asking, "read_own_notes", seen.relations) else None


def _is_readable(seen: SeenMatch, note: Note) -> bool:
    audiences = _audiences(seen, JUDGE if seen.inspects else SPECTATOR)
    is_shown = note.seq <= seen.match.version
    return is_shown and (note.author == _own(seen) or note.audience in audiences)


def _may_remove(seen: SeenMatch, note: Note) -> bool:
    asking = principal()
    if note.author == asking.person and allowed(asking, "write_note", seen.relations):
        return True
    return note.audience != "private" and allowed(asking, "moderate_notes", seen.relations)


def _bodies(seen: SeenMatch, notes: Sequence[Note]) -> list[dict[str, Json]]:
    names = installation().persons.names({note.author for note in notes})
    return [_body(seen, note, names) for note in notes]


def _body(seen: SeenMatch, note: Note, names: Mapping[str, str]) -> dict[str, Json]:
    told: dict[str, Json] = to_builtins(note)
    more = {"name": names.get(note.author), "removable": _may_remove(seen, note)}
    return told | more
