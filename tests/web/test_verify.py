"""Verdicts in the list and on a match page; the ladder of checks of a match and of a file."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from service.api.routing import RAW_BYTES_MAX
from service.engine.values import JUDGE, SPECTATOR, Viewer
from service.exchange import export_lines
from tests.web.axe import violations_on
from tests.web.conftest import EXACT, MARKUP, PHONE, SPOILT, TAMPERED, UNVERIFIED, Site
from tests.web.match_pages import Begin, at, query_of

DROPPED = 59
HEAD_LINES = 2
DROP = """([name, content]) => {
    const dataTransfer = new DataTransfer();
    const part = typeof content === "number" ? new ArrayBuffer(content) : content;
    dataTransfer.items.add(new File([part], name));
    dispatchEvent(new DragEvent("dragover", { dataTransfer, cancelable: true }));
    dispatchEvent(new DragEvent("drop", { dataTransfer, cancelable: true }));
}"""
WORDS = {
    "ja": {"chain": "つながり", "complete": "欠けなし", "fold": "局面", "legal": "合法"},
    "en": {"chain": "Chain", "complete": "Complete", "fold": "Fold", "legal": "Legal"},
}
GOOD = {"ja": "合格", "en": "good"}


def verify_path(site: Site, number: int = EXACT, **query: str) -> str:
    search = "&".join(f"{key.rstrip('_')}={value}" for key, value in query.items())
    return f"/matches/{site.matches[number]}/verify?{search}"


def lines_of(site: Site, viewer: Viewer = JUDGE) -> list[bytes]:
    return export_lines(site.installation, site.installation.log.match(site.matches[EXACT]), viewer)


def without_event(lines: list[bytes], seq: int) -> list[bytes]:
    """Return the lines of a file from which an event was taken out."""
    return lines[: HEAD_LINES + seq - 1] + lines[HEAD_LINES + seq :]


def file_of(lines: list[bytes], name: str = "match.kifu.jsonl") -> Any:
    return {"name": name, "mimeType": "application/octet-stream", "buffer": b"".join(lines)}


def bring(page: Page, lines: list[bytes], name: str = "match.kifu.jsonl") -> None:
    """Choose a file, wait until the browser has checked it, and have the server verify it, too."""
    page.set_input_files("#file", file_of(lines, name))
    page.click("#ask-server")


def own(page: Page, check: str) -> Any:
    return page.locator(f"[data-rung={check}]")


def rung(page: Page, check: str) -> Any:
    return page.locator(f"[data-check={check}]")


def row_of(page: Page, site: Site, number: int) -> Any:
    return page.locator("tbody tr", has=page.locator(f"a[href*='{site.matches[number]}']"))


def test_the_list_tells_each_verdict_by_word_and_sign(site: Site, visit: Begin) -> None:
    page = visit().open("/matches?lang=ja")
    told = (
        (EXACT, "一致", "good", "くじ：記録に付属"),
        (TAMPERED, "改変", "bad", f"{SPOILT}番の出来事"),
        (UNVERIFIED, "未検証", "quiet", ""),
    )
    for number, word, tone, more in told:
        cell = row_of(page, site, number).locator(".ledger-verdict")
        expect(cell.locator(".badge")).to_have_text(word)
        expect(cell.locator("use")).to_have_attribute("href", re.compile(f"#tone-{tone}$"))
        expect(cell).to_contain_text(more)


def test_the_list_is_filtered_by_verdict_and_game_without_script(site: Site, visit: Begin) -> None:
    page = visit(java_script_enabled=False).open("/matches?lang=en")
    page.click(".filter a:text-is('exact')")
    assert query_of(page) == {"verdict": "exact", "lang": "en"}
    expect(page.locator("tbody tr")).to_have_count(1)
    page.click(".filter a:text-is('Hi! story')")
    assert query_of(page) == {"game": "hi-story", "verdict": "exact", "lang": "en"}
    expect(page.locator(".filter [aria-current]")).to_have_text(["Hi! story", "exact"])
    page.click(".filter a:text-is('diverged')")
    expect(page.locator(".empty")).to_have_text("No match fits these filters.")
    page.click("nav[aria-label='Filter by game'] a:text-is('All')")
    assert query_of(page) == {"verdict": "diverged", "lang": "en"}
    page.goto(f"{site.url}/matches?verdict=nothing")
    for number in site.matches:
        expect(row_of(page, site, number)).to_have_count(1)


def test_a_match_page_leads_to_its_verification(site: Site, visit: Begin) -> None:
    page = visit().open(f"/matches/{site.matches[TAMPERED]}?lang=en")
    expect(page.locator(".match-head .badge[data-tone=bad]")).to_have_text("tampered")
    page.click(".badge-link")
    expect(page).to_have_url(re.compile(f"{site.matches[TAMPERED]}/verify"))
    expect(page.locator("#overall")).to_have_text("exact")


@pytest.mark.parametrize("language", ["ja", "en"])
def test_the_ladder_of_a_good_match_can_be_read_without_script(
    site: Site, visit: Begin, language: str
) -> None:
    page = visit(java_script_enabled=False).open(verify_path(site, lang=language))
    expect(page.locator("[data-viewer=judge]")).to_have_attribute("aria-current", "true")
    for check, word in WORDS[language].items():
        expect(rung(page, check).locator("h3")).to_contain_text(word)
        expect(rung(page, check).locator(".badge")).to_have_text(GOOD[language])
        expect(rung(page, check).locator(".own")).to_have_text("as it should be")
    expect(rung(page, "fair")).to_contain_text("the draws came with the record")
    expect(rung(page, "receipt")).to_have_attribute("data-tone", "quiet")
    expect(page.locator("#summary")).to_contain_text("untouched and legal; as of")
    expect(page.locator("#as-of")).to_have_text(re.compile(r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$"))
    expect(page.locator("#drop")).to_be_hidden()
    page.click("[data-viewer=P1]")
    assert query_of(page) == {"lang": language, "as": "P1"}
    expect(rung(page, "legal")).to_have_attribute("data-tone", "partly")
    expect(page.locator("#holder")).to_have_text("P1")


def test_a_file_without_one_of_its_lines_is_found_out(site: Site, visit: Begin) -> None:
    page = visit().open(verify_path(site, lang="ja"))
    bring(page, without_event(lines_of(site), DROPPED))
    expect(page.locator("#report-title")).to_have_text("match.kifu.jsonl")
    expect(page.locator("#report-title")).to_be_focused()
    expect(page.locator("#overall")).to_have_text("改変")
    expect(page.locator("#first-bad")).to_have_text(f"最初の食い違い： {DROPPED}番の出来事")
    chain = rung(page, "chain")
    expect(chain).to_contain_text("不合格")
    expect(chain).to_contain_text("another sequence number is expected here")
    expect(chain.locator("dd")).to_have_text([str(DROPPED), str(DROPPED + 1)])
    expect(rung(page, "legal").locator(".badge")).to_have_text("調べず")
    assert page.evaluate("window.violations") == []
    chain.locator(".event-at").click()
    at(page, str(DROPPED - 1))
    assert query_of(page)["as"] == "judge"
    page.go_back()
    expect(page.locator("#overall")).to_have_text("一致")


def test_one_goes_back_from_a_file_to_the_match(site: Site, visit: Begin) -> None:
    page = visit().open(verify_path(site, lang="en", as_="P2"))
    bring(page, lines_of(site)[:DROPPED])
    expect(rung(page, "complete").locator(".badge")).to_have_text("cut short")
    expect(page.locator("#first-bad")).to_be_hidden()
    expect(page.locator("#holder")).to_have_text("Judge")
    page.click("#back a")
    expect(page.locator("#report-title")).to_have_text("The record kept here")
    assert query_of(page) == {"lang": "en", "as": "P2"}


def test_files_are_verified_without_a_match(site: Site, visit: Begin) -> None:
    page = visit(locale="en").open("/verify")
    expect(page.locator("#outcome")).to_be_hidden()
    bring(page, lines_of(site, SPECTATOR))
    expect(page.locator("#overall")).to_have_text("partial")
    expect(page.locator("#holder")).to_have_text("Spectator")
    expect(page.locator("#of-match")).to_have_text(site.matches[EXACT])
    bring(page, without_event(lines_of(site), DROPPED))
    expect(page.locator("#first-bad")).to_have_text(f"First difference: Event {DROPPED}")
    assert page.locator(".event-at[href]").count() == 0
    bring(page, [b'{"a":1}\n', b"what\n"], f"{MARKUP}.jsonl")
    expect(page.locator("#overall")).to_have_text("malformed")
    expect(page.locator("#first-bad")).to_have_text("First difference: Line 2")
    expect(page.locator("#report-title")).to_have_text(f"{MARKUP}.jsonl")
    expect(page.locator("#file-status")).to_have_text(f"{MARKUP}.jsonl: malformed")


def test_a_file_is_checked_in_the_browser_and_not_sent(site: Site, visit: Begin) -> None:
    page = visit().open(verify_path(site, lang="en"))
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url))
    page.set_input_files("#file", file_of(without_event(lines_of(site, "P1"), DROPPED)))
    expect(page.locator("#recheck-overall")).to_have_text("broken")
    expect(page.locator("#recheck-title")).to_be_focused()
    expect(page.locator("#recheck-status")).to_contain_text("match.kifu.jsonl: not as it was")
    expect(own(page, "seals")).to_contain_text(f"{DROPPED - 1} seals fit.")
    links = own(page, "links")
    expect(links).to_contain_text("Another event belongs here.")
    expect(links.locator("dd")).to_have_text([str(DROPPED), str(DROPPED + 1)])
    for behind in ("views", "statement", "signature", "draws"):
        expect(own(page, behind)).to_have_attribute("data-tone", "quiet")
    expect(page.locator("#report")).to_be_hidden()
    page.set_input_files("#file", file_of([b"what\n"]))
    expect(own(page, "form")).to_contain_text("It is not in canonical form. Line 1")
    page.set_input_files("#file", file_of(without_event(lines_of(site, "P1"), DROPPED)))
    expect(own(page, "links").locator(".event-at")).to_have_text(f"Event {DROPPED}")
    assert sent == []
    own(page, "links").locator(".event-at").click()
    at(page, str(DROPPED - 1))


def test_the_record_kept_here_is_checked_in_the_browser(site: Site, visit: Begin) -> None:
    page = visit().open(verify_path(site, lang="ja", as_="P2"))
    page.focus("#recheck-start")
    page.keyboard.press("Enter")
    expect(page.locator("#recheck-overall")).to_have_text("つながっている")
    count = site.installation.log.version_of(site.matches[EXACT])
    expect(page.locator("#recheck-status")).to_contain_text(f"{count}個の出来事は")
    for check in ("form", "opening", "seals", "links", "views", "statement"):
        expect(own(page, check).locator(".badge")).to_have_text("合格")
    expect(own(page, "signature")).to_contain_text("声明に署名はありません。")
    expect(own(page, "draws")).to_contain_text("取り込んだ記録に付いていた")
    expect(page.locator("#report-title")).to_be_visible()


@pytest.mark.soak
def test_where_the_browser_computes_no_hashes_the_server_can_be_asked(
    site: Site, visit: Begin
) -> None:
    one = visit()
    one.context.add_init_script("Object.defineProperty(crypto, 'subtle', { value: undefined })")
    page = one.open(verify_path(site, lang="en"))
    expect(page.locator("#recheck-start")).to_be_disabled()
    expect(page.locator("#recheck-status")).to_contain_text("needs an https connection")
    bring(page, lines_of(site))
    expect(page.locator("#overall")).to_have_text("exact")
    expect(page.locator("#ask")).to_be_hidden()


@pytest.mark.soak
def test_another_file_takes_the_place_of_one_that_is_checked(site: Site, visit: Begin) -> None:
    page = visit().open("/verify?lang=en")
    names = [f"{number}.jsonl" for number in range(3)]
    for name in names:
        page.set_input_files("#file", file_of(lines_of(site), name))
    expect(page.locator("#recheck-overall")).to_have_text("unbroken")
    expect(page.locator("#recheck-status")).to_contain_text(f"{names[-1]}:")


def test_a_file_is_dropped_anywhere(site: Site, visit: Begin) -> None:
    page = visit().open("/verify?lang=ja")
    page.evaluate(DROP, ["dropped.jsonl", b"".join(lines_of(site)).decode()])
    page.click("#ask-server")
    expect(page.locator("#report-title")).to_have_text("dropped.jsonl")
    expect(page.locator("#overall")).to_have_text("一致")
    expect(page.locator("#drop")).not_to_have_class(re.compile("over"))


def test_a_file_is_chosen_by_keyboard(site: Site, visit: Begin) -> None:
    page = visit().open("/verify?lang=en")
    outline = "getComputedStyle(document.querySelector('#drop .btn')).outlineStyle"
    with page.expect_file_chooser() as chooser:
        page.focus("#theme")
        page.keyboard.press("Tab")
        expect(page.locator("#file")).to_be_focused()
        assert page.evaluate(outline) == "solid"
        page.keyboard.press("Enter")
    chooser.value.set_files(file_of(lines_of(site)))
    page.click("#ask-server")
    expect(page.locator("#overall")).to_have_text("exact")


def test_what_cannot_be_verified_is_said(site: Site, visit: Begin) -> None:
    one = visit()
    page = one.open("/verify?lang=en")
    small = file_of([b"what\n"])
    one.context.route("**/verify?*", lambda route: route.abort())
    page.set_input_files("#file", small)
    page.click("#ask-server")
    expect(page.locator("#file-failure")).to_have_text(
        "match.kifu.jsonl could not be verified. Please try again."
    )
    one.context.unroute("**/verify?*")
    one.context.route(
        "**/verify?*", lambda route: route.continue_(url=f"{route.request.url}&unknown=1")
    )
    page.set_input_files("#file", small)
    page.click("#ask-server")
    expect(page.locator("#file-failure")).to_contain_text("The input has faults.")
    page.evaluate(DROP, ["big.jsonl", RAW_BYTES_MAX + 1])
    expect(page.locator("#file-failure")).to_have_text(
        "big.jsonl is too large: up to 64 MB can be verified."
    )
    expect(page.locator("#outcome")).to_be_hidden()
    one.errors.clear()  # the browser itself notes the failed requests


def test_a_missing_match_cannot_be_verified(visit: Begin) -> None:
    one = visit()
    page = one.open("/matches/nothing/verify?lang=ja")
    expect(page.locator("h1")).to_have_text("見つかりません。")
    one.errors.clear()  # the browser itself notes the 404


def test_the_policy_holds_while_the_page_is_streamed(site: Site, visit: Begin) -> None:
    page = visit().open("/verify")
    answer = page.request.get(site.url + verify_path(site))
    assert "default-src 'self'" in answer.headers["content-security-policy"]
    assert "unsafe" not in answer.headers["content-security-policy"]


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.soak)])
def test_axe_finds_nothing_and_nothing_scrolls_sideways(
    site: Site, visit: Begin, scheme: str
) -> None:
    one = visit(color_scheme=scheme, bypass_csp=True, viewport=PHONE)
    page = one.open(verify_path(site, lang="en"))
    bring(page, without_event(lines_of(site), DROPPED))
    expect(page.locator("#overall")).to_have_text("tampered")
    for shown in (page, one.open("/verify?lang=ja")):
        assert violations_on(shown) == []
        shown.set_viewport_size({"width": 320, "height": 800})
        assert shown.evaluate("document.documentElement.scrollWidth") <= 320
