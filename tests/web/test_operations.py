"""The page of operations: for operators and auditors alone; what is behind, parked, refused."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from projections import matches
from projections.places import PARKED
from service.installation import clock
from service.job_runner import give_up
from service.jobs import Job
from tests.api.tables import Caller, good, hall_of
from tests.web.axe import violations_on
from tests.web.conftest import PHONE, TAMPERED, Site
from tests.web.judged import arrive
from tests.web.match_pages import Begin

FAULT = "builtins.KeyError in projections.matches:213"


@pytest.fixture(scope="module")
def operator(site: Site) -> Caller:
    return hall_of(site.installation).person("五百旗頭 ヴァレンティーナ 葵", "operator")


def test_nobody_else_may_look(site: Site, visit: Begin) -> None:
    one = visit()
    page = one.open("/operations?lang=en")
    expect(page.locator("h1")).not_to_have_text("Operations")
    expect(page.locator("footer a[href^='/operations']")).to_have_count(0)
    one.errors.clear()  # the browser itself notes the 401
    player = hall_of(site.installation).person("Player")
    other = arrive(visit, player)
    expect(other.open("/operations?lang=en").locator(".projection")).to_have_count(0)
    other.errors.clear()  # and the 403
    assert player.get("/api/v1/operations").status_code == 403


@pytest.mark.soak
def test_the_page_says_how_the_installation_runs(
    site: Site, visit: Begin, operator: Caller
) -> None:
    page = arrive(visit, operator, java_script_enabled=False).open("/?lang=ja")
    page.click("footer a[href^='/operations']")
    expect(page.locator("h1")).to_have_text("運用")
    expect(page.locator(".figures")).to_contain_text("記録された出来事")
    expect(page.locator("section", has=page.locator("#projections"))).to_contain_text(matches.NAME)
    failures = page.locator("section", has=page.locator("#failures"))
    expect(failures.locator(f"a[href*='{site.matches[TAMPERED]}/verify']")).to_be_visible()
    row = page.locator("#entries tr").filter(has_text="運用者")
    expect(row).to_contain_text("五百旗頭 ヴァレンティーナ 葵")
    page.click("[rel=prev]")
    expect(page.locator("main")).to_contain_text("この日の記録はありません。")


@pytest.mark.soak
def test_what_needs_somebody_is_told(site: Site, visit: Begin, operator: Caller) -> None:
    here = site.installation
    job = Job(id="broken", kind="import_log", made_by=operator.person, body=b"{}")
    here.jobs.add(job, clock())
    give_up(here, job)
    told = good(operator.get("/api/v1/operations"), 200)
    assert [(one["kind"], one["broken"]) for one in told["jobs"]] == [("import_log", 1)]
    page = arrive(visit, operator).open("/operations?lang=en")
    row = page.locator("tr").filter(has_text="Import a log")
    expect(row.locator("[data-label=failed]")).to_have_text("1")
    here.jobs.remove("broken")


@pytest.mark.soak
def test_a_parked_stream_is_told_with_what_goes_on_then(
    site: Site, visit: Begin, operator: Caller
) -> None:
    parked = f"INSERT INTO {PARKED} (projection, stream, place, version, fault) VALUES (?,?,?,?,?)"
    with site.installation.database.transaction() as tables:
        tables.execute(parked, matches.NAME, "of-nobody", 3, 2, FAULT)
    page = arrive(visit, operator).open("/operations?lang=en")
    expect(page.locator(".parked")).to_contain_text(FAULT)
    expect(page.locator(".parked")).to_contain_text(f"kifu projections retry {matches.NAME}")
    with site.installation.database.transaction() as tables:
        tables.execute(f"DELETE FROM {PARKED} WHERE stream = ?", "of-nobody")


@pytest.mark.soak
def test_a_wrong_day_is_today(visit: Begin, operator: Caller) -> None:
    one = arrive(visit, operator)
    for day in ("yesterday", "9999-12-31", "0001-01-01"):
        page = one.open(f"/operations?day={day}&lang=en")
        expect(page.locator("#access")).to_be_visible()


@pytest.mark.soak
def test_axe_finds_nothing(visit: Begin, operator: Caller) -> None:
    one = arrive(visit, operator, color_scheme="dark", bypass_csp=True, viewport=PHONE)
    page = one.open("/operations?lang=ja")
    assert violations_on(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
