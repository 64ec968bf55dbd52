"""Disputes on the pages: a player disputes and appeals, a judge settles it from the board."""

from __future__ import annotations

import pytest
from playwright.sync_api import Response, expect

from tests.api.tables import good
from tests.api.test_judging import Court, last_action
from tests.web.axe import violations_on
from tests.web.conftest import PHONE, Site
from tests.web.judged import CLAIM, arrive, court_at, disputed, tab_to
from tests.web.match_pages import Begin

PRIVATE = "審判にだけ伝えます。"


@pytest.fixture(scope="module")
def court(site: Site) -> Court:
    """A running match whose last action P2 disputes, with a word for the judges alone."""
    return court_at(site)


@pytest.fixture(scope="module")
def dispute(court: Court) -> str:
    found = disputed(court)
    body = {"text": PRIVATE, "audience": "judges"}
    good(court.players[1].post(f"/api/v1/disputes/{found}/comments", body))
    return found


def test_a_judge_signs_in_and_settles_a_dispute_from_the_board(site: Site, visit: Begin) -> None:
    court = court_at(site)
    dispute, seq = disputed(court), last_action(court)["seq"]
    one = visit()
    page = one.open(f"/disputes/{dispute}?lang=ja")
    expect(page.locator(".problem h1")).to_be_visible()
    one.errors.clear()  # the browser itself notes the 404
    page.click(".top a[href^='/sign-in']")
    page.fill("#token", court.head.token)
    page.keyboard.press("Enter")
    expect(page.locator("blockquote").first).to_contain_text(CLAIM)
    page.click("[data-command=inspection] button")
    expect(page.locator("#done")).to_contain_text("審判の目")
    expect(page.locator("#board .side")).to_have_count(2)
    expect(page.locator("#facts .fact")).not_to_have_count(0)
    expect(page.locator(".alternatives li").first).to_be_visible()
    page.keyboard.press("Home")
    expect(page.locator("#caption")).to_have_text("この出来事の前")
    page.check("[name=outcome][value=upheld]")
    page.select_option("#kind", "backup")
    expect(page.locator("#to")).to_have_value(str(seq - 1))
    expect(page.locator("#cost div").first).to_contain_text("取り消す出来事")
    page.fill("#text-ja", "両者とも気づかずに進めていた。その前まで戻す。")
    page.fill("#text-en", "Neither had noticed; back to before it.")
    page.click("#ruling [type=submit]")
    expect(page.locator("#done")).to_contain_text("裁定を記録しました")
    expect(page.locator(".case-head .badge").first).to_have_text("確定")
    expect(page.locator("[data-kind=ruling]")).to_contain_text("認容")
    assert court.shown(court.judge)["lines"] == 2
    page.click("[data-kind=ruling] a[href^='/rulings/']")
    expect(page.locator("blockquote[lang=en]")).to_contain_text("Neither had noticed")


def test_a_judge_puts_a_fix_together_from_choices(site: Site, visit: Begin) -> None:
    court = court_at(site)
    dispute = disputed(court)
    good(court.judge.post(f"{court.path}/inspections", {"reason": "a dispute"}))
    page = arrive(visit, court.judge).open(f"/disputes/{dispute}?lang=ja")
    page.select_option("#kind", "partial_fix")
    expect(page.locator("#fix-kind option").first).to_contain_text("から…に移る")
    expect(page.locator("#fix-add")).to_be_disabled()
    page.locator(".fix-boxes input").first.check()
    page.select_option("#fix-field-to", label="墓地")
    expect(page.locator("#fix-said")).to_contain_text("が手札から墓地に移る。")
    page.click("#fix-add")
    expect(page.locator("#fix-list li")).to_have_count(1)
    page.select_option("#fix-kind", index=1)
    expect(page.locator("#fix-said")).to_contain_text("を引く")
    page.click("#fix-add")
    expect(page.locator("#fix-list li")).to_have_count(2)
    page.locator("#fix-list button").nth(0).click()
    expect(page.locator("#fix-list li")).to_have_count(1)
    page.locator("#fix-shuffles input").first.check()
    page.check("[name=outcome][value=upheld]")
    page.fill("#text-ja", "引き忘れた一枚を引く。")
    page.click("#ruling [type=submit]")
    expect(page.locator("#done")).to_contain_text("裁定を記録しました")
    events = court.events(court.judge, "judge")
    (corrected,) = [one for one in events if one["type"] == "corrected"]
    assert [one["fact"]["fact"] for one in corrected["facts"]] == ["cards_drawn", "zone_shuffled"]


