"""Commands on editions: register what is new, withdraw what must not be used."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from service.aggregates import editions
from service.aggregates.attachments import Attached
from service.aggregates.editions import EditionEvent, Editions
from service.aggregates.world import Conflict
from service.commands.ports import NOTHING, PublicLog
from service.engine.editions import Edition

TRIES_MAX = 5


def editions_of(log: PublicLog, game: str) -> Editions:
    """Return the registered editions of a game."""
    found = Editions(game=game)
    for event, head in log.public_events(_stream(game)):
        assert isinstance(event, EditionEvent), "a stream of editions holds nothing else"
        found = replace(editions.evolve(found, event), head=head)
    return found


def _append(
    log: PublicLog,
    before: Editions,
    events: Sequence[EditionEvent],
    attached: Attached = NOTHING,
) -> None:
    log.append_public(
        _stream(before.game),
        events,
        version=before.version,
        head=before.head,
        attached=attached,
    )


def _stream(game: str) -> str:
    return f"editions/{game}"


def register_edition(log: PublicLog, edition: Edition, texts: bytes, *, now: str) -> Edition:
    """Return the edition with its number and revision, which it gets if it is new.

    texts: what its texts_digest is the SHA-256 of; kept with it.
    """
    for _ in range(TRIES_MAX):
        known = editions_of(log, edition.game)
        events = editions.register(known, edition, now)
        if not events:
            return editions.placed(known, edition)
        try:
            _append(log, known, events, Attached(documents={edition.texts_digest: texts}))
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


def usable_edition(log: PublicLog, edition: Edition, texts: bytes, *, now: str) -> Edition:
    """Return the edition under which a new match opens; raises `Refused` if it is withdrawn."""
    registered = register_edition(log, edition, texts, now=now)
    editions.check_usable(editions_of(log, edition.game), registered.number)
    return registered
