"""Games and their rules."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from schemas.queries import RulesQuery
from schemas.rulesets import DisplayedRulesetBody, RuleBody, RulesBody, RulesetsBody
from service.aggregates.editions import number_of
from service.aggregates.world import NotFound
from service.api.routing import noun, route
from service.api.wiring import installation
from service.catalogue import LoadedGame
from service.commands.editions import editions_of
from service.engine.values import Json

RULESETS = noun("rulesets", prefix="/api/v1/rulesets")
RULES = noun("rules", prefix="/api/v1/rules")
PINNED = ("game", "engine", "rules_digest", "cards_digest", "texts_digest")
DISPLAYED = ("board", "zones", "counters", "keywords", "words")
TOLD = tuple(RuleBody().fields)


@route(RULESETS, "", action="read_rules", answer=RulesetsBody)
def list_rulesets(query: dict[str, Any]) -> dict[str, Json]:
    """List the games."""
    catalogue = installation().catalogue
    return {"items": [body_of(catalogue.game(name)) for name in catalogue.names()]}


@route(RULESETS, "/<game>", action="read_rules", answer=DisplayedRulesetBody)
def show_ruleset(query: dict[str, Any], game: str) -> dict[str, Json]:
    """Show a game with how its positions are drawn and worded."""
    loaded = installation().catalogue.game(game)
    return body_of(loaded) | {name: loaded.display[name] for name in DISPLAYED}


@route(RULES, "", action="read_rules", answer=RulesBody, query=RulesQuery)
def list_rules(query: dict[str, Any]) -> dict[str, Json]:
    """List the rules of a game."""
    loaded = installation().catalogue.game(query["game"])
    return {"items": [rule_body(loaded, rule) for rule in loaded.rules.values()]}


@route(RULES, "/<rule_id>", action="read_rules", answer=RuleBody)
def show_rule(query: dict[str, Any], rule_id: str) -> dict[str, Json]:
    """Show a rule."""
    catalogue = installation().catalogue
    for name in catalogue.names():
        loaded = catalogue.game(name)
        if rule_id in loaded.rules:
            return rule_body(loaded, loaded.rules[rule_id])
    raise NotFound(f"no rule {rule_id}")


def body_of(loaded: LoadedGame) -> dict[str, Json]:
    """Return a game as the API tells it."""
    known = editions_of(installation().log, loaded.edition.game)
    number = number_of(known, loaded.edition)
    edition = loaded.edition if number is None else replace(loaded.edition, number=number)
    body = {name: getattr(edition, name) for name in PINNED}
    return body | {"edition": edition.name, "rules": len(loaded.rules)}


def rule_body(loaded: LoadedGame, rule: Json) -> dict[str, Json]:
    """Return a rule as the API tells it."""
    return {"game": loaded.edition.game} | {key: rule[key] for key in TOLD if key in rule}
