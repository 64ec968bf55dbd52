"""Logs on the page of a table: chosen or brought, what they are worth, and linked."""

from __future__ import annotations

import pytest
from playwright.sync_api import FilePayload, Page, expect

from tests.api.cups import Cup
from tests.api.tables import MATCHES, good
from tests.conftest import log_of
from tests.web.axe import violations_on
from tests.web.conftest import PHONE, Site
from tests.web.contests import small_cup
from tests.web.judged import arrive
from tests.web.match_pages import Begin

ILLEGAL = 11


@pytest.fixture
def cup(site: Site) -> Cup:
    found = small_cup(site)
    found.begin()
    return found


def table(cup: Cup, number: int = 1) -> str:
    return f"/tournaments/{cup.id}/rounds/1/tables/{number}?lang=ja"


def played_beside(cup: Cup) -> str:
    """Have the players of table 1 play a match that no table knows of; the first concedes."""
    one, two = (cup.players[player] for player in cup.seated(1, 1))
    match_id = cup.hall.begin("formation", [one, two])
    good(one.post(f"{MATCHES}/{match_id}/actions", {"action": {"type": "concede"}}))
    return match_id


def preview(page: Page, text: str) -> None:
    expect(page.locator("#link-preview")).to_contain_text(text)


def test_an_organizer_links_a_match_and_sees_beforehand_what_it_is_worth(
    cup: Cup, visit: Begin
) -> None:
    match_id = played_beside(cup)
    one = arrive(visit, cup.staff)
    page = one.open(table(cup))
    button = page.locator(".linking button")
    expect(button).to_be_disabled()
    page.select_option("[name=stored]", match_id)
    preview(page, "全手がルールどおり")
    preview(page, "卓の結果：0–1–0")
    preview(page, "立会い")
    page.select_option("#link-seats", index=2)
    preview(page, "この卓の参加者と違います")
    expect(button).to_be_disabled()
    page.select_option("#link-seats", index=0)
    expect(button).to_be_enabled()
    button.click()
    expect(page.locator("#done")).to_have_text("棋譜を結びつけました。")
    expect(page.locator(".table-page .lv")).to_contain_text("立会い")
    assert cup.get(cup.pairing(1, 1))["links"][0]["match"] == match_id
    one.errors.clear()  # the browser itself notes the seats that were refused


@pytest.mark.soak
def test_a_file_is_audited_and_linked(cup: Cup, visit: Begin) -> None:
    one = arrive(visit, cup.staff)
    page = one.open(table(cup, 2))
    page.set_input_files("[name=file]", log_of("formation", ILLEGAL))
    preview(page, "反則のある棋譜です（ルール FM-906）")
    expect(page.locator(".linking button")).to_be_disabled()
    page.set_input_files("[name=file]", log_of("formation"))
    preview(page, "審査：合法")
    preview(page, "結果はまだありません")
    page.click(".linking button")
    expect(page.locator("#done")).to_have_text("棋譜を結びつけました。")
    page.select_option("#outcome", index=1)
    page.locator("button", has_text="結果を記録する").click()
    expect(page.locator(".table-page .lv")).not_to_contain_text("申告")
    one.errors.clear()  # the browser itself notes the log that was refused


@pytest.mark.soak
def test_a_record_of_this_service_finds_its_match(cup: Cup, visit: Begin) -> None:
    match_id = played_beside(cup)
    player = cup.players[cup.seated(1, 1)[1]]
    record = player.get(f"{MATCHES}/{match_id}/export").get_data()
    one = arrive(visit, player, viewport=PHONE, bypass_csp=True, color_scheme="dark")
    page = one.open(table(cup))
    page.check("[name=source][value=file]")
    expect(page.locator("#link-file-hint")).not_to_contain_text("審査")
    file = FilePayload(name="mine.kifu.jsonl", mimeType="application/x-ndjson", buffer=record)
    page.set_input_files("[name=file]", file)
    preview(page, "ファイル：")
    preview(page, "立会い")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert violations_on(page) == []
    page.check("[name=source][value=named]")
    page.fill("[name=named]", f"{one.url}/matches/{match_id}/verify?lang=en")
    preview(page, "立会い")
    page.fill("[name=named]", "nowhere")
    preview(page, "その試合はありません。")
    expect(page.locator(".linking button")).to_be_disabled()
    one.errors.clear()  # the browser itself notes the match that is not there


def test_who_neither_plays_nor_serves_there_is_offered_nothing(cup: Cup, visit: Begin) -> None:
    page = visit().open(table(cup))
    expect(page.locator(".linking")).to_have_count(0)
