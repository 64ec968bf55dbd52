"""The position editor: actions tried, refused, taken back, shared; positions of one's own."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Page, expect

from service.engine.values import JUDGE
from tests.conftest import CATALOGUE
from tests.web.axe import violations_on
from tests.web.conftest import EXACT, PHONE, Site
from tests.web.match_pages import Begin

PATH = "/adjudicate/hi-story"
DIVIDED = "HS-E060"
REFUSED = "HS-E002"
TWO_CARDS = {"players": {"P1": {"hand": ["a1=shun-dash", "a2=shun-guard"]}}}


def says(page: Page, text: str | re.Pattern[str]) -> None:
    expect(page.locator("#course [role=status]")).to_have_text(text)


def legal(page: Page, text: str) -> None:
    page.locator("#legal .btn", has_text=text).first.click()


def try_action(page: Page, **action: object) -> None:
    page.fill("#action", json.dumps(action))
    page.click("#action-form .primary")


def set_position(page: Page, position: object) -> None:
    if not page.locator("#position").is_visible():
        page.click("#position-box summary")
    page.fill("#position", json.dumps(position))
    page.click("#position-form .primary")


def index_with_choice(site: Site) -> int:
    """Return an index of a match at which something listed leaves more than one choice."""
    here = site.installation
    match = here.log.match(site.matches[EXACT])
    replay, ruleset = here.replay(match, JUDGE, "en"), here.pool_of(match.opened).ruleset
    return next(
        index
        for index in range(5, match.version)
        for entry in ruleset.legal_actions(replay.position(index)).get("P1", [])
        if any(len(chooser["from"]) > 1 for chooser in entry.get("choose", {}).values())
    )


@pytest.mark.soak
def test_a_position_is_set_up_and_played_on(site: Site, visit: Begin) -> None:
    page = visit().open(f"{PATH}?lang=ja")
    expect(page.locator(".course-list")).to_have_text("まだ何も行われていません。")
    set_position(page, TWO_CARDS)
    expect(page.locator(".side.near [data-shown=row] .face")).to_have_count(2)
    legal(page, "放課後ダッシュのシュンをフィールド2に")
    expect(page.locator(".deed h3")).to_contain_text("召喚する")
    expect(page.locator(".deed .rule").first).to_be_visible()
    expect(page.locator(".side.near .tile .name", has_text="シュン")).to_have_count(2)
    legal(page, "フェーズを終える")
    expect(page.locator(".deed")).to_have_count(2)
    page.click("[data-do=undo]")
    expect(page.locator(".deed")).to_have_count(1)
    page.click("[data-do=restart]")
    expect(page.locator(".deed")).to_have_count(0)
    expect(page.locator(".side.near [data-shown=row] .face")).to_have_count(2)
    assert page.evaluate("window.violations") == []


@pytest.mark.soak
def test_a_link_holds_position_actions_and_place(site: Site, visit: Begin) -> None:
    one = visit(permissions=["clipboard-read", "clipboard-write"])
    page = one.open(f"{PATH}?lang=en")
    set_position(page, TWO_CARDS)
    legal(page, "Shun onto field 3")
    expect(page.locator(".deed")).to_have_count(1)
    page.locator("#course").get_by_role("button", name="Previous fact").click()
    expect(page.locator("#course .where")).to_have_text(re.compile("^0 / "))
    expect(page).to_have_url(re.compile("#."))
    page.click("[data-do=share]")
    expect(page.locator("#shared")).to_contain_text("Link copied.")
    link = page.evaluate("navigator.clipboard.readText()")
    other = visit().open(link.removeprefix(site.url).replace("lang=en", "lang=ja"))
    expect(other.locator(".deed h3")).to_contain_text("シュンをフィールド3に召喚する")
    expect(other.locator("#course .where")).to_have_text(re.compile("^0 / "))
    other.click("[data-language=en]")
    expect(other.locator(".deed h3")).to_contain_text("onto field 3")


@pytest.mark.soak
def test_a_rule_refuses_an_action_and_the_next_takes_its_place(site: Site, visit: Begin) -> None:
    page = visit().open(f"{PATH}?lang=en")
    try_action(page, actor="P2", type="end_phase")
    refusal = page.locator(".refusal")
    expect(refusal).to_contain_text("This action is refused")
    says(page, re.compile("^Refused: "))
    rule = refusal.locator(".rule").inner_text()
    refusal.locator(".rule").click()
    expect(page.locator("#sheet-title")).to_contain_text(rule)
    expect(page.locator("#sheet a")).to_have_attribute("href", f"/rules/{rule}?lang=en")
    page.keyboard.press("Escape")
    try_action(page, actor="P1", type="end_phase")
    expect(page.locator(".refusal")).to_have_count(0)
    expect(page.locator(".deed")).to_have_count(1)


@pytest.mark.soak
def test_an_example_begins_with_its_actions(site: Site, visit: Begin) -> None:
    page = visit().open(f"{PATH}?example={DIVIDED}&lang=ja")
    expect(page.locator("#course .where")).to_have_text("14 / 14")
    expect(page.locator(".sum")).not_to_have_count(0)
    assert "#" not in page.url
    page.click("[data-do=undo]")
    expect(page.locator("#course .where")).not_to_have_text("14 / 14")
    expect(page).to_have_url(re.compile("#."))
    refused = visit(java_script_enabled=False).open(f"{PATH}?example={REFUSED}&lang=ja")
    expect(refused.locator("#core .banner")).to_contain_text("デッキはちょうど32枚です。")
    expect(refused.get_by_text("スクリプトが要ります")).to_be_visible()


@pytest.mark.soak
def test_a_match_is_looked_into_at_an_index(site: Site, visit: Begin) -> None:
    at = index_with_choice(site)
    page = visit().open(f"{PATH}?match={site.matches[EXACT]}&at={at}&lang=en")
    expect(page.locator(".side-name").first).to_contain_text("Player Two")
    page.locator("#legal .btn", has_text="…").first.click()
    expect(page.locator("#action")).to_be_focused()
    buttons = page.locator("#choices .btn")
    expect(buttons.first).to_have_attribute("aria-pressed", "true")
    buttons.last.click()
    expect(buttons.last).to_have_attribute("aria-pressed", "true")
    expect(buttons.first).to_have_attribute("aria-pressed", "false")
    page.click("#action-form .primary")
    expect(page.locator(".deed")).to_have_count(1)


@pytest.mark.soak
def test_faults_are_said_at_their_fields(site: Site, visit: Begin) -> None:
    one = visit()
    page = one.open(f"{PATH}?lang=en")
    page.fill("#action", "{")
    page.click("#action-form .primary")
    expect(page.locator("#action-fault")).to_have_text("This cannot be read as JSON.")
    expect(page.locator("#action")).to_be_focused()
    try_action(page, type="end_phase")
    expect(page.locator("#action-fault")).to_contain_text("actions.0.actor")
    page.fill("#rng", "{}")
    page.click("#rng-form .btn")
    expect(page.locator("#rng-fault")).to_have_text("Enter JSON between [ ].")
    page.fill("#rng", "[4]")
    page.click("#rng-form .btn")
    expect(page.locator("#rng-fault")).to_contain_text("rng.0")
    set_position(page, {"phase": 3})
    expect(page.locator("#position-fault")).to_contain_text("position.phase")
    expect(page.locator("#position")).to_have_attribute("aria-invalid", "true")
    one.errors.clear()  # the browser itself notes the refused requests


@pytest.mark.soak
def test_what_cannot_be_begun_from_is_said(site: Site, visit: Begin) -> None:
    one = visit()
    page = one.open(f"{PATH}?match=nothing&at=3&lang=en")
    expect(page.locator("#failure")).to_be_visible()
    expect(page.locator("#begin")).to_have_attribute("open", "")
    page.goto(f"{site.url}{PATH}?lang=en#rubbish")
    expect(page.locator("#failure")).to_contain_text("could not be read")
    expect(page.locator("#legal .btn")).not_to_have_count(0)
    for path in ("/adjudicate/nothing", f"{PATH}?example=HS-E999"):
        assert one.context.request.get(site.url + path).status == 404
    one.errors.clear()  # the browser itself notes the 404


@pytest.mark.soak
def test_other_games_need_no_other_page(site: Site, visit: Begin) -> None:
    page = visit().open("/adjudicate/hagmi?example=HGX-085&lang=en")
    expect(page.locator("#course .tile")).not_to_have_count(0)
    page.goto(f"{site.url}/adjudicate/hagmi?lang=en")
    expect(page.locator("#course .board")).to_contain_text("There is no table")
    page.goto(f"{site.url}/adjudicate/formation?example=FM-EX-042&lang=en")
    legal(page, "The battle advances one step.")
    expect(page.locator(".deed h3").last).to_have_text("The battle advances one step.")


def test_axe_finds_nothing_and_nothing_scrolls_sideways(site: Site, visit: Begin) -> None:
    one = visit(color_scheme="dark", bypass_csp=True, viewport=PHONE)
    page = one.open(f"{PATH}?example={DIVIDED}&lang=ja")
    page.locator("#course .rule").first.click()
    expect(page.locator("#sheet-body .rule-text")).to_be_visible()
    assert violations_on(page) == []
    page.set_viewport_size({"width": 320, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


def card(page: Page, name: str) -> None:
    """Open a card of the hand of P1."""
    page.locator(".side.near [data-shown=row] .face", has_text=name).first.click()


def names_in_hand(page: Page) -> list[str]:
    zone = page.locator(".side.near .zone", has=page.get_by_text("手札", exact=True))
    return zone.locator(".name").all_inner_texts()


def test_a_dealt_position_is_changed_on_the_board(visit: Begin) -> None:
    page = visit().open("/adjudicate/hi-story?deal=1&lang=ja")
    first, *others = names_in_hand(page)
    card(page, first)
    chosen = page.locator(".edit select").first
    chosen.focus()
    expect(chosen.locator("option")).to_have_count(
        len(CATALOGUE.game("hi-story").sample.cards["cards"])
    )
    chosen.select_option("yasuke")
    expect(page.locator("#sheet")).to_be_hidden()
    expect(page.locator(".side.near .name", has_text="弥助")).not_to_have_count(0)
    assert sorted(names_in_hand(page)) == sorted([*others, "弥助"])
    card(page, "弥助")
    page.locator(".edit").get_by_label("移す先").select_option(label="P1 墓地")
    expect(page.locator(".side.near .pile", has_text="墓地")).to_contain_text("1")
    assert sorted(names_in_hand(page)) == sorted(others)
    expect(page).to_have_url(re.compile("#."))
    page.locator("#editor").get_by_label("場所").select_option(label=f"P1 手札 {len(others)}")
    page.locator("#editor").get_by_label("ここに札を加える").select_option("yasuke")
    expect(page.locator(".side.near .name", has_text="弥助")).to_have_count(1)
    page.locator("#editor").get_by_label("フェイズ").select_option("attack")
    expect(page.locator(".moment")).to_contain_text("攻撃")
    assert page.evaluate("window.violations") == []


@pytest.mark.soak
@pytest.mark.parametrize(("game", "counter"), [("hagmi", "ダメージ"), ("formation", "毒")])
def test_numbers_of_a_card_are_changed(visit: Begin, game: str, counter: str) -> None:
    example = {"hagmi": "HGX-063", "formation": "FM-EX-062"}[game]
    page = visit().open(f"/adjudicate/{game}?example={example}&lang=ja")
    page.locator("#course").get_by_role("button", name="最初へ").click()
    page.locator(".side .face").first.click()
    page.locator(".edit").get_by_label(counter, exact=True).fill("1")
    page.locator(".edit").get_by_label(counter, exact=True).press("Enter")
    expect(page.locator("#course .where")).to_have_text("0 / 0")
    page.locator(".side .face").first.click()
    expect(page.locator(".edit").get_by_label(counter, exact=True)).to_have_value("1")
    page.locator(".edit").get_by_role("button", name="局面から除く").click()
    expect(page.locator("#sheet")).to_be_hidden()
