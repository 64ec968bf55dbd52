"""The pages for programmers: first steps that run, and every route with what it takes."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from service.api.application import NOUNS, ROUTES
from tests.web.axe import violations_on
from tests.web.conftest import PHONE, Site
from tests.web.match_pages import Begin

STEPS = 6
COMMAND = re.compile(r"^curl '(.+)'$")


def test_the_first_steps_run_as_they_are_written(site: Site, visit: Begin) -> None:
    page = visit().open("/docs?lang=ja")
    commands = [COMMAND.match(text) for text in page.locator(".steps .command").all_inner_texts()]
    addresses = [found[1] for found in commands if found]
    assert len(addresses) == STEPS
    for address in addresses:
        assert address.startswith(site.url)
        assert page.request.get(address).status == 200, address


@pytest.mark.soak
def test_a_step_is_tried_on_the_page(visit: Begin) -> None:
    page = visit().open("/docs?lang=ja")
    step = page.locator(".steps > li").nth(2)
    step.locator("button").focus()
    page.keyboard.press("Enter")
    expect(step.locator("[role=status]")).to_contain_text("200")
    expect(step.locator(".answer")).to_contain_text('"items"')


@pytest.mark.soak
def test_every_route_is_listed_without_script(visit: Begin) -> None:
    one = visit(java_script_enabled=False)
    page = one.open("/docs?lang=en")
    listed = page.locator(".noun li > a").all()
    assert len(listed) == len(ROUTES)
    assert page.locator(".noun").count() == len(NOUNS)
    page.locator(".noun a", has_text="/disputes/{dispute_id}/rulings").click()
    section = page.locator(":target")
    expect(section).to_contain_text("/api/v1/disputes/{dispute_id}/rulings")
    expect(section).to_contain_text("head judge")
    expect(section).to_contain_text("Idempotency-Key")
    section.locator("a", has_text="RulingRequest").click()
    expect(page.locator(":target")).to_contain_text('"no_action" | "partial_fix"')
    expect(page.locator(":target")).to_contain_text("RulingTextRequest")


@pytest.mark.soak
def test_every_noun_has_its_page_and_its_words(site: Site, visit: Begin) -> None:
    page = visit().open("/docs?lang=ja")
    links = page.locator(".noun h3 a").all()
    for noun, link in zip(NOUNS, links, strict=True):
        assert link.inner_text() != noun.name.replace("_", " ")
        assert page.request.get(f"{site.url}{link.get_attribute('href')}").status == 200
    assert page.request.get(f"{site.url}/docs/nothing").status == 404


@pytest.mark.parametrize(("path", "scheme"), [("/docs", "light"), ("/docs/jobs", "dark")])
@pytest.mark.soak
def test_axe_finds_nothing(visit: Begin, path: str, scheme: str) -> None:
    page = visit(color_scheme=scheme, bypass_csp=True, viewport=PHONE).open(f"{path}?lang=ja")
    assert violations_on(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
