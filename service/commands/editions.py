"""Commands on editions: register what is new, withdraw what must not be used."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from msgspec.structs import replace as replace_fields

from service.aggregates import editions
from service.aggregates.editions import EditionEvent, Editions
from service.aggregates.world import Conflict
from service.commands.ports import PublicLog
from service.engine.editions import Edition

TRIES_MAX = 5


def editions_of(log: PublicLog, game: str) -> Editions:
    """Return the registered editions of a game."""
    found = Editions(game=game)
    for event, head in log.public_events(_stream(game)):
        assert isinstance(event, EditionEvent), "a stream of editions holds nothing else"
        found = replace_fields(editions.evolve(found, event), head=head)
    return found


def _append(log: PublicLog, before: Editions, events: Sequence[EditionEvent]) -> None:
    log.append_public(_stream(before.game), events, version=before.version, head=before.head)


def _stream(game: str) -> str:
    return f"editions/{game}"


def register_edition(log: PublicLog, edition: Edition, *, now: str) -> Edition:
    """Return the edition with its number, which it gets if it is new."""
    for _ in range(TRIES_MAX):
        known = editions_of(log, edition.game)
        number = editions.number_of(known, edition)
        if number is not None:
            return replace(edition, number=number)
        try:
            _append(log, known, editions.register(known, edition, now))
        except Conflict:
            continue  # another process registers at the same moment: look again
    raise Conflict(f"editions of {edition.game} keep changing", version=0)


def withdraw_edition(
    log: PublicLog, game: str, number: int, *, reason: str, successor: int | None, now: str
) -> None:
    """Withdraw an edition. Raises `NotFound`, `Refused`, `Conflict`."""
    known = editions_of(log, game)
    withdrawn = editions.withdraw(known, number, reason=reason, successor=successor, now=now)
    _append(log, known, withdrawn)


def usable_edition(log: PublicLog, edition: Edition, *, now: str) -> Edition:
    """Return the edition under which a new match opens; raises `Refused` if it is withdrawn."""
    registered = register_edition(log, edition, now=now)
    editions.check_usable(editions_of(log, edition.game), registered.number)
    return registered
