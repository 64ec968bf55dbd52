"""Pages of tournaments for staff: a draft with its reasons, penalties, a new tournament."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from flask import Blueprint, render_template

from schemas.tournaments import CREDITS, FORMATS, PHASES_MAX
from service.api.language import language_of_request
from service.api.results import list_penalties
from service.api.rounds import show_draft
from service.api.rulesets import list_rulesets
from service.standings.profiles import PROFILES
from service.web.texts import script_texts
from service.web.tournament_desk import present_in
from service.web.tournament_pages import framed, tell_table

TOURNAMENT_STAFF_PAGES = Blueprint("tournament_staff_pages", __name__)


@TOURNAMENT_STAFF_PAGES.get("/tournaments/new")
def new() -> str:
    """Open a tournament; whoever may not is told so when he sends the form."""
    rulesets = list_rulesets({})["items"]
    return render_template(
        "tournament_new.html",
        games=[found["game"] for found in rulesets],
        pools=_pools(rulesets),
        phases=PHASES_MAX,
        profiles=list(PROFILES),
        formats=FORMATS,
        credits=CREDITS,
        script_texts=script_texts(language_of_request()),
    )


def _pools(rulesets: Sequence[Mapping[str, Any]]) -> dict[str, list[str]]:
    """Return the card pools, each with the games that can be played with it; the sample first."""
    found: dict[str, list[str]] = {}
    for ruleset in rulesets:
        for name in ruleset["pools"]:
            found.setdefault(name, []).append(ruleset["game"])
    return found


@TOURNAMENT_STAFF_PAGES.get("/tournaments/<tournament_id>/draft")
def draft(tournament_id: str) -> str:
    """Show the draft of the next round: who would meet whom, and why."""
    found = show_draft({}, tournament_id)
    framed_here = framed(tournament_id)
    tournament, speaker = framed_here["tournament"], framed_here["speaker"]
    for table in found["tables"]:
        tell_table(table, table["why"], speaker)
    for sits in found["without"]:
        sits["reasons"] = speaker.bye_reasons(sits["why"])
    phase = tournament["phases"][found["phase"] - 1]
    return render_template(
        "tournament_draft.html",
        **framed_here,
        draft=found,
        present=present_in(phase, framed_here["players"]),
    )


@TOURNAMENT_STAFF_PAGES.get("/tournaments/<tournament_id>/penalties")
def penalties(tournament_id: str) -> str:
    """Show the penalties of a tournament to staff, to a player his own."""
    given = list_penalties({}, tournament_id)
    return render_template("tournament_penalties.html", **framed(tournament_id), given=given)
