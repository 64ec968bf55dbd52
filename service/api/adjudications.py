"""Adjudications: what the rules say of a position and actions that are sent. Nothing is stored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from projections.definitions import definitions_named
from schemas.adjudications import AdjudicationBody, AdjudicationRequest
from service.aggregates.world import Invalid, NotFound
from service.api.language import language_of_request
from service.api.routing import noun, route
from service.api.seats import pool_named
from service.api.seeing import seen_match
from service.api.wiring import installation
from service.catalogue import SAMPLE, Pool
from service.engine.adjudication import Adjudication, adjudicated, dealt, set_up
from service.engine.contract import Fault, Record, Ruleset
from service.engine.explaining import scene_of_action, scene_of_fact, scene_of_view
from service.engine.patches import patch
from service.engine.texts import OPEN, Scene
from service.engine.values import JUDGE, Actor, Entry, Fact, Json, Position

ADJUDICATIONS = noun("adjudications", prefix="/api/v1/rulesets")


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A position to decide on. pool: the cards it is played with; names: seat → display name."""

    position: Position
    pool: Pool
    edition: str
    names: Mapping[str, str]


@route(
    ADJUDICATIONS,
    "/<game>/adjudications",
    method="POST",
    action="adjudicate",
    answer=AdjudicationBody,
    takes=AdjudicationRequest,
)
def adjudicate(query: dict[str, Any], body: dict[str, Any], game: str) -> dict[str, Json]:
    """Decide actions in a position that is sent or dealt, or in one of a match that may be seen."""
    table = _of_match(game, body) if "match" in body else _as_sent(game, body)
    found = adjudicated(
        table.pool.ruleset,
        table.position,
        body["actions"],
        body["rng"],
        with_legal=body["legal"],
    )
    if isinstance(found, Fault):
        raise _invalid(found)
    answer: dict[str, Json] = {
        "game": game,
        "edition": table.edition,
        "seats": table.names,
        "steps": [step_body(table, one, with_position=body["positions"]) for one in found.records],
        "rejected": rejected_body(table, found),
        "position": found.position,
    }
    if found.legal is not None:
        answer |= _legal_body(table, found.position, found.legal)
    if body["positions"]:
        answer["start"] = table.position
        answer["cards"] = definitions_named(answer, table.pool.ruleset.cards)
    return answer


def _legal_body(
    table: Table, position: Position, legal: Mapping[Actor, Sequence[Entry]]
) -> dict[str, Json]:
    """Return what could be done, and the same in words, with `…` for what is to be chosen."""
    scene, language = _scene(table, position), language_of_request()
    scene = replace(scene, names={**scene.names, OPEN: OPEN})
    texts = {
        actor: [
            table.pool.words.action(
                actor, entry | dict.fromkeys(entry.get("choose", {}), OPEN), scene, language
            )
            for entry in entries
        ]
        for actor, entries in legal.items()
    }
    return {"legal_actions": legal, "legal_texts": texts}


def _as_sent(game: str, body: Mapping[str, Json]) -> Table:
    """Return the table of a position that was sent or is dealt; raises `Invalid`."""
    edition = installation().catalogue.game(game).edition
    pool = pool_named({"game": game, "cards": body.get("cards", SAMPLE)})
    position = _begun(pool.ruleset, body)
    return Table(
        position=position,
        pool=pool,
        edition=edition.with_pool(pool.digest).name,
        names={seat: seat for seat in pool.ruleset.seats(position)},
    )


def _begun(ruleset: Ruleset, body: Mapping[str, Json]) -> Position:
    """Return the position that was sent or is dealt; raises `Invalid`."""
    if "deal" in body:
        try:
            return dealt(ruleset, body["deal"], body.get("options", {}))
        except ValueError as fault:
            raise Invalid({"options": [str(fault)]}) from fault
    position = set_up(ruleset, body["position"])
    if isinstance(position, Fault):
        raise _invalid(position)
    return position


def _of_match(game: str, body: Mapping[str, Json]) -> Table:
    """Return the table of a position of a match, for one who may see all of it.

    A seat's own view is no position. Raises `NotFound`, `Forbidden`.
    """
    seen = seen_match(body["match"], "adjudicate")
    seen.viewer(JUDGE)
    opened = seen.match.opened
    if opened.game != game:
        raise NotFound(f"match {seen.match.id} is none of {game}")
    here = installation()
    replay = here.replay(seen.match, JUDGE, language_of_request())
    return Table(
        position=replay.position(body["at"]),
        pool=here.pool_of(opened),
        edition=opened.edition,
        names=replay.names,
    )


def _invalid(fault: Fault) -> Invalid:
    return Invalid({fault.place: [fault.text]})


def step_body(table: Table, record: Record, *, with_position: bool) -> dict[str, Json]:
    """Return an accepted action and its facts in words; with positions also each fact's patch."""
    ruleset, words, language = table.pool.ruleset, table.pool.words, language_of_request()
    positions = [record.before, *(step.after for step in record.steps)]
    scene = scene_of_action(ruleset, table.names, record.action, positions, is_as_sent=True)
    body: dict[str, Json] = {
        "action": {"actor": record.actor, **record.action},
        "text": words.action(record.actor, record.action, scene, language),
        "facts": [
            _told(table, fact, scene_of_fact(ruleset, table.names, fact, positions, number))
            for number, fact in enumerate(record.facts)
        ],
    }
    if with_position:
        body["position"] = record.after
        body["patches"] = [patch(step.before, step.after) for step in record.steps]
    return body


def _told(table: Table, fact: Fact, scene: Scene) -> dict[str, Json]:
    words = table.pool.words
    return {
        "fact": fact,
        "text": words.fact(fact, scene, language_of_request()),
        "quiet": words.is_quiet(fact),
        "rules": fact["rules"],
    }


def _scene(table: Table, position: Position) -> Scene:
    """Return the scene of a judge, who sees every card of a position."""
    return scene_of_view(table.pool.ruleset, table.names, position)


def rejected_body(table: Table, found: Adjudication) -> dict[str, Json] | None:
    """Return the refusal that ended an adjudication, in words, or None if there was none."""
    if found.refused is None:
        return None
    scene = _scene(table, found.position)
    return {
        "at": len(found.records),
        "rule": found.refused.rule,
        "reason": table.pool.words.reason(found.refused, scene, language_of_request()),
        "rule_url": f"/api/v1/rules/{found.refused.rule}",
    }
