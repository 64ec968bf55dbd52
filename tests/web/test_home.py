"""The first page: what goes on, what came of it, tournaments and rulings; the list of matches."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.api.tables import good
from tests.api.test_judging import last_action
from tests.web.axe import violations_on
from tests.web.conftest import PHONE, Site
from tests.web.contests import small_cup
from tests.web.judged import court_at
from tests.web.match_pages import Begin, query_of

RULED = "順番を確かめた。記録どおりに続ける。"


@pytest.fixture(scope="module")
def running(site: Site) -> str:
    """A match that goes on, beside one that ended with a ruling, and a tournament that is open."""
    small_cup(site)
    court = court_at(site)
    dispute = court.dispute(court.players[1], last_action(court)["seq"])
    ruling = {"kind": "no_action", "outcome": "rejected", "text": {"ja": RULED}}
    good(court.rule(court.head, dispute, **ruling))
    good(court.players[0].post(f"{court.path}/actions", {"action": {"type": "concede"}}))
    return court.hall.begin("hi-story", court.players)


def test_what_goes_on_comes_first(visit: Begin, running: str) -> None:
    page = visit(java_script_enabled=False).open("/?lang=ja")
    shown = page.locator("section", has=page.locator("#running"))
    card = shown.locator(".card").filter(has=page.locator(f"a[href*='{running}']"))
    expect(card).to_contain_text("対局中")
    expect(card).to_contain_text("Hi! story")
    tournaments = page.locator("section", has=page.locator("#tournaments"))
    expect(
        tournaments.locator("li", has_text="夜の会").filter(has_text="受付中")
    ).not_to_have_count(0)
    rulings = page.locator("section", has=page.locator("#rulings"))
    expect(rulings).to_contain_text(RULED)
    expect(rulings).to_contain_text("棄却")
    card.click()
    expect(page).to_have_url(re.compile(f"/matches/{running}[?]lang=ja"))


@pytest.mark.soak
def test_results_are_hidden_on_request(visit: Begin, running: str) -> None:
    page = visit(java_script_enabled=False).open("/?lang=en")
    recent = page.locator("section", has=page.locator("#recent"))
    expect(recent.locator(".result").first).to_be_visible()
    page.click("[data-results]")
    assert query_of(page) == {"lang": "en", "results": "off"}
    expect(recent.locator(".result, .won, [data-tone]")).to_have_count(0)
    expect(recent.locator(".card a").first).to_have_attribute("href", re.compile("spoilers=off"))


@pytest.mark.soak
def test_one_searches_from_here(visit: Begin) -> None:
    page = visit().open("/?lang=en")
    page.fill("#search", "HS-310")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/search[?]q=HS-310&lang=en"))


@pytest.mark.soak
def test_addresses_of_the_list_that_stood_here_lead_there(visit: Begin) -> None:
    page = visit().open("/?game=hagmi&verdict=exact&lang=en")
    assert page.url.partition("?")[0].endswith("/matches")
    assert query_of(page) == {"game": "hagmi", "verdict": "exact", "lang": "en"}


@pytest.mark.parametrize(("path", "scheme"), [("/", "dark"), ("/matches", "light")])
@pytest.mark.soak
def test_axe_finds_nothing(visit: Begin, running: str, path: str, scheme: str) -> None:
    page = visit(color_scheme=scheme, bypass_csp=True, viewport=PHONE).open(f"{path}?lang=ja")
    assert violations_on(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
