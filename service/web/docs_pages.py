"""The pages for programmers: first steps that can be tried at once, and the reference of routes."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, abort, render_template, request

from service.api.document import api_document
from service.api.language import language_of_request
from service.api.matches import list_matches
from service.web.reference import nouns_of, operations_of, schemas_for
from service.web.texts import script_texts, texts

DOCS = Blueprint("docs", __name__)
NO_MATCH = "MATCH"
"""Stands for the id of a match where there is none yet."""
STEPS = (
    ("games", "/api/v1/rulesets"),
    ("matches", "/api/v1/matches?limit=1&state=closed"),
    ("events", "/api/v1/matches/{match}/events?from=0&to={read}&lang={language}"),
    ("position", "/api/v1/matches/{match}/position?at={read}&as=spectator"),
    ("why", "/api/v1/matches/{match}/events/{asked}/explanation?lang={language}"),
    ("verify", "/api/v1/matches/{match}/verification?as=spectator"),
)
"""The first steps: what each asks for."""
READ, ASKED = 12, 8
"""Up to which index the steps read a match, and of which event they ask why."""


@DOCS.get("/docs")
def docs() -> str:
    """Show the first steps, then every route by its noun."""
    document, language = api_document(), language_of_request()
    listed = list_matches({"limit": 1, "state": "closed"})["items"]
    last = listed[0]["events"] if listed else READ
    fields = {
        "match": listed[0]["id"] if listed else NO_MATCH,
        "read": min(READ, last),
        "asked": min(ASKED, last),
        "language": language,
    }
    operations = operations_of(document)
    return render_template(
        "docs.html",
        steps=[(name, path.format_map(fields)) for name, path in STEPS],
        has_match=bool(listed),
        root=request.host_url.rstrip("/"),
        nouns={noun: _of(operations, noun) for noun in nouns_of(document)},
        title_of=_title_of,
        script_texts=script_texts(language),
    )


@DOCS.get("/docs/<noun>")
def noun(noun: str) -> str:
    """Show the routes of a noun in full: parameters, bodies, answers, problems, who may."""
    document = api_document()
    if noun not in nouns_of(document):
        abort(404)
    operations = operations_of(document, noun)
    return render_template(
        "docs_noun.html",
        noun=noun,
        nouns=nouns_of(document),
        operations=operations,
        schemas=schemas_for(document, operations),
        title_of=_title_of,
    )


def _of(operations: list[dict[str, Any]], noun: str) -> list[dict[str, Any]]:
    return [one for one in operations if one["noun"] == noun]


def _title_of(noun: str) -> str:
    """Return what a noun is called in the language of the page, itself if it has no words."""
    return texts(language_of_request()).get(f"docs.noun.{noun}", noun.replace("_", " "))
