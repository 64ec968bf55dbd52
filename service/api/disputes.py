"""Disputes: opened on an event, discussed, given to a judge, appealed, ended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from projections.disputes import DisputeRow, WantedDisputes
from projections.parties import WHOLE
from schemas.disputes import (
    AppealRequest,
    AssignmentRequest,
    CommentRequest,
    DisputesBody,
    DisputesQuery,
    DisputeVersioned,
    OneDisputeBody,
    OpenDisputeRequest,
)
from schemas.queries import PageQuery
from service.aggregates.attachments import Attached, Command, Saved
from service.aggregates.disputes.deciding import (
    AddComment,
    AppealRuling,
    AssignJudge,
    FinalizeDispute,
    OpenDispute,
    WithdrawDispute,
)
from service.aggregates.disputes.events import EventRef
from service.aggregates.world import Invalid, NotFound
from service.api.commands import once
from service.api.cursors import cursor_of, place_of
from service.api.dispute_answers import (
    DISPUTE,
    answered,
    body_of,
    check_shown,
    cited_in,
    dispute_route,
    done,
    fields_of,
    listed,
)
from service.api.persons import caller_id
from service.api.routing import noun, route
from service.api.seeing import SeenMatch, is_judge_of
from service.api.seeing_disputes import SeenDispute, reach, seen_dispute, sees_disputes, sees_texts
from service.api.wiring import installation
from service.commands.disputes import open_new
from service.engine.values import Json
from service.installation import clock

DISPUTES = noun("disputes", prefix="/api/v1")
LIST = "disputes"
ID_BYTES = 8


@dispute_route(
    DISPUTES, "/matches/<match_id>/disputes", action="open_dispute", takes=OpenDisputeRequest
)
def open_dispute(query: dict[str, Any], body: dict[str, Any], seen: SeenMatch) -> dict[str, Json]:
    """Dispute an event of a match, told by its hash."""
    claim = installation().salted(body["claim"])
    command = OpenDispute(
        dispute_id=installation().entropy(ID_BYTES).hex(),
        by=caller_id(),
        event=EventRef(match=seen.match.id, seq=body["seq"], hash=body["hash"]),
        rules=cited_in(seen, body["rules"]),
        claim=claim.digest,
    )
    check_shown(seen, body["seq"], "seq")

    def carry(asked: Command | None) -> Saved:
        attached = Attached(command=asked, texts=[claim])
        return open_new(installation().log, command, now=clock(), attached=attached)

    return answered(once(body, carry))


@route(
    DISPUTES,
    "/matches/<match_id>/disputes",
    action="read_match",
    answer=DisputesBody,
    query=PageQuery,
)
def list_disputes_of_match(query: dict[str, Any], seen: SeenMatch) -> dict[str, Json]:
    """List the disputes of a match; while it runs, to its seats and officials."""
    if not sees_disputes(seen):
        raise NotFound(f"no disputes of match {seen.match.id}")
    wanted = _wanted({**query, "match": seen.match.id})
    rows = installation().dispute_rows(wanted, WHOLE)
    return _page([(row, sees_texts(seen)) for row in rows], query["limit"])


@route(DISPUTES, "/disputes", action="list_disputes", answer=DisputesBody, query=DisputesQuery)
def list_disputes(query: dict[str, Any]) -> dict[str, Json]:
    """List the disputes that the caller may know of, the last opened first."""
    wanted = _wanted(query)
    rows = installation().dispute_rows(wanted, reach())
    return _page(_shown(rows), query["limit"])


@route(DISPUTES, DISPUTE, action="read_dispute", answer=OneDisputeBody)
def show_dispute(query: dict[str, Any], seen: SeenDispute) -> dict[str, Json]:
    """Show a dispute with what was said and ruled."""
    return body_of(seen)


@dispute_route(DISPUTES, f"{DISPUTE}/comments", action="comment_dispute", takes=CommentRequest)
def comment(query: dict[str, Any], body: dict[str, Any], seen: SeenDispute) -> dict[str, Json]:
    """Say something, to all parties or to the judges alone, and point to events."""
    text = installation().salted(body["text"])
    command = AddComment(
        **fields_of(seen, body),
        text=text.digest,
        audience=body["audience"],
        evidence=[_evidence(seen.seen, one, at) for at, one in enumerate(body["evidence"])],
    )
    return done(body, command, [text])


@dispute_route(DISPUTES, f"{DISPUTE}/assignment", action="assign_judge", takes=AssignmentRequest)
def assign(query: dict[str, Any], body: dict[str, Any], seen: SeenDispute) -> dict[str, Json]:
    """Give the dispute to a judge of its match, or take it oneself."""
    judge = body.get("judge", caller_id())
    is_judge = is_judge_of(seen.seen.present, judge)
    return done(body, AssignJudge(**fields_of(seen, body), judge=judge, is_judge=is_judge))


@dispute_route(DISPUTES, f"{DISPUTE}/appeal", action="appeal_ruling", takes=AppealRequest)
def appeal(query: dict[str, Any], body: dict[str, Any], seen: SeenDispute) -> dict[str, Json]:
    """Bring a judge's ruling before the head judge."""
    reason = installation().salted(body["reason"])
    fields = fields_of(seen, body)
    command = AppealRuling(**fields, number=body["ruling"], reason=reason.digest)
    return done(body, command, [reason])


