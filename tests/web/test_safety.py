"""The policy of the pages, and what remains when scripts or answers fail."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.web.conftest import MARKED, MARKUP, Site
from tests.web.match_pages import WINDOW, Begin, address, at, events_of, query_of


def test_pages_have_a_strict_policy_and_keep_it(site: Site, visit: Begin) -> None:
    one = visit()
    page = one.open(address(site, at=60, as_="P1"))
    policy = page.request.get(page.url).headers["content-security-policy"]
    for rule in ("default-src 'self'", "object-src 'none'", "base-uri 'none'"):
        assert rule in policy
    assert "unsafe" not in policy
    page.keyboard.press(".")
    page.locator(".facts .rule").first.click()
    page.click("#theme")
    assert page.evaluate("window.violations") == []
    answer = page.request.get(f"{site.url}/api/v1/matches")
    assert "content-security-policy" not in answer.headers


def test_names_never_become_markup(site: Site, visit: Begin) -> None:
    page = visit().open(address(site, MARKED, at=3, as_="P1", lang="ja"))
    for part in ("h1", ".side.near strong", "#caption", "#events"):
        expect(page.locator(part)).to_contain_text(MARKUP)
    page.goto(f"{site.url}/matches?game=hi-story")
    expect(page.locator(".player-name", has_text=MARKUP)).to_have_count(1)
    assert page.locator("img").count() == 0


def test_without_script_the_events_can_be_read(site: Site, visit: Begin) -> None:
    page = visit(java_script_enabled=False).open(address(site, as_="P1", lang="ja"))
    expect(page.locator("#events > li")).to_have_count(WINDOW)
    expect(page.locator("#events > li").nth(5)).to_contain_text(events_of(site)[5]["text"])
    expect(page.locator("#timebar")).to_be_hidden()
    page.click("[rel=next]")
    expect(page.locator("#events .no").first).to_have_text(str(WINDOW + 1))
    page.click("[data-viewer=P2]")
    assert query_of(page)["as"] == "P2"


def test_if_the_script_fails_the_list_stays(site: Site, visit: Begin) -> None:
    one = visit()
    one.context.route("**/match.js", lambda route: route.abort())
    page = one.open(address(site, lang="ja"))
    expect(page.locator("#events > li")).to_have_count(WINDOW)
    expect(page.locator(".board-wait")).to_be_visible()
    one.errors.clear()  # the browser itself notes the missing script


def test_if_an_answer_fails_one_can_try_again(site: Site, visit: Begin) -> None:
    one = visit()
    one.context.route("**/frames?*", lambda route: route.abort())
    page = one.open(address(site, at=60, lang="ja"))
    expect(page.locator("#failure")).to_be_visible()
    one.context.unroute("**/frames?*")
    page.click("[data-do=again]")
    expect(page.locator(".side.near")).to_be_visible()
    expect(page.locator("#failure")).to_be_hidden()
    at(page, "60")
    one.errors.clear()  # the browser itself notes the failed request
