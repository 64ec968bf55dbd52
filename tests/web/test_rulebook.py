"""The rulebook, a rule with all that leads on, its examples on a board, two editions compared."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from playwright.sync_api import expect

from service.installation import open_installation
from service.store.databases import migrate
from service.web.spans import cut, differences
from tests.api.test_precedents import ruled
from tests.conftest import CATALOGUE, import_log, log_of, opened, settings_in
from tests.later_seeds import CHANGED, GONE, NEW, REWORDED, later_seeds, with_other_meaning
from tests.web.axe import violations_on
from tests.web.bookshelf import served
from tests.web.conftest import PHONE, Visit
from tests.web.match_pages import Begin, at

RULES = CATALOGUE.game("hi-story").rules
TURNING, EXAMPLE = "HS-310", "HS-E030"
ASSUMED = "HS-901"


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve two editions of the rules; a match and a ruling are of the first."""
    folder = tmp_path_factory.mktemp("library")
    settings = replace(settings_in(folder), rate_limit="1000000 per minute")
    migrate(settings.database_url)
    first = opened(settings)
    ruled(first, CHANGED)
    import_log(first, log_of("hi-story"))
    first.close()
    later = replace(settings, seeds=later_seeds(folder / "2", with_other_meaning))
    second = open_installation(later)
    second.register_editions()
    with served(second, later) as url:
        yield url
    second.close()


@pytest.fixture
def shelf(library: str, visit: Begin) -> Callable[..., Visit]:
    """Return a function that makes a visitor of the library."""

    def begin(**options: object) -> Visit:
        one = visit(**options)
        one.url = library
        return one

    return begin


def test_the_rulebook_is_read_by_chapters_without_script(shelf: Callable[..., Visit]) -> None:
    page = shelf(java_script_enabled=False).open("/rules/hi-story?lang=ja")
    expect(page.locator("h1")).to_have_text("Hi! story のルール")
    expect(page.locator(".entry")).to_have_count(len(RULES))
    expect(page.locator(f"#{TURNING}")).to_contain_text(RULES[TURNING]["text_ja"])
    chapters = page.locator(".chapter > h2")
    headings = {entry["source"]["heading"] for entry in RULES.values()}
    assert set(chapters.all_inner_texts()) == headings
    expect(page.locator(f"#{ASSUMED} .badge")).to_have_text("補った解釈")
    page.click(".filter a:text-is('補った解釈')")
    expect(page.locator(".entry")).to_have_count(
        sum(entry["kind"] == "assumption" for entry in RULES.values())
    )
    page.click(f"#{ASSUMED} h3 a")
    expect(page.locator("h1")).to_contain_text(RULES[ASSUMED]["term_ja"])
    expect(page.locator(".assumption")).to_contain_text(RULES[ASSUMED]["why"])


@pytest.mark.soak
def test_the_rulebook_is_narrowed_while_one_types(shelf: Callable[..., Visit]) -> None:
    page = shelf().open("/rules/hi-story?lang=en")
    page.keyboard.press("Tab")
    page.focus("#filter")
    page.keyboard.type("ｈｓ-310 turning")
    expect(page.locator(".entry:visible")).to_have_count(1)
    expect(page.locator("#shown")).to_have_text("rules: 1")
    expect(page.locator(".toc li:visible")).to_have_count(1)
    page.fill("#filter", "nothing is called like this")
    expect(page.locator("#nothing")).to_be_visible()
    page.fill("#filter", "召喚酔い")
    expect(page.locator("#HS-222")).to_be_visible()


@pytest.mark.soak
def test_a_rule_leads_on_without_script(shelf: Callable[..., Visit]) -> None:
    page = shelf(java_script_enabled=False).open(f"/rules/{TURNING}?lang=ja")
    text = page.locator(".rule-text").first
    expect(text).to_have_text(RULES[TURNING]["text_ja"])
    expect(text.locator("a", has_text="HS-314")).to_have_attribute("href", re.compile("HS-314"))
    expect(page.locator(".names").first).to_contain_text("HS-510")
    expect(page.locator("#example .told > li")).not_to_have_count(0)
    expect(page.locator("#applied .occurrences > li")).not_to_have_count(0)
    page.click("#chapter-title + .toc a:has-text('HS-312')")
    expect(page.locator("h1")).to_contain_text("HS-312")
    page.click("[rel=next]")
    expect(page.locator("h1")).to_contain_text("HS-313")


@pytest.mark.soak
def test_an_occurrence_opens_the_match_at_its_event(shelf: Callable[..., Visit]) -> None:
    page = shelf().open(f"/rules/{TURNING}?lang=en")
    link = page.locator("#applied li").last.locator(".seqs .rule").first
    seq = link.inner_text()
    link.click()
    at(page, seq)


