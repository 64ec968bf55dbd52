"""A ruling: what a judge says of a dispute, and what follows for the match (rulings 4)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from service.aggregates.backups import Since, back_up, cost_of, is_simple
from service.aggregates.disputes.deciding import JUDGES, DisputeCommand, check_going_on
from service.aggregates.disputes.events import (
    Authority,
    Cited,
    DisputeRuled,
    Judgement,
    Penalty,
    Remedy,
    RulingKind,
)
from service.aggregates.disputes.state import Dispute
from service.aggregates.events import (
    BackedUp,
    Corrected,
    MatchClosed,
    MatchEvent,
    MatchReleased,
    ResultAmended,
)
from service.aggregates.matches import Given, Match
from service.aggregates.remedies import amend_outcome, fix, lose
from service.aggregates.world import Forbidden, Invalid, Refused
from service.engine.values import Fact

BACKUPS: tuple[RulingKind, ...] = ("simple_backup", "full_backup")
CARRIED_OUT_BY = BackedUp | Corrected | ResultAmended | MatchClosed
"""The events of a match that are what a ruling orders."""

LOSSES = ("game_loss", "match_loss", "disqualification")


class RuleOnDispute(DisputeCommand, frozen=True, kw_only=True):
    """Ask for a ruling. text_ja, text_en: digests, at least one; rules: it rests on them.

    to: of a backup. facts, shuffles: of a partial fix. winner: of an amended result. penalty: of
    one. is_released: whether play goes on if the match was held.
    """

    outcome: Judgement
    kind: RulingKind
    rules: Sequence[Cited]
    text_ja: str | None = None
    text_en: str | None = None
    authority: Authority
    to: int | None = None
    facts: Sequence[Fact] = ()
    shuffles: Sequence[str] = ()
    winner: str | None = None
    penalty: Penalty | None = None
    is_released: bool = False


class Way(Struct, frozen=True, kw_only=True):
    """The way back of a backup: the state at its index, and the events behind it."""

    earlier: Match
    since: Since


class Ruled(Struct, frozen=True, kw_only=True):
    """A ruling with the events of the match that carry it out."""

    ruling: DisputeRuled
    events: list[MatchEvent]


def rule(
    dispute: Dispute, match: Match, command: RuleOnDispute, given: Given, way: Way | None
) -> Ruled:
    """Rule on a dispute. way: of a backup.

    Raises `Forbidden` for what only the head judge may do, or one who ruled or appealed himself;
    `Refused`, `Closed`, `Invalid`.
    """
    check_authority(dispute, command)
    _check_parts(command)
    ruling = dispute.next_ruling
    remedy, events = _remedied(match, command, given, way, ruling)
    event = next(
        (
            match.version + number
            for number, one in enumerate(events, start=1)
            if isinstance(one, CARRIED_OUT_BY)
        ),
        None,
    )
    if command.is_released and match.held is not None:
        events = [*events, MatchReleased(by=command.by, time=given.now)]
    return Ruled(
        ruling=DisputeRuled(
            number=len(dispute.rulings) + 1,
            outcome=command.outcome,
            kind=command.kind,
            rules=list(command.rules),
            text_ja=command.text_ja,
            text_en=command.text_en,
            authority=command.authority,
            remedy=replace(remedy, event=event),
            by=command.by,
            time=given.now,
        ),
        events=events,
    )


def check_authority(dispute: Dispute, command: RuleOnDispute) -> None:
    """Raise `Forbidden`, `Refused`, `Closed` unless somebody may rule as he asks to."""
    check_going_on(dispute)
    if JUDGES.isdisjoint(command.offices):
        raise Forbidden("judges rule on a dispute")
    is_head = "head_judge" in command.offices
    if command.authority != "judge" and not is_head:
        raise Forbidden("that authority is the head judge's")
    if command.kind == "full_backup" and command.authority == "judge":
        raise Forbidden("a full backup needs the head judge")
    if dispute.state == "appealed":
        assert dispute.appeal is not None, "an appealed dispute has an appeal"
        if command.authority == "judge":
            raise Forbidden("an appeal is for the head judge")
        if command.by in (dispute.appeal.by, dispute.rulings[-1].by):
            raise Forbidden("nobody rules on his own appeal or his own ruling")
    elif dispute.state == "ruled" and dispute.rulings[-1].outcome != "undecided":
        raise Refused("there is a ruling: it can be appealed, or stand")


def _check_parts(command: RuleOnDispute) -> None:
    """Raise `Invalid` unless exactly what its kind needs is there."""
    wanted = {
        "to": command.kind in BACKUPS,
        "facts": command.kind == "partial_fix",
        "penalty": command.kind == "penalty",
    }
    given = {
        "to": command.to is not None,
        "facts": bool(command.facts or command.shuffles),
        "penalty": command.penalty is not None,
    }
    errors = {
        name: [f"{command.kind} needs it" if wanted[name] else f"{command.kind} has none"]
        for name in wanted
        if wanted[name] != given[name]
    }
    if command.winner is not None and command.kind != "result_amendment":
        errors["winner"] = [f"{command.kind} has none"]
    if command.text_ja is None and command.text_en is None:
        errors["text_en"] = ["a text in one of the languages is expected"]
    if command.outcome == "undecided" and command.kind != "no_action":
        errors["kind"] = ["what is undecided changes nothing yet"]
    if errors:
        raise Invalid(errors)


def _remedied(
    match: Match, command: RuleOnDispute, given: Given, way: Way | None, ruling: str
) -> tuple[Remedy, list[MatchEvent]]:
    """Return what a ruling does, and the events of the match that do it."""
    by = command.by
    if command.kind in BACKUPS:
        assert way is not None, "a backup comes with its way back"
        return _backed_up(match, command, given, way, ruling)
    if command.kind == "partial_fix":
        shuffles = command.shuffles
        return Remedy(), fix(match, list(command.facts), shuffles, given, ruling=ruling)
    if command.kind == "result_amendment":
        events = amend_outcome(match, command.winner, given, ruling=ruling, by=by)
        (amended,) = events
        assert isinstance(amended, ResultAmended)
        return Remedy(outcome=amended.to), events
    if command.penalty is None:
        return Remedy(), []
    seat = command.penalty.seat
    if seat not in match.seats:
        raise Invalid({"penalty.seat": [f"one of {', '.join(match.seats)}"]})
    is_lost = command.penalty.kind in LOSSES
    reason = command.text_en or command.text_ja
    events = lose(match, seat, given, ruling=ruling, by=by, reason=reason) if is_lost else []
    return Remedy(penalty=command.penalty), events


def _backed_up(
    match: Match, command: RuleOnDispute, given: Given, way: Way, ruling: str
) -> tuple[Remedy, list[MatchEvent]]:
    cost = cost_of(match, way.earlier, way.since, given.ruleset)
    is_closed = match.closed is not None
    if command.kind == "simple_backup" and (is_closed or not is_simple(cost)):
        raise Refused(
            "a simple backup takes back the last action, without a draw: this is a full one"
        )
    events = back_up(match, way.earlier, given, ruling=ruling, by=command.by)
    return Remedy(to=cost.to, cost=cost), events