@dispute_route(DISPUTES, f"{DISPUTE}/withdrawal", action="withdraw_dispute", takes=DisputeVersioned)
def withdraw(query: dict[str, Any], body: dict[str, Any], seen: SeenDispute) -> dict[str, Json]:
    """Dispute the event no longer."""
    return done(body, WithdrawDispute(**fields_of(seen, body)))


@dispute_route(
    DISPUTES, f"{DISPUTE}/finalization", action="rule_on_dispute", takes=DisputeVersioned
)
def finalize(query: dict[str, Any], body: dict[str, Any], seen: SeenDispute) -> dict[str, Json]:
    """Let the last ruling stand, as nobody has appealed."""
    return done(body, FinalizeDispute(**fields_of(seen, body)))


def _evidence(seen: SeenMatch, sent: Mapping[str, Json], at: int) -> EventRef:
    seq = sent["seq"]
    check_shown(seen, seq, f"evidence.{at}.seq")
    if installation().log.hash_of(seen.match.id, seq) != sent["hash"]:
        raise Invalid({f"evidence.{at}.hash": ["another event stands there"]})
    return EventRef(match=seen.match.id, seq=seq, hash=sent["hash"])


def _wanted(query: Mapping[str, Any]) -> WantedDisputes:
    return WantedDisputes(
        game=query.get("game"),
        match=query.get("match"),
        tournament=query.get("tournament"),
        person=query.get("person"),
        state=query.get("state"),
        before=place_of(query["after"], of=LIST) if "after" in query else None,
        limit=query["limit"] + 1,
        now=clock(),
    )


def _shown(rows: Sequence[DisputeRow]) -> list[tuple[DisputeRow, bool] | None]:
    """Return the rows with whether their texts are shown; None for what he may not know of."""
    found: list[tuple[DisputeRow, bool] | None] = []
    for row in rows:
        try:
            seen = seen_dispute(row.id, "read_dispute")
        except NotFound:
            found.append(None)
        else:
            found.append((row, seen.sees_texts))
    return found


def _page(rows: Sequence[tuple[DisputeRow, bool] | None], limit: int) -> dict[str, Json]:
    """Return a page. One row more than the page holds was asked for: there is a next one then."""
    shown = [one for one in rows[:limit] if one is not None]
    last = rows[limit - 1] if len(rows) > limit else None
    return {
        "items": [listed(row, with_texts=with_texts) for row, with_texts in shown],
        "next": None if last is None else cursor_of(last[0].place, of=LIST),
    }