@pytest.mark.soak
def test_an_example_plays_fact_by_fact(shelf: Callable[..., Visit]) -> None:
    page = shelf().open(f"/rules/{TURNING}?lang=ja&example={EXAMPLE}")
    course = page.locator("#course")
    says, where = course.locator("[role=status]"), course.locator(".where")
    expect(where).to_have_text("0 / 5")
    expect(says).to_have_text("はじめの局面")
    course.get_by_role("button", name="次の事実").click()
    expect(where).to_have_text("1 / 5")
    page.keyboard.press("End")
    expect(where).to_have_text("5 / 5")
    expect(says).to_have_text("P1のフィールド1の遠き海からの弥助が表になる。")
    expect(course.locator("[aria-current=step]")).to_contain_text("弥助が表になる")
    expect(course.locator(".tile.changed")).to_have_count(1)
    page.keyboard.press(",")
    expect(where).to_have_text("4 / 5")
    page.keyboard.press("ArrowLeft")
    expect(where).to_have_text("0 / 5")
    course.locator(".rule", has_text=TURNING).click()
    expect(page.locator("#sheet-title")).to_have_text(f"{TURNING} {RULES[TURNING]['term_ja']}")
    expect(page.locator("#sheet .rule-text ~ .row .rule").first).to_have_text("HS-311")
    page.keyboard.press("Escape")
    expect(page.locator("#sheet")).to_be_hidden()
    assert page.evaluate("window.violations") == []


@pytest.mark.soak
def test_a_ruling_is_found_by_its_words(shelf: Callable[..., Visit]) -> None:
    page = shelf(java_script_enabled=False).open("/search?q=so+is&lang=en")
    expect(page.locator(".filter a").nth(1)).to_have_text("Rulings 1")
    page.click(".filter a:has-text('Rulings')")
    hit = page.locator(".hits > li")
    expect(hit.locator("mark")).to_have_text(["So", "is"])
    expect(hit.locator("h3")).to_contain_text("Ruling")


@pytest.mark.soak
def test_a_rule_tells_of_its_ruling_and_of_its_later_meaning(shelf: Callable[..., Visit]) -> None:
    one = shelf()
    page = one.open(f"/rules/{CHANGED}@1?lang=en")
    expect(page.locator("#rulings .badge")).to_have_text("needs review")
    banner = page.locator(".banner")
    expect(banner).to_contain_text("Edition 2 changed this rule.")
    banner.get_by_text("Read the newer text").click()
    expect(page.locator(".rule-text").first).to_have_text("Summon as you like.")
    expect(page.locator(".banner")).to_have_count(0)
    page.go_back()
    page.click("#rule-title >> xpath=../..//a[contains(@href,'chapter')]")
    expect(page.locator("#edition option:checked")).to_contain_text("1 ·")
    page.select_option("#edition", "2")
    expect(page).to_have_url(re.compile("edition=2"))
    expect(page.locator(f"#{NEW}")).to_have_count(1)


@pytest.mark.soak
def test_two_editions_are_compared_without_script(shelf: Callable[..., Visit]) -> None:
    page = shelf(java_script_enabled=False).open("/rules/hi-story/diff?lang=en")
    for kind, rule in (
        ("meaning", CHANGED),
        ("added", NEW),
        ("removed", GONE),
        ("wording", REWORDED),
    ):
        expect(page.locator(f"#{kind} .change")).to_have_attribute("id", rule)
    expect(page.locator(f"#{CHANGED} del")).to_have_text(RULES[CHANGED]["text_en"])
    expect(page.locator(f"#{CHANGED} ins")).to_have_text("Summon as you like.")
    expect(page.locator(f"#{REWORDED} ins")).to_contain_text("Whose turn it is")
    expect(page.locator("main")).to_contain_text("changed in meaning or is gone: 2.")
    page.select_option("#from", "2")
    page.click("form .btn.primary >> nth=0")
    expect(page.locator(".empty")).to_have_text("All rules are the same.")


@pytest.mark.soak
def test_what_is_not_there_is_said(shelf: Callable[..., Visit]) -> None:
    one = shelf()
    for path in ("/rules/nothing", "/rules/HS-999", "/rules/hi-story?edition=9", "/rules/HS-310@x"):
        answer = one.context.request.get(one.url + path)
        assert answer.status == 404, path
        assert answer.headers["content-type"].startswith("text/html")
    for path in ("/rules/hi-story?edition=x", f"/rules/{TURNING}?after=x"):
        assert one.context.request.get(one.url + path).status == 422


@pytest.mark.parametrize(
    ("path", "scheme"),
    [
        ("/rules/hi-story?kind=win_condition&lang=ja", "light"),
        (f"/rules/{CHANGED}@1?lang=en", "dark"),
        ("/rules/hi-story/diff?lang=ja", "dark"),
    ],
)
@pytest.mark.soak
def test_axe_finds_nothing_and_nothing_scrolls_sideways(
    shelf: Callable[..., Visit], path: str, scheme: str
) -> None:
    page = shelf(color_scheme=scheme, bypass_csp=True, viewport=PHONE).open(path)
    assert violations_on(page) == []
    page.set_viewport_size({"width": 320, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


@pytest.mark.soak
def test_texts_are_cut_and_compared() -> None:
    span = {"start": 1, "end": 3, "rule": "HS-310"}
    assert cut("山札の上", [span]) == [("山", {}), ("札の", span), ("上", {})]
    assert cut("", []) == []
    assert differences("one two three", "one 2 three") == [
        ("same", "one "),
        ("del", "two"),
        ("ins", "2"),
        ("same", " three"),
    ]
    assert differences("山札を見る。", "手札を捨てる。")[0][0] == "del"
    for before, after in (("", "a"), ("a", ""), ("", ""), ("同じ", "同じ")):
        parts = differences(before, after)
        assert "".join(part for kind, part in parts if kind != "ins") == before
        assert "".join(part for kind, part in parts if kind != "del") == after