@pytest.mark.soak
def test_a_judge_gives_a_dispute_to_another(site: Site, visit: Begin) -> None:
    court = court_at(site)
    dispute = disputed(court)
    other = court.hall.person("審判 花子", "judge")
    page = arrive(visit, court.judge).open(f"/disputes/{dispute}?lang=ja")
    page.select_option("#assign-to", label="審判 花子")
    page.locator("button", has_text="この審判に任せる").click()
    expect(page.locator("#done")).to_contain_text("担当の審判を決めました")
    expect(page.locator(".case-head")).to_contain_text("審判 花子")
    assert good(other.get(f"/api/v1/disputes/{dispute}"), 200)["judge"] == other.person


def test_a_player_disputes_and_appeals_by_keyboard_alone(site: Site, visit: Begin) -> None:
    court = court_at(site, "hagmi")
    player, seq = court.players[1], last_action(court)["seq"]
    page = arrive(visit, player).open(f"/matches/{court.match}/disputes/new?seq={seq}&lang=ja")
    tab_to(page, "#claim")
    page.keyboard.type("応答を待たずに進められました。")
    tab_to(page, "#open [type=submit]")
    page.keyboard.press("Enter")
    expect(page.locator("#done")).to_contain_text("受け付けました")
    expect(page.locator(".case-head .badge").first).to_have_text("受付")
    tab_to(page, "#comment-text")
    page.keyboard.type("相手も認めています。")
    tab_to(page, "#comment-evidence")
    page.keyboard.type(f"{seq}, 999999")
    page.keyboard.press("Enter")
    expect(page.locator(".fault")).to_contain_text("999999")
    page.fill("#comment-evidence", f"{seq}")
    page.keyboard.press("Enter")
    expect(page.locator("[data-kind=comment]")).to_contain_text("相手も認めています。")
    dispute = page.locator("#main").get_attribute("data-dispute")
    assert dispute is not None
    good(court.rule(court.judge, dispute, kind="no_action", outcome="rejected"))
    page.reload()
    expect(page.locator("[data-command=rulings]")).to_have_count(0)
    tab_to(page, "#appeal-reason")
    page.keyboard.type("もう一度ご判断ください。")
    tab_to(page, "[data-command=appeal] [type=submit]")
    page.keyboard.press("Enter")
    expect(page.locator(".case-head .badge").first).to_have_text("上訴")
    expect(page.locator("[data-kind=appeal]")).to_contain_text("もう一度ご判断ください。")


def test_a_spectator_sees_nothing_of_a_running_match(
    visit: Begin, court: Court, dispute: str
) -> None:
    one = visit()
    answers: list[Response] = []
    one.context.on("response", lambda answer: answers.append(answer))
    person = court.players[1].person
    for path in ("/disputes", f"/disputes?match={court.match}", "/rulings", f"/players/{person}"):
        one.open(f"{path}{'&' if '?' in path else '?'}lang=ja")
    told = "".join(answer.text() for answer in answers if answer.request.is_navigation_request())
    assert court.match in told
    assert not any(text in told for text in (CLAIM, PRIVATE, dispute))
    expect(one.open(f"/disputes/{dispute}").locator(".problem h1")).to_be_visible()
    one.errors.clear()  # the browser itself notes the 404


@pytest.mark.soak
def test_a_player_does_not_read_what_is_for_judges(
    visit: Begin, court: Court, dispute: str
) -> None:
    page = arrive(visit, court.players[0]).open(f"/disputes/{dispute}?lang=ja")
    expect(page.locator("main")).to_contain_text(CLAIM)
    assert PRIVATE not in page.content()
    expect(page.locator("#ruling, [data-command=inspection]")).to_have_count(0)


