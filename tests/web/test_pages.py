"""The pages as a person uses them: keyboard, mouse, phone, both languages, light and dark."""

from __future__ import annotations

import importlib.resources
import re
from collections.abc import Callable, Iterator
from urllib.parse import parse_qs, urlsplit

import axe_playwright_python
import pytest
from playwright.sync_api import Page, expect

from schemas.strict import canonical, read_json
from service.engine.values import Json
from tests.web.conftest import PHONE, Site, Visit

AXE = (importlib.resources.files(axe_playwright_python) / "axe.min.js").read_text()
Begin = Callable[..., Visit]
FACTS_MIN = 4
WINDOW = 50


def address(site: Site, number: int = 1, **query: object) -> str:
    search = "&".join(f"{key.rstrip('_')}={value}" for key, value in query.items())
    return f"/matches/{site.matches[number]}?{search}"


def query_of(page: Page) -> dict[str, str]:
    return {key: values[0] for key, values in parse_qs(urlsplit(page.url).query).items()}


def place_of(page: Page) -> str:
    return page.inner_text("#where").partition(" / ")[0]


def at(page: Page, place: str) -> None:
    expect(page.locator("#where")).to_have_text(re.compile(rf"^{re.escape(place)} / "))
    expect(page).to_have_url(re.compile(rf"[?&]at={re.escape(place)}(&|$)"))


def events_of(site: Site, number: int = 1, viewer: str = "P1") -> list[Json]:
    replay = site.installation.replay(site.matches[number], viewer, "ja")
    return replay.events(0, replay.match.version)


def long_event(site: Site, number: int = 1) -> int:
    """Return the index before an event with several facts."""
    return next(
        event["seq"] - 1
        for event in events_of(site, number)
        if len(event["facts"]) >= FACTS_MIN and event["seq"] > 2 * FACTS_MIN
    )


# ---- the list of matches


def test_the_list_names_game_seats_actions_result_and_kind(site: Site, visit: Begin) -> None:
    page = visit().open("/?lang=ja")
    row = page.locator("tbody tr").filter(has=page.locator(f"a[href*='{site.matches[1]}']"))
    expect(row).to_contain_text("Player One")
    expect(row).to_contain_text("hi-story")
    expect(row).to_contain_text("134")
    expect(row).to_contain_text("勝ち（山札切れ）")
    expect(row).to_contain_text("取り込み")
    expect(page.locator("tbody tr")).to_have_count(len(site.matches))


def test_the_list_is_filtered_by_game_without_script(visit: Begin) -> None:
    page = visit(java_script_enabled=False).open("/?lang=en")
    page.click("text=hi-story >> nth=0")
    assert query_of(page) == {"game": "hi-story", "lang": "en"}
    assert page.locator("tbody tr").count() > 0
    page.goto(page.url.replace("hi-story", "nothing"))
    expect(page.locator(".empty")).to_be_visible()


def test_a_match_opens_from_the_list(site: Site, visit: Begin) -> None:
    page = visit().open("/?lang=en")
    page.click(f"a[href*='{site.matches[1]}']")
    expect(page.locator(".side.near")).to_be_visible()
    assert query_of(page)["lang"] == "en"


def test_a_missing_match_gives_a_readable_page(visit: Begin) -> None:
    one = visit()
    page = one.open("/matches/nothing?lang=ja")
    expect(page.locator("h1")).to_have_text("見つかりません。")
    expect(page.locator("main a")).to_have_attribute("href", "/?lang=ja")
    one.errors.clear()  # the browser itself notes the 404


# ---- keys, steps, bar


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


def test_the_bar_is_tapped(site: Site, visit: Begin) -> None:
    one = visit(viewport=PHONE, has_touch=True, is_mobile=True)
    page = one.open(address(site, at=0))
    box = page.locator("#range").bounding_box()
    assert box is not None
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + 20)
    at(page, "68")


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


# ---- the address


