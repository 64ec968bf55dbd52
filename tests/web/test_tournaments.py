"""Pages of tournaments for everybody: rounds, why, standings as sums, brackets, phone, keyboard."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from markupsafe import escape
from playwright.sync_api import Locator, expect

from service.app import app_of
from service.web.charts import NAME_SIZE_MIN, fitted, movement, width_of
from service.web.tournament_place_pages import LINES_MAX
from service.web.tournament_results import body_of, outcomes_of
from tests.api.cups import BECAUSE, Cup, cup_of
from tests.api.tables import good, hall_of
from tests.conftest import settings_in
from tests.web.axe import violations_on
from tests.web.conftest import PHONE, Site
from tests.web.contests import (
    LONG,
    MISSING,
    SWISS_5,
    TITLE,
    large_cup,
    names_of_demo,
    skip_to_content,
    small_cup,
)
from tests.web.judged import tab_to
from tests.web.match_pages import Begin

LARGE = 70
SECRET_REASON = "内緒の理由です"
TOUCHED: dict[str, Any] = {"viewport": PHONE, "has_touch": True, "is_mobile": True}
CUT_TEXTS = """() => [...document.querySelectorAll(
    "main h1, main h2, main th, main td, main .side-name, main .btn, main .lv, main .badge, main a"
)].filter((one) => one.checkVisibility() && !one.closest(".sr, .scroll, .tabs")
    && one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== "inline"
).map((one) => one.textContent)"""


@pytest.fixture(scope="module")
def cup(site: Site) -> Cup:
    """A tournament of 33, with a penalty and a deck that are not for everybody."""
    cup = large_cup(site)
    player, one = next(iter(cup.players.items()))
    deck = {"deck": cup.hall.deck_of("formation"), "late": True}
    good(
        cup.staff.client.put(
            f"{cup.path}/players/{player}/deck", json=deck, headers=cup.staff.headers
        ),
        200,
    )
    penalty = {"player": player, "kind": "warning", "reason": SECRET_REASON}
    cup.post("/rounds/2/penalties", {**penalty, "expected_version": cup.state.version})
    assert one.person
    return cup


@pytest.fixture(scope="module")
def bracket(site: Site) -> Cup:
    """A double elimination of 11, three stages on."""
    cup = cup_of(hall_of(site.installation), {"format": "double_elimination", "reset": True})
    for name in names_of_demo()[:11]:
        cup.enter(name)
    cup.post("/phases/1", {})
    for _ in range(3):
        cup.finish(cup.begin())
    return cup


@pytest.fixture
def pages(site: Site, tmp_path: Path) -> FlaskClient:
    """Asks for pages without a browser, as a spectator."""
    return app_of(site.installation, settings_in(tmp_path)).test_client()


@pytest.fixture(scope="module")
def small(site: Site) -> Cup:
    cup = small_cup(site)
    cup.finish(cup.begin())
    cup.begin()
    return cup


def pages_of(cup: Cup) -> list[str]:
    player = next(iter(cup.players))
    here = f"/tournaments/{cup.id}"
    parts = ("", "/standings", "/players", f"/players/{player}", "/rounds/1/tables/1")
    return [f"{here}{part}?lang=ja" for part in parts]


def fraction_in(cell: Locator) -> Fraction:
    """Return what a cell shows: a whole number, or a fraction by its name."""
    shown = cell.locator(".frac")
    text = shown.first.get_attribute("aria-label") if shown.count() else cell.inner_text()
    return Fraction((text or "").strip())


@pytest.mark.soak
def test_tournaments_are_listed_and_filtered(cup: Cup, pages: FlaskClient) -> None:
    listed = pages.get("/tournaments?lang=ja").get_data(as_text=True)
    assert all(part in listed for part in (str(escape(TITLE)), "開催中", f"/tournaments/{cup.id}?"))
    assert "大会を開く" not in listed
    for query, is_there in (("running", True), ("closed", False), ("nothing", True)):
        found = pages.get(f"/tournaments?state={query}").get_data(as_text=True)
        assert (cup.id in found) is is_there
    assert "条件に合う" in pages.get("/tournaments?game=nothing").get_data(as_text=True)


def test_a_round_says_who_meets_whom_why_and_what_it_rests_on(cup: Cup, visit: Begin) -> None:
    page = visit(java_script_enabled=False).open(f"/tournaments/{cup.id}?lang=ja")
    expect(page.locator(".pairings > li")).to_have_count(17)
    first = page.locator("#table-1")
    expect(first.locator("summary")).to_contain_text("申告")
    expect(first.locator(".winner .won")).to_have_text("勝ち")
    first.locator("summary").click()
    expect(first.locator(".why")).to_contain_text("ともに3点")
    expect(page.locator(".sits")).to_contain_text("不戦勝")
    page.locator(".sits summary").click()
    expect(page.locator(".sits .why")).to_contain_text("人数が奇数のため")
    expect(page.locator(".badge", has_text="対戦中")).to_have_count(MISSING)
    page.click("nav .seg >> text=第1回戦")
    expect(page.locator("#pairings-title")).to_have_text("第1回戦の組合せ")
    assert "round=1" in page.url


@pytest.mark.soak
def test_the_sums_of_a_row_can_be_checked(cup: Cup, visit: Begin) -> None:
    player = next(iter(cup.players))
    page = visit(java_script_enabled=False).open(f"/tournaments/{cup.id}/standings?round=1&lang=en")
    page.click(f"#player-{player} .why-cell a")
    feet = page.locator(".sums tfoot tr")
    for column in range(4):
        cells = page.locator(f".sums tbody tr td:nth-child({column + 3})")
        parts = [
            fraction_in(cells.nth(at))
            for at in range(cells.count())
            if cells.nth(at).inner_text().strip()
        ]
        total = fraction_in(feet.nth(0).locator("td").nth(column))
        divided = feet.nth(1).locator("td").nth(column).inner_text().removeprefix("÷").strip()
        value = fraction_in(feet.nth(2).locator("td").nth(column).locator("strong"))
        assert not parts or sum(parts) == total
        assert total / int(divided or 1) == value
    expect(page.locator(".meanings")).to_contain_text("mean match-win share of the opponents")


@pytest.mark.soak
def test_a_spectator_sees_what_is_public_and_nothing_else(cup: Cup, pages: FlaskClient) -> None:
    player = next(iter(cup.players))
    for path in pages_of(cup):
        answer = pages.get(path)
        body = answer.get_data(as_text=True)
        assert answer.status_code == 200
        assert str(escape(TITLE)) in body
        assert not any(one in body for one in (SECRET_REASON, "data-command", 'class="panel desk"'))
    for part in ("draft", "penalties", f"players/{player}/deck", "rounds/9/tables/1", "players/x"):
        answer = pages.get(f"/tournaments/{cup.id}/{part}")
        assert (answer.status_code in (401, 404), answer.mimetype) == (True, "text/html")
        assert SECRET_REASON not in answer.get_data(as_text=True)
    for query in ("round=x", "round=0", "profile=%00", "phase=-1"):
        assert pages.get(f"/tournaments/{cup.id}/standings?{query}").status_code == 200


def test_thirty_three_japanese_names_look_well_on_a_phone(cup: Cup, visit: Begin) -> None:
    one = visit(**TOUCHED)
    for path in pages_of(cup)[:4]:
        page = one.open(path)
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        assert page.evaluate(CUT_TEXTS) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.soak
def test_axe_finds_nothing(small: Cup, visit: Begin, scheme: str) -> None:
    """On a phone in light, on a desk in dark, each time the other half of the pages."""
    shape = TOUCHED if scheme == "light" else {}
    one = visit(bypass_csp=True, color_scheme=scheme, **shape)
    for path in pages_of(small)[scheme == "dark" :: 2]:
        assert violations_on(one.open(path)) == []


def test_everything_is_done_by_keyboard(cup: Cup, visit: Begin) -> None:
    page = visit().open(f"/tournaments/{cup.id}?lang=ja")
    skip_to_content(page)
    tab_to(page, "#table-1 summary")
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    page.keyboard.press("Enter")
    expect(page.locator("#table-1 .why")).to_be_visible()
    expect(page).to_have_url(re.compile("#table-1$"))
    page.reload()
    expect(page.locator("#table-1 .why")).to_be_visible()
    tab_to(page, "#table-1 .more a")
    page.keyboard.press("Enter")
    expect(page.locator("h2").first).to_have_text("第2回戦 卓1")
    skip_to_content(page)
    tab_to(page, ".tabs a:nth-child(2)")
    page.keyboard.press("Enter")
    expect(page.locator("#standings-title")).to_have_text("第2回戦終了時")
    skip_to_content(page)
    tab_to(page, "#profile")
    page.keyboard.type("buchholz")
    tab_to(page, ".choices button")
    page.keyboard.press("Enter")
    expect(page.locator("thead abbr")).to_have_text(["BH"])


@pytest.mark.soak
def test_movement_is_drawn_with_a_table_behind_it(cup: Cup, visit: Begin) -> None:
    page = visit().open(f"/tournaments/{cup.id}/standings?lang=ja")
    expect(page.locator(".moves .line")).to_have_count(33)
    expect(page.locator(".moves")).to_contain_text(LONG[0])
    page.click("text=表で見る")
    expect(page.locator(".drawing + details tbody tr")).to_have_count(33)


@pytest.mark.soak
def test_movement_of_a_large_field_is_drawn_in_part(site: Site, visit: Begin) -> None:
    field = cup_of(hall_of(site.installation), SWISS_5, name="大きな大会")
    for number in range(LARGE):
        field.post("/players", {"name": f"選手 {number:02}"})
    for _ in range(2):
        field.finish(field.begin())
    page = visit().open(f"/tournaments/{field.id}/standings?lang=ja")
    expect(page.locator(".moves .line")).to_have_count(LINES_MAX)
    expect(page.locator("section[aria-labelledby=moves-title]")).to_contain_text("70名のうち64名")
    last = page.locator(".drawing + details tbody th").last.text_content()
    assert last is not None
    page.fill("#who", last)
    page.locator("section[aria-labelledby=moves-title] button").click()
    expect(page.locator(".moves .line")).to_have_count(LINES_MAX + 1)
    expect(page.locator(".moves .line.hi").last).to_contain_text(last)
    page.click("text=表で見る")
    expect(page.locator(".drawing + details tbody tr")).to_have_count(LARGE)


@pytest.mark.soak
def test_the_time_of_a_round_runs(cup: Cup, visit: Begin) -> None:
    page = visit().open(f"/tournaments/{cup.id}/rounds/2/tables/16?lang=ja")
    expect(page.locator(".timer")).to_have_text(re.compile(r"^\s*残り \d\d:\d\d$"))
    body = {"minutes": 3, "expected_version": cup.state.version, **BECAUSE}
    cup.post("/rounds/2/pairings/16/extensions", body)
    page.goto(page.url.partition("/rounds")[0] + "?lang=ja")
    expect(page.locator("#table-16 .extra")).to_have_text("延長＋3分")


@pytest.mark.soak
def test_a_bracket_is_drawn_with_a_table_behind_it(bracket: Cup, visit: Begin) -> None:
    one = visit(viewport=PHONE, bypass_csp=True)
    page = one.open(f"/tournaments/{bracket.id}/phases/1/bracket?lang=ja")
    expect(page.locator(".bracket")).to_have_count(2)
    expect(page.locator(".bracket .win").first).to_be_attached()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    boxes = page.locator(".bracket >> nth=0").locator("rect")
    page.locator("summary", has_text="表で見る").first.click()
    rows = page.locator("#side-winners >> xpath=../..").locator("tbody tr")
    assert boxes.count() == 2 * rows.count()
    assert violations_on(page) == []
    page.click("tbody th a >> nth=0")
    expect(page.locator("#meet-title")).to_be_visible()


@pytest.mark.soak
def test_names_fit_into_their_boxes() -> None:
    assert fitted("葵", 100, 13) == ("葵", 13)
    label, size = fitted(LONG[1], 182, 13)
    assert (label, size >= NAME_SIZE_MIN) == (LONG[1], True)
    label, size = fitted("長" * 40, 182, 13)
    assert label.endswith("…")
    assert width_of(label) * size <= 182


@pytest.mark.soak
def test_movement_puts_those_who_share_a_place_side_by_side() -> None:
    drawn = movement([{"a": 1, "b": 1}, {"b": 1, "a": 2}], {"b": "B", "a": "A"})
    heights = [[y for _, y in line["points"]] for line in drawn["lines"]]
    assert len({*heights[0], *heights[1]}) == 2
    assert heights[0][0] != heights[1][0]


@pytest.mark.parametrize("best_of", [1, 3, 5])
@pytest.mark.parametrize("format", ["swiss", "single_elimination"])
@pytest.mark.soak
def test_every_result_that_is_offered_is_one(site: Site, best_of: int, format: str) -> None:
    phase = {"format": format, "best_of": best_of, "rounds": None}
    if format == "swiss":
        phase["rounds"] = 2
    cup = cup_of(hall_of(site.installation), phase, players=2)
    if format != "swiss":
        cup.post("/phases/1", {})
    cup.begin()
    players = list(cup.seated(1, 1))
    for outcome in outcomes_of(phase):
        path = f"{cup.path}{cup.pairing(1, 1)}/corrections/preview"
        good(cup.staff.post(path, body_of(outcome, players)), 200)


@pytest.mark.soak
def test_a_small_tournament_before_its_first_round(site: Site, pages: FlaskClient) -> None:
    cup = small_cup(site)
    found = pages.get(f"/tournaments/{cup.id}?lang=en").get_data(as_text=True)
    assert "No round has been published yet." in found
    for part in ("/players", "/standings", f"/players/{next(iter(cup.players))}"):
        assert LONG[0] in pages.get(f"/tournaments/{cup.id}{part}").get_data(as_text=True)
