"""Explanations: why an event of a match came so; why an action is refused. Nothing is stored."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from projections.definitions import definitions_named
from projections.explaining import explanation
from schemas.explanations import ExplanationBody, ExplanationQuery, RefusalBody, RefusalRequest
from service.aggregates.matches import Match, check_running
from service.aggregates.world import Conflict, Forbidden, Invalid, NotFound
from service.api.language import language_of_request
from service.api.matches import replay_for
from service.api.play import check_refusals
from service.api.routing import noun, route
from service.api.seeing import SeenMatch
from service.api.wiring import installation
from service.engine.contract import Rejection, Ruleset
from service.engine.explaining import refused, scene_of_view
from service.engine.values import JUDGE, Actor, Json, Position, Viewer
from service.installation import clock

EXPLANATIONS = noun("explanations", prefix="/api/v1/matches")
NUMBER = re.compile(r"[0-9]{1,6}")
RULE = "/<match_id>/events/<seq>/explanation"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question about an action. index: of the position; viewer: in whose words it is answered."""

    match: Match
    index: int
    viewer: Viewer
    actor: Actor
    position: Position
    ruleset: Ruleset


@route(EXPLANATIONS, RULE, action="explain", answer=ExplanationBody, query=ExplanationQuery)
def explain(query: dict[str, Any], seen: SeenMatch, seq: str) -> dict[str, Json]:
    """Explain an event: its facts, how their numbers came, what else would have been legal."""
    replay = replay_for(seen, query.get("as_", seen.own_viewer))
    found = explanation(replay, _number(seq))
    told = {name: part for name, part in found.items() if name != "cited"}
    return {
        "match": seen.match.id,
        "viewer": replay.viewer,
        **told,
        "rules": _rules(seen.match, found["cited"]),
        "cards": definitions_named(told, replay.ruleset.cards),
    }


@route(
    EXPLANATIONS,
    RULE,
    method="POST",
    action="explain_refusal",
    answer=RefusalBody,
    takes=RefusalRequest,
)
def explain_refusal(
    query: dict[str, Any], body: dict[str, Any], seen: SeenMatch, seq: str
) -> dict[str, Json]:
    """Explain why an action is refused after `seq` events.

    A seat asks for itself at the end of a running match, and each refusal counts as one of play;
    who sees the match as a judge asks for any actor at any index.
    """
    if JUDGE in seen.viewers:
        asked = _of_judge(seen, _number(seq), body)
        return _answer(asked, refused(asked.ruleset, asked.position, asked.actor, body["action"]))
    seat = seen.own_viewer
    if seat != seen.seat:
        raise Forbidden("only seats and judges ask why an action is refused")
    asked = _of_seat(seen, seat, _number(seq), body)
    found = refused(asked.ruleset, asked.position, seat, body["action"])
    if found is not None:
        installation().refusals.add(seen.match.id, seat, rule=found.rule, time=clock())
    return _answer(asked, found)


def _number(text: str) -> int:
    """Return the number in a path; raises `NotFound`."""
    if NUMBER.fullmatch(text) is None:
        raise NotFound(f"{text[:20]} is no number of an event")
    return int(text)


def _of_judge(seen: SeenMatch, index: int, body: Mapping[str, Json]) -> Asked:
    """Return the question of one who sees everything; raises `NotFound`, `Invalid`."""
    actor = body.get("actor", seen.seat)
    if actor is None:
        raise Invalid({"actor": ["whose action it is"]})
    replay = replay_for(seen, JUDGE)
    return Asked(
        match=seen.match,
        index=index,
        viewer=JUDGE,
        actor=actor,
        position=replay.position(index),
        ruleset=replay.ruleset,
    )


def _of_seat(seen: SeenMatch, seat: Actor, index: int, body: Mapping[str, Json]) -> Asked:
    """Return the question of a seat, which may ask what it may play.

    Raises `Forbidden`, `TooMany`, `Conflict`, and what playing raises.
    """
    here, match = installation(), seen.present
    if body.get("actor", seat) != seat:
        raise Forbidden("a seat asks for itself alone")
    check_refusals(match.id, seat)
    check_running(match)
    if index != match.version:
        raise Conflict(f"match {match.id} is at {match.version}", version=match.version)
    return Asked(
        match=match,
        index=index,
        viewer=seat,
        actor=seat,
        position=match.position,
        ruleset=here.pool_of(match.opened).ruleset,
    )


def _answer(asked: Asked, found: Rejection | None) -> dict[str, Json]:
    """Return why an action is refused; of one that would be accepted nothing else is told."""
    told: dict[str, Json] = {
        "match": asked.match.id,
        "index": asked.index,
        "viewer": asked.viewer,
        "actor": asked.actor,
        "refused": None,
        "rules": {},
    }
    if found is None:
        return told
    here, ruleset = installation(), asked.ruleset
    view = ruleset.view(asked.position, asked.viewer)
    scene = scene_of_view(ruleset, here.names(asked.match.seated), view)
    words = here.pool_of(asked.match.opened).words
    reason = words.reason(found, scene, language_of_request())
    return told | {
        "refused": {"rule": found.rule, "reason": reason},
        "rules": _rules(asked.match, [found.rule]),
    }


def _rules(match: Match, cited: Iterable[str]) -> dict[str, Json]:
    """Return the rules that are cited, in the language of the request."""
    edition, language = match.opened.edition, language_of_request()
    known = installation().rulebooks.rules_at(edition, match.opened.game)
    return {
        rule: {
            "term": known[rule][f"term_{language}"],
            "text": known[rule][f"text_{language}"],
            "enforced_by": known[rule]["enforced_by"],
            "edition": edition,
            "url": f"/api/v1/rules/{rule}@{edition}",
        }
        for rule in cited
        if rule in known
    }
