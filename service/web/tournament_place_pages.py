"""Pages of who stands where in a tournament and why: standings, movement, players, decks."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from flask import Blueprint, render_template, request

from service.api.entries import show_deck
from service.api.rounds import list_pairings, show_round
from service.api.standings import explain_standing, list_standings, show_placing
from service.engine.values import Json
from service.standings.profiles import PROFILES
from service.web.address import number_in
from service.web.charts import movement
from service.web.tournament_pages import DIGITS_MAX, after_asked, all_of, framed
from service.web.tournament_words import BRACKETS, Speaker, columns_of

ROWS = 100
LINES_MAX = 64
"""How many players a chart of movement draws, besides one's own line and those looked for."""
SOUGHT_MAX = 8
MOVING_MAX = 2_000
"""In a larger field places are not followed over the rounds: that takes too long."""
PLACE_PAGES = Blueprint("tournament_place_pages", __name__)


@PLACE_PAGES.get("/tournaments/<tournament_id>/standings")
def standings(tournament_id: str) -> str:
    """Show a table of standings and how places moved over the rounds."""
    framed_here = framed(tournament_id)
    tournament, speaker = framed_here["tournament"], framed_here["speaker"]
    asked = _table_asked()
    page = list_standings({"limit": ROWS, **asked, **after_asked()}, tournament_id)
    labels = page["items"][0]["values"] if page["items"] else {}
    moves = None
    if len(framed_here["players"]) <= MOVING_MAX and not after_asked():
        moves = _movement(tournament, page, asked, speaker)
    return render_template(
        "tournament_standings.html",
        **framed_here,
        page=page,
        asked=asked,
        columns=columns_of(labels, tournament["profile"]),
        moves=moves,
        profiles=list(PROFILES),
        placing=show_placing({}, tournament_id),
    )


def _table_asked() -> dict[str, Json]:
    """Return which table the address asks for; a profile must have a name that is known."""
    numbers = {name: number_in(name, DIGITS_MAX) or 0 for name in ("phase", "round")}
    asked: dict[str, Json] = {name: number for name, number in numbers.items() if number}
    if request.args.get("profile") in PROFILES:
        asked["profile"] = request.args["profile"]
    return asked


def _movement(
    tournament: Mapping[str, Any],
    page: Mapping[str, Any],
    asked: Mapping[str, Json],
    speaker: Speaker,
) -> dict[str, Any] | None:
    """Return the chart of places after each round of a phase, up to the one that is shown."""
    numbers = [
        one["number"]
        for one in tournament["rounds"]
        if one["phase"] == page["phase"] and one["number"] <= page["round"]
    ]
    is_bracket = tournament["phases"][page["phase"] - 1]["format"] in BRACKETS
    if len(numbers) < 2 or is_bracket:
        return None
    profile = {"profile": asked["profile"]} if "profile" in asked else {}
    tables = [_rows(tournament["id"], {"round": number, **profile}) for number in numbers]
    ranks = [{row["player"]: row["rank"] for row in rows} for rows in tables]
    names = {row["player"]: row["name"] for row in tables[-1]}
    sought = _sought(names)
    chosen = {*list(names)[:LINES_MAX], tournament["player"], *sought}
    drawn = {player: name for player, name in names.items() if player in chosen}
    heads = [speaker.round_name(tournament, number) for number in numbers]
    told = {"numbers": numbers, "heads": heads, "ranks": ranks, "names": names, "sought": sought}
    return movement(ranks, drawn) | told


def _rows(tournament_id: str, table: Mapping[str, Json]) -> list[dict[str, Any]]:
    return all_of(lambda asked: list_standings({**asked, **table}, tournament_id))


def _sought(names: Mapping[str, str]) -> list[str]:
    """Return the players with a part of a name that the address asks for, not too many."""
    part = _folded(request.args.get("who", "").strip())
    found = [player for player, name in names.items() if part and part in _folded(name)]
    return found[:SOUGHT_MAX]


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


@PLACE_PAGES.get("/tournaments/<tournament_id>/players/<player>")
def player(tournament_id: str, player: str) -> str:
    """Show a player in a tournament: his rounds, and each value of his row as a sum."""
    framed_here = framed(tournament_id)
    tournament = framed_here["tournament"]
    entry = next((one for one in framed_here["players"] if one["player"] == player), None)
    asked = _table_asked()
    # Of a player who is not there the API tells so.
    has_row = entry is None or _has_row(tournament, player, asked)
    why = explain_standing(asked, tournament_id, player) if has_row else None
    labels = [] if why is None else [reason["criterion"] for reason in why["reasons"]]
    return render_template(
        "tournament_player.html",
        **framed_here,
        entry=entry,
        why=why,
        sums=None if why is None else _sums(why, columns_of(labels, tournament["profile"])),
        path=[_step(tournament, player, one["number"]) for one in tournament["rounds"]],
    )


@PLACE_PAGES.get("/tournaments/<tournament_id>/players/<player>/deck")
def deck(tournament_id: str, player: str) -> str:
    """Show a registered deck to its player and to staff; to nobody else there is one."""
    found = show_deck({}, tournament_id, player)
    return render_template(
        "tournament_deck.html", **framed(tournament_id), player=player, deck=found["deck"]
    )


def _has_row(tournament: Mapping[str, Any], player: str, asked: Mapping[str, Json]) -> bool:
    """Tell whether a player has values in a table: a bracket has none."""
    pages: list[dict[str, Any]] = []

    def page_of(more: dict[str, Json]) -> dict[str, Any]:
        pages.append(list_standings({**asked, **more}, tournament["id"]))
        return pages[-1]

    rows = all_of(page_of)
    phase = tournament["phases"][pages[0]["phase"] - 1]
    return phase["format"] not in BRACKETS and any(row["player"] == player for row in rows)


def _sums(why: Mapping[str, Any], columns: list[dict[str, str]]) -> dict[str, Any]:
    """Return the values of a row as a table of its parts: a line for each round, a sum below.

    A value that is one part over all rounds has that part in its sum alone.
    """
    parts: dict[tuple[int, str | None], dict[str, Any]] = {}
    feet = []
    for column, reason in zip(columns, why["reasons"], strict=True):
        counted = [Fraction(part["value"]) for part in reason["parts"] if part["counted"]]
        total = sum(counted, Fraction(0))
        feet.append({**column, **reason, "total": str(total)})
        for part in reason["parts"]:
            if part["round"]:
                line = parts.setdefault((part["round"], part["opponent"]), {})
                line[column["label"]] = part
    lines = [
        {"round": number, "opponent": opponent, "parts": parts[number, opponent]}
        for number, opponent in sorted(parts, key=lambda key: (key[0], key[1] or ""))
    ]
    return {"lines": lines, "feet": feet}


def _step(tournament: Mapping[str, Any], player: str, number: int) -> dict[str, Any]:
    """Return what a player did in a round: his table, or what he had without one."""
    found = list_pairings({"limit": 1, "player": player}, tournament["id"], str(number))["items"]
    without = show_round({}, tournament["id"], str(number))["without"]
    return {
        "number": number,
        "table": found[0] if found else None,
        "sits": next((one["kind"] for one in without if one["player"] == player), None),
    }
