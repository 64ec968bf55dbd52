"""The page of a person: matches, disputes and tournaments, as far as the caller may know them."""

from __future__ import annotations

from flask import Blueprint, render_template, request

from service.api.disputes import list_disputes
from service.api.language import language_of_request
from service.api.matches import list_matches
from service.api.persons import show_person
from service.api.sessions import signed_in
from service.api.tournaments import show_tournament
from service.engine.values import Json
from service.web.cases import case_of
from service.web.pages import result_of
from service.web.texts import script_texts

PLAYER_PAGES = Blueprint("player_pages", __name__)
MATCHES_PER_PAGE = 30
DISPUTES_MAX = 20


@PLAYER_PAGES.get("/players/<person_id>")
def player(person_id: str) -> str:
    """Show a person; who has played in no match that the caller may know of needs a sign-in."""
    asked: dict[str, Json] = {"limit": MATCHES_PER_PAGE, "person": person_id}
    if after := request.args.get("after"):
        asked["after"] = after
    page = list_matches(asked)
    rows, language = page["items"], language_of_request()
    own = signed_in()
    found = list_disputes({"limit": DISPUTES_MAX, "person": person_id})
    names = dict.fromkeys(row["tournament"] for row in rows if row["tournament"] is not None)
    return render_template(
        "player.html",
        player={"id": person_id, "name": _name_of(person_id, rows)},
        is_self=own is not None and own["id"] == person_id,
        matches=[row | {"result": result_of(row, language)} for row in rows],
        next=page["next"],
        disputes=[case_of(row, None if own is None else own["id"]) for row in found["items"]],
        tournaments=[show_tournament({}, name) for name in names],
        script_texts=script_texts(language),
    )


def _name_of(person_id: str, rows: list[Json]) -> str:
    """Return the name of a person; to who is not signed in, that of the last match he sees."""
    sits = (
        row["seats"][seat]
        for row in rows
        for seat, person in row["persons"].items()
        if person == person_id
    )
    known = None if signed_in() else next(sits, None)
    return str(known or show_person({}, person_id)["name"])
