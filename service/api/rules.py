"""Rules by their ids: text, links, examples, and the matches that cite them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import islice
from typing import Any

from msgspec.structs import replace

from projections.occurrences import Cited, Citing
from schemas.queries import PageQuery
from schemas.rules import OccurrencesBody, OneRuleBody, RuleTextBody
from service.aggregates.access import INSTALLATION, relations
from service.aggregates.world import Invalid, NotFound
from service.api.cursors import cursor_of, place_of
from service.api.identity import principal
from service.api.matches import shown_row
from service.api.routing import noun, route
from service.api.seeing import PARTICIPANTS
from service.api.wiring import installation
from service.engine.editions import edition_name
from service.engine.rulebook import Rulebook, is_same
from service.engine.values import Json
from service.installation import clock

RULES = noun("rules", prefix="/api/v1/rules")
HERE = "/api/v1/rules"
COUNT_MAX = 1_000
BEHIND_MAX = 50
SEQS_MAX = 100
TOLD = tuple(RuleTextBody().fields)


@route(RULES, "/<rule_id>", action="read_rules", answer=OneRuleBody)
def show_rule(query: dict[str, Any], rule_id: str) -> dict[str, Json]:
    """Show a rule: of the present edition, or of another as `HS-310@hi-story@3` or `HS-310@3`."""
    book, rule = found_rule(rule_id)
    game = book.edition.game
    last = installation().rulebooks.last(game)
    examples = installation().catalogue.examples(game)
    return rule_body(book, rule) | {
        "newer": None if is_same(rule, book, last) else last.edition.wording,
        "withdrawn": withdrawn_body(book),
        "seen_by": [name_body(book, other) for other in book.seen_by[rule]],
        "links": {
            language: [asdict(link) for link in book.links(rule, language)]
            for language in ("ja", "en")
        },
        "examples": [
            {"id": one["id"], "title": one["title"]}
            for one in examples.values()
            if rule in one["rules"]
        ],
        "occurrences": count_of(_cited(rule_id, rule, book))
        | {"url": f"{HERE}/{rule_id}/occurrences"},
        "rulings": f"/api/v1/rulings?rule={rule}",
    }


@route(
    RULES,
    "/<rule_id>/occurrences",
    action="read_rules",
    answer=OccurrencesBody,
    query=PageQuery,
)
def list_occurrences(query: dict[str, Any], rule_id: str) -> dict[str, Json]:
    """List the matches with events that cite a rule; with an edition those played under it."""
    book, rule = found_rule(rule_id)
    wanted, limit, name = _cited(rule_id, rule, book), query["limit"], f"occurrences/{rule_id}"
    if "after" in query:
        wanted = replace(wanted, before=place_of(query["after"], of=name))
    found = list(islice(shown_citing(wanted, limit + 1), limit + 1))
    more = len(found) > limit
    return count_of(wanted) | {
        "rule": rule,
        "items": [_occurrence(one, rule) for one in found[:limit]],
        "next": cursor_of(found[limit - 1].row.place, of=name) if more else None,
    }


def _cited(rule_id: str, rule: str, book: Rulebook) -> Cited:
    """Return which matches are asked for: with an edition in the id only those played under it."""
    return cited([rule], book.edition.name if rule_id != rule else None)


def _occurrence(one: Citing, rule: str) -> dict[str, Json]:
    return {
        "match": one.row.id,
        "edition": one.row.edition,
        "kind": one.row.kind,
        "state": one.row.state,
        "opened_at": one.row.opened_at,
        "seats": installation().names(one.row.seats),
        "seqs": one.seqs[rule][:SEQS_MAX],
        "count": len(one.seqs[rule]),
    }


def found_rule(rule_id: str) -> tuple[Rulebook, str]:
    """Return the rulebook and the id of a rule, as `HS-310`, `HS-310@hi-story@3`, `HS-310@3.2`.

    Raises `NotFound`.
    """
    here = installation()
    rule, has_edition, text = rule_id.partition("@")
    name = edition_name(text) if has_edition else None
    if not has_edition or name is not None:
        for game in here.catalogue.names():
            if name is None and rule in here.catalogue.game(game).rules:
                return here.rulebooks.present(game), rule
            if name is not None and name.game in (None, game):
                book = here.rulebooks.find(game, name)
                if book is not None and rule in book.rules:
                    return book, rule
    raise NotFound(f"no rule {rule_id}")


def asked_book(game: str, text: str | None, place: str) -> Rulebook:
    """Return the rulebook of an edition in a query, the present one for None.

    Raises `Invalid` at the place, `UnknownGame`, `NotFound`.
    """
    here = installation()
    if text is None:
        return here.rulebooks.present(game)
    name = edition_name(text)
    if name is None:
        raise Invalid({place: ["no edition"]})
    book = here.rulebooks.find(game, name)
    if book is None:
        raise NotFound(f"{game} has no edition {text}")
    return book


def name_body(book: Rulebook, rule: str) -> dict[str, Json]:
    """Return a rule as others name it."""
    entry = book.rules[rule]
    return {"id": rule, "term_ja": entry["term_ja"], "term_en": entry["term_en"]}


def text_body(book: Rulebook, rule: str) -> dict[str, Json] | None:
    """Return what a rule says, None if the rulebook does not have it."""
    if rule not in book.rules:
        return None
    entry = book.rules[rule]
    body = {key: entry[key] for key in TOLD if key in entry}
    return body | {"heading": entry["source"]["heading"]}


def rule_body(book: Rulebook, rule: str) -> dict[str, Json]:
    """Return a rule of an edition."""
    return (text_body(book, rule) or {}) | {
        "game": book.edition.game,
        "edition": book.edition.wording,
        "see": [name_body(book, other) for other in book.rules[rule]["see"]],
    }


def withdrawn_body(book: Rulebook) -> dict[str, Json] | None:
    """Return why no new match may use an edition, None if it may."""
    game = book.edition.game
    found = installation().rulebooks.editions(game).withdrawn.get(book.edition.number)
    if found is None:
        return None
    successor = None if found.successor is None else f"{game}@{found.successor}"
    return {"reason": found.reason, "successor": successor}


def cited(rules: Sequence[str], edition: str | None) -> Cited:
    """Return which matches the caller asks for: of those that he may know of."""
    asking = principal()
    offices = PARTICIPANTS & relations(asking, [installation().access.at(INSTALLATION)])
    return Cited(
        rules=tuple(rules),
        edition=edition,
        known_to=asking.person if asking.narrowed_to is None else None,
        everything=bool(offices),
    )


def shown_citing(wanted: Cited, at_once: int) -> Iterator[Citing]:
    """Yield matches with the events that cite a rule, as far as they are shown to the caller.

    at_once: so many are read together. A match none of whose events is shown yet is passed over.
    """
    while True:
        found = installation().citing(wanted, at_once)
        for one in found:
            row = shown_row(one.row)
            seqs = _up_to(one.seqs, row.events)
            if seqs:
                yield Citing(row=row, seqs=seqs)
        if len(found) < at_once:
            return
        wanted = replace(wanted, before=found[-1].row.place)


def _up_to(seqs: Mapping[str, Sequence[int]], last: int) -> dict[str, list[int]]:
    shown = {rule: [seq for seq in numbers if seq <= last] for rule, numbers in seqs.items()}
    return {rule: numbers for rule, numbers in shown.items() if numbers}


def count_of(wanted: Cited) -> dict[str, Json]:
    """Count the matches that are shown to the caller, up to a bound.

    Those that are shown whole to everybody are counted in the database. How far the others are
    shown is looked at match by match, so only the last opened ones are.
    """
    now, wanted = clock(), replace(wanted, before=None)
    whole = installation().citing_count(replace(wanted, whole_by=now), COUNT_MAX + 1)
    behind = installation().citing(replace(wanted, behind_at=now), BEHIND_MAX + 1)
    shown = sum(bool(_up_to(one.seqs, shown_row(one.row).events)) for one in behind[:BEHIND_MAX])
    is_capped = whole + shown > COUNT_MAX or len(behind) > BEHIND_MAX
    return {"count": min(whole + shown, COUNT_MAX), "capped": is_capped}
