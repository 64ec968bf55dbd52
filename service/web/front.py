"""What the first page shows: running and recent matches, tournaments, the rulings given last."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from service.api.matches import list_matches
from service.api.rulings import list_rulings
from service.api.tournaments import list_tournaments

Row = Mapping[str, Any]
Listing = Callable[[dict[str, Any]], dict[str, Any]]

RUNNING = ("running", "held")
RUNNING_MAX = 6
RECENT_MAX = 6
TOURNAMENTS = ("running", "open", "closed")
"""The states of tournaments, those first that somebody may want to go to."""
TOURNAMENTS_MAX = 5
RULINGS_MAX = 5


def front() -> dict[str, list[Row]]:
    """Return what the first page shows, each list as long as the page has room for it."""
    return {
        "running": _in_states(list_matches, RUNNING, RUNNING_MAX),
        "recent": _in_states(list_matches, ("closed",), RECENT_MAX),
        "tournaments": _in_states(list_tournaments, TOURNAMENTS, TOURNAMENTS_MAX),
        "rulings": list_rulings({"limit": RULINGS_MAX})["items"],
    }


def _in_states(listing: Listing, states: Sequence[str], most: int) -> list[Row]:
    """Return the first rows of a list, one state after the other."""
    found: list[Row] = []
    for state in states:
        left = most - len(found)
        if left > 0:
            found += listing({"state": state, "limit": left})["items"]
    return found
