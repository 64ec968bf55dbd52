"""Ending a match other than by its rules: closed by an office or by all seats, or cancelled."""

from __future__ import annotations

from service.aggregates.events import (
    CancelCause,
    Cause,
    EndOffered,
    MatchCancelled,
    MatchClosed,
    MatchEvent,
)
from service.aggregates.matches import Given, Match, MatchCommand, check_open, check_running
from service.aggregates.playing import closing
from service.aggregates.world import Invalid, Refused
from service.engine.contract import Outcome

DRAW = "draw"
BY_OFFICE: tuple[Cause, ...] = ("forfeit", "abandoned", "time", "ruling")
"""The causes for which a judge or organizer closes a match."""


class CloseMatch(MatchCommand, frozen=True, kw_only=True):
    """Ask for the end by an office. winner: a seat, `draw`, or None; reason: digest of a text."""

    cause: Cause
    winner: str | None
    by: str
    reason: str


class OfferEnd(MatchCommand, frozen=True, kw_only=True):
    """Ask, as a seat, for an end with this winner: a seat, `draw`, or None."""

    seat: str
    winner: str | None


class CancelMatch(MatchCommand, frozen=True, kw_only=True):
    """Ask to cancel. by: a person, None for a deadline; reason: digest of a text, or None."""

    cause: CancelCause
    by: str | None = None
    reason: str | None = None


def close(match: Match, command: CloseMatch, given: Given) -> list[MatchEvent]:
    """Close a match by an office; an abandoned one has no outcome.

    Raises `Invalid` for a winner that the match has not, `Closed`.
    """
    check_open(match)
    cause = command.cause
    assert cause in BY_OFFICE, "the other causes are those of rules, logs and seats"
    outcome = None if cause == "abandoned" else outcome_of(match, command.winner, cause)
    closed = MatchClosed(
        cause=cause, outcome=outcome, by=command.by, reason=command.reason, time=given.now
    )
    return closing(match, closed, given.secrets)


def abandon(match: Match, given: Given) -> list[MatchEvent]:
    """Close a match in which nothing has happened for long; it has no outcome."""
    check_open(match)
    return closing(
        match, MatchClosed(cause="abandoned", outcome=None, time=given.now), given.secrets
    )


def offer_end(match: Match, command: OfferEnd, given: Given) -> list[MatchEvent]:
    """Offer to end the match; it is closed when all seats offer the same outcome.

    An action takes all offers back. Raises `Invalid`, `Refused`, `Held`, `Closed`.
    """
    check_running(match)
    outcome = outcome_of(match, command.winner, "agreed")
    if match.offers.get(command.seat) == outcome:
        return []
    offered = EndOffered(seat=command.seat, outcome=outcome, time=given.now)
    others = [match.offers.get(seat) for seat in match.seats if seat != command.seat]
    if any(other != outcome for other in others):
        return [offered]
    agreed = MatchClosed(cause="agreed", outcome=outcome, time=given.now)
    return [offered, *closing(match, agreed, given.secrets)]


def cancel(match: Match, command: CancelMatch, given: Given) -> list[MatchEvent]:
    """Cancel a match that has not begun.

    Raises `Refused` after the first action, also after the end: an opener may be behind. `Closed`.
    """
    if match.actions:
        raise Refused(f"match {match.id} has begun: it can be closed, not cancelled")
    check_open(match)
    return [
        MatchCancelled(cause=command.cause, by=command.by, reason=command.reason, time=given.now)
    ]


def outcome_of(match: Match, winner: str | None, reason: str) -> Outcome:
    """Return an outcome that people decided; raises `Invalid` for a winner that is not there."""
    if winner not in (None, DRAW, *match.seats):
        raise Invalid({"winner": [f"one of {', '.join(match.seats)}, {DRAW} or null"]})
    return Outcome(winner=winner, reason=reason)
