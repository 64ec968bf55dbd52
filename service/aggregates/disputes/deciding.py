"""Every command on a dispute but the ruling: who may say what, and when."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from msgspec import Struct

from service.aggregates.access import Relation
from service.aggregates.disputes.events import (
    Audience,
    Cited,
    CommentAdded,
    DisputeEvent,
    DisputeFinalized,
    DisputeOpened,
    DisputeWithdrawn,
    EventRef,
    JudgeAssigned,
    RulingAppealed,
)
from service.aggregates.disputes.state import ENDED, Dispute
from service.aggregates.matches import Match
from service.aggregates.world import Closed, Conflict, Forbidden, Invalid, Refused

JUDGES: frozenset[Relation] = frozenset({"judge", "head_judge"})


class DisputeCommand(Struct, frozen=True, kw_only=True):
    """What all commands on a dispute have. by: a person; offices: what he is to its match.

    expected_version: refuse if the dispute has gone on; None: never for that reason.
    """

    dispute_id: str
    by: str
    offices: Collection[Relation] = ()
    expected_version: int | None = None


class OpenDispute(DisputeCommand, frozen=True, kw_only=True):
    """Ask that an event be looked at. claim: digest of a text."""

    event: EventRef
    rules: Sequence[Cited]
    claim: str


class AddComment(DisputeCommand, frozen=True, kw_only=True):
    """Ask to say something. text: digest; evidence: events that were looked up."""

    text: str
    audience: Audience
    evidence: Sequence[EventRef] = ()


class AssignJudge(DisputeCommand, frozen=True, kw_only=True):
    """Ask that a judge takes the dispute. is_judge: whether the person has that office here."""

    judge: str
    is_judge: bool


class AppealRuling(DisputeCommand, frozen=True, kw_only=True):
    """Ask the head judge. number: of the ruling that is meant; reason: digest of a text."""

    number: int
    reason: str


class WithdrawDispute(DisputeCommand, frozen=True, kw_only=True):
    """Ask to dispute the event no longer."""


class FinalizeDispute(DisputeCommand, frozen=True, kw_only=True):
    """Ask to let the last ruling stand, as nobody appeals."""


def open_dispute(match: Match, command: OpenDispute, found: str, now: str) -> list[DisputeEvent]:
    """Dispute an event of a match. found: its hash.

    Raises `Conflict` if another event stands there than the caller saw.
    """
    event = command.event
    if event.hash != found:
        raise Conflict(f"event {event.seq} is another one", version=match.version)
    return [
        DisputeOpened(
            event=event,
            game=match.opened.game,
            table=match.opened.table,
            rules=list(command.rules),
            claim=command.claim,
            by=command.by,
            seat=match.seat_of(command.by),
            time=now,
        )
    ]


def comment(dispute: Dispute, command: AddComment, now: str) -> list[DisputeEvent]:
    """Say something, to all parties or to the judges alone. Raises `Closed`."""
    check_going_on(dispute)
    return [
        CommentAdded(
            by=command.by,
            text=command.text,
            audience=command.audience,
            evidence=list(command.evidence),
            time=now,
        )
    ]


def assign(dispute: Dispute, command: AssignJudge, now: str) -> list[DisputeEvent]:
    """Give the dispute to a judge; nothing happens if he has it. Raises `Invalid`, `Closed`."""
    check_going_on(dispute)
    if not command.is_judge:
        raise Invalid({"judge": ["a judge of this match, who does not play in it, is expected"]})
    if dispute.judge == command.judge:
        return []
    return [JudgeAssigned(judge=command.judge, by=command.by, time=now)]


def appeal(dispute: Dispute, command: AppealRuling, now: str) -> list[DisputeEvent]:
    """Bring a judge's ruling before the head judge.

    Raises `Refused` where there is none to appeal, `Conflict` for another than the last one,
    `Forbidden` for the judge who gave it.
    """
    if dispute.state != "ruled" or dispute.rulings[-1].authority != "judge":
        raise Refused("there is no ruling of a judge that could be appealed")
    last = dispute.rulings[-1]
    if last.number != command.number:
        raise Conflict(f"ruling {last.number} is the last one", version=dispute.version)
    if last.by == command.by:
        raise Forbidden("nobody appeals his own ruling")
    return [RulingAppealed(number=last.number, by=command.by, reason=command.reason, time=now)]


def withdraw(dispute: Dispute, command: WithdrawDispute, now: str) -> list[DisputeEvent]:
    """Dispute the event no longer: by who opened it, before a ruling.

    Raises `Forbidden`, `Refused`; nothing happens the second time.
    """
    if command.by != dispute.opened.by:
        raise Forbidden("only who opened a dispute withdraws it")
    if dispute.state == "withdrawn":
        return []
    if dispute.state not in ("open", "assigned"):
        raise Refused("a dispute with a ruling cannot be withdrawn")
    return [DisputeWithdrawn(by=command.by, time=now)]


def finalize(dispute: Dispute, command: FinalizeDispute, now: str) -> list[DisputeEvent]:
    """Let the last ruling stand. Raises `Refused` without a ruling that decides."""
    if dispute.state == "final":
        return []
    if dispute.state != "ruled" or dispute.rulings[-1].outcome == "undecided":
        raise Refused("there is no ruling that could stand")
    return [DisputeFinalized(by=command.by, time=now)]


def check_going_on(dispute: Dispute) -> None:
    """Raise `Closed` for a dispute that has ended."""
    if dispute.state in ENDED:
        raise Closed(f"dispute {dispute.id} is {dispute.state}")


def check_version(dispute: Dispute, command: DisputeCommand) -> None:
    """Raise `Conflict` if the dispute is not at the expected version."""
    if command.expected_version not in (None, dispute.version):
        raise Conflict(f"dispute {dispute.id} has gone on", version=dispute.version)
