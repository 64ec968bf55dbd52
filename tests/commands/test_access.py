"""Commands on access, over a log of a database."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from projections.tables import Database
from service.accounts.persons import Persons
from service.accounts.sign_ins import FailedSignIns, hand_over
from service.accounts.tokens import NewToken
from service.accounts.uses import note_use
from service.aggregates.access import (
    INSTALLATION,
    RoleGranted,
    RoleRevoked,
    SignInsFailed,
    TokenUsed,
    place_of_match,
    roles_of,
)
from service.aggregates.attachments import Attached, Text
from service.aggregates.world import Conflict, Forbidden, NotFound
from service.commands.access import InspectMatch, grant_role, inspect_match, revoke_role
from service.commands.access_book import KEPT_MAX, AccessBook
from service.commands.ports import NOTHING
from service.integrity.sealing import PublicEvent
from service.store.log import Log
from tests.conftest import CATALOGUE

DATABASES = ("sqlite", "postgresql")
NOW, NEXT_HOUR = "2026-01-02T03:04:05.000006Z", "2026-01-02T04:04:05.000006Z"
TODAY = "2026-01-02"
GIVEN = RoleGranted(person="judy", role="judge", place=INSTALLATION, by=None, time=NOW)
TAKEN = RoleRevoked(person="judy", role="judge", place=INSTALLATION, by=None, time=NOW)
LOOK = InspectMatch(
    person="judy",
    match_id="m",
    reason=Text(salt=b"salt", body="a player called"),
    offices=frozenset({"judge"}),
    seats={"P1": "ann", "P2": "bob"},
    is_closed=False,
)
CALLERS = 8


@pytest.fixture
def log(database_url: str) -> Iterator[Log]:
    found = Log(database_url, lambda opened: CATALOGUE.game(opened.game).sample.ruleset)
    yield found
    found.close()


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    found = Database(database_url)
    yield found
    found.close()


class CountingLog:
    """A log that counts the events it gives, and loses as many races as it is told."""

    def __init__(self, log: Log, *, races: int = 0) -> None:
        self.log = log
        self.races = races
        self.count = 0

    def public_events(self, stream: str, *, after: int = 0) -> list[tuple[PublicEvent, str]]:
        found = self.log.public_events(stream, after=after)
        self.count += len(found)
        return found

    def append_public(
        self,
        stream: str,
        events: Sequence[PublicEvent],
        *,
        version: int,
        head: str,
        attached: Attached = NOTHING,
    ) -> None:
        if self.races:
            self.races -= 1
            raise Conflict("somebody else wrote first", version=version)
        self.log.append_public(stream, events, version=version, head=head, attached=attached)


def test_a_role_is_given_and_taken(log: Log) -> None:
    book = AccessBook(log)
    grant_role(book, GIVEN)
    grant_role(book, GIVEN)
    assert roles_of(book.at(INSTALLATION), "judy") == {"judge"}
    revoke_role(book, TAKEN)
    assert roles_of(AccessBook(log).at(INSTALLATION), "judy") == frozenset()
    with pytest.raises(NotFound):
        revoke_role(book, TAKEN)
    assert book.events_at(INSTALLATION) == [GIVEN, TAKEN]
    assert book.events_at(INSTALLATION, after=1) == [TAKEN]


def test_another_process_is_seen_at_once_and_nothing_is_read_twice(log: Log) -> None:
    counting = CountingLog(log)
    here, there = AccessBook(counting), AccessBook(log)
    grant_role(there, GIVEN)
    for _ in range(3):
        assert roles_of(here.at(INSTALLATION), "judy") == {"judge"}
    assert counting.count == 1
    revoke_role(there, TAKEN)
    assert roles_of(here.at(INSTALLATION), "judy") == frozenset()
    assert counting.count == 2


def test_places_that_were_forgotten_are_read_again(log: Log) -> None:
    counting = CountingLog(log)
    book = AccessBook(counting)
    grant_role(book, GIVEN)
    for number in range(KEPT_MAX):
        book.at(place_of_match(str(number)))
    assert roles_of(book.at(INSTALLATION), "judy") == {"judge"}


def test_a_lost_race_is_run_again_and_not_for_ever(log: Log) -> None:
    grant_role(AccessBook(CountingLog(log, races=3)), GIVEN)
    assert roles_of(AccessBook(log).at(INSTALLATION), "judy") == {"judge"}
    with pytest.raises(Conflict):
        revoke_role(AccessBook(CountingLog(log, races=1000)), TAKEN)


def test_callers_at_once_lose_nothing(log: Log) -> None:
    events = [
        RoleGranted(person=f"p{number}", role="judge", place=INSTALLATION, by=None, time=NOW)
        for number in range(CALLERS)
    ]
    books = [AccessBook(log), AccessBook(log)]
    with ThreadPoolExecutor(CALLERS) as threads:
        list(threads.map(lambda one: grant_role(books[len(one.person) % 2], one), events * 2))
    assert len(books[0].at(INSTALLATION).granted) == CALLERS
    assert books[1].at(INSTALLATION).version == CALLERS


def test_a_look_is_on_record_with_its_reason(log: Log) -> None:
    book = AccessBook(log)
    look = inspect_match(book, LOOK, now=NOW)
    assert look.until == "2026-01-02T05:04:05.000006Z"
    assert book.at(place_of_match("m")).inspections == (look,)
    assert log.text(look.reason) == "a player called"
    with pytest.raises(Forbidden):
        inspect_match(book, replace(LOOK, person="ann"), now=NOW)
    assert book.at(place_of_match("m")).version == 1


def test_the_first_use_of_a_token_is_on_record(log: Log, database: Database) -> None:
    persons, book = Persons(database), AccessBook(log)
    ann = persons.create("Ann", NOW).id
    token, text = persons.create_token(NewToken(person=ann, scopes=["read"], days=3), None, NOW)
    principal = persons.principal_of(text, NOW)
    for process in (persons, persons, Persons(database)):
        note_use(process, book, principal, now=NOW)
    note_use(persons, book, principal, now="2026-01-03T03:04:05.000006Z")
    used = TokenUsed(person=ann, token=token.id, day=TODAY, time=NOW)
    assert book.events_of_day(TODAY) == [used]
    assert len(book.events_of_day("2026-01-03")) == 1


def test_failed_sign_ins_of_past_hours_are_on_record_once(log: Log, database: Database) -> None:
    sign_ins, book = FailedSignIns(database), AccessBook(log)
    for _ in range(3):
        sign_ins.add("192.0.2.1", NOW)
    assert hand_over(sign_ins, book, now=NOW) == 0
    assert hand_over(sign_ins, book, now=NEXT_HOUR) == 1
    assert hand_over(sign_ins, book, now=NEXT_HOUR) == 0
    # As if the hours had not been forgotten before the process ended.
    sign_ins.add("192.0.2.1", NOW)
    hand_over(sign_ins, book, now=NEXT_HOUR)
    (event,) = book.events_of_day(TODAY)
    assert isinstance(event, SignInsFailed)
    assert (event.block, event.hour, event.count) == ("192.0.2.0/24", "2026-01-02T03", 3)
