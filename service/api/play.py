"""Play: actions, what one's own seat may do, facts and ends that all seats agree on."""

from __future__ import annotations

from typing import Any

from schemas.play import (
    ActionRequest,
    EndOfferRequest,
    LegalActionsBody,
    ProposalAnswerRequest,
    ProposalRequest,
)
from service.aggregates.agreeing import AnswerProposal, ProposeFacts
from service.aggregates.ending import OfferEnd
from service.aggregates.playing import PlayAction
from service.aggregates.world import TooMany
from service.api.commands import Answer, command_route, done, texts_of
from service.api.routing import noun, route
from service.api.seeing import SeenMatch
from service.api.wiring import installation
from service.engine.contract import Rejection
from service.engine.templates import is_awaited
from service.engine.values import Json
from service.installation import clock
from service.times import moved

PLAY = noun("play", prefix="/api/v1/matches")
REFUSALS_MAX = 30
MINUTE_S = 60


@command_route(PLAY, "/<match_id>/actions", action="play", takes=ActionRequest)
def play(query: dict[str, Any], body: dict[str, Any], seen: SeenMatch) -> Answer:
    """Play an action of one's own seat."""
    match, seat = seen.present, seen.seat
    assert seat is not None, "only seats play"
    check_refusals(match.id, seat)
    command = PlayAction(
        match_id=match.id,
        expected_version=body.get("expected_version"),
        actor=seat,
        action=body["action"],
    )

    def count(rejection: Rejection) -> None:
        installation().refusals.add(match.id, seat, rule=rejection.rule, time=clock())

    return done(seen, body, command, refused=count)


def check_refusals(match_id: str, seat: str) -> None:
    """Raise `TooMany` for a seat of which many actions were refused a moment ago: it probes."""
    since = moved(clock(), -MINUTE_S)
    if installation().refusals.count_since(match_id, seat, since) >= REFUSALS_MAX:
        raise TooMany(f"{REFUSALS_MAX} refused actions in a minute", wait_s=MINUTE_S)


@route(
    PLAY,
    "/<match_id>/legal-actions",
    action="read_own_seat",
    answer=LegalActionsBody,
)
def list_legal_actions(query: dict[str, Any], seen: SeenMatch) -> dict[str, Json]:
    """List what one's own seat may do now; of the others only whether they are waited for."""
    match, seat = seen.present, seen.seat
    assert seat is not None, "only seats have actions"
    is_over = match.state in ("closed", "cancelled") or not match.actions
    ruleset = installation().pool_of(match.opened).ruleset
    listed = {} if is_over else ruleset.legal_actions(match.position)
    return {
        "match": match.id,
        "version": match.version,
        "seat": seat,
        "actions": listed.get(seat, []),
        "awaited": sorted(actor for actor, entries in listed.items() if is_awaited(entries)),
    }


@command_route(PLAY, "/<match_id>/proposals", action="propose", takes=ProposalRequest)
def propose(query: dict[str, Any], body: dict[str, Any], seen: SeenMatch) -> Answer:
    """Propose facts that the engine cannot decide; the other seats have to accept them."""
    assert seen.seat is not None, "only seats propose"
    reason = texts_of(body)
    command = ProposeFacts(
        match_id=seen.present.id,
        expected_version=body.get("expected_version"),
        seat=seen.seat,
        facts=body["facts"],
        reason=reason.digest,
    )
    return done(seen, body, command, texts=[reason])


@command_route(PLAY, "/<match_id>/proposals/answers", action="propose", takes=ProposalAnswerRequest)
def answer_proposal(query: dict[str, Any], body: dict[str, Any], seen: SeenMatch) -> Answer:
    """Accept or decline proposed facts; one's own can be taken back."""
    assert seen.seat is not None, "only seats answer"
    command = AnswerProposal(
        match_id=seen.present.id,
        expected_version=body.get("expected_version"),
        seat=seen.seat,
        proposed=body["proposed"],
        accepted=body["accepted"],
    )
    return done(seen, body, command)


@command_route(PLAY, "/<match_id>/end-offers", action="agree", takes=EndOfferRequest)
def offer_end(query: dict[str, Any], body: dict[str, Any], seen: SeenMatch) -> Answer:
    """Offer to end the match with a result; it ends when all seats offer the same."""
    assert seen.seat is not None, "only seats agree"
    command = OfferEnd(
        match_id=seen.present.id,
        expected_version=body.get("expected_version"),
        seat=seen.seat,
        winner=body["winner"],
    )
    return done(seen, body, command)
