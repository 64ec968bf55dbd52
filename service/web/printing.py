"""Pages made to be printed: what hangs on the wall of a tournament."""

from __future__ import annotations

from flask import Blueprint, render_template

from service.api.exports import show_printable
from service.api.standings import list_standings, show_placing
from service.api.tournaments import show_tournament

ROWS_MAX = 500
PRINTING = Blueprint("printing", __name__)


@PRINTING.get("/tournaments/<tournament_id>/rounds/<number>/print")
def print_round(tournament_id: str, number: str) -> str:
    """Print a round: everybody's table by name, the tables in order, the standings before it."""
    return render_template(
        "print_round.html", round=show_printable({}, tournament_id, number), id=tournament_id
    )


@PRINTING.get("/tournaments/<tournament_id>/standings/print")
def print_standings(tournament_id: str) -> str:
    """Print the standings, and the placing through all phases."""
    return render_template(
        "print_standings.html",
        tournament=show_tournament({}, tournament_id),
        standings=list_standings({"limit": ROWS_MAX}, tournament_id),
        placing=show_placing({}, tournament_id),
    )
