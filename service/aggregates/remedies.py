"""What a ruling does to a match besides a backup: facts that a judge gives, another outcome."""

from __future__ import annotations

from collections.abc import Sequence

from service.aggregates.backups import ORDERED
from service.aggregates.ending import outcome_of
from service.aggregates.events import (
    Corrected,
    CorrectionReviewed,
    MatchClosed,
    MatchEvent,
    ResultAmended,
)
from service.aggregates.matches import (
    Given,
    Match,
    MatchCommand,
    check_open,
    draws_of,
    evolve,
)
from service.aggregates.playing import closing, go_on
from service.aggregates.world import Invalid, NotFound, Refused
from service.engine.contract import Fault, Outcome, Record, Ruleset
from service.engine.corrections import corrected
from service.engine.draws import Draws
from service.engine.values import Draw, Fact, Position

RULING = "ruling"


class ReviewCorrection(MatchCommand, frozen=True, kw_only=True):
    """Say what a judge thinks of facts on which the seats agreed. reason: digest of a text."""

    corrected: int
    approved: bool
    by: str
    reason: str


def review(match: Match, command: ReviewCorrection, given: Given) -> list[MatchEvent]:
    """Put the review of an agreement on record; raises `NotFound` if none waits there."""
    if command.corrected not in match.unreviewed:
        raise NotFound(f"no correction of event {command.corrected} waits for a judge")
    return [
        CorrectionReviewed(
            corrected=command.corrected,
            approved=command.approved,
            by=command.by,
            reason=command.reason,
            time=given.now,
        )
    ]


def fix(
    match: Match, facts: list[Fact], shuffles: Sequence[str], given: Given, *, ruling: str
) -> list[MatchEvent]:
    """Give facts in place of the rules, then shuffle piles; play goes on from there.

    shuffles: names of piles. Raises `Invalid` for facts that do not fit, a pile that is not there,
    or for nothing at all; `Refused` before the first action, `Closed`.
    """
    check_open(match)
    if not match.actions:
        raise Refused(f"match {match.id} has not begun")
    record = _fitting(given.ruleset, match.position, facts) if facts else None
    position = match.position if record is None else record.after
    draws = _drawn(match, position, shuffles, given)
    whole = [
        *(() if record is None else record.facts),
        *facts_of_shuffles(given.ruleset, draws),
    ]
    if not whole:
        raise Invalid({"facts": ["facts or shuffles are expected"]})
    event = Corrected(
        by="ruling", proposed=None, ruling=ruling, draws=draws, facts=whole, time=given.now
    )
    after = evolve(match, event, given.ruleset, match_id=match.id)
    return [event, *go_on(after, after.position, given)]


def _fitting(ruleset: Ruleset, position: Position, facts: list[Fact]) -> Record:
    record = corrected(ruleset, position, facts)
    if isinstance(record, Fault):
        raise Invalid({record.place: [record.text]})
    return record


def _drawn(match: Match, position: Position, names: Sequence[str], given: Given) -> list[Draw]:
    """Return the draws of the shuffles that a judge ordered; each has a label of its own."""
    if not names:
        return []
    if given.secrets.root_open is None:
        raise Refused(f"the draws of match {match.id} came with its record")
    piles = given.ruleset.piles(position)
    draws = Draws(draws_of(match, given.ruleset, given.secrets))
    for at, name in enumerate(names):
        if name not in piles or name in names[:at]:
            raise Invalid({f"shuffles.{at}": [f"one of {', '.join(piles)}, once"]})
        draws.shuffle(f"{ORDERED}{name}", piles[name])
    return draws.made


def facts_of_shuffles(ruleset: Ruleset, draws: Sequence[Draw]) -> list[Fact]:
    """Return the facts that shuffles which a judge ordered bring about."""
    return [
        ruleset.shuffled(draw["shuffle"].removeprefix(ORDERED), draw["order"]) for draw in draws
    ]


def amend_outcome(
    match: Match, winner: str | None, given: Given, *, ruling: str, by: str
) -> list[MatchEvent]:
    """Give a closed match another outcome; raises `Refused` for one that goes on, `Invalid`."""
    if match.closed is None:
        raise Refused(f"match {match.id} has not ended")
    outcome = outcome_of(match, winner, RULING)
    if match.outcome == outcome:
        raise Invalid({"winner": ["that is the outcome already"]})
    return [ResultAmended(was=match.outcome, to=outcome, ruling=ruling, by=by, time=given.now)]


def lose(
    match: Match, seat: str, given: Given, *, ruling: str, by: str, reason: str | None
) -> list[MatchEvent]:
    """Let a seat lose the match: it is closed, or its outcome amended. reason: digest of a text.

    Raises `Refused` where there is no single other seat that could win, `Closed`.
    """
    others = [other for other in match.seats if other != seat]
    winner = others[0] if len(others) == 1 else None
    if match.closed is not None:
        is_lost = match.outcome is not None and match.outcome["winner"] == winner
        return [] if is_lost else amend_outcome(match, winner, given, ruling=ruling, by=by)
    check_open(match)
    outcome = Outcome(winner=winner, reason=RULING)
    closed = MatchClosed(cause="ruling", outcome=outcome, by=by, reason=reason, time=given.now)
    return closing(match, closed, given.secrets)