@pytest.mark.soak
def test_the_queue_shows_a_judge_first_what_is_his(
    visit: Begin, court: Court, dispute: str
) -> None:
    later = court.dispute(court.players[1], 1, "もう一つの異議です。")
    good(court.judge.post(f"/api/v1/disputes/{later}/assignment", {}))
    page = arrive(visit, court.judge).open("/disputes?lang=ja")
    rows = page.locator("section[aria-labelledby=waiting] .case-row")
    expect(rows.first).to_contain_text("あなたの担当")
    expect(rows.first.locator("a")).to_have_attribute("href", f"/disputes/{later}?lang=ja")
    page.click("text=受付")
    expect(page.locator(".case-row").first).to_be_visible()
    expect(page.locator(f"a[href*='{later}']")).to_have_count(0)
    expect(page.locator(f"a[href*='{dispute}']")).to_have_count(1)


@pytest.mark.soak
def test_only_what_a_kind_of_ruling_needs_is_asked(
    visit: Begin, court: Court, dispute: str
) -> None:
    one = arrive(visit, court.judge)
    page = one.open(f"/disputes/{dispute}?lang=en")
    form = page.locator("#ruling")
    for kind, name in (("penalty", "penalty"), ("partial_fix", "facts"), ("backup", "to")):
        page.select_option("#kind", kind)
        expect(form.locator(f"[name={name}]")).to_be_visible()
    expect(form.locator("[name=penalty]")).to_be_hidden()
    page.check("[name=outcome][value=undecided]")
    expect(page.locator("#kind")).to_have_value("no_action")
    page.click("#ruling [type=submit]")
    expect(form.locator(".fault")).to_contain_text("Please fill this in.")
    page.check("[name=outcome][value=rejected]")
    page.select_option("#kind", "partial_fix")
    page.fill("#text-en", "So it is.")
    page.fill("#fix-facts", "[1]")
    page.click("#ruling [type=submit]")
    expect(form.locator("[data-path=facts] .fault")).to_be_visible()
    one.errors.clear()  # the browser itself notes the 422


@pytest.mark.soak
def test_a_refusal_of_the_api_is_said_at_its_field(
    visit: Begin, court: Court, dispute: str
) -> None:
    one = arrive(visit, court.judge)
    page = one.open(f"/disputes/{dispute}?lang=ja")
    page.check("[name=outcome][value=rejected]")
    page.fill("#more-rules", "hs-000")
    page.fill("#text-ja", "記録のとおり。")
    page.click("#ruling [type=submit]")
    expect(page.locator("[data-path=rules] .fault")).to_contain_text(
        "このゲームのルールではありません"
    )
    one.errors.clear()  # the browser itself notes the 422


@pytest.mark.parametrize("language", ["ja", "en"])
def test_on_a_phone_nothing_is_cut(visit: Begin, court: Court, dispute: str, language: str) -> None:
    scheme = {"ja": "light", "en": "dark"}[language]
    options = {"viewport": PHONE, "has_touch": True, "is_mobile": True, "bypass_csp": True}
    one = arrive(visit, court.judge, color_scheme=scheme, **options)
    paths = (
        "/disputes",
        f"/disputes/{dispute}",
        "/rulings",
        f"/matches/{court.match}/disputes/new",
    )
    for path in paths:
        page = one.open(f"{path}?lang={language}")
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], path
        if language == "ja":
            assert violations_on(page) == [], path


@pytest.mark.soak
def test_without_script_a_dispute_can_be_read(visit: Begin, court: Court, dispute: str) -> None:
    page = arrive(visit, court.judge, java_script_enabled=False).open(f"/disputes/{dispute}")
    expect(page.locator("main")).to_contain_text(CLAIM)
    expect(page.locator("#facts .fact").first).to_be_visible()
    expect(page.locator("main form:visible")).to_have_count(0)
