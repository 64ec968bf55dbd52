"""Signing in on a page with a token, being signed in, signing out."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from service.web.session_pages import page_named
from tests.api.tables import Caller, hall_of
from tests.web.axe import violations_on
from tests.web.conftest import PHONE, Site
from tests.web.judged import arrive
from tests.web.match_pages import Begin, address

NAME = "五百旗頭 ヴァレンティーナ 葵"


@pytest.fixture(scope="module")
def person(site: Site) -> Caller:
    return hall_of(site.installation).person(NAME)


def test_one_signs_in_and_is_back_where_one_was(site: Site, visit: Begin, person: Caller) -> None:
    page = visit().open(address(site, at=40, lang="ja"))
    page.click(".top a[href^='/sign-in']")
    expect(page.locator("#token")).to_be_focused()
    page.keyboard.type(person.token)
    page.keyboard.press("Enter")
    expect(page.locator(".top .signed-in")).to_have_text(NAME)
    expect(page).to_have_url(re.compile(f"/matches/{site.matches[1]}.*[?&]at=40"))


@pytest.mark.soak
def test_a_token_that_is_not_good_is_told_at_its_field(visit: Begin) -> None:
    one = visit()
    page = one.open("/sign-in?lang=ja")
    page.click("button[type=submit]")
    expect(page.locator(".fault")).to_contain_text("記入してください")
    page.fill("#token", "nobody.nothing")
    page.keyboard.press("Enter")
    expect(page.locator(".fault")).to_contain_text("このトークンは使えません")
    expect(page.locator("#token")).to_be_focused()
    expect(page.locator("#token")).to_have_attribute("aria-invalid", "true")
    one.errors.clear()  # the browser itself notes the 401


@pytest.mark.soak
def test_one_signs_out_from_every_page(visit: Begin, person: Caller) -> None:
    one = arrive(visit, person)
    page = one.open("/disputes?lang=en")
    page.click("#sign-out")
    expect(page.locator(".top a[href^='/sign-in']")).to_be_visible()
    assert "kifu_session" not in {cookie["name"] for cookie in one.context.cookies()}


@pytest.mark.soak
def test_who_is_signed_in_is_told_on_the_page_to_sign_in(visit: Begin, person: Caller) -> None:
    page = arrive(visit, person, viewport=PHONE).open("/sign-in?lang=ja&next=/rulings")
    expect(page.locator("#sign-in")).to_have_count(0)
    page.click("main .btn.primary")
    expect(page).to_have_url(re.compile("/rulings$"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.soak
def test_axe_finds_nothing(visit: Begin, scheme: str) -> None:
    one = visit(color_scheme=scheme, bypass_csp=True, viewport=PHONE)
    page = one.open("/sign-in?lang=ja")
    assert violations_on(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


@pytest.mark.parametrize(
    ("address", "found"),
    [
        ("/disputes/1?lang=ja#x", "/disputes/1?lang=ja#x"),
        ("/", "/"),
        ("//evil.example", "/"),
        ("/\\evil.example", "/"),
        ("/\t/evil.example", "/"),
        ("https://evil.example", "/"),
        ("javascript:alert(1)", "/"),
        ("", "/"),
    ],
)
@pytest.mark.soak
def test_nobody_is_led_to_another_site(address: str, found: str) -> None:
    assert page_named(address) == found