def test_the_address_restores_place_viewer_and_language(site: Site, visit: Begin) -> None:
    index = long_event(site, 2)
    page = visit().open(address(site, 2, at=index, as_="P2", lang="en"))
    page.keyboard.press(".")
    page.keyboard.press(".")
    at(page, f"{index}.2")
    other = visit(locale="ja").open(page.url.removeprefix(site.url))
    at(other, f"{index}.2")
    assert query_of(other) == {"at": f"{index}.2", "as": "P2", "lang": "en"}
    for part in ("#caption", "#board", "#viewers [aria-current=true]", "#events-title"):
        assert other.inner_text(part) == page.inner_text(part)
    expect(other.locator("html")).to_have_attribute("lang", "en")


def test_back_and_forward_restore(site: Site, visit: Begin) -> None:
    page = visit().open(address(site, at=40, as_="P1", lang="ja"))
    page.click("[data-viewer=judge]")
    expect(page).to_have_url(re.compile("as=judge"))
    page.keyboard.press("End")
    at(page, "136")
    page.go_back()
    at(page, "40")
    expect(page.locator("[data-viewer=judge]")).to_have_attribute("aria-current", "true")
    page.go_back()
    expect(page.locator("[data-viewer=P1]")).to_have_attribute("aria-current", "true")
    page.go_forward()
    expect(page.locator("[data-viewer=judge]")).to_have_attribute("aria-current", "true")


def test_what_the_address_says_wrongly_is_not_taken(site: Site, visit: Begin) -> None:
    page = visit().open(address(site, at="999999", as_="P4", lang="fr"))
    at(page, "136")
    assert query_of(page) == {"at": "136", "as": "spectator", "lang": "ja"}


# ---- events, facts, rules, cards


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


# ---- who sees what


