"""The match: its state, how events change it.

`index` i is the state after i events; `seq` = version = 1 … n; `match_opened` is 1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

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
    ResultAmended,
    Roots,
    Seat,
    SeatReadied,
    SeatTaken,
    SecretsOpened,
    SeedDefaulted,
    SeedOpened,
    Visibility,
    VisibilitySet,
)
from service.aggregates.fairness import Secrets, roots_since, source_of
from service.aggregates.lines import Line
from service.aggregates.world import Closed, Conflict, Held, Refused
from service.engine.contract import Outcome, Record, Ruleset, Setup
from service.engine.corrections import CORRECT
from service.engine.draws import Source
from service.engine.play import recorded
from service.engine.values import SYSTEM, Draw, Fact, Position

State: TypeAlias = Literal["beginning", "running", "held", "closed", "cancelled"]


class Proposal(Struct, frozen=True, kw_only=True):
    """Facts that wait for the other seats. seq: of the event; agreed: the seats so far."""

    seq: int
    facts: list[Fact]
    agreed: tuple[str, ...]


class Match(Struct, frozen=True, kw_only=True):
    """State of a match after `version` events.

    seated: seat → who sits there. counts: how often each label was drawn (`die/6`,
    `shuffle/<name>`). readied: seat → its event. seeds: seat → opened seed, null for the default.
    offers: seat → the outcome with which it would end. unreviewed: the corrections by agreement
    that no judge has looked at. lines: those that backups began. reopened: how often; roots: the
    commitments since then. head, time: hash and time of the last event.
    """

    id: str
    version: int
    opened: MatchOpened
    position: Position
    seated: dict[str, Seat]
    visibility: Visibility
    actions: int = 0
    counts: dict[str, int] = field(default_factory=dict)
    readied: dict[str, SeatReadied] = field(default_factory=dict)
    seeds: dict[str, str | None] = field(default_factory=dict)
    offers: dict[str, Outcome] = field(default_factory=dict)
    proposal: Proposal | None = None
    unreviewed: tuple[int, ...] = ()
    lines: tuple[Line, ...] = ()
    held: MatchHeld | None = None
    cancelled: MatchCancelled | None = None
    closed: MatchClosed | None = None
    amended: ResultAmended | None = None
    reopened: int = 0
    roots: Roots | None = None
    head: str = ""
    time: str = ""

    @property
    def seats(self) -> list[str]:
        """The seats in order."""
        return sorted(self.opened.seats)

    @property
    def state(self) -> State:
        """Where the match is in its life."""
        if self.closed is not None:
            return "closed"
        if self.cancelled is not None:
            return "cancelled"
        if self.held is not None:
            return "held"
        return "running" if self.actions else "beginning"

    @property
    def outcome(self) -> Outcome | None:
        """How the match ended, as it was amended last; None for one that has no outcome."""
        if self.amended is not None:
            return self.amended.to
        return None if self.closed is None else self.closed.outcome

    @property
    def setup(self) -> Setup:
        """What the ruleset is told of what was fixed beforehand, decks included."""
        decks = {seat: self.readied[seat].deck for seat in self.seats if seat in self.readied}
        return {**(self.opened.setup or {}), "decks": decks}

    def seat_of(self, person: str | None) -> str | None:
        """Return the seat of a person, or None."""
        if person is None:
            return None
        return next((seat for seat, one in self.seated.items() if one.person == person), None)


def evolve(match: Match | None, event: MatchEvent, ruleset: Ruleset, *, match_id: str) -> Match:
    """Return the state after one event; no rules, only folding."""
    if isinstance(event, MatchOpened):
        return Match(
            id=match_id,
            version=1,
            opened=event,
            position=ruleset.new_position(),
            seated=event.seats,
            visibility=event.visibility,
            roots=event.roots,
            time=event.time,
        )
    assert match is not None, f"{match_id} does not begin with match_opened"
    match = replace(match, version=match.version + 1, time=event.time)
    if isinstance(event, ActionPlayed | Corrected):
        return _with_facts(match, event, ruleset)
    fold: Callable[[Match, Any], Match] = FOLDS[type(event)]
    return fold(match, event)


def _with_facts(match: Match, event: ActionPlayed | Corrected, ruleset: Ruleset) -> Match:
    """Fold facts; offers and proposals were made for the position before."""
    position = match.position
    for fact in event.facts:
        position = ruleset.evolve(position, fact)
    match = replace(match, position=position, offers={}, proposal=None)
    if isinstance(event, Corrected):
        return on_corrected(match, event)
    counts = counted(match.counts, event.draws)
    return replace(match, actions=match.actions + 1, counts=counts)


def on_corrected(match: Match, event: Corrected) -> Match:
    """Count the shuffles that were ordered; what seats agreed on waits for a judge."""
    match = replace(match, counts=counted(match.counts, event.draws))
    if event.by == "ruling":
        return match
    return replace(match, unreviewed=(*match.unreviewed, match.version))


def on_correction_reviewed(match: Match, event: CorrectionReviewed) -> Match:
    """Let a correction wait no more."""
    waiting = tuple(seq for seq in match.unreviewed if seq != event.corrected)
    return replace(match, unreviewed=waiting)


def on_backed_up(match: Match, event: BackedUp) -> Match:
    """Begin a line with an earlier position; offers and proposals were made for another."""
    line = Line(begins=match.version, parent=event.to)
    return replace(
        match,
        position=event.position,
        counts=event.counts,
        actions=event.actions,
        lines=(*match.lines, line),
        offers={},
        proposal=None,
        unreviewed=tuple(seq for seq in match.unreviewed if seq <= event.to),
    )


def on_result_amended(match: Match, event: ResultAmended) -> Match:
    """Give another outcome."""
    return replace(match, amended=event)


def on_match_reopened(match: Match, event: MatchReopened) -> Match:
    """Let a closed match go on, with fresh roots."""
    return replace(match, closed=None, amended=None, roots=event.roots, reopened=match.reopened + 1)


def on_seat_taken(match: Match, event: SeatTaken) -> Match:
    """Seat a person."""
    seat = Seat(person=event.person, name=event.name)
    return replace(match, seated={**match.seated, event.seat: seat})


def on_seat_readied(match: Match, event: SeatReadied) -> Match:
    """Keep a seat's deck and sealed seed."""
    return replace(match, readied={**match.readied, event.seat: event})


