"""The search page: what was found and marked, of each kind, in both languages, by keyboard."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from playwright.sync_api import expect

from service.store.databases import migrate
from tests.conftest import opened, settings_in
from tests.web.axe import violations_on
from tests.web.bookshelf import served
from tests.web.conftest import PHONE, Visit
from tests.web.match_pages import Begin, query_of

DECK = "山札"


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve the registered rules of all games."""
    settings = settings_in(tmp_path_factory.mktemp("index"))
    settings = replace(settings, rate_limit="1000000 per minute")
    migrate(settings.database_url)
    here = opened(settings)
    here.register_editions()
    with served(here, settings) as url:
        yield url
    here.close()


@pytest.fixture
def seeker(index: str, visit: Begin) -> Callable[..., Visit]:
    """Return a function that makes somebody who looks for something."""

    def begin(**options: object) -> Visit:
        one = visit(**options)
        one.url = index
        return one

    return begin


def test_one_searches_from_the_head_of_any_page(seeker: Callable[..., Visit]) -> None:
    page = seeker().open("/rules?lang=ja")
    page.focus(".find input")
    page.keyboard.type(DECK)
    page.keyboard.press("Enter")
    expect(page.locator("#q")).to_have_value(DECK)
    first = page.locator(".hits > li").first
    expect(first.locator("mark").first).to_have_text(DECK)
    assert query_of(page) == {"q": DECK, "lang": "ja"}
    rule = first.locator("h3 .mono").inner_text()
    first.locator("h3 a").click()
    expect(page.locator("h1")).to_contain_text(rule)


@pytest.mark.soak
def test_synonyms_are_offered_and_switched(seeker: Callable[..., Visit]) -> None:
    page = seeker(java_script_enabled=False).open(f"/search?q={DECK}&lang=en&texts=ja")
    count = page.locator(".filter [aria-current] .count")
    before = int(count.inner_text())
    expect(page.locator(".synonyms")).to_contain_text("デッキ")
    page.click(".synonyms a")
    assert query_of(page) == {"q": DECK, "lang": "en", "texts": "ja", "synonyms": "1"}
    assert int(count.inner_text()) > before
    expect(page.locator("[name=synonyms]")).to_be_checked()
    page.click(".synonyms a")
    expect(count).to_have_text(str(before))


@pytest.mark.soak
def test_results_are_narrowed_and_go_on(seeker: Callable[..., Visit]) -> None:
    page = seeker(java_script_enabled=False).open("/search?lang=en")
    page.fill("#q", "deck")
    page.click(".search-line button")
    shown = page.locator(".hits .mono").all_inner_texts()
    page.click("[rel=next]")
    more = page.locator(".hits .mono").all_inner_texts()
    assert more
    assert not set(shown) & set(more)
    page.select_option("[name=game]", "hagmi")
    page.click(".search-line button")
    games = page.locator(".hits > li > p.small")
    assert {text.strip() for text in games.all_inner_texts()} == {"HAGMI!"}


@pytest.mark.soak
def test_what_cannot_be_searched_for_is_said(seeker: Callable[..., Visit]) -> None:
    one = seeker()
    page = one.open("/search?q=!!&lang=en&in=nothing&game=none")
    expect(page.locator("[role=alert]")).to_contain_text("That cannot be searched for.")
    assert page.locator(".hits").count() == 0
    for query in ("%20".join("abcdefghijklmnopqrstuvwxyz"), "x" * 201):
        answer = one.context.request.get(f"{one.url}/search?q={query}&lang=en")
        assert "That cannot be searched for." in answer.text()


@pytest.mark.soak
def test_nothing_found_and_markup(seeker: Callable[..., Visit]) -> None:
    one = seeker()
    page = one.open("/search?q=%3Cimg%20src%3Dx%3E%20zzz&lang=en")
    expect(page.locator(".empty")).to_have_text("Nothing was found for “<img src=x> zzz”.")
    assert page.locator("main img").count() == 0
    assert one.context.request.get(f"{one.url}/search?q=deck&after=x").status == 422


@pytest.mark.soak
def test_axe_finds_nothing_and_nothing_scrolls_sideways(seeker: Callable[..., Visit]) -> None:
    one = seeker(color_scheme="dark", bypass_csp=True, viewport=PHONE)
    page = one.open(f"/search?q={DECK}&lang=en")
    assert violations_on(page) == []
    page.set_viewport_size({"width": 320, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
