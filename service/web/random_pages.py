"""The page of the draws of a match: every shuffle and die, and what it follows from."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from flask import Blueprint, render_template, request

from service.api.language import language_of_request
from service.api.matches import show_match
from service.api.records import list_draws
from service.engine.values import JUDGE, SPECTATOR, Json
from service.web.address import number_in
from service.web.texts import script_texts

EVENTS_PER_PAGE = 500
DIGITS_MAX = 6
RANDOM_PAGES = Blueprint("random_pages", __name__)


@RANDOM_PAGES.get("/matches/<match_id>/random")
def random(match_id: str) -> str:
    """List the draws of a match, as whoever sees most of them; the script makes them again."""
    shown = show_match({}, match_id)
    viewer = request.args.get("as")
    if viewer not in shown["viewers"]:
        viewer = JUDGE if JUDGE in shown["viewers"] else SPECTATOR
    start = min(number_in("from", DIGITS_MAX) or 0, max(shown["events"] - 1, 0))
    to = min(start + EVENTS_PER_PAGE, shown["events"])
    found = list_draws({"as_": viewer, "from_": start, "to": to}, match_id)
    return render_template(
        "random.html",
        match=shown,
        viewer=viewer,
        chance=found,
        draws=_rows(found["items"]),
        is_drawn_here=found["roots"] is not None,
        start=start,
        to=to,
        before=max(start - EVENTS_PER_PAGE, 0) if start else None,
        after=to if to < shown["events"] else None,
        script_texts=script_texts(language_of_request()),
    )


def _rows(items: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the draws one by one, withheld ones too."""
    return [
        {"seq": item["seq"], "number": number, "draw": draw, "made": made, "order": order_of(draw)}
        for item in items
        for number, (draw, made) in enumerate(zip(item["draws"], item["made"], strict=True))
    ]


def order_of(draw: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Return what a shuffle gave: how many elements and, where they are shown, which.

    None for a die and for a draw that is withheld; the count is None where not even that is shown.
    """
    if draw is None or "order" not in draw:
        return None
    order = draw["order"]
    if isinstance(order, dict):
        return {"count": order["hidden"] + len(order.get("shown", [])), "items": None}
    if not isinstance(order, list):
        return {"count": None, "items": None}
    is_shown = not any(one is None or one == "?" for one in order)
    return {"count": len(order), "items": [_named(one) for one in order] if is_shown else None}


def _named(element: Json) -> str:
    return element if isinstance(element, str) else json.dumps(element, ensure_ascii=False)
