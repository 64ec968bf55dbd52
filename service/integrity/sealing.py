"""Sealing: from the events that a command decided to what is stored, and back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TypeAlias

import msgspec
from msgspec.structs import replace

from service.aggregates.access import (
    AccessEvent,
    MatchInspected,
    RoleGranted,
    RoleRevoked,
    SignInsFailed,
    TokenUsed,
)
from service.aggregates.disputes.events import (
    CommentAdded,
    DisputeEvent,
    DisputeFinalized,
    DisputeOpened,
    DisputeRuled,
    DisputeWithdrawn,
    JudgeAssigned,
    RulingAppealed,
)
from service.aggregates.editions import (
    EditionEvent,
    EditionRegistered,
    EditionWithdrawn,
    TextsRevised,
)
from service.aggregates.events import (
    ActionPlayed,
    BackedUp,
    Corrected,
    CorrectionReviewed,
    EndOffered,
    FactsProposed,
    MatchCancelled,
    MatchClosed,
    MatchEvent,
    MatchHeld,
    MatchOpened,
    MatchReleased,
    MatchReopened,
    ProposalAnswered,
    SeatReadied,
    SeatTaken,
    SecretsOpened,
    SeedDefaulted,
    SeedOpened,
    VisibilitySet,
)
from service.aggregates.events import ResultAmended as MatchResultAmended
from service.aggregates.matches import Match, evolve, record_of, with_head
from service.aggregates.tournaments.events import (
    CutMade,
    DeckRegistered,
    MatchLinked,
    PenaltyGiven,
    PlayerDropped,
    PlayerEntered,
    PlayerReentered,
    ResultAmended,
    ResultConfirmed,
    ResultReported,
    RoundClosed,
    RoundDrafted,
    RoundPublished,
    RoundRepaired,
    TimeExtended,
    TournamentClosed,
    TournamentEvent,
    TournamentOpened,
)
from service.engine.contract import Form, Record, Ruleset
from service.engine.values import JUDGE, SPECTATOR, Json, Position, Viewer
from service.integrity.chain import (
    Header,
    Sealed,
    genesis,
    position_hash,
    salt_of,
    sealed,
    viewers_in_order,
)

Upcast: TypeAlias = Callable[[dict[str, Json]], dict[str, Json]]

PublicEvent: TypeAlias = EditionEvent | AccessEvent | TournamentEvent | DisputeEvent
"""Events of streams that have one form, for whoever may read them at all."""

Event: TypeAlias = MatchEvent | PublicEvent

EVENTS: Mapping[str, type[Event]] = {
    "match.match_opened.2": MatchOpened,
    "match.seat_taken.1": SeatTaken,
    "match.seat_readied.1": SeatReadied,
    "match.seed_opened.1": SeedOpened,
    "match.seed_defaulted.1": SeedDefaulted,
    "match.action_played.1": ActionPlayed,
    "match.facts_proposed.1": FactsProposed,
    "match.proposal_answered.1": ProposalAnswered,
    "match.corrected.2": Corrected,
    "match.correction_reviewed.1": CorrectionReviewed,
    "match.backed_up.1": BackedUp,
    "match.result_amended.1": MatchResultAmended,
    "match.match_reopened.1": MatchReopened,
    "match.match_held.1": MatchHeld,
    "match.match_released.1": MatchReleased,
    "match.visibility_set.1": VisibilitySet,
    "match.end_offered.1": EndOffered,
    "match.match_cancelled.1": MatchCancelled,
    "match.match_closed.2": MatchClosed,
    "match.secrets_opened.1": SecretsOpened,
    "edition.edition_registered.1": EditionRegistered,
    "edition.edition_withdrawn.1": EditionWithdrawn,
    "edition.texts_revised.1": TextsRevised,
    "access.role_granted.1": RoleGranted,
    "access.role_revoked.1": RoleRevoked,
    "access.match_inspected.1": MatchInspected,
    "access.token_used.1": TokenUsed,
    "access.sign_ins_failed.1": SignInsFailed,
    "tournament.tournament_opened.1": TournamentOpened,
    "tournament.player_entered.1": PlayerEntered,
    "tournament.deck_registered.1": DeckRegistered,
    "tournament.player_dropped.1": PlayerDropped,
    "tournament.player_reentered.1": PlayerReentered,
    "tournament.round_drafted.1": RoundDrafted,
    "tournament.round_published.1": RoundPublished,
    "tournament.round_repaired.1": RoundRepaired,
    "tournament.match_linked.1": MatchLinked,
    "tournament.result_reported.1": ResultReported,
    "tournament.result_confirmed.1": ResultConfirmed,
    "tournament.result_amended.1": ResultAmended,
    "tournament.penalty_given.1": PenaltyGiven,
    "tournament.time_extended.1": TimeExtended,
    "tournament.round_closed.1": RoundClosed,
    "tournament.cut_made.1": CutMade,
    "tournament.tournament_closed.1": TournamentClosed,
    "dispute.dispute_opened.1": DisputeOpened,
    "dispute.comment_added.1": CommentAdded,
    "dispute.judge_assigned.1": JudgeAssigned,
    "dispute.dispute_ruled.1": DisputeRuled,
    "dispute.ruling_appealed.1": RulingAppealed,
    "dispute.dispute_withdrawn.1": DisputeWithdrawn,
    "dispute.dispute_finalized.1": DisputeFinalized,
}
TAGS = {event: tag for tag, event in EVENTS.items()}


def _with_persons(old: dict[str, Json]) -> dict[str, Json]:
    """Upcast `match_opened.1`: seats had names but no persons, and everybody might know of it."""
    return old | {"setup": None, "visibility": "listed", "opened_by": None, "table": None}


def _unchanged(old: dict[str, Json]) -> dict[str, Json]:
    """Upcast `match_closed.1`: it had no `by` and `reason`, whose defaults are right for it."""
    return old


def _agreed(old: dict[str, Json]) -> dict[str, Json]:
    """Upcast `corrected.1`: only seats corrected, by agreement and without draws."""
    return old | {"ruling": None, "draws": []}


UPCASTS: Mapping[str, tuple[str, Upcast]] = {
    "match.match_opened.1": ("match.match_opened.2", _with_persons),
    "match.match_closed.1": ("match.match_closed.2", _unchanged),
    "match.corrected.1": ("match.corrected.2", _agreed),
}
"""Old tag → the next one, and what turns the old form into the next."""
UPCASTS_MAX = 100


class UnknownTag(LookupError):
    """The log holds events that this version of the service cannot read."""


class Chain:
    """Seals events one after the other, behind the last one of a match.

    origin: the installation; salt_key: of this match. `match`: the state after the last one.
    """

    def __init__(
        self, match_id: str, match: Match | None, ruleset: Ruleset, *, origin: str, salt_key: bytes
    ) -> None:
        """Go on behind `match`, or begin with its first event."""
        self.match = match
        self._match_id = match_id
        self._ruleset = ruleset
        self._salt_key = salt_key
        self._head = genesis(origin, match_id) if match is None else match.head

    @property
    def version(self) -> int:
        """The number of events so far."""
        return 0 if self.match is None else self.match.version

    def add(self, event: MatchEvent) -> Sealed:
        """Seal the next event."""
        before = self.match
        event = self._placed(event)
        after = evolve(before, event, self._ruleset, match_id=self._match_id)
        header = self._header(event, after)
        forms = forms_of(content_of(event), event, before, after, self._ruleset, header.viewers)
        salts = {one: salt_of(self._salt_key, header.seq, one) for one in header.viewers}
        made = sealed(header, forms, salts, self._head)
        self._head = made.hash
        self.match = with_head(after, made.hash)
        return made

    def _placed(self, event: MatchEvent) -> MatchEvent:
        """Return the event with what its place tells: a time that never goes back, the head."""
        if self.match is None:
            return event
        time = max(event.time, self.match.time)
        if isinstance(event, MatchClosed | SecretsOpened):
            return replace(event, time=time, events=self.match.version, head=self._head)
        return replace(event, time=time)

    def _header(self, event: MatchEvent, after: Match) -> Header:
        return Header(
            match=self._match_id,
            seq=after.version,
            type=TAGS[type(event)],
            actor=event.actor if isinstance(event, ActionPlayed) else None,
            time=event.time,
            edition=after.opened.edition,
            viewers=viewers_in_order(after.seats),
        )


def forms_of(
    content: Mapping[str, Json],
    event: MatchEvent,
    before: Match | None,
    after: Match,
    ruleset: Ruleset,
    viewers: Sequence[Viewer],
) -> dict[Viewer, dict[str, Json]]:
    """Return every viewer's form of an event, with the hash of the position as he sees it.

    content: the judge's form without that hash; of an old event it has the fields of its time.
    """
    record = record_of(before, event, ruleset)
    return {
        viewer: {
            **_seen(content, event, record, ruleset, viewer),
            "position_hash": _seen_hash(ruleset, after.position, viewer),
        }
        for viewer in viewers
    }


def content_of(event: MatchEvent) -> dict[str, Json]:
    """Return what the judge's form of an event holds besides the hash of the position."""
    content: dict[str, Json] = msgspec.to_builtins(event)
    del content["time"]
    if isinstance(event, ActionPlayed):
        del content["actor"]
    return content


