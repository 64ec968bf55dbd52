"""Pages of tournaments for who runs, rules or plays: a round from draft to close, corrections."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from playwright.sync_api import Page, expect

from tests.api.cups import BECAUSE, Cup
from tests.web.axe import violations_on
from tests.web.conftest import PHONE, Site
from tests.web.contests import LONG, skip_to_content, small_cup
from tests.web.judged import arrive, tab_to
from tests.web.match_pages import Begin


@pytest.fixture
def cup(site: Site) -> Cup:
    return small_cup(site)


def told(page: Page, text: str) -> None:
    """Wait until a page says that something was done."""
    expect(page.locator("#done")).to_have_text(text)


def press(page: Page, text: str) -> None:
    page.locator("button:visible", has_text=text).click()


def test_an_organizer_runs_a_round_from_the_pages(cup: Cup, visit: Begin) -> None:
    page = arrive(visit, cup.staff).open(f"/tournaments/{cup.id}?lang=ja")
    press(page, "第1回戦の下書きを作る")
    told(page, "下書きができました。")
    expect(page.locator(".drafted > li")).to_have_count(2)
    expect(page.locator(".drafted .why").first).to_contain_text("抽選")
    page.fill("#minutes", "40")
    press(page, "第1回戦を公開する")
    told(page, "組合せを公開しました。")
    expect(page.locator(".timer")).to_contain_text("残り")
    page.click("#table-1 summary")
    page.select_option("#outcome-1", index=1)
    press(page, "結果を記録する")
    told(page, "結果を記録しました。")
    expect(page.locator("#table-1")).to_contain_text("申告")
    page.click(".desk a >> text=2")
    page.select_option("#outcome", index=3)
    press(page, "結果を記録する")
    told(page, "結果を記録しました。")
    correct(page)
    page.click("text=第1回戦の組合せ")
    press(page, "第1回戦を終了する")
    told(page, "第1回戦を終了しました。")
    expect(page.locator("#table-2")).to_contain_text("訂正")
    page.click("a >> text=掲示用")
    expect(page.locator("#by-table")).to_be_visible()
    expect(page.locator("tbody").nth(1).locator("tr")).to_have_count(2)
    assert cup.state.rounds[1].closed is not None


def correct(page: Page) -> None:
    """Correct the result of a table; it can be sent only behind its preview."""
    button = page.locator(".correction button")
    expect(button).to_be_disabled()
    page.select_option("#correction", index=1)
    expect(page.locator("#preview tbody tr")).to_have_count(2)
    expect(page.locator("#preview thead")).to_contain_text("勝点")
    expect(page.locator("#preview")).to_contain_text("→")
    expect(button).to_be_enabled()
    button.click()
    expect(page.locator(".correction .fault")).to_contain_text("記入してください")
    page.fill("#correction-reason", "記入の取り違え")
    button.click()
    told(page, "訂正を記録しました。")
    expect(page.locator("main .lv").first).to_contain_text("訂正")


@pytest.mark.soak
def test_a_tournament_is_opened_entered_cut_and_ended(cup: Cup, visit: Begin) -> None:
    page = arrive(visit, cup.staff).open("/tournaments?lang=ja")
    page.click("text=大会を開く")
    page.fill("#name", "秋の杯")
    page.fill("#rounds-1", "1")
    page.select_option("#format-2", "single_elimination")
    page.fill("#cut-2", "3")
    press(page, "大会を開く")
    told(page, "大会を開きました。")
    page.fill("#enter-name", LONG[0])
    press(page, "加える")
    told(page, "参加者を加えました。")
    opened = replace(cup, id=page.url.split("/tournaments/")[1].partition("/")[0])
    for name in (*LONG[1:], "青木 蓮"):
        opened.post("/players", {"name": name})
    page.click(".tabs >> text=対戦")
    opened.report(opened.begin(), 1, opened.seated(1, 1)[0])
    page.reload()
    page.click("#table-2 summary")
    page.select_option("#outcome-2", index=1)
    press(page, "結果を記録する")
    told(page, "結果を記録しました。")
    press(page, "第1回戦を終了する")
    told(page, "第1回戦を終了しました。")
    expect(page.locator(".desk fieldset input")).to_have_count(2)
    press(page, "進出者を決めて始める")
    told(page, "進出者が決まりました。")
    expect(page.locator(".bracket rect")).to_have_count(6)
    page.click(".tabs >> text=対戦")
    page.check("#end-early")
    press(page, "大会を終了する")
    told(page, "大会を終了しました。")
    expect(page.locator(".placing li")).to_have_count(4)


@pytest.mark.soak
def test_a_tournament_may_have_many_phases(cup: Cup, visit: Begin) -> None:
    page = arrive(visit, cup.staff).open("/tournaments/new?lang=ja")
    expect(page.locator("#cards")).to_be_hidden()
    page.fill("#name", "三段の杯")
    page.select_option("#format-2", "round_robin")
    press(page, "ステージを加える")
    expect(page.locator("#format-3")).to_be_focused()
    page.select_option("#format-3", "single_elimination")
    page.fill("#best-3", "4")
    press(page, "大会を開く")
    expect(page.locator("#phase-3 .fault")).to_contain_text("お確かめください")
    page.fill("#best-3", "3")
    press(page, "大会を開く")
    told(page, "大会を開きました。")
    expect(page.locator(".facts-line")).to_contain_text("上位8名の総当たり")
    expect(page.locator(".facts-line")).to_contain_text(
        "上位4名のシングルエリミネーション・3本勝負"
    )


def test_players_report_and_confirm_their_own_table(cup: Cup, visit: Begin) -> None:
    cup.begin()
    first, second = cup.seated(1, 1)
    page = arrive(visit, cup.players[first]).open(f"/tournaments/{cup.id}?lang=ja")
    expect(page.locator("#table-1")).to_have_class("mine")
    page.click("text=自分の卓へ")
    expect(page.locator(".correction")).to_have_count(0)
    page.select_option("#own-outcome", index=3)
    press(page, "結果を記録する")
    told(page, "結果を記録しました。")
    expect(page.locator(".desk").first).to_contain_text("いま行うことはありません")
    other = arrive(visit, cup.players[second]).open(
        f"/tournaments/{cup.id}/rounds/1/tables/1?lang=ja"
    )
    press(other, "この結果を確認する")
    told(other, "結果を確認しました。")
    expect(other.locator(".table-page")).to_contain_text("双方が確認済み")


@pytest.mark.soak
def test_a_player_registers_a_deck_opens_a_game_and_leaves(cup: Cup, visit: Begin) -> None:
    player, one = next(iter(cup.players.items()))
    visitor = arrive(visit, one)
    page = visitor.open(f"/tournaments/{cup.id}/players/{player}?lang=ja")
    page.fill("#deck", "@nothing")
    press(page, "登録する")
    expect(page.locator(".fault, .form-fault").first).to_be_visible()
    page.fill("#deck", cup.hall.deck_of("formation"))
    press(page, "登録する")
    told(page, "デッキを登録しました。")
    page.click("text=登録したデッキを見る")
    expect(page.locator("pre.deck")).to_be_visible()
    cup.begin()
    page.goto(f"{visitor.url}/tournaments/{cup.id}?lang=ja")
    page.click("text=自分の卓へ")
    press(page, "対戦を開く")
    expect(page).to_have_url(re.compile("/matches/"))
    page.goto(f"{visitor.url}/tournaments/{cup.id}/players/{player}?lang=ja")
    page.fill("#drop-reason", "終電")
    press(page, "棄権する")
    told(page, "棄権を記録しました。")
    expect(page.locator("h2 + .badge")).to_contain_text("棄権")
    visitor.errors.clear()  # the browser itself notes the deck that was refused


@pytest.mark.soak
def test_what_is_refused_is_said_at_the_form(cup: Cup, visit: Begin) -> None:
    visitor = arrive(visit, cup.staff)
    page = visitor.open(f"/tournaments/{cup.id}/players?lang=ja")
    page.fill("#enter-person", "nobody")
    press(page, "加える")
    expect(page.locator("[data-path=person] .fault")).to_be_visible()
    cup.post("/rounds", {"round": 1})
    player = next(iter(cup.players))
    cup.post(f"/players/{player}/drop", BECAUSE)
    page.goto(f"{visitor.url}/tournaments/{cup.id}/draft?lang=ja")
    expect(page.locator(".note.warn").first).to_contain_text("組み直してください")
    page.click("text=対戦しない人を決める")
    page.locator(".sitting-list select").first.select_option("absent")
    press(page, "もう一度組む")
    told(page, "下書きができました。")
    expect(page.locator(".sits .badge")).to_have_text("欠席")
    visitor.errors.clear()  # the browser itself notes the refusal


@pytest.mark.soak
def test_staff_gives_time_penalties_and_pairs_again(cup: Cup, visit: Begin) -> None:
    cup.begin()
    visitor = arrive(visit, cup.staff)
    page = visitor.open(f"/tournaments/{cup.id}/rounds/1/tables/2?lang=ja")
    page.click("text=時間を延長する")
    page.fill("#extension", "5")
    page.fill("#extension-reason", "裁定待ち")
    press(page, "延長する")
    told(page, "時間を延長しました。")
    page.click(".tabs >> text=ペナルティ")
    page.select_option("#penalty-player", label=LONG[0])
    page.fill("#penalty-reason", "遅刻")
    press(page, "第1回戦でのペナルティを記録する")
    told(page, "ペナルティを記録しました。")
    expect(page.locator("tbody")).to_contain_text("遅刻")
    page.click(".tabs >> text=対戦")
    page.click("text=組み直す >> nth=0")
    page.uncheck("#repair-minimal")
    page.fill("#repair-reason", "座席の誤り")
    press(page, "この回戦を組み直す")
    told(page, "組み直しました。")


@pytest.mark.soak
def test_a_round_is_run_by_keyboard_on_a_phone(cup: Cup, visit: Begin) -> None:
    one = arrive(visit, cup.staff, viewport=PHONE, bypass_csp=True)
    page = one.open(f"/tournaments/{cup.id}?lang=ja")
    skip_to_content(page)
    tab_to(page, ".desk .btn.primary")
    page.keyboard.press("Enter")
    told(page, "下書きができました。")
    assert violations_on(page) == []
    skip_to_content(page)
    tab_to(page, ".desk .btn.primary")
    page.keyboard.press("Enter")
    told(page, "組合せを公開しました。")
    skip_to_content(page)
    tab_to(page, "#table-1 summary")
    page.keyboard.press("Enter")
    tab_to(page, "#outcome-1")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    told(page, "結果を記録しました。")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    page.goto(f"{one.url}/tournaments/{cup.id}/rounds/1/tables/1?lang=ja")
    page.select_option("#correction", index=3)
    expect(page.locator("#preview tbody tr")).to_have_count(2)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert violations_on(page) == []
