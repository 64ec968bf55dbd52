"""The address of a match page holds place, viewer and language."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.web.conftest import Site
from tests.web.match_pages import Begin, address, at, long_event, query_of


def test_the_address_restores_place_viewer_and_language(site: Site, visit: Begin) -> None:
    index = long_event(site, 2)
    page = visit().open(address(site, 2, at=index, as_="P2", lang="en"))
    page.keyboard.press(".")
    page.keyboard.press(".")
    at(page, f"{index}.2")
    other = visit(locale="ja").open(page.url.removeprefix(site.url))
    at(other, f"{index}.2")
    assert query_of(other) == {"at": f"{index}.2", "as": "P2", "lang": "en"}
    for part in ("#caption", "#board", "#viewers [aria-current=true]", "#events-title"):
        assert other.inner_text(part) == page.inner_text(part)
    expect(other.locator("html")).to_have_attribute("lang", "en")


def test_back_and_forward_restore(site: Site, visit: Begin) -> None:
    page = visit().open(address(site, at=40, as_="P1", lang="ja"))
    page.click("[data-viewer=judge]")
    expect(page).to_have_url(re.compile("as=judge"))
    page.keyboard.press("End")
    at(page, "136")
    page.go_back()
    at(page, "40")
    expect(page.locator("[data-viewer=judge]")).to_have_attribute("aria-current", "true")
    page.go_back()
    expect(page.locator("[data-viewer=P1]")).to_have_attribute("aria-current", "true")
    page.go_forward()
    expect(page.locator("[data-viewer=judge]")).to_have_attribute("aria-current", "true")


def test_what_the_address_says_wrongly_is_not_taken(site: Site, visit: Begin) -> None:
    page = visit().open(address(site, at="999999", as_="P4", lang="fr"))
    at(page, "136")
    assert query_of(page) == {"at": "136", "as": "spectator", "lang": "ja"}
