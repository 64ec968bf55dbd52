"""Commands on editions: register what is new, withdraw what must not be used."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from service.aggregates import editions
from service.aggregates.editions import EditionEvent, Editions
from service.aggregates.world import Conflict
from service.engine.editions import Edition

TRIES_MAX = 5


class EditionLog(Protocol):
    """The log of editions, as commands see it."""

    def editions(self, game: str) -> Editions:
        """Return the registered editions of a game."""
        ...

    def append_editions(self, before: Editions, events: Sequence[EditionEvent]) -> None:
        """Save events behind a state; raises `Conflict`."""
        ...


def register_edition(log: EditionLog, edition: Edition, *, now: str) -> Edition:
    """Return the edition with its number, which it gets if it is new."""
    for _ in range(TRIES_MAX):
        known = log.editions(edition.game)
        number = editions.number_of(known, edition)
        if number is not None:
            return replace(edition, number=number)
        try:
            log.append_editions(known, editions.register(known, edition, now))
        except Conflict:
            continue  # another process registers at the same moment: look again
    raise Conflict(f"editions of {edition.game} keep changing", version=0)


def withdraw_edition(
    log: EditionLog, game: str, number: int, *, reason: str, successor: int | None, now: str
) -> None:
    """Withdraw an edition. Raises `NotFound`, `Refused`, `Conflict`."""
    known = log.editions(game)
    withdrawn = editions.withdraw(known, number, reason=reason, successor=successor, now=now)
    log.append_editions(known, withdrawn)


def usable_edition(log: EditionLog, edition: Edition, *, now: str) -> Edition:
    """Return the edition under which a new match opens; raises `Refused` if it is withdrawn."""
    registered = register_edition(log, edition, now=now)
    editions.check_usable(log.editions(edition.game), registered.number)
    return registered
