"""Search: rules, rulings, disputes and comments by words in Japanese and English (rulings 5)."""

from __future__ import annotations

from typing import Any

from flask import Response

from projections.search import Reach, Wanted
from projections.search_hits import told
from schemas.search import FoundBody, SearchQuery
from service.aggregates.access import (
    INSTALLATION,
    Place,
    place_of_match,
    place_of_tournament,
    relations,
)
from service.aggregates.permissions import allowed
from service.api.cursors import cursor_of, place_of
from service.api.identity import principal
from service.api.problems import problem
from service.api.routing import noun, route
from service.api.wiring import installation
from service.engine.bigrams import Unsearchable, read_query, widened, widening
from service.engine.values import Json
from service.installation import clock

SEARCH = noun("search", prefix="/api/v1/search")
MATCH, TOURNAMENT = place_of_match(""), place_of_tournament("")


@route(SEARCH, "", action="search", answer=FoundBody, query=SearchQuery)
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
            reach=Reach() if kind == "rules" else _reach(),
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


def _reach() -> Reach:
    """Return what the caller may find besides what everybody may.

    In a tournament in which he is entered he finds by no office more than others do.
    """
    asking = principal()
    if asking.person is None:
        return Reach()
    places, played = installation().served_and_played(asking.person)
    if asking.narrowed_to is not None:
        places = tuple({*places, asking.narrowed_to})
    served = [place for place in sorted(places) if _is_served(place)]
    return Reach(
        person=asking.person if asking.narrowed_to is None else None,
        everything=_is_served(INSTALLATION),
        tournaments=_ids(served, TOURNAMENT),
        matches=_ids(served, MATCH),
        barred=played,
    )


def _is_served(place: Place) -> bool:
    """Tell whether the caller has an office at a place, with a token that is good for it."""
    asking, book = principal(), installation().access
    places = [book.at(one) for one in dict.fromkeys((INSTALLATION, place))]
    return allowed(asking, "search_all", relations(asking, places))


def _ids(places: list[Place], prefix: Place) -> tuple[str, ...]:
    return tuple(one.removeprefix(prefix) for one in places if one.startswith(prefix))
