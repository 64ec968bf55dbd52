"""The events of a dispute. The stored names of events and fields are for ever.

Texts stand outside the log: an event holds their digests. Nothing that is hidden in the match
stands in a dispute, since it has one form: facts, positions and decks are in the match.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from service.aggregates.events import TableGame
from service.aggregates.tournaments.events import PenaltyKind
from service.engine.contract import Outcome

Judgement: TypeAlias = Literal["upheld", "rejected", "undecided"]
"""What is said of the claim. undecided: the publisher has not said yet; an interim answer."""

RulingKind: TypeAlias = Literal[
    "no_action", "partial_fix", "simple_backup", "full_backup", "penalty", "result_amendment"
]
Authority: TypeAlias = Literal["judge", "head_judge", "publisher"]
Audience: TypeAlias = Literal["parties", "judges"]


class Cited(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A rule as it stood in an edition of its game, as `HS-310` in `hi-story@3`."""

    rule: str
    edition: str


class EventRef(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An event of a match, told by its hash."""

    match: str
    seq: int
    hash: str


class Cost(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a backup undoes, in numbers.

    to: the index that becomes the position; events: how many of the live line are struck, among
    them `actions` of the seats. draws: by label. learned: seat → how many cards it has seen since
    that it could not see at `to`.
    """

    to: int
    events: int
    actions: int
    draws: dict[str, int]
    learned: dict[str, int]


class Penalty(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a seat is given."""

    seat: str
    kind: PenaltyKind


class Remedy(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a ruling does besides saying so.

    event: number of the event of the match that carries it out, null for none. to, cost: of a
    backup. outcome: of an amended result. penalty: of one.
    """

    event: int | None = None
    to: int | None = None
    cost: Cost | None = None
    outcome: Outcome | None = None
    penalty: Penalty | None = None


class DisputeOpened(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Somebody disputes an event. claim: digest of a text; seat: of the person, null for staff.

    game, table: of the match. rules: what it is about, maybe none.
    """

    event: EventRef
    game: str
    table: TableGame | None
    rules: list[Cited]
    claim: str
    by: str
    seat: str | None
    time: str


class CommentAdded(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Somebody says something. text: digest; evidence: events that it points to.

    audience: `judges` for what the other side is not to read.
    """

    by: str
    text: str
    audience: Audience
    evidence: list[EventRef]
    time: str


class JudgeAssigned(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A judge takes the dispute, or is given it. judge, by: persons."""

    judge: str
    by: str
    time: str


class DisputeRuled(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A judge rules. number: from 1 in the dispute. text_ja, text_en: digests, at least one.

    rules: what the ruling rests on; it is a precedent as long as their meaning stays.
    """

    number: int
    outcome: Judgement
    kind: RulingKind
    rules: list[Cited]
    text_ja: str | None
    text_en: str | None
    authority: Authority
    remedy: Remedy
    by: str
    time: str


class RulingAppealed(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A party asks the head judge. number: of the ruling; reason: digest of a text."""

    number: int
    by: str
    reason: str
    time: str


class DisputeWithdrawn(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who opened it disputes the event no longer."""

    by: str
    time: str


class DisputeFinalized(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Nobody has appealed: the last ruling stands."""

    by: str
    time: str


DisputeEvent: TypeAlias = (
    DisputeOpened
    | CommentAdded
    | JudgeAssigned
    | DisputeRuled
    | RulingAppealed
    | DisputeWithdrawn
    | DisputeFinalized
)
