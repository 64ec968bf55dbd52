"""Games: their data, the rules of their editions, and what two editions say differently."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from schemas.rules import (
    EditionsBody,
    RulesBody,
    RulesDifferenceBody,
    RulesDifferenceQuery,
    RulesQuery,
)
from schemas.rulesets import CardsBody, CardsQuery, DisplayedRulesetBody, RulesetsBody
from service.aggregates.editions import EditionRegistered, TextsRevised
from service.api.cursors import cursor_of, place_of
from service.api.routing import noun, route
from service.api.rules import (
    asked_book,
    cited,
    count_of,
    rule_body,
    shown_citing,
    text_body,
    withdrawn_body,
)
from service.api.seats import pool_named
from service.api.wiring import installation
from service.catalogue import SAMPLE
from service.engine.rulebook import Comparison, Rulebook, compared
from service.engine.texts import Language
from service.engine.values import Json

RULESETS = noun("rulesets", prefix="/api/v1/rulesets")
PINNED = ("game", "revision", "engine", "rules_digest", "cards_digest", "texts_digest")
DISPLAYED = ("board", "zones", "counters", "keywords", "words")
AFFECTED_MAX = 50


@route(RULESETS, "", action="read_rules", answer=RulesetsBody)
def list_rulesets(query: dict[str, Any]) -> dict[str, Json]:
    """List the games."""
    here = installation()
    return {"items": [_body_of(here.rulebooks.present(name)) for name in here.catalogue.names()]}


@route(RULESETS, "/<game>", action="read_rules", answer=DisplayedRulesetBody)
def show_ruleset(query: dict[str, Any], game: str) -> dict[str, Json]:
    """Show a game with how its positions are drawn and worded."""
    book = installation().rulebooks.present(game)
    return _body_of(book) | {name: book.words.display[name] for name in DISPLAYED}


def _body_of(book: Rulebook) -> dict[str, Json]:
    body = {name: getattr(book.edition, name) for name in PINNED}
    return body | {
        "edition": book.edition.name,
        "rules": len(book.rules),
        "pools": installation().pool_names(book.edition.game),
    }


@route(RULESETS, "/<game>/cards", action="read_rules", answer=CardsBody, query=CardsQuery)
def list_cards(query: dict[str, Any], game: str) -> dict[str, Json]:
    """List the cards of a pool."""
    name = installation().catalogue.game(game).edition.game
    pool = pool_named({"game": name, "cards": query.get("cards", SAMPLE)})
    return {"game": name, "digest": pool.digest, "definitions": pool.ruleset.cards}


@route(RULESETS, "/<game>/editions", action="read_rules", answer=EditionsBody)
def list_editions(query: dict[str, Any], game: str) -> dict[str, Json]:
    """List the registered editions of a game and their revisions, the first one first."""
    known = installation().rulebooks.editions(game)
    return {
        "game": game,
        "present": installation().rulebooks.present(game).edition.wording,
        "items": [
            {"edition": f"{game}@{name}", "time": event.time}
            for one in known.registered
            for name, event in _worded(one, known.revised.get(one.number, ()))
        ],
    }


def _worded(
    first: EditionRegistered, revised: Sequence[TextsRevised]
) -> list[tuple[str, EditionRegistered | TextsRevised]]:
    """Return the wordings of an edition by their numbers, as `3`, `3.1`."""
    later = [(f"{one.number}.{one.revision}", one) for one in revised]
    return [(str(first.number), first), *later]


@route(RULESETS, "/<game>/rules", action="read_rules", answer=RulesBody, query=RulesQuery)
def list_rules(query: dict[str, Any], game: str) -> dict[str, Json]:
    """List the rules of an edition, in the order of its rulebook."""
    book, limit = asked_book(game, query.get("edition"), "edition"), query["limit"]
    name = f"rules/{book.edition.wording}"
    after = place_of(query["after"], of=name) if "after" in query else 0
    fitting = [
        (number, rule)
        for number, (rule, entry) in enumerate(book.rules.items(), start=1)
        if number > after and _fits(entry, query)
    ]
    last = installation().rulebooks.last(game).edition.wording
    return {
        "game": game,
        "edition": book.edition.wording,
        "newer": None if last == book.edition.wording else last,
        "withdrawn": withdrawn_body(book),
        "items": [rule_body(book, rule) for _, rule in fitting[:limit]],
        "next": cursor_of(fitting[limit - 1][0], of=name) if len(fitting) > limit else None,
    }


def _fits(entry: Mapping[str, Json], query: Mapping[str, Any]) -> bool:
    topics = (entry["source"]["heading"], entry.get("topic"))
    return query.get("kind") in (None, entry["kind"]) and query.get("topic") in (None, *topics)


@route(
    RULESETS,
    "/<game>/rules/diff",
    action="read_rules",
    answer=RulesDifferenceBody,
    query=RulesDifferenceQuery,
)
def compare_rules(query: dict[str, Any], game: str) -> dict[str, Json]:
    """Tell what two editions or revisions say differently, and which matches that concerns."""
    old, new = asked_book(game, query["from_"], "from"), asked_book(game, query["to"], "to")
    found = compared(old, new)
    return {
        "game": game,
        "from": old.edition.wording,
        "to": new.edition.wording,
        "engine": old.edition.engine != new.edition.engine,
        "cards": old.edition.cards_digest != new.edition.cards_digest,
        "display": found.is_worded_anew,
        "added": _changes(old, new, found.added),
        "removed": _changes(old, new, found.removed),
        "meaning": _changes(old, new, found.meaning),
        "wording": _changes(old, new, found.wording),
        "matches": _affected(old, found),
    }


def _changes(old: Rulebook, new: Rulebook, rules: Sequence[str]) -> list[Json]:
    return [
        {"id": rule, "before": text_body(old, rule), "after": text_body(new, rule)}
        for rule in rules
    ]


def _affected(old: Rulebook, found: Comparison) -> dict[str, Json]:
    """Return the matches whose events cite what has changed; other words change no match."""
    wanted = cited([*found.meaning, *found.removed], old.edition.name)
    items = islice(shown_citing(wanted, AFFECTED_MAX), AFFECTED_MAX)
    return count_of(wanted) | {
        "items": [{"match": one.row.id, "rules": sorted(one.seqs)} for one in items]
    }


def name_of_game(game: str, language: Language) -> str:
    """Return what a game is called; one whose data have no name is called by its id."""
    words = installation().catalogue.game(game).display["words"]
    return str(words.get("game", {}).get(game, {}).get(language, game))
