"""Worked examples of the rules, played by the engine when they are looked at."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from projections.definitions import definitions_named
from schemas.rules import ExamplesBody, ExamplesQuery, PlayedExampleBody
from service.aggregates.world import NotFound
from service.api.adjudications import Table, rejected_body, step_body
from service.api.cursors import cursor_of, place_of
from service.api.routing import noun, route
from service.api.wiring import installation
from service.engine.adjudication import Adjudication
from service.engine.examples import Run, played
from service.engine.values import Json

EXAMPLES = noun("examples", prefix="/api/v1/rulesets")


@route(EXAMPLES, "/<game>/examples", action="read_rules", answer=ExamplesBody, query=ExamplesQuery)
def list_examples(query: dict[str, Any], game: str) -> dict[str, Json]:
    """List the worked examples of the present edition."""
    limit, name = query["limit"], f"examples/{game}"
    after = place_of(query["after"], of=name) if "after" in query else 0
    fitting = [
        (number, one)
        for number, one in enumerate(installation().catalogue.examples(game).values(), start=1)
        if number > after and ("rule" not in query or query["rule"] in one["rules"])
    ]
    return {
        "game": game,
        "edition": _edition_of(game),
        "items": [_told(one) for _, one in fitting[:limit]],
        "next": cursor_of(fitting[limit - 1][0], of=name) if len(fitting) > limit else None,
    }


@route(EXAMPLES, "/<game>/examples/<example_id>", action="read_rules", answer=PlayedExampleBody)
def play_example(query: dict[str, Any], game: str, example_id: str) -> dict[str, Json]:
    """Play a worked example: the position, its actions, their facts in words, what comes of it."""
    example = installation().catalogue.examples(game).get(example_id)
    if example is None:
        raise NotFound(f"{game} has no worked example {example_id}")
    pool = installation().catalogue.game(game).sample
    found = played(example, pool.ruleset)
    body = _told(example) | {
        "game": game,
        "edition": _edition_of(game),
        "actions": example["actions"],
        "rng": example.get("rng", []),
        "expect": example["expect"],
        "passed": not found.faults,
        "faults": found.faults,
    }
    if found.run is None:
        nothing: dict[str, Json] = {
            "position": None,
            "seats": {},
            "steps": [],
            "rejected": None,
            "cards": {},
        }
        return body | nothing
    position = pool.ruleset.normalise(example.get("position", {}))
    table = Table(
        position=position,
        pool=pool,
        edition=body["edition"],
        names={seat: seat for seat in pool.ruleset.seats(found.run.position)},
    )
    shown = {"position": position, "seats": table.names} | _course(table, found.run)
    return body | shown | {"cards": definitions_named(shown, pool.ruleset.cards)}


def _course(table: Table, run: Run) -> dict[str, Json]:
    reached = Adjudication(position=run.position, records=run.records, refused=run.refused)
    return {
        "steps": [step_body(table, record, with_position=True) for record in run.records],
        "rejected": rejected_body(table, reached),
    }


def _told(example: Mapping[str, Json]) -> dict[str, Json]:
    return {name: example[name] for name in ("id", "title", "rules")}


def _edition_of(game: str) -> str:
    return installation().rulebooks.present(game).edition.wording
