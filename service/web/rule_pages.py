"""The rulebook: the rules of a game by chapters, one rule with what leads on, two editions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from flask import Blueprint, render_template, request

from schemas.queries import PAGE_MAX
from schemas.seeds import KINDS
from service.api.examples import play_example
from service.api.language import language_of_request
from service.api.rules import list_occurrences, show_rule
from service.api.rulesets import compare_rules, list_editions, list_rules, list_rulesets
from service.api.rulings import list_rulings
from service.engine.texts import Language
from service.engine.values import Json
from service.web.spans import cut, differences
from service.web.texts import script_texts

RULEBOOK = Blueprint("rulebook", __name__)
RULE = re.compile(r"[A-Z]{2}-[0-9]{3}(@.*)?")
PAGES_MAX = 20
OCCURRENCES = 10
SEQS_SHOWN = 12
RULINGS = 10
NAMED_MAX = 2
CHANGES = ("meaning", "added", "removed", "wording")


@RULEBOOK.get("/rules")
def rulebooks() -> str:
    """List the games whose rules are here."""
    return render_template("rulebooks.html", games=list_rulesets({})["items"])


@RULEBOOK.get("/rules/<name>")
def rules(name: str) -> str:
    """Show the rules of a game, or the one rule with this id, as `HS-310` or `HS-310@3`."""
    return one_rule(name) if RULE.fullmatch(name) else rulebook(name)


def rulebook(game: str) -> str:
    """Show the rules of an edition of a game, chapter by chapter."""
    kind = next((one for one in KINDS if one == request.args.get("kind")), None)
    edition = request.args.get("edition") or None
    book, found = _all_rules(game, edition)
    chapters = [
        chapter | {"rules": [one for one in chapter["rules"] if kind in (None, one["kind"])]}
        for chapter in chapters_of(found, language_of_request())
    ]
    return render_template(
        "rulebook.html",
        book=book,
        suffix=_suffix(edition),
        kind=kind,
        kinds=KINDS,
        count=sum(len(chapter["rules"]) for chapter in chapters),
        chapters=[chapter for chapter in chapters if chapter["rules"]],
        editions=list_editions({}, game),
        script_texts=script_texts(language_of_request()),
    )


def one_rule(rule_id: str) -> str:
    """Show a rule: text and links, an example that plays, where it was applied, rulings."""
    rule = show_rule({}, rule_id)
    edition = rule_id.partition("@")[2]
    _, found = _all_rules(rule["game"], rule["edition"])
    occurrences = list_occurrences({"limit": OCCURRENCES, **_after()}, rule_id)
    return render_template(
        "rule.html",
        rule=rule,
        suffix=_suffix(edition),
        chapter=next(
            chapter
            for chapter in chapters_of(found, language_of_request())
            if any(one["id"] == rule["id"] for one in chapter["rules"])
        ),
        **_neighbours(found, rule["id"]),
        example=_example(rule),
        occurrences=occurrences,
        seqs_shown=SEQS_SHOWN,
        rulings=list_rulings({"rule": rule["id"], "limit": RULINGS}),
        script_texts=script_texts(language_of_request()),
    )


@RULEBOOK.get("/rules/<game>/diff")
def difference(game: str) -> str:
    """Show what two editions of a game say differently; by default the last two."""
    editions = list_editions({}, game)
    names = [one["edition"].partition("@")[2] for one in editions["items"]]
    last_two = (names[-2], names[-1]) if len(names) > 1 else (None, None)
    old = request.args.get("from") or last_two[0]
    new = request.args.get("to") or last_two[1]
    found = compare_rules({"from_": old, "to": new}, game) if old and new else None
    return render_template(
        "rulebook_diff.html",
        game=game,
        names=names,
        old=old,
        new=new,
        found=found,
        kinds=CHANGES,
    )


def all_of(asking: Callable[[dict[str, Json]], dict[str, Any]]) -> Iterable[dict[str, Any]]:
    """Yield the pages of a list of the API, up to a bound."""
    more: dict[str, Json] = {}
    for _ in range(PAGES_MAX):
        page = asking({"limit": PAGE_MAX, **more})
        yield page
        if page["next"] is None:
            return
        more = {"after": page["next"]}


def _all_rules(game: str, edition: str | None) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return what is said of the rulebook of an edition, and all its rules."""
    asked = {"edition": edition} if edition else {}
    pages = list(all_of(lambda more: list_rules({**asked, **more}, game)))
    return pages[0], [rule for page in pages for rule in page["items"]]


def chapters_of(
    rules_in_order: Sequence[Mapping[str, Any]], language: Language
) -> list[dict[str, Any]]:
    """Return rules by the headings of their source, in the order in which these come first.

    The source is Japanese: elsewhere a chapter is called by the term of its heading, or by its
    first terms.
    """
    by_heading: dict[str, list[Mapping[str, Any]]] = {}
    for rule in rules_in_order:
        by_heading.setdefault(rule["heading"], []).append(rule)
    return [
        {
            "number": number,
            "heading": heading,
            "title": heading if language == "ja" else _called(heading, inside),
            "rules": inside,
        }
        for number, (heading, inside) in enumerate(by_heading.items(), start=1)
    ]


def _called(heading: str, inside: Sequence[Mapping[str, Any]]) -> str:
    own = next((rule["term_en"] for rule in inside if rule["term_ja"] == heading), None)
    if own is not None:
        return str(own)
    first = ", ".join(rule["term_en"] for rule in inside[:NAMED_MAX])
    return f"{first} …" if len(inside) > NAMED_MAX else first


def _neighbours(rules_in_order: Sequence[Mapping[str, Any]], rule: str) -> dict[str, Any]:
    """Return the rules before and after one in its rulebook."""
    pairs = list(pairwise(rules_in_order))
    return {
        "before": next((one for one, other in pairs if other["id"] == rule), None),
        "after": next((other for one, other in pairs if one["id"] == rule), None),
    }


def _example(rule: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the example of a rule that the address names, else its first; None if it has none."""
    ids = [one["id"] for one in rule["examples"]]
    if not ids:
        return None
    asked = request.args.get("example")
    played: dict[str, Any] = play_example({}, rule["game"], asked if asked in ids else ids[0])
    return played


def _suffix(edition: str | None) -> str:
    """Return what stands behind the id of a rule in a link, so that it stays in its edition."""
    return f"@{edition}" if edition else ""


def _after() -> dict[str, Json]:
    after = request.args.get("after")
    return {"after": after} if after else {}


RULEBOOK.add_app_template_filter(cut, "cut")
RULEBOOK.add_app_template_filter(differences, "differences")


@RULEBOOK.app_template_filter("counted")
def counted(found: Mapping[str, Any]) -> str:
    """Return a count as it is shown: `1,000+` if there may be more."""
    return f"{found['count']:,}{'+' if found['capped'] else ''}"
