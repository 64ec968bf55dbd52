"""Logs that may be linked to a table: matches of its two players that have ended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from service.api.language import language_of_request
from service.api.matches import list_matches
from service.web.pages import result_of

LISTED_MAX = 100


def logs_for(
    tournament: Mapping[str, Any], players: Sequence[Mapping[str, Any]], table: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """Return the matches that the players of a table have played here, as far as the caller knows.

    players: all of the tournament. Who entered by a mere name has played none.
    """
    known = {one["player"]: one["person"] for one in players}
    first, second = (known.get(player) for player in table["players"])
    if first is None or second is None:
        return []
    asked = {"limit": LISTED_MAX, "game": tournament["game"], "state": "closed", "person": first}
    rows = list_matches(asked)["items"]
    linked = {link["match"] for link in table["links"]}
    language = language_of_request()
    return [
        {**row, "result": result_of(row, language)}
        for row in rows
        if row["id"] not in linked and {*row["persons"].values()} == {first, second}
    ]


def next_game(table: Mapping[str, Any]) -> int:
    """Return the number of the first game of a table that has no log."""
    linked = {link["game"] for link in table["links"]}
    return next(number for number in range(1, len(linked) + 2) if number not in linked)