def texts_in(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value.rpartition("=")[2]
    elif isinstance(value, dict):
        for part in value.values():
            yield from texts_in(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from texts_in(part)


def hand_secrets(site: Site, number: int, index: int) -> set[str]:
    """Return the definitions in P2's hand that neither P1 brings nor the public is ever shown."""
    installation, match_id = site.installation, site.matches[number]
    judge = installation.replay(match_id, "judge", "ja").position(index)
    own = {card for card_id, card in judge["cards"].items() if card_id.startswith("a")}
    public = installation.replay(match_id, "spectator", "ja")
    shown = set(texts_in(read_json(canonical(public.window(0, public.match.version)))))
    return {judge["cards"][card] for card in judge["players"]["P2"]["hand"]} - own - shown


def test_no_answer_tells_p1_the_hand_of_p2(site: Site, visit: Begin) -> None:
    index = 60
    secrets = next(
        (number, found) for number in site.matches if (found := hand_secrets(site, number, index))
    )
    number, definitions = secrets
    one = visit()
    bodies: list[str] = []
    one.context.on("response", lambda response: bodies.append(response.text()))
    page = one.open(address(site, number, at=index, as_="P1", lang="ja"))
    for key in ("ArrowRight", ".", "End", "Home"):
        page.keyboard.press(key)
    page.wait_for_load_state("networkidle")
    cards = site.installation.catalogue.game("hi-story").sample.ruleset.cards
    for definition in definitions:
        assert not any(f'"{definition}"' in body for body in bodies)
        assert not any(cards[definition]["text_ja"] in body for body in bodies)
    expect(page.locator(".side.far .backs")).not_to_have_count(0)
    page.keyboard.press("End")
    page.click("[data-viewer=judge]")
    expect(page.locator(".side.far [data-shown=row] .face").first).to_be_visible()
    page.wait_for_load_state("networkidle")
    assert any(f'"{definition}"' in body for definition in definitions for body in bodies)


# ---- languages, looks, access


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
    expect(one.open("/").locator("h2")).to_have_text("Matches")


def test_the_language_follows_the_browser(visit: Begin) -> None:
    assert visit(locale="en-GB").open("/").title() == "Matches — Kifu"
    assert visit(locale="ja-JP").open("/").title() == "試合 — 棋譜"


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


@pytest.mark.parametrize("width", [320, 390, 820])
@pytest.mark.parametrize("language", ["ja", "en"])
def test_no_page_scrolls_sideways(site: Site, visit: Begin, width: int, language: str) -> None:
    one = visit(viewport={"width": width, "height": 800})
    places = (address(site, at=100, as_="judge", lang=language), f"/?lang={language}")
    for path in places:
        page = one.open(path)
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
    expect(page.locator("[data-viewer=spectator]")).to_be_focused()
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    reached = set()
    for _ in range(40):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.className || document.activeElement.id"))
    assert {"btn", "face", "range", "event", "unfold"} <= reached


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("kind", ["desktop", "phone"])
def test_axe_finds_nothing(site: Site, visit: Begin, scheme: str, kind: str) -> None:
    size = {"viewport": PHONE} if kind == "phone" else {}
    one = visit(color_scheme=scheme, bypass_csp=True, **size)
    index = long_event(site, 2)
    page = one.open(address(site, 2, at=f"{index}.1", as_="judge", lang="ja"))
    page.locator(".facts .rule").first.click()
    for shown in (page, one.open("/"), one.open("/matches/nothing")):
        shown.evaluate(AXE)
        found = shown.evaluate("axe.run()")["violations"]
        told = [(fault["id"], [node["target"] for node in fault["nodes"]]) for fault in found]
        assert told == []
    one.errors.clear()  # the browser itself notes the 404


# ---- safety, and life without script


def test_pages_have_a_strict_policy_and_keep_it(site: Site, visit: Begin) -> None:
    one = visit()
    page = one.open(address(site, at=60, as_="P1"))
    policy = page.request.get(page.url).headers["content-security-policy"]
    for rule in ("default-src 'self'", "object-src 'none'", "base-uri 'none'"):
        assert rule in policy
    assert "unsafe" not in policy
    page.keyboard.press(".")
    page.locator(".facts .rule").first.click()
    page.click("#theme")
    assert page.evaluate("window.violations") == []
    answer = page.request.get(f"{site.url}/api/v1/matches")
    assert "content-security-policy" not in answer.headers


def test_names_never_become_markup(site: Site, visit: Begin) -> None:
    page = visit().open(address(site, at=60, as_="<script>alert(1)</script>"))
    expect(page.locator("[data-viewer=spectator]")).to_have_attribute("aria-current", "true")


def test_without_script_the_events_can_be_read(site: Site, visit: Begin) -> None:
    page = visit(java_script_enabled=False).open(address(site, as_="P1", lang="ja"))
    expect(page.locator("#events > li")).to_have_count(WINDOW)
    expect(page.locator("#events > li").nth(5)).to_contain_text(events_of(site)[5]["text"])
    expect(page.locator("#timebar")).to_be_hidden()
    page.click("[rel=next]")
    expect(page.locator("#events .no").first).to_have_text(str(WINDOW + 1))
    page.click("[data-viewer=P2]")
    assert query_of(page)["as"] == "P2"


def test_if_the_script_fails_the_list_stays(site: Site, visit: Begin) -> None:
    one = visit()
    one.context.route("**/match.js", lambda route: route.abort())
    page = one.open(address(site, lang="ja"))
    expect(page.locator("#events > li")).to_have_count(WINDOW)
    expect(page.locator(".board-wait")).to_be_visible()
    one.errors.clear()  # the browser itself notes the missing script


def test_if_an_answer_fails_one_can_try_again(site: Site, visit: Begin) -> None:
    one = visit()
    one.context.route("**/frames?*", lambda route: route.abort())
    page = one.open(address(site, at=60, lang="ja"))
    expect(page.locator("#failure")).to_be_visible()
    one.context.unroute("**/frames?*")
    page.click("[data-do=again]")
    expect(page.locator(".side.near")).to_be_visible()
    expect(page.locator("#failure")).to_be_hidden()
    at(page, "60")
    one.errors.clear()  # the browser itself notes the failed request
