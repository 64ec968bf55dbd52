"""The dispute: its state, how events change it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

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

State: TypeAlias = Literal["open", "assigned", "ruled", "appealed", "final", "withdrawn"]
ENDED: tuple[State, ...] = ("final", "withdrawn")
SEPARATOR = "."


class Dispute(Struct, frozen=True, kw_only=True):
    """State of a dispute after `version` events.

    judge: who is to rule, None for nobody yet. rulings: in order, the last one counts. appeal: of
    the last ruling, None if there is none. head, time: hash and time of the last event.
    """

    id: str
    version: int
    head: str
    opened: DisputeOpened
    state: State = "open"
    judge: str | None = None
    comments: tuple[CommentAdded, ...] = ()
    rulings: tuple[DisputeRuled, ...] = ()
    appeal: RulingAppealed | None = None
    time: str = ""

    @property
    def match(self) -> str:
        """The match whose event is disputed."""
        return self.opened.event.match

    @property
    def next_ruling(self) -> str:
        """The id that the next ruling has."""
        return ruling_id(self.id, len(self.rulings) + 1)


def ruling_id(dispute: str, number: int) -> str:
    """Return the id of a ruling: that of its dispute, and its number there."""
    return f"{dispute}{SEPARATOR}{number}"


def evolve(
    dispute: Dispute | None, event: DisputeEvent, *, dispute_id: str, head: str = ""
) -> Dispute:
    """Return the state after one event, whose hash is `head`."""
    if isinstance(event, DisputeOpened):
        return Dispute(id=dispute_id, version=1, head=head, opened=event, time=event.time)
    assert dispute is not None, f"{dispute_id} does not begin with dispute_opened"
    dispute = replace(dispute, version=dispute.version + 1, head=head, time=event.time)
    return FOLDS[type(event)](dispute, event)


def on_comment_added(dispute: Dispute, event: CommentAdded) -> Dispute:
    """Keep what was said."""
    return replace(dispute, comments=(*dispute.comments, event))


def on_judge_assigned(dispute: Dispute, event: JudgeAssigned) -> Dispute:
    """Note who is to rule; an appeal stays one."""
    state: State = "assigned" if dispute.state == "open" else dispute.state
    return replace(dispute, judge=event.judge, state=state)


def on_dispute_ruled(dispute: Dispute, event: DisputeRuled) -> Dispute:
    """Keep a ruling: that of a judge can be appealed, an interim answer be replaced."""
    is_last = event.authority != "judge" and event.outcome != "undecided"
    return replace(
        dispute,
        rulings=(*dispute.rulings, event),
        appeal=None,
        state="final" if is_last else "ruled",
    )


def on_ruling_appealed(dispute: Dispute, event: RulingAppealed) -> Dispute:
    """Let the head judge look at it."""
    return replace(dispute, appeal=event, state="appealed")


def on_dispute_withdrawn(dispute: Dispute, event: DisputeWithdrawn) -> Dispute:
    """End it without a ruling."""
    return replace(dispute, state="withdrawn")


def on_dispute_finalized(dispute: Dispute, event: DisputeFinalized) -> Dispute:
    """End it with the ruling that there is."""
    return replace(dispute, state="final")


FOLDS: Mapping[type[DisputeEvent], Callable[[Dispute, Any], Dispute]] = {
    CommentAdded: on_comment_added,
    JudgeAssigned: on_judge_assigned,
    DisputeRuled: on_dispute_ruled,
    RulingAppealed: on_ruling_appealed,
    DisputeWithdrawn: on_dispute_withdrawn,
    DisputeFinalized: on_dispute_finalized,
}