def _seen(
    content: Mapping[str, Json],
    event: MatchEvent,
    record: Record | None,
    ruleset: Ruleset,
    viewer: Viewer,
) -> dict[str, Json]:
    """Return what a viewer sees of an event; the only place where more than a record is hidden."""
    if isinstance(event, Corrected) and viewer == JUDGE:
        return dict(content)
    if record is not None:
        return {**content, **_shown(event, ruleset.redact(record, viewer), content)}
    if isinstance(event, SeatReadied) and viewer not in (JUDGE, event.seat):
        return {**content, "deck": None, "deck_salt": None}
    if isinstance(event, BackedUp) and viewer != JUDGE:
        return {**content, "position": ruleset.view(event.position, viewer), "counts": None}
    if isinstance(event, FactsProposed) and viewer == SPECTATOR:
        return {**content, "facts": None, "reason": None}
    return dict(content)


def _shown(event: MatchEvent, form: Form, content: Mapping[str, Json]) -> dict[str, Json]:
    """Return what of a form the event has: a correction has no action."""
    parts: dict[str, Json] = {
        "action": form["action"],
        "draws": form["draws"],
        "facts": form["facts"],
    }
    if isinstance(event, Corrected):
        # No ruleset knows the shuffles that a judge orders; all of them are of closed piles.
        parts["draws"] = [None for _ in event.draws]
    return {name: part for name, part in parts.items() if name in content}


