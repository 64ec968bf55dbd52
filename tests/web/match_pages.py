"""How the tests address a match page and read where it stands."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Page, expect

from service.engine.values import Json
from tests.web.conftest import Site, Visit

Begin = Callable[..., Visit]
FACTS_MIN = 4
WINDOW = 50


def address(site: Site, number: int = 1, **query: object) -> str:
    search = "&".join(f"{key.rstrip('_')}={value}" for key, value in query.items())
    return f"/matches/{site.matches[number]}?{search}"


def query_of(page: Page) -> dict[str, str]:
    return {key: values[0] for key, values in parse_qs(urlsplit(page.url).query).items()}


def at(page: Page, place: str) -> None:
    expect(page.locator("#where")).to_have_text(re.compile(rf"^{re.escape(place)} / "))
    expect(page).to_have_url(re.compile(rf"[?&]at={re.escape(place)}(&|$)"))


def events_of(site: Site, number: int = 1, viewer: str = "P1") -> list[Json]:
    replay = site.installation.replay(
        site.installation.log.match(site.matches[number]), viewer, "ja"
    )
    return replay.events(0, replay.match.version)


def long_event(site: Site, number: int = 1) -> int:
    """Return the index before an event with several facts."""
    return next(
        int(event["seq"]) - 1
        for event in events_of(site, number)
        if len(event["facts"]) >= FACTS_MIN and event["seq"] > 2 * FACTS_MIN
    )
