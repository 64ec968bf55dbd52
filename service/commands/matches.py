"""Commands of a match: open it, ready its seats, open their seeds, play an action."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from service.aggregates import matches
from service.aggregates.attachments import Attached, Text
from service.aggregates.events import (
    Kind,
    MatchOpened,
    Policy,
    Roots,
    Seat,
    SeatReadied,
    SeedOpened,
)
from service.aggregates.fairness import Secrets, root_commitment
from service.aggregates.matches import PlayAction
from service.commands.ports import MatchLog
from service.engine.contract import Rejection, Ruleset, Setup
from service.engine.editions import Edition


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenMatch:
    """Ask for a match. seats: seat → display name; cards: the pool's name; documents: its cards.

    secrets: fresh random bytes; without roots if the draws come with the record.
    """

    match_id: str
    edition: Edition
    cards: str
    kind: Kind
    seats: Mapping[str, Text]
    source: str | None = None
    secrets: Secrets
    documents: Mapping[str, bytes]

    @property
    def attached(self) -> Attached:
        """What is saved with the first event: names and card definitions."""
        return Attached(texts=tuple(self.seats.values()), documents=self.documents)


def opened(command: OpenMatch, now: str) -> MatchOpened:
    """Return the first event of a match."""
    edition = command.edition
    return MatchOpened(
        game=edition.game,
        edition=edition.name,
        engine=edition.engine,
        rules_digest=edition.rules_digest,
        cards_digest=edition.cards_digest,
        texts_digest=edition.texts_digest,
        cards=command.cards,
        kind=command.kind,
        seats={seat: Seat(name=text.digest) for seat, text in command.seats.items()},
        policy=Policy(),
        roots=_commitments(command),
        source=command.source,
        time=now,
    )


def _commitments(command: OpenMatch) -> Roots | None:
    secrets = command.secrets
    if secrets.root_open is None or secrets.root_closed is None:
        return None
    return Roots(
        open=root_commitment(command.match_id, "open", secrets.root_open),
        closed=root_commitment(command.match_id, "closed", secrets.root_closed),
    )


def open_match(log: MatchLog, command: OpenMatch, *, now: str) -> int:
    """Open a match; return the log position. Raises `Conflict`."""
    return log.append(
        command.match_id,
        None,
        [opened(command, now)],
        secrets=command.secrets,
        attached=command.attached,
    )


def ready_seat(log: MatchLog, match_id: str, event: SeatReadied) -> int:
    """Take a seat's deck and sealed seed. Raises `NotFound`, `Refused`, `Closed`, `Conflict`."""
    match = log.match(match_id)
    return log.append(match_id, match, matches.ready(match, event))


def open_seed(
    log: MatchLog, match_id: str, event: SeedOpened, ruleset: Ruleset, *, setup: Setup
) -> int:
    """Open a seat's seed; after the last one the match begins.

    Raises `NotFound`, `Refused`, `Closed`, `Conflict`.
    """
    match, secrets = log.match(match_id), log.secrets(match_id)
    events = matches.open_seed(match, event, ruleset, setup=setup, secrets=secrets)
    return log.append(match_id, match, events)


def play_action(
    log: MatchLog, command: PlayAction, ruleset: Ruleset, *, setup: Setup, now: str
) -> int | Rejection:
    """Play an action; return the log position, or the rejection of the rules.

    Raises `NotFound`, `Closed`, `Conflict`.
    """
    match = log.match(command.match_id)
    secrets = log.secrets(match.id)
    decided = matches.decide(match, command, ruleset, setup=setup, secrets=secrets, now=now)
    if isinstance(decided, Rejection):
        return decided
    return log.append(match.id, match, decided)


def names_of(names: Sequence[tuple[str, str]], salt: bytes) -> dict[str, Text]:
    """Return the display names of seats as texts, each under its own salt."""
    return {seat: Text(salt=salt + seat.encode(), body=name) for seat, name in names}
