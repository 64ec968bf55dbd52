"""Events and facts in words, with their arithmetic, rules and cards."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.web.conftest import Site
from tests.web.match_pages import WINDOW, Begin, address, at, events_of


def test_facts_stand_below_their_event_and_quiet_ones_lie_folded(site: Site, visit: Begin) -> None:
    index = next(
        event["seq"]
        for event in events_of(site)
        if len({fact["quiet"] for fact in event["facts"]}) == 2
    )
    event = events_of(site)[index - 1]
    page = visit().open(address(site, at=index, as_="P1", lang="ja"))
    shown = [fact["text"] for fact in event["facts"] if not fact["quiet"]]
    for sentence in shown:
        expect(page.locator(".facts .fact", has_text=sentence).first).to_be_visible()
    expect(page.locator(".fold .fact").first).to_be_hidden()
    page.click(".fold summary >> nth=0")
    expect(page.locator(".fold .fact").first).to_be_visible()


def test_facts_of_another_event_unfold(site: Site, visit: Begin) -> None:
    page = visit().open(address(site, at=40))
    row = page.locator("#events li", has=page.locator(".no", has_text=re.compile("^38$")))
    row.locator(".unfold").click()
    expect(row.locator(".fact").first).to_be_visible()
    expect(row.locator(".unfold")).to_have_attribute("aria-expanded", "true")
    at(page, "40")


def test_a_computation_shows_its_sum(site: Site, visit: Begin) -> None:
    found = next(
        (event["seq"] - 1, number, body["fact"])
        for event in events_of(site, 2)
        for number, body in enumerate(event["facts"], start=1)
        if body["fact"] and len(body["fact"].get("modifiers", ())) > 1
    )
    index, number, fact = found
    page = visit().open(address(site, 2, at=f"{index}.{number}", as_="P1", lang="en"))
    table = page.locator("li", has=page.locator("> .fact[aria-current=step]")).locator(".sum")
    cells = [str(fact["base"]), *(f"+{one['amount']}" for one in fact["modifiers"])]
    expect(table.locator("tbody .num")).to_have_text(cells)
    expect(table.locator("tfoot .num")).to_have_text(str(fact["total"]))
    expect(table.locator(".rule").first).to_have_text(fact["modifiers"][0]["rules"][0])


def test_a_rule_opens_beside_and_closes_by_escape(site: Site, visit: Begin) -> None:
    page = visit().open(address(site, at=5, as_="P1", lang="ja"))
    chip = page.locator(".facts .rule").first
    rule = chip.inner_text()
    chip.click()
    entry = site.installation.catalogue.game("hi-story").rules[rule]
    expect(page.locator("#sheet-title")).to_have_text(f"{rule} {entry['term_ja']}")
    expect(page.locator("#sheet-title")).to_be_focused()
    expect(page.locator(".rule-text")).to_have_text(entry["text_ja"])
    page.keyboard.press("Escape")
    expect(page.locator("#sheet")).to_be_hidden()
    expect(chip).to_be_focused()


def test_a_card_opens_with_its_text(site: Site, visit: Begin) -> None:
    page = visit().open(address(site, at=60, as_="P1", lang="en"))
    tile = page.locator(".side.near [data-shown=row] .face").first
    name = tile.locator(".name").inner_text()
    tile.click()
    expect(page.locator("#sheet-title")).to_contain_text(name)
    expect(page.locator("#sheet-body")).to_contain_text("power")


def test_a_seek_asks_for_the_window_of_its_place_first(site: Site, visit: Begin) -> None:
    one = visit()
    asked: list[str] = []
    one.context.on(
        "request", lambda request: asked.append(request.url) if "/frames?" in request.url else None
    )
    one.open(address(site, 6, at=190, as_="P1"))
    assert f"from={190 // WINDOW * WINDOW}&" in asked[0]
    assert len(asked) == len(set(asked))