def _seen_hash(ruleset: Ruleset, position: Position, viewer: Viewer) -> str:
    return position_hash(ruleset.view(position, viewer))


def seal_public(stream: str, version: int, head: str, event: PublicEvent, *, origin: str) -> Sealed:
    """Seal an event that has one form, as number `version` of its stream, behind `head`."""
    content: dict[str, Json] = msgspec.to_builtins(event)
    header = Header(
        match=stream,
        seq=version,
        type=TAGS[type(event)],
        actor=None,
        time=content.pop("time"),
        edition="",
        viewers=[SPECTATOR],
    )
    previous = head or genesis(origin, stream)
    return sealed(header, {SPECTATOR: content}, {SPECTATOR: b""}, previous)


def event_of(stored: Sealed) -> Event:
    """Return the event that was sealed; raises `UnknownTag`, `msgspec.ValidationError`."""
    return event_from(stored.header, stored.form)


def match_event_of(stored: Sealed) -> MatchEvent:
    """Return the event of a match that was sealed; raises as `event_of`."""
    return match_event_from(stored.header, stored.form)


def match_event_from(header: Header, form: Mapping[str, Json]) -> MatchEvent:
    """Return an event of a match from its header and the judge's form; raises as `event_of`."""
    event = event_from(header, form)
    if not isinstance(event, MatchEvent):
        raise UnknownTag(f"{header.type} is no event of a match")
    return event


def public_event_of(stored: Sealed) -> PublicEvent:
    """Return the event of a stream that has one form; raises as `event_of`."""
    event = event_of(stored)
    if isinstance(event, MatchEvent):
        raise UnknownTag(f"{stored.header.type} is an event of a match")
    return event


def event_from(header: Header, form: Mapping[str, Json]) -> Event:
    """Return an event from its header and a complete form.

    Raises `UnknownTag`, `msgspec.ValidationError`.
    """
    tag, content = header.type, {key: form[key] for key in form if key != "position_hash"}
    for _ in range(UPCASTS_MAX):
        if tag in EVENTS:
            break
        if tag not in UPCASTS:
            raise UnknownTag(f"no event and no upcast for {tag}")
        tag, upcast = UPCASTS[tag]
        content = upcast(content)
    kind = EVENTS[tag]
    whole = {**content, "time": header.time}
    if kind is ActionPlayed:
        whole["actor"] = header.actor
    event: Event = msgspec.convert(whole, kind)
    return event


@cache
def kind_of(tag: str) -> type[Event]:
    """Return the class of the events that are stored under a tag; raises `UnknownTag`."""
    for _ in range(UPCASTS_MAX):
        if tag in EVENTS:
            return EVENTS[tag]
        if tag not in UPCASTS:
            break
        tag = UPCASTS[tag][0]
    raise UnknownTag(f"no event and no upcast for {tag}")


def unknown_tags(tags: Sequence[str]) -> list[str]:
    """Return the tags that cannot be read."""
    return sorted(set(tags) - set(EVENTS) - set(UPCASTS))