def on_seed_opened(match: Match, event: SeedOpened) -> Match:
    """Keep a seed."""
    return replace(match, seeds={**match.seeds, event.seat: event.seed})


def on_seed_defaulted(match: Match, event: SeedDefaulted) -> Match:
    """Go on without a seat's seed."""
    return replace(match, seeds={**match.seeds, event.seat: None})


def on_facts_proposed(match: Match, event: FactsProposed) -> Match:
    """Let facts wait for the other seats."""
    proposal = Proposal(seq=match.version, facts=event.facts, agreed=(event.seat,))
    return replace(match, proposal=proposal)


def on_proposal_answered(match: Match, event: ProposalAnswered) -> Match:
    """Count a seat that agrees; one that does not ends the proposal."""
    proposal = match.proposal
    assert proposal is not None, "there is something to answer"
    if not event.accepted:
        return replace(match, proposal=None)
    agreed = (*proposal.agreed, event.seat)
    return replace(match, proposal=replace(proposal, agreed=agreed))


def on_match_held(match: Match, event: MatchHeld) -> Match:
    """Stop play for a while."""
    return replace(match, held=event)


def on_match_released(match: Match, event: MatchReleased) -> Match:
    """Let play go on."""
    return replace(match, held=None)


def on_visibility_set(match: Match, event: VisibilitySet) -> Match:
    """Change who may know of the match."""
    return replace(match, visibility=event.visibility)


def on_end_offered(match: Match, event: EndOffered) -> Match:
    """Keep a seat's offer."""
    return replace(match, offers={**match.offers, event.seat: event.outcome})


def on_match_cancelled(match: Match, event: MatchCancelled) -> Match:
    """End a match that did not begin."""
    return replace(match, cancelled=event)


