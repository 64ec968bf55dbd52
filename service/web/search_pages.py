"""Search: rules, rulings, disputes and comments by words, with what was found marked."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, render_template, request

from schemas.search import KINDS
from service.api.language import language_of_request
from service.api.rulesets import list_rulesets, name_of_game
from service.api.search import search
from service.engine.bigrams import QUERY_LENGTH_MAX, TERMS_MAX
from service.engine.texts import LANGUAGES
from service.engine.values import Json

SEARCH_PAGES = Blueprint("search_pages", __name__)
HITS_PER_PAGE = 20


@SEARCH_PAGES.get("/search")
def find() -> str:
    """Show what was found, one kind at a time, and how much there is of the others."""
    games = [one["game"] for one in list_rulesets({})["items"]]
    asked = _asked(games)
    found = _found(asked) if asked["q"].strip() else None
    return render_template(
        "search.html",
        games=games,
        game_options=[(game, name_of_game(game, language_of_request())) for game in games],
        asked=asked,
        kinds=KINDS,
        languages=LANGUAGES,
        limits={"characters": QUERY_LENGTH_MAX, "terms": TERMS_MAX},
        found=found if isinstance(found, dict) else None,
        is_refused=isinstance(found, Response),
        counts=_counts(asked) if isinstance(found, dict) else {},
    )


def _asked(games: list[str]) -> dict[str, Json]:
    """Return what the address asks for; what it says wrongly is taken as not said.

    texts: only those in this language. `lang` is the language of the page.
    """

    def one_of(name: str, values: tuple[str, ...] | list[str]) -> str | None:
        return next((one for one in values if one == request.args.get(name)), None)

    return {
        "q": request.args.get("q", ""),
        "in": one_of("in", KINDS) or KINDS[0],
        "game": one_of("game", games),
        "texts": one_of("texts", LANGUAGES),
        "synonyms": request.args.get("synonyms") == "1",
    }


def _found(asked: dict[str, Json]) -> dict[str, Any] | Response:
    """Return a page of what was found, or the refusal of a query that says nothing."""
    after = request.args.get("after")
    query = _query(asked, asked["in"], HITS_PER_PAGE) | ({"after": after} if after else {})
    found: dict[str, Any] | Response = search(query)
    return found


def _counts(asked: dict[str, Json]) -> dict[str, Any]:
    """Return for each kind how much there is of it."""
    return {kind: search(_query(asked, kind, 1)) for kind in KINDS}


def _query(asked: dict[str, Json], kind: str, limit: int) -> dict[str, Json]:
    """Return the query of the API for a kind."""
    query: dict[str, Json] = {
        "q": asked["q"],
        "in_": kind,
        "synonyms": asked["synonyms"],
        "limit": limit,
    }
    if asked["game"] is not None:
        query["game"] = asked["game"]
    if asked["texts"] is not None:
        query["lang"] = asked["texts"]
    return query
