"""Notes in their table, on both databases: kept, read by place and audience, gone with a person."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace

import pytest

from projections.tables import Database
from service.accounts.persons import Persons
from service.aggregates.attachments import Command
from service.aggregates.world import NotFound, Refused
from service.notes import PER_PERSON_MAX, Audience, Note, Notes, WantedNotes, id_in
from service.times import moved

DATABASES = ("sqlite", "postgresql")
NOW = "2026-01-02T03:04:05.000006Z"
EVERY: tuple[Audience, ...] = ("private", "judges", "public")
ERASED_AT = 4
ALL = WantedNotes(match="m", audiences=EVERY, to=100, limit=100)


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    found = Database(database_url)
    yield found
    found.close()


@pytest.fixture
def notes(database: Database) -> Notes:
    return Notes(database)


@pytest.fixture
def ann(database: Database) -> str:
    return Persons(database).create("Ann", NOW).id


@pytest.fixture
def bob(database: Database) -> str:
    return Persons(database).create("Bob", NOW).id


def note(author: str, number: int, *, seq: int = 1, audience: Audience = "public") -> Note:
    return Note(
        id=f"{number:032}",
        match="m",
        seq=seq,
        author=author,
        audience=audience,
        body="覚え書き 🂡\n\u202e",
        time=moved(NOW, number),
    )


def bodies(found: list[Note]) -> list[int]:
    return [int(one.id) for one in found]


def test_a_note_is_kept_as_it_was_written(notes: Notes, ann: str) -> None:
    written = note(ann, 1)
    saved = notes.add(written)
    assert notes.find(id_in(saved)) == written
    notes.remove(written.id)
    for asked in (written.id, "", "\0", "' OR 1=1 --"):
        with pytest.raises(NotFound):
            notes.find(asked)
        notes.remove(written.id)


def test_notes_are_read_by_event_then_time_a_page_at_a_time(notes: Notes, ann: str) -> None:
    for number, seq in enumerate((3, 1, 2, 1, 3, 2)):
        notes.add(note(ann, number, seq=seq))
    notes.add(replace(note(ann, 9), match="other"))
    assert bodies(notes.listed(ALL)) == [1, 3, 2, 5, 0, 4]
    assert bodies(notes.listed(replace(ALL, after=1, to=2))) == [2, 5]
    first = notes.listed(replace(ALL, limit=3))
    assert bodies(first) == [1, 3, 2]
    assert bodies(notes.listed(replace(ALL, behind=first[-1].place))) == [5, 0, 4]


def test_each_reader_has_audiences_and_his_own(notes: Notes, ann: str, bob: str) -> None:
    for number, audience in enumerate(EVERY):
        notes.add(note(ann, number, audience=audience))
        notes.add(note(bob, 10 + number, audience=audience))
    asked = replace(ALL, audiences=(), author=None)
    assert notes.listed(asked) == []
    assert bodies(notes.listed(replace(asked, author=ann))) == [0, 1, 2]
    assert bodies(notes.listed(replace(asked, audiences=("judges",)))) == [1, 11]
    assert bodies(notes.listed(replace(asked, author=bob, audiences=("public",)))) == [
        2,
        10,
        11,
        12,
    ]
    assert bodies(notes.listed(replace(asked, author="' OR 1=1 --"))) == []


def test_a_command_that_comes_again_saves_nothing(notes: Notes, ann: str) -> None:
    command = Command(id="c", body_digest="d")
    first = notes.add(note(ann, 1), command)
    again = notes.add(note(ann, 2), command)
    assert (first.version - first.since, again.version - again.since) == (1, 0)
    assert bodies(notes.listed(ALL)) == [1]


def test_a_person_has_so_many_notes_on_a_match(notes: Notes, ann: str, bob: str) -> None:
    for number in range(PER_PERSON_MAX):
        notes.add(note(ann, number))
    command = Command(id="c", body_digest="d")
    with pytest.raises(Refused):
        notes.add(note(ann, 1_000), command)
    notes.add(note(bob, 1_001))
    notes.add(replace(note(ann, 1_002), match="other"))
    notes.remove(note(ann, 0).id)
    assert notes.add(note(ann, 1_003), command).version == 1, "what was refused may be asked again"


def test_a_person_who_is_erased_leaves_no_note(
    database: Database, notes: Notes, ann: str, bob: str
) -> None:
    notes.add(note(ann, 1))
    notes.add(note(bob, 2))
    Persons(database).erase(ann)
    assert bodies(notes.listed(ALL)) == [2]
    with pytest.raises(NotFound):
        notes.add(note(ann, 3))


def test_nobody_is_erased_beside_a_note(database: Database, notes: Notes) -> None:
    """Whoever is erased while he writes has no note either."""
    persons = Persons(database)
    for beginning in range(0, 100, 10):
        person = persons.create("Ann", NOW).id

        def write(number: int, person: str = person, beginning: int = beginning) -> None:
            if number == ERASED_AT:
                persons.erase(person)
                return
            with suppress(NotFound):
                notes.add(note(person, beginning + number))

        with ThreadPoolExecutor(4) as threads:
            list(threads.map(write, range(2 * ERASED_AT)))
    assert notes.listed(ALL) == []
