"""The events of a match. The stored names of events and fields are for ever."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from service.engine.contract import Outcome
from service.engine.values import Action, Actor, Draw, Fact, Json

Kind: TypeAlias = Literal["live", "imported", "simulated"]
Cause: TypeAlias = Literal[
    "rules", "unfinished", "partial", "forfeit", "abandoned", "agreed", "time", "ruling"
]
CancelCause: TypeAlias = Literal["withdrawn", "not_ready"]
AfterEnd: TypeAlias = Literal["nothing", "seats", "all"]
Visibility: TypeAlias = Literal["listed", "link", "participants"]
GENERATOR = "hmac-sha256.1"
"""Names how draws follow from roots and seeds (integrity 5)."""


class Seat(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who sits there. person: opaque id, null for a name without a person.

    name: digest of the display name, which is kept outside the log. Both null: an open seat.
    """

    person: str | None = None
    name: str | None = None


class Policy(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What callers without a seat or an office see (integrity 6).

    delay_events, delay_s: how many events, and seconds, they are behind while the match runs.
    """

    after_end: AfterEnd = "all"
    delay_events: int = 0
    delay_s: int = 0


class Roots(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Commitments to the roots of all draws, in hexadecimal, and how draws follow from them.

    open: dice and every draw whose result all may see; closed: everything else.
    """

    open: str
    closed: str
    generator: str = GENERATOR


class TableGame(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The table of a tournament at which a match is played. phase, round, game: from 1."""

    tournament: str
    phase: int
    round: int
    table: int
    game: int


class MatchOpened(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A match was opened: edition, digests of its data, seats, policy, commitments of its draws.

    cards: name of the card pool. setup: what is fixed beforehand besides the decks, null if it came
    with the record. source: for an import the digest of its lines, for a simulation its seed and
    number; null for a live match.
    roots: null if the draws come with the record. opened_by: a person, or null. table: null for a
    match outside tournaments.
    """

    game: str
    edition: str
    engine: int
    rules_digest: str
    cards_digest: str
    texts_digest: str
    cards: str
    kind: Kind
    seats: dict[str, Seat]
    setup: dict[str, Json] | None
    policy: Policy
    visibility: Visibility
    opened_by: str | None
    table: TableGame | None = None
    roots: Roots | None
    source: str | None
    time: str


class SeatTaken(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Somebody sat down on an open seat. name: as in `Seat`."""

    seat: str
    person: str
    name: str
    time: str


class SeatReadied(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A seat has its deck and, if it wants a say in the draws, a sealed seed.

    deck, deck_salt: for the seat itself and the judge. deck_seal: see `fairness.deck_seal`.
    """

    seat: str
    deck: Json
    deck_salt: str | None
    deck_seal: str
    seed_commitment: str | None
    time: str


class SeedOpened(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A seat opened its seed, 32 bytes in hexadecimal."""

    seat: str
    seed: str
    time: str


class SeedDefaulted(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A seat did not open its seed in time: it counts as 32 zero bytes."""

    seat: str
    time: str


class ActionPlayed(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An action was accepted: what was drawn for it and what it brought about."""

    actor: Actor
    action: Action
    draws: list[Draw]
    facts: list[Fact]
    time: str


class FactsProposed(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A seat proposes facts that the engine cannot decide. reason: digest of a text.

    facts, reason: for the seats and the judge; what comes of it is for all.
    """

    seat: str
    facts: list[Fact]
    reason: str
    time: str


class ProposalAnswered(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Another seat answered a proposal. proposed: the number of the event that made it."""

    seat: str
    proposed: int
    accepted: bool
    time: str


class Corrected(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Facts that no rule decided. by: all seats agreed on them, or a judge ruled.

    proposed: number of the event that proposed them, null for a ruling; ruling: its id, null for an
    agreement. draws: the shuffles that the ruling ordered; their facts are the last ones.
    """

    by: Literal["agreement", "ruling"]
    proposed: int | None
    ruling: str | None
    draws: list[Draw]
    facts: list[Fact]
    time: str


class CorrectionReviewed(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A judge looked at facts on which the seats agreed. corrected: number of that event.

    by: a person; reason: digest of a text.
    """

    corrected: int
    approved: bool
    by: str
    reason: str
    time: str


class BackedUp(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A judge made the position of index `to` the present one. ruling: its id; by: a person.

    position: that one, each viewer holds his own view of it. counts: of the labels drawn so far,
    for the judge alone; actions: how many were played up to there. What was played since stays in
    the log as a line of its own.
    """

    to: int
    ruling: str
    by: str
    position: Json
    counts: dict[str, int]
    actions: int
    time: str


class ResultAmended(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename={"was": "from"}
):
    """A judge gave a closed match another outcome. ruling: its id; by: a person."""

    was: Outcome | None
    to: Outcome | None
    ruling: str
    by: str
    time: str


class MatchReopened(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A judge lets a closed match go on. ruling: its id; by: a person.

    roots: fresh ones for the draws from here on, as the old ones are open; null as in
    `MatchOpened`.
    """

    ruling: str
    by: str
    roots: Roots | None
    time: str


class MatchHeld(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A judge stops play for a while. by: a person; reason: digest of a text."""

    by: str
    reason: str
    time: str


class MatchReleased(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A judge lets play go on."""

    by: str
    time: str


class VisibilitySet(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who may know of the match from here on."""

    visibility: Visibility
    by: str
    time: str


class EndOffered(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A seat offers to end the match with this outcome; closed when all seats offer the same."""

    seat: str
    outcome: Outcome
    time: str


class MatchCancelled(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The match will not begin. by: a person, null for a deadline; reason: digest of a text."""

    cause: CancelCause
    by: str | None
    reason: str | None
    time: str


class MatchClosed(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """No more actions. outcome: by the rules, or as agreed or ruled; claimed: by a log's result.

    by: the person who closed it, null for the rules, a deadline or all seats; reason: digest of a
    text. events, head: number and hash of the events before, filled in when the event is sealed.
    """

    cause: Cause
    outcome: Outcome | None
    claimed: Outcome | None = None
    by: str | None = None
    reason: str | None = None
    events: int = 0
    head: str = ""
    time: str


class SecretsOpened(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The roots of the draws were opened. closed: null while decks and hands stay hidden.

    events, head: as in `MatchClosed`.
    """

    open: str
    closed: str | None
    events: int = 0
    head: str = ""
    time: str


MatchEvent: TypeAlias = (
    MatchOpened
    | SeatTaken
    | SeatReadied
    | SeedOpened
    | SeedDefaulted
    | ActionPlayed
    | FactsProposed
    | ProposalAnswered
    | Corrected
    | CorrectionReviewed
    | BackedUp
    | ResultAmended
    | MatchReopened
    | MatchHeld
    | MatchReleased
    | VisibilitySet
    | EndOffered
    | MatchCancelled
    | MatchClosed
    | SecretsOpened
)
