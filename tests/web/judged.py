"""How the tests bring people to the pages: signed in, by keyboard, at a match that is judged."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

from schemas.strict import canonical
from tests.api.tables import Caller
from tests.api.test_judging import Court, court_of, last_action
from tests.web.conftest import Site, Visit
from tests.web.match_pages import Begin

TABS_MAX = 80
CLAIM = "身代わりを使った戦闘には、相手のターン中の＋1000を加えないはずです。"


def court_at(site: Site, game: str = "hi-story") -> Court:
    """Return a running match of the site with its players and judges."""
    return court_of(site.installation, game)


def disputed(court: Court, claim: str = CLAIM) -> str:
    """Have P2 dispute the last action; return the id of the dispute."""
    return court.dispute(court.players[1], last_action(court)["seq"], claim)


def arrive(visit: Begin, caller: Caller, **options: Any) -> Visit:
    """Return a visitor who is signed in."""
    one = visit(**options)
    body = canonical({"token": caller.token})
    headers = {"Content-Type": "application/json"}
    answer = one.context.request.post(f"{one.url}/api/v1/sessions", data=body, headers=headers)
    assert answer.status == 201, answer.text()
    return one


def tab_to(page: Page, selector: str) -> None:
    """Press Tab until an element has the focus."""
    for _ in range(TABS_MAX):
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{selector} is not reached by Tab")
