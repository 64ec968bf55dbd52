"""Commands on access: grant and revoke roles, inspect a match, note uses of tokens."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from service.aggregates import access
from service.aggregates.access import (
    Access,
    AccessEvent,
    MatchInspected,
    Principal,
    Relation,
    RoleGranted,
    RoleRevoked,
    SignInsFailed,
    TokenUsed,
    UseEvent,
    Uses,
    place_of_match,
)
from service.aggregates.attachments import Attached, Text
from service.commands.access_book import AccessBook
from service.commands.again import decided
from service.commands.ports import NOTHING
from service.times import moved

TRIES_MAX = 20
INSPECTION_S = 2 * 60 * 60
DAY_LENGTH = len("yyyy-mm-dd")

State = TypeVar("State", Access, Uses)


@dataclass(frozen=True, slots=True, kw_only=True)
class InspectMatch:
    """Ask for the judge's view of a match. offices: relations to it; seats: seat → person."""

    person: str
    match_id: str
    reason: Text
    offices: Collection[Relation]
    seats: Mapping[str, str | None]
    is_closed: bool


def grant_role(book: AccessBook, event: RoleGranted) -> None:
    """Give a person a role; one that is there already changes nothing.

    Raises `Refused`, `Conflict`.
    """
    _settle(book, lambda: book.at(event.place), lambda before: access.grant(before, event))


def revoke_role(book: AccessBook, event: RoleRevoked) -> None:
    """Take a role from a person; raises `NotFound` if he has not got it, `Conflict`."""
    _settle(book, lambda: book.at(event.place), lambda before: access.revoke(before, event))


def inspect_match(book: AccessBook, command: InspectMatch, *, now: str) -> MatchInspected:
    """Open the judge's view of a match for 2 hours; raises `Forbidden`, `Refused`, `Conflict`."""
    event = MatchInspected(
        person=command.person,
        match=command.match_id,
        reason=command.reason.digest,
        until=moved(now, INSPECTION_S),
        time=now,
    )
    events = access.inspect(
        event, command.offices, seats=command.seats, is_closed=command.is_closed
    )
    place = place_of_match(command.match_id)
    _settle(
        book, lambda: book.at(place), lambda _: events, attached=Attached(texts=[command.reason])
    )
    return event


def use_token(book: AccessBook, principal: Principal, *, now: str) -> None:
    """Note the first use of a token on a day; a further one changes nothing. Raises `Conflict`."""
    assert principal.person is not None
    assert principal.token is not None, "somebody came with a token"
    day = now[:DAY_LENGTH]
    used = TokenUsed(person=principal.person, token=principal.token, day=day, time=now)
    _note(book, day, [used])


def record_failed_sign_ins(
    book: AccessBook, failures: Iterable[tuple[str, str, int]], *, now: str
) -> None:
    """Note the failed sign-ins of hours that are past; an hour that is noted is not noted again.

    failures: (block of addresses, hour as yyyy-mm-ddThh, count). Raises `Conflict`.
    """
    by_day: dict[str, list[UseEvent]] = {}
    for block, hour, count in failures:
        event = SignInsFailed(block=block, hour=hour, count=count, time=now)
        by_day.setdefault(hour[:DAY_LENGTH], []).append(event)
    for day, events in by_day.items():
        _note(book, day, events)


def _note(book: AccessBook, day: str, events: Sequence[UseEvent]) -> None:
    _settle(book, lambda: book.uses(day), lambda before: access.use(before, events))


def _settle(
    book: AccessBook,
    load: Callable[[], State],
    decide: Callable[[State], Sequence[AccessEvent]],
    *,
    attached: Attached = NOTHING,
) -> None:
    def attempt() -> Callable[[], None]:
        before = load()
        events = decide(before)
        return lambda: book.append(before, events, attached) if events else None

    decided(attempt, tries=TRIES_MAX)
