"""What the caller may do with a dispute as it stands, so that nobody is offered what is refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from service.aggregates.access import INSTALLATION, roles_of
from service.aggregates.disputes.deciding import (
    JUDGES,
    AddComment,
    AppealRuling,
    AssignJudge,
    FinalizeDispute,
    WithdrawDispute,
    appeal,
    assign,
    comment,
    finalize,
    withdraw,
)
from service.aggregates.disputes.events import Authority
from service.aggregates.disputes.ruling import RuleOnDispute, check_authority
from service.aggregates.disputes.state import ENDED
from service.aggregates.permissions import allowed
from service.aggregates.world import WorldFault
from service.api.identity import principal
from service.api.seeing import is_judge_of, places_of
from service.api.seeing_disputes import SeenDispute
from service.api.wiring import installation

AUTHORITIES: tuple[Authority, ...] = ("judge", "head_judge", "publisher")
UNSAID = ""
"""In place of a text or a time: what is tried here is never saved."""


def commands_of(seen: SeenDispute) -> list[str]:
    """Return the commands below a dispute that its caller may give, by the ends of their routes."""
    by = principal().person
    return [] if by is None else list(_commands_of(seen, by))


def _commands_of(seen: SeenDispute, by: str) -> Iterator[str]:
    dispute, relations = seen.dispute, seen.seen.relations
    number = len(dispute.rulings)
    said = AddComment(dispute_id=dispute.id, by=by, text=UNSAID, audience="parties")
    asked = AppealRuling(dispute_id=dispute.id, by=by, number=number, reason=UNSAID)
    taken = AssignJudge(dispute_id=dispute.id, by=by, judge=by, is_judge=True)
    taken_back = WithdrawDispute(dispute_id=dispute.id, by=by)
    left = FinalizeDispute(dispute_id=dispute.id, by=by)
    tried: list[tuple[str, str, Callable[[], Sequence[object]]]] = [
        ("comments", "comment_dispute", lambda: comment(dispute, said, UNSAID)),
        ("assignment", "assign_judge", lambda: assign(dispute, taken, UNSAID)),
        ("appeal", "appeal_ruling", lambda: appeal(dispute, asked, UNSAID)),
        ("withdrawal", "withdraw_dispute", lambda: withdraw(dispute, taken_back, UNSAID)),
        ("finalization", "rule_on_dispute", lambda: finalize(dispute, left, UNSAID)),
    ]
    for name, action, decide in tried:
        if allowed(principal(), action, relations) and _does(decide):
            yield name
    if authorities_of(seen):
        yield "rulings"


def authorities_of(seen: SeenDispute) -> list[Authority]:
    """Return with whose authority the caller may rule on a dispute as it stands, least first."""
    asking, relations = principal(), seen.seen.relations
    if asking.person is None or not allowed(asking, "rule_on_dispute", relations):
        return []
    roles = roles_of(installation().access.at(INSTALLATION), asking.person)
    known = AUTHORITIES if "head_judge" in roles else AUTHORITIES[:-1]
    return [one for one in known if _may_rule(seen, asking.person, one)]


def _may_rule(seen: SeenDispute, by: str, authority: Authority) -> bool:
    command = RuleOnDispute(
        dispute_id=seen.dispute.id,
        by=by,
        offices=seen.seen.relations,
        outcome="rejected",
        kind="no_action",
        rules=(),
        authority=authority,
    )
    try:
        check_authority(seen.dispute, command)
    except WorldFault:
        return False
    return True


def judges_for(seen: SeenDispute) -> list[str]:
    """Return to whom the caller may give a dispute: the judges of its match but who has it."""
    may_assign = allowed(principal(), "assign_judge", seen.seen.relations)
    if not may_assign or seen.dispute.state in ENDED:
        return []
    match = seen.seen.present
    found = {
        person
        for place in places_of(match)
        for person, role in installation().access.at(place).granted
        if role in JUDGES
    }
    return sorted(one for one in found - {seen.dispute.judge} if is_judge_of(match, one))


def _does(decide: Callable[[], Sequence[object]]) -> bool:
    """Tell whether a command would do something."""
    try:
        return bool(decide())
    except WorldFault:
        return False
