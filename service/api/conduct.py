"""Offices at a match: holding and closing it, looks into it, refused actions."""

from __future__ import annotations

from typing import Any

from schemas.play import (
    ClosingRequest,
    InspectionBody,
    InspectionsBody,
    Reasoned,
    ReasonRequest,
    RefusalsBody,
    Versioned,
)
from service.aggregates.access import MatchInspected, place_of_match
from service.aggregates.conduct import HoldMatch, ReleaseMatch
from service.aggregates.ending import CloseMatch
from service.api.commands import Answer, command_route, done, texts_of
from service.api.identity import principal
from service.api.routing import noun, route
from service.api.seeing import SeenMatch
from service.api.wiring import installation
from service.commands.access import InspectMatch, inspect_match
from service.engine.values import Json
from service.installation import clock

CONDUCT = noun("conduct", prefix="/api/v1/matches")


@command_route(CONDUCT, "/<match_id>/hold", action="hold_match", takes=Reasoned)
def hold(query: dict[str, Any], body: dict[str, Any], seen: SeenMatch) -> Answer:
    """Stop play until a judge lets it go on."""
    reason = texts_of(body)
    command = HoldMatch(
        match_id=seen.present.id,
        expected_version=body.get("expected_version"),
        by=str(principal().person),
        reason=reason.digest,
    )
    return done(seen, body, command, texts=[reason])


@command_route(CONDUCT, "/<match_id>/release", action="release_match", takes=Versioned)
def release(query: dict[str, Any], body: dict[str, Any], seen: SeenMatch) -> Answer:
    """Let play go on."""
    command = ReleaseMatch(
        match_id=seen.present.id,
        expected_version=body.get("expected_version"),
        by=str(principal().person),
    )
    return done(seen, body, command)


@command_route(CONDUCT, "/<match_id>/closing", action="close_match", takes=ClosingRequest)
def close(query: dict[str, Any], body: dict[str, Any], seen: SeenMatch) -> Answer:
    """Close a match whose end the rules do not decide."""
    reason = texts_of(body)
    command = CloseMatch(
        match_id=seen.present.id,
        expected_version=body.get("expected_version"),
        cause=body["cause"],
        winner=body["winner"],
        by=str(principal().person),
        reason=reason.digest,
    )
    return done(seen, body, command, texts=[reason])


@route(
    CONDUCT,
    "/<match_id>/inspections",
    method="POST",
    action="inspect",
    answer=InspectionBody,
    takes=ReasonRequest,
    status=201,
)
def inspect(query: dict[str, Any], body: dict[str, Any], seen: SeenMatch) -> dict[str, Json]:
    """Open the judge's view of a match for two hours; the reason is on record."""
    match = seen.present
    command = InspectMatch(
        person=str(principal().person),
        match_id=match.id,
        reason=texts_of(body),
        offices=seen.relations,
        seats={seat: one.person for seat, one in match.seated.items()},
        is_closed=match.closed is not None,
    )
    return _inspection(inspect_match(installation().access, command, now=clock()))


@route(
    CONDUCT,
    "/<match_id>/inspections",
    action="read_inspections",
    answer=InspectionsBody,
)
def list_inspections(query: dict[str, Any], seen: SeenMatch) -> dict[str, Json]:
    """List the looks into a match; its seats are told after the end."""
    looks = installation().access.at(place_of_match(seen.present.id)).inspections
    is_told = seen.seat is None or seen.present.closed is not None
    return {"items": [_inspection(one) for one in looks] if is_told else []}


def _inspection(look: MatchInspected) -> dict[str, Json]:
    return {
        "person": look.person,
        "reason": installation().log.text(look.reason),
        "time": look.time,
        "until": look.until,
    }


@route(
    CONDUCT,
    "/<match_id>/refusals",
    action="read_refusals",
    answer=RefusalsBody,
)
def count_refusals(query: dict[str, Any], seen: SeenMatch) -> dict[str, Json]:
    """Tell how many actions of each seat the rules refused; which ones is the seat's own affair."""
    match_id = seen.present.id
    return {"match": match_id, "counts": installation().refusals.counts(match_id)}