def on_match_closed(match: Match, event: MatchClosed) -> Match:
    """End the match."""
    return replace(match, closed=event, held=None)


def on_secrets_opened(match: Match, event: SecretsOpened) -> Match:
    """Change nothing: the roots are for those who verify."""
    return match


FOLDS: Mapping[type[MatchEvent], Callable[[Match, Any], Match]] = {
    CorrectionReviewed: on_correction_reviewed,
    BackedUp: on_backed_up,
    ResultAmended: on_result_amended,
    MatchReopened: on_match_reopened,
    SeatTaken: on_seat_taken,
    SeatReadied: on_seat_readied,
    SeedOpened: on_seed_opened,
    SeedDefaulted: on_seed_defaulted,
    FactsProposed: on_facts_proposed,
    ProposalAnswered: on_proposal_answered,
    MatchHeld: on_match_held,
    MatchReleased: on_match_released,
    VisibilitySet: on_visibility_set,
    EndOffered: on_end_offered,
    MatchCancelled: on_match_cancelled,
    MatchClosed: on_match_closed,
    SecretsOpened: on_secrets_opened,
}


def with_head(match: Match, head: str) -> Match:
    """Return the state with the hash of its last event."""
    return replace(match, head=head)


def counted(counts: Mapping[str, int], draws: Sequence[Draw]) -> dict[str, int]:
    """Return the counts of labels after these draws."""
    found = dict(counts)
    for draw in draws:
        label = f"die/{draw['sides']}" if "die" in draw else f"shuffle/{draw['shuffle']}"
        found[label] = found.get(label, 0) + 1
    return found


def draws_of(match: Match, ruleset: Ruleset, secrets: Secrets) -> Source:
    """Return the source of a match's further draws."""
    return source_with(match, ruleset, roots_since(secrets, match.reopened))


def source_with(match: Match, ruleset: Ruleset, secrets: Secrets) -> Source:
    """Return the same from secrets with the roots since the match was reopened last."""
    given = [match.seeds.get(seat) for seat in match.seats]
    return source_of(
        secrets,
        match.id,
        seeds=[None if seed is None else bytes.fromhex(seed) for seed in given],
        counts=match.counts,
        open_names=ruleset.open_draws,
    )


def record_of(before: Match | None, event: MatchEvent, ruleset: Ruleset) -> Record | None:
    """Return the record of a stored event from the state before it, or None if it has no facts.

    Nothing is decided anew.
    """
    if not isinstance(event, ActionPlayed | Corrected):
        return None
    assert before is not None, "the first event of a match is no action"
    if isinstance(event, Corrected):
        return recorded(ruleset, before.position, SYSTEM, CORRECT, (), event.facts)
    return recorded(ruleset, before.position, event.actor, event.action, event.draws, event.facts)


class MatchCommand(Struct, frozen=True, kw_only=True):
    """What all commands on a match have.

    expected_version: refuse if the match has gone on; None: never for that reason.
    """

    match_id: str
    expected_version: int | None = None


class Given(Struct, frozen=True, kw_only=True):
    """What a decision is given from outside. now: UTC, microseconds, `Z`."""

    ruleset: Ruleset
    secrets: Secrets
    now: str


def check_open(match: Match) -> None:
    """Raise `Closed` unless the match can still go on."""
    if match.closed is not None:
        raise Closed(f"match {match.id} is closed")
    if match.cancelled is not None:
        raise Closed(f"match {match.id} was cancelled")


def check_running(match: Match) -> None:
    """Raise `Closed`, `Held`, or `Refused` before the first action."""
    check_open(match)
    if match.held is not None:
        raise Held(f"match {match.id} is held by a judge")
    if not match.actions:
        raise Refused(f"match {match.id} has not begun")


def check_version(match: Match, command: MatchCommand) -> None:
    """Raise `Conflict` if the match is not at the expected version."""
    if command.expected_version not in (None, match.version):
        raise Conflict(f"match {match.id} has gone on", version=match.version)
