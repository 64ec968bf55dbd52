"""How a match page opens: the window around the place of its address, asked for at once."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlencode

from flask import request, url_for

from schemas.queries import PLACE
from service.api.language import language_of_request
from service.engine.values import Json, Viewer

EVENTS_PER_PAGE = 50
START = "0"


def window_at(total: int) -> tuple[int, int]:
    """Return the bounds of the window that holds the place of the address, of so many events."""
    at = request.args.get("at", START)
    index, _, step = (at if PLACE.fullmatch(at) else START).partition(".")
    seq = min(int(index) + (int(step or 0) > 0), total)
    start = max(seq - 1, 0) // EVENTS_PER_PAGE * EVENTS_PER_PAGE
    return start, min(start + EVENTS_PER_PAGE, total)


def asked_first(
    shown: Mapping[str, Json], viewer: Viewer, watched: Mapping[str, Json]
) -> list[str]:
    """Return the addresses that the script asks for before it draws, sign by sign as it does.

    The browser asks for them before it has the script.
    """
    total = shown["events"]
    start, to = window_at(total)
    place = {"spoilers": "off", "at": total} if watched else {}
    query = {"as": viewer, "lang": language_of_request(), **place, "from": start, "to": to}
    frames = url_for("matches.show_frames", match_id=shown["id"])
    return [
        f"{url_for('rulesets.show_ruleset', game=shown['game'])}?",
        f"{frames}?{urlencode(query)}",
    ]
