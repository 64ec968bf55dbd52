"""Pages of tournaments that everybody may read: the list, rounds, tables, brackets, who plays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Blueprint, render_template, request

from schemas.tournaments import STATES
from service.api.brackets import show_bracket
from service.api.entries import list_players
from service.api.language import language_of_request
from service.api.rounds import (
    explain_pairing,
    explain_round,
    list_pairings,
    show_pairing,
    show_round,
)
from service.api.rulesets import list_rulesets
from service.api.seeing_tournaments import may_import_logs, may_open_tournament
from service.api.standings import show_placing
from service.api.tournaments import list_tournaments, show_tournament
from service.engine.values import Json
from service.installation import clock
from service.web.address import number_in
from service.web.charts import bracket_sides
from service.web.texts import script_texts
from service.web.tournament_desk import desk_of
from service.web.tournament_logs import logs_for, next_game
from service.web.tournament_results import body_of, outcomes_of
from service.web.tournament_words import (
    BRACKETS,
    LEVELS,
    SIGNS,
    Speaker,
    columns_of,
    fraction_of,
    shown,
    units_of,
)

LISTED = 30
ALL = 500
PAGES_MAX = 20
DIGITS_MAX = 4
TOURNAMENT_PAGES = Blueprint("tournament_pages", __name__)
TOURNAMENT_PAGES.add_app_template_filter(fraction_of, "fraction")
TOURNAMENT_PAGES.add_app_template_filter(shown, "shown")
TOURNAMENT_PAGES.add_app_template_filter(body_of, "body_of")


@TOURNAMENT_PAGES.get("/tournaments")
def tournaments() -> str:
    """List the tournaments, the last opened first."""
    filters = _filters()
    asked: dict[str, Json] = {"limit": LISTED, **filters}
    if after := request.args.get("after"):
        asked["after"] = after
    page = list_tournaments(asked)
    return render_template(
        "tournaments.html",
        tournaments=page["items"],
        next=page["next"],
        filters=filters,
        states=STATES,
        games=[found["game"] for found in list_rulesets({})["items"]],
        may_open=may_open_tournament(),
    )


def _filters() -> dict[str, str]:
    """Return the filters of the list that the address names."""
    found = {"state": request.args.get("state", ""), "game": request.args.get("game", "")}
    if found["state"] not in STATES:
        found["state"] = ""
    return {name: value for name, value in found.items() if value}


@TOURNAMENT_PAGES.get("/tournaments/<tournament_id>")
def rounds(tournament_id: str) -> str:
    """Show a round of a tournament, the last one unless the address says which."""
    shown_now = framed(tournament_id)
    tournament, speaker = shown_now["tournament"], shown_now["speaker"]
    number = number_in("round", DIGITS_MAX) or len(tournament["rounds"])
    runs_on = tournament["runs"] and tournament["state"] != "closed"
    shown_now["desk"] = desk_of(tournament, shown_now["players"]) if runs_on else None
    if not number:
        return render_template("tournament.html", **shown_now, round=None, pairings=[])
    one = show_round({}, tournament_id, str(number))
    pairings = all_pairings(tournament_id, number)
    reasons = all_of(lambda asked: explain_round(asked, tournament_id, str(number)))
    for table, reason in zip(pairings, reasons, strict=True):
        tell_table(table, reason["why"], speaker)
    for sits in one["without"]:
        sits["reasons"] = speaker.bye_reasons(sits["why"])
    is_over = tournament["state"] == "closed"
    return render_template(
        "tournament.html",
        **shown_now,
        round=one,
        pairings=pairings,
        own=next((t for t in pairings if tournament["player"] in t["players"]), None),
        placing=show_placing({}, tournament_id)["items"][:4] if is_over else None,
        outcomes=outcomes_of(tournament["phases"][one["phase"] - 1]),
    )


def framed(tournament_id: str) -> dict[str, Any]:
    """Return what every page of a tournament shows: its head, names, and what the caller may do."""
    language = language_of_request()
    tournament = show_tournament({}, tournament_id)
    players = all_players(tournament_id)
    names = {one["player"]: one["name"] for one in players}
    speaker = Speaker(language, names, units_of(tournament["profile"]))
    return {
        "tournament": tournament,
        "players": players,
        "speaker": speaker,
        "signs": SIGNS,
        "brackets": [
            one["number"]
            for one in tournament["phases"]
            if one["format"] in BRACKETS and one["seeds"]
        ],
        "lang": request.args.get("lang"),
        "now": clock(),
        "script_texts": script_texts(language),
    }


def all_players(tournament_id: str) -> list[dict[str, Any]]:
    """Return everybody who entered."""
    return all_of(lambda asked: list_players(asked, tournament_id))


def all_pairings(tournament_id: str, number: int) -> list[dict[str, Any]]:
    """Return every table of a round."""
    return all_of(lambda asked: list_pairings(asked, tournament_id, str(number)))


def all_of(asking: Callable[[dict[str, Json]], dict[str, Any]]) -> list[dict[str, Any]]:
    """Return everything of a list that comes in pages, up to 10,000."""
    found: list[dict[str, Any]] = []
    asked: dict[str, Json] = {"limit": ALL}
    for _ in range(PAGES_MAX):
        page = asking(asked)
        found += page["items"]
        if page["next"] is None:
            break
        asked["after"] = page["next"]
    return found


def tell_table(table: dict[str, Any], why: Json, speaker: Speaker) -> None:
    """Add to a table why its players meet, and their points before the round where they count."""
    table["reasons"] = speaker.table_reasons(why, table["players"])
    table["points"] = (
        [None, None] if why is None else [speaker.points(one) for one in why["points"]]
    )


@TOURNAMENT_PAGES.get("/tournaments/<tournament_id>/rounds/<number>/tables/<table>")
def table(tournament_id: str, number: str, table: str) -> str:
    """Show a table of a round: why its players meet, what came of it, what that rests on."""
    framed_here = framed(tournament_id)
    tournament, speaker = framed_here["tournament"], framed_here["speaker"]
    found = show_pairing({}, tournament_id, number, table)
    one = show_round({}, tournament_id, number)
    tell_table(found, explain_pairing({}, tournament_id, number, table)["why"], speaker)
    profile = tournament["profile"]
    labels = [criterion.get("name", criterion["kind"]) for criterion in profile["criteria"]]
    return render_template(
        "tournament_table.html",
        **framed_here,
        round=one,
        table=found,
        own=found if tournament["player"] in found["players"] else None,
        phase=tournament["phases"][one["phase"] - 1],
        outcomes=outcomes_of(tournament["phases"][one["phase"] - 1]),
        columns=columns_of(labels, profile),
        logs=logs_for(tournament, framed_here["players"], found),
        next_game=next_game(found),
        may_import=may_import_logs(),
        levels={level: speaker.say(f"tournament.level.{level}") for level in LEVELS},
    )


@TOURNAMENT_PAGES.get("/tournaments/<tournament_id>/phases/<number>/bracket")
def bracket(tournament_id: str, number: str) -> str:
    """Show the bracket of a phase."""
    framed_here = framed(tournament_id)
    found = show_bracket({}, tournament_id, number)
    return render_template(
        "tournament_bracket.html",
        **framed_here,
        bracket=found,
        phase=framed_here["tournament"]["phases"][found["phase"] - 1],
        sides=bracket_sides(found),
    )


@TOURNAMENT_PAGES.get("/tournaments/<tournament_id>/players")
def players(tournament_id: str) -> str:
    """List who entered, and whose deck is registered."""
    return render_template("tournament_players.html", **framed(tournament_id))


def after_asked() -> dict[str, Json]:
    """Return from where the address wants a list."""
    after = request.args.get("after")
    return {"after": after} if after else {}
