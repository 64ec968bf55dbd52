"""The list of matches and the steps of a match page: keys, bar, buttons, marks."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.web.conftest import PHONE, Site
from tests.web.match_pages import Begin, address, at, events_of, long_event, query_of


def test_the_list_names_game_seats_actions_result_and_kind(site: Site, visit: Begin) -> None:
    page = visit().open("/matches?lang=ja")
    row = page.locator("tbody tr").filter(has=page.locator(f"a[href*='{site.matches[1]}']"))
    expect(row).to_contain_text("Player One")
    expect(row).to_contain_text("Hi! story")
    expect(row).to_contain_text("134")
    expect(row).to_contain_text("勝ち（山札切れ）")
    expect(row).to_contain_text("取り込み")
    assert page.locator("tbody tr").count() >= len(site.matches)


def test_the_list_is_filtered_by_game_without_script(visit: Begin) -> None:
    page = visit(java_script_enabled=False).open("/matches?lang=en")
    page.click("text=Hi! story >> nth=0")
    assert query_of(page) == {"game": "hi-story", "lang": "en"}
    assert page.locator("tbody tr").count() > 0
    page.goto(page.url.replace("hi-story", "nothing"))
    expect(page.locator(".empty")).to_be_visible()


def test_a_match_opens_from_the_list(site: Site, visit: Begin) -> None:
    page = visit().open("/matches?lang=en")
    page.click(f"a[href*='{site.matches[1]}']")
    expect(page.locator(".side.near")).to_be_visible()
    assert query_of(page)["lang"] == "en"


def test_a_missing_match_gives_a_readable_page(visit: Begin) -> None:
    one = visit()
    page = one.open("/matches/nothing?lang=ja")
    expect(page.locator("h1")).to_have_text("見つかりません。")
    expect(page.locator("main a")).to_have_attribute("href", "/?lang=ja")
    one.errors.clear()  # the browser itself notes the 404


def test_keys_move_by_event_and_to_the_ends(site: Site, visit: Begin) -> None:
    page = visit().open(address(site, at=20, as_="P1", lang="ja"))
    for key, place in (("ArrowRight", "21"), ("ArrowLeft", "20"), ("Home", "0"), ("End", "136")):
        page.keyboard.press(key)
        at(page, place)
    page.keyboard.press("ArrowRight")
    at(page, "136")


def test_keys_move_by_fact(site: Site, visit: Begin) -> None:
    index = long_event(site)
    event = events_of(site)[index]
    page = visit().open(address(site, at=index, as_="P1", lang="ja"))
    for number, body in enumerate(event["facts"][:-1], start=1):
        page.keyboard.press(".")
        at(page, f"{index}.{number}")
        expect(page.locator("#caption")).to_have_text(body["text"])
        expect(page.locator(".fact[aria-current=step] .number")).to_have_text(str(number))
    page.keyboard.press(".")
    at(page, str(index + 1))
    expect(page.locator("#caption")).to_have_text(event["facts"][-1]["text"])
    page.keyboard.press(",")
    at(page, f"{index}.{len(event['facts']) - 1}")


def test_a_step_behind_the_last_fact_is_the_next_index(site: Site, visit: Begin) -> None:
    index = long_event(site)
    count = len(events_of(site)[index]["facts"])
    page = visit().open(address(site, at=f"{index}.{count}"))
    at(page, str(index + 1))


def test_f_changes_seats(site: Site, visit: Begin) -> None:
    page = visit().open(address(site, at=60, as_="P1", lang="ja"))
    page.keyboard.press("f")
    expect(page.locator(".side.near")).to_have_attribute("data-seat", "P2")
    assert query_of(page)["as"] == "P2"
    page.click("[data-viewer=spectator]")
    expect(page.locator(".side.near")).to_have_attribute("data-seat", "P1")
    page.keyboard.press("f")
    expect(page.locator(".side.near")).to_have_attribute("data-seat", "P2")
    assert query_of(page)["as"] == "spectator"


def test_help_opens_and_closes(site: Site, visit: Begin) -> None:
    page = visit().open(address(site, at=60))
    page.keyboard.press("?")
    expect(page.locator("#help")).to_be_visible()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Escape")
    expect(page.locator("#help")).to_be_hidden()
    at(page, "60")


def test_keys_are_left_alone_while_typing(site: Site, visit: Begin) -> None:
    page = visit().open(address(site, at=60))
    page.evaluate("document.querySelector('main').append(document.createElement('textarea'))")
    page.fill("textarea", "?")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press(".")
    expect(page.locator("textarea")).to_have_value(".?")
    expect(page.locator("#help")).to_be_hidden()
    at(page, "60")


def test_the_bar_is_dragged_by_mouse(site: Site, visit: Begin) -> None:
    page = visit().open(address(site, at=0, as_="P1", lang="ja"))
    box = page.locator("#range").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 14, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 20, steps=8)
    page.mouse.up()
    at(page, "68")
    expect(page.locator("#events [aria-current=true] .no")).to_have_text("68")
    page.go_back()
    at(page, "0")


def test_the_bar_is_tapped_and_dragged_by_touch(site: Site, visit: Begin) -> None:
    one = visit(viewport=PHONE, has_touch=True, is_mobile=True)
    page = one.open(address(site, at=0))
    box = page.locator("#range").bounding_box()
    assert box is not None
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + 20)
    at(page, "68")
    finger = one.context.new_cdp_session(page)
    for kind, share in (("Start", 2), ("Move", 3), ("Move", 4), ("End", 0)):
        points = [{"x": box["x"] + box["width"] / share, "y": box["y"] + 20}] if share else []
        finger.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": points})
    expect(page).to_have_url(re.compile("[?&]at=3[0-9](&|$)"))


def test_buttons_step(site: Site, visit: Begin) -> None:
    page = visit().open(address(site, at=30))
    for act, place in (("event-on", "31"), ("event-back", "30"), ("start", "0"), ("end", "136")):
        page.click(f"[data-do={act}]")
        at(page, place)


def test_what_a_step_changed_is_marked(site: Site, visit: Begin) -> None:
    index = next(
        event["seq"] - 1
        for event in events_of(site)
        if event["action"] and event["action"]["type"] == "summon"
    )
    page = visit().open(address(site, at=index, as_="P1"))
    page.keyboard.press("ArrowRight")
    at(page, str(index + 1))
    expect(page.locator(".tile.changed")).to_have_count(1)
    expect(page.locator(".tile.changed .sr", has_text="直前に変化")).to_have_count(1)
    expect(page.locator(".delta")).to_have_text(["−1"])
