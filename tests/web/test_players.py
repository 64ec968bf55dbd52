"""The page of a person."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.web.axe import violations_on
from tests.web.conftest import PHONE, Site
from tests.web.judged import CLAIM, arrive, court_at, disputed
from tests.web.match_pages import Begin


def test_a_player_sees_his_matches_and_disputes_and_changes_his_name(
    site: Site, visit: Begin
) -> None:
    court = court_at(site)
    disputed(court)
    player = court.players[1]
    one = arrive(visit, player, viewport=PHONE, bypass_csp=True)
    page = one.open(f"/players/{player.person}?lang=ja")
    expect(page.locator(f"a[href*='{court.match}']")).to_be_visible()
    expect(page.locator("section[aria-labelledby=disputes]")).to_contain_text(CLAIM[:20])
    assert violations_on(page) == []
    page.fill("#display-name", "勅使河原 凜太郎")
    page.keyboard.press("Enter")
    expect(page.locator("#done")).to_contain_text("名前を変えました")
    expect(page.locator("h1")).to_contain_text("勅使河原 凜太郎")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    anybody = visit().open(f"/players/{player.person}?lang=ja")
    expect(anybody.locator("h1")).to_have_text("Two")  # as the match recorded it
    expect(anybody.locator("#rename")).to_have_count(0)
    assert CLAIM[:20] not in anybody.content()


@pytest.mark.soak
def test_who_is_not_known_gives_a_readable_page(visit: Begin) -> None:
    one = visit()
    page = one.open("/players/nobody?lang=ja")
    expect(page.locator(".problem h1")).to_be_visible()
    one.errors.clear()  # the browser itself notes the 401
