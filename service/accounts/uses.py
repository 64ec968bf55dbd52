"""The first use of a token on a day, which the access log holds."""

from __future__ import annotations

from service.accounts.persons import Persons
from service.aggregates.access import Principal
from service.commands.access import DAY_LENGTH, use_token
from service.commands.access_book import AccessBook


def note_use(persons: Persons, book: AccessBook, principal: Principal, *, now: str) -> None:
    """Put the first use of the caller's token on this day into the access log.

    It is on record before it counts as noted, so that none is lost. Raises `Conflict`.
    """
    if principal.token is None:
        return
    day = now[:DAY_LENGTH]
    if persons.is_first_use(principal.token, day):
        use_token(book, principal, now=now)
        persons.note_use(principal.token, day)
