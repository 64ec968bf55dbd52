"""The events of a match. The stored names of events and fields are for ever."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from service.engine.contract import Outcome
from service.engine.values import Action, Actor, Draw, Fact, Json

Kind: TypeAlias = Literal["live", "imported", "simulated"]
Cause: TypeAlias = Literal["rules", "unfinished", "partial"]
AfterEnd: TypeAlias = Literal["nothing", "seats", "all"]


class Seat(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who sits there. name: digest of the display name, which is kept outside the log."""

    name: str


class Policy(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What callers without a seat or an office see (integrity 6)."""

    after_end: AfterEnd = "all"


class Roots(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Two values, in hexadecimal: commitments to the roots of all draws, later the roots.

    open: dice and every draw whose result all may see; closed: everything else.
    """

    open: str
    closed: str


class MatchOpened(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A match was opened: edition, digests of its data, seats, policy, commitments of its draws.

    cards: name of the card pool. source: for an import the digest of its lines, for a simulation
    its seed and number; null for a live match. roots: null if the draws come with the record.
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
    policy: Policy
    roots: Roots | None
    source: str | None
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


class ActionPlayed(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An action was accepted: what was drawn for it and what it brought about."""

    actor: Actor
    action: Action
    draws: list[Draw]
    facts: list[Fact]
    time: str


class MatchClosed(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """No more actions. outcome: by the rules; claimed: by the result line of a log.

    events, head: number and hash of the events before, filled in when the event is sealed.
    """

    cause: Cause
    outcome: Outcome | None
    claimed: Outcome | None
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
    MatchOpened | SeatReadied | SeedOpened | ActionPlayed | MatchClosed | SecretsOpened
)
