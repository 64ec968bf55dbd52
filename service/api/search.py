"""Search: rules, rulings, disputes and comments by words in Japanese and English (rulings 5)."""

from __future__ import annotations

from typing import Any

from flask import Response

from projections.parties import Reach
from projections.search import Wanted
from projections.search_hits import told
from schemas.search import FoundBody, SearchQuery
from service.api.cursors import cursor_of, place_of
from service.api.problems import problem
from service.api.routing import noun, route
from service.api.seeing_disputes import reach
from service.api.wiring import installation
from service.engine.bigrams import Unsearchable, read_query, widened, widening
from service.engine.values import Json
from service.installation import clock

SEARCH = noun("search", prefix="/api/v1/search")

MALFORMED = 400


@route(SEARCH, "", action="search", answer=FoundBody, query=SearchQuery, refuses=(MALFORMED,))
def search(query: dict[str, Any]) -> dict[str, Json] | Response:
    """Find rules, rulings, disputes or comments by words."""
    kind, game, limit = query["in_"], query.get("game"), query["limit"]
    try:
        asked = read_query(query["q"])
    except Unsearchable as fault:
        return problem("malformed-query", str(fault))
    synonyms = installation().catalogue.synonyms(game)
    looked_for = widened(asked, synonyms) if query["synonyms"] else asked
    place: int | None = place_of(query["after"], of=_list_of(kind)) if "after" in query else None
    found = installation().texts(
        Wanted(
            query=looked_for,
            kind=kind,
            game=game,
            lang=query.get("lang"),
            reach=Reach() if kind == "rules" else reach(),
            after=place,
            limit=limit + 1,
            now=clock(),
        )
    )
    shown, is_more = found.entries[:limit], len(found.entries) > limit
    reached = (place or 0) + limit if kind == "rules" else shown[-1].id if shown else 0
    return {
        "items": [told(entry, looked_for) for entry in shown],
        "next": cursor_of(reached, of=_list_of(kind)) if is_more else None,
        "count": found.count,
        "capped": found.capped,
        "synonyms": widening(asked, synonyms),
        "widened": query["synonyms"],
    }


def _list_of(kind: str) -> str:
    """Return the name of the list whose cursors these are."""
    return f"search/{kind}"
