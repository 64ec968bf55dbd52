"""Both languages, light and dark, phone, keyboard, accessibility."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.web.axe import violations_on
from tests.web.conftest import PHONE, Site
from tests.web.judged import tab_to
from tests.web.match_pages import Begin, address, at, long_event

WIDTHS = (320, 390, 820)


def test_the_language_is_chosen_and_remembered(site: Site, visit: Begin) -> None:
    one = visit()
    page = one.open(address(site, at=40, as_="P1"))
    expect(page.locator("#events-title")).to_have_text("出来事")
    page.keyboard.press("ArrowRight")
    at(page, "41")
    page.click("[data-language=en]")
    expect(page.locator("#events-title")).to_have_text("Events")
    at(page, "41")
    cookie = next(found for found in one.context.cookies() if found["name"] == "lang")
    assert (cookie["value"], cookie["sameSite"]) == ("en", "Lax")
    expect(one.open("/matches").locator("h1")).to_have_text("Matches")


def test_the_language_follows_the_browser(visit: Begin) -> None:
    assert visit(locale="en-GB").open("/matches").title() == "Matches — Kifu"
    assert visit(locale="ja-JP").open("/matches").title() == "試合 — 棋譜"


def test_dark_by_preference_and_by_choice(site: Site, visit: Begin) -> None:
    ground = "getComputedStyle(document.body).backgroundColor"
    one = visit(color_scheme="dark")
    page = one.open(address(site, at=40))
    dark = page.evaluate(ground)
    page.click("#theme")
    light = page.evaluate(ground)
    assert light != dark
    assert one.open("/").evaluate(ground) == light
    page.click("#theme")
    assert page.evaluate(ground) == dark


@pytest.mark.parametrize("language", ["ja", "en"])
def test_no_page_scrolls_sideways(site: Site, visit: Begin, language: str) -> None:
    one = visit()
    places = (address(site, at=100, as_="judge", lang=language), f"/?lang={language}")
    for page in map(one.open, places):
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 800})
            assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_motion_can_be_turned_off(site: Site, visit: Begin) -> None:
    page = visit(reduced_motion="reduce").open(address(site, at=60, as_="P1"))
    moving = "getComputedStyle(document.querySelector('.tile')).transitionDuration"
    assert page.evaluate(moving) == "0s"


def test_the_present_step_is_announced(site: Site, visit: Begin) -> None:
    page = visit().open(address(site, at=60, lang="ja"))
    page.keyboard.press("ArrowRight")
    expect(page.locator("#announce[role=status]")).to_have_text(page.inner_text("#caption"))


def test_everything_is_reached_by_keyboard(site: Site, visit: Begin) -> None:
    page = visit().open(address(site, at=60, as_="P1"))
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.locator(".badge-link")).to_be_focused()
    tab_to(page, "[data-viewer=spectator]")
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    reached = set()
    for _ in range(40):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.className || document.activeElement.id"))
    assert {"btn icon", "face", "range", "event", "unfold"} <= reached


@pytest.mark.parametrize(
    ("kind", "scheme"),
    [
        ("desktop", "light"),
        ("phone", "dark"),
        pytest.param("desktop", "dark", marks=pytest.mark.soak),
        pytest.param("phone", "light", marks=pytest.mark.soak),
    ],
)
def test_axe_finds_nothing(site: Site, visit: Begin, scheme: str, kind: str) -> None:
    size = {"viewport": PHONE} if kind == "phone" else {}
    one = visit(color_scheme=scheme, bypass_csp=True, **size)
    index = long_event(site, 2)
    page = one.open(address(site, 2, at=f"{index}.1", as_="judge", lang="ja"))
    page.locator(".facts .rule").first.click()
    for shown in (page, one.open("/"), one.open("/matches/nothing")):
        assert violations_on(shown) == []
    one.errors.clear()  # the browser itself notes the 404
