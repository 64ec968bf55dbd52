"""Opening a match."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from dataclasses import replace as replace_fields

from service.aggregates.attachments import Attached, Saved, Text
from service.aggregates.events import (
    Kind,
    MatchOpened,
    Policy,
    Seat,
    TableGame,
    Visibility,
)
from service.aggregates.fairness import Secrets, commitments_of
from service.commands.ports import NOTHING, MatchLog
from service.engine.editions import Edition
from service.engine.values import Json


@dataclass(frozen=True, slots=True, kw_only=True)
class Seated:
    """Who is to sit on a seat. person: None for a name without a person."""

    person: str | None = None
    name: Text

    @property
    def seat(self) -> Seat:
        """The seat as the log holds it."""
        return Seat(person=self.person, name=self.name.digest)


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenMatch:
    """Ask for a match. seats: seat → who sits there, None for an open seat.

    cards: the pool's name; documents: its cards. setup: what is fixed besides the decks, as the
    ruleset prepared it. secrets: fresh random bytes; without roots if the draws come with the
    record.
    """

    match_id: str
    edition: Edition
    cards: str
    kind: Kind
    seats: Mapping[str, Seated | None]
    setup: Mapping[str, Json] | None = None
    policy: Policy = field(default_factory=Policy)
    visibility: Visibility = "listed"
    opened_by: str | None = None
    table: TableGame | None = None
    source: str | None = None
    secrets: Secrets
    documents: Mapping[str, bytes]

    @property
    def attached(self) -> Attached:
        """What is saved with the first event: names and card definitions."""
        names = tuple(one.name for one in self.seats.values() if one is not None)
        return Attached(texts=names, documents=self.documents)


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
        seats={seat: Seat() if one is None else one.seat for seat, one in command.seats.items()},
        setup=None if command.setup is None else dict(command.setup),
        policy=command.policy,
        visibility=command.visibility,
        opened_by=command.opened_by,
        table=command.table,
        roots=commitments_of(command.match_id, command.secrets),
        source=command.source,
        time=now,
    )


def open_match(
    log: MatchLog, command: OpenMatch, *, now: str, attached: Attached = NOTHING
) -> Saved:
    """Open a match. attached: the id of the command. Raises `Conflict`."""
    return log.append(
        command.match_id,
        None,
        [opened(command, now)],
        secrets=command.secrets,
        attached=replace_fields(command.attached, command=attached.command),
    )
