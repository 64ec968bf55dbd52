"""The page of operations, for operators and auditors: how the installation runs, who came in."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from flask import Blueprint, render_template, request

from service.api.access_log import show_access_log
from service.api.operations import may_see_operations, show_operations
from service.engine.values import Json

ENTRIES_PER_PAGE = 100
LATE_S = 60
"""After how long a read model that is behind is marked: whoever reads it brings it up to date."""
OPERATION_PAGES = Blueprint("operation_pages", __name__)


@OPERATION_PAGES.get("/operations")
def operations() -> str:
    """Show how the installation runs and what the access log holds of a day."""
    found = show_operations({})
    today = date.fromisoformat(found["at"][:10])
    day = _day(today)
    asked: dict[str, Json] = {"day": day.isoformat(), "limit": ENTRIES_PER_PAGE}
    if after := request.args.get("after"):
        asked["after"] = after
    log = show_access_log(asked)
    return render_template(
        "operations.html",
        operations=found,
        late_s=LATE_S,
        day=day.isoformat(),
        today=today.isoformat(),
        day_before=(day - timedelta(days=1)).isoformat(),
        day_after=(day + timedelta(days=1)).isoformat() if day < today else None,
        entries=log["items"],
        next=log["next"],
        names=log["names"],
    )


@OPERATION_PAGES.app_context_processor
def offered() -> dict[str, Any]:
    """Let every page know whether the caller may come here."""
    return {"may_see_operations": may_see_operations}


def _day(today: date) -> date:
    """Return the day that the address names, today for none or for one to come."""
    try:
        asked = date.fromisoformat(request.args.get("day", ""))
    except ValueError:
        return today
    return max(min(asked, today), date.min + timedelta(days=1))
