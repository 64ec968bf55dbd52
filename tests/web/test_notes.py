"""Notes on a match page: written, read at their event when they may be, withdrawn."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Page, expect

from service.engine.values import Json
from tests.api.tables import good
from tests.api.test_judging import Court
from tests.web.axe import violations_on
from tests.web.conftest import PHONE, Site, Visit
from tests.web.judged import arrive, court_at, tab_to
from tests.web.match_pages import Begin

AT = 5
TEXT = "ここは《守り》を選ぶべきでした。<img src=x onerror=alert(1)>\n次の手番で取り返せます。"
CONCEDE = {"action": {"type": "concede"}}


@pytest.fixture(scope="module")
def court(site: Site) -> Court:
    return court_at(site)


def shown(one: Visit, court: Court, **query: object) -> Page:
    search = "&".join(f"{key}={value}" for key, value in {"at": AT, **query}.items())
    return one.open(f"/matches/{court.match}?{search}")


def write(page: Page, text: str, audience: str) -> None:
    page.locator("#note-body").fill(text)
    page.locator(f'#note-form input[value="{audience}"]').check()
    page.locator("#note-form button[type=submit]").click()


def note(court: Court, audience: str, text: str, seq: int = AT, player: int = 0) -> Json:
    body = {"seq": seq, "audience": audience, "body": text}
    return good(court.players[player].post(f"{court.path}/notes", body))


def close(court: Court) -> None:
    good(court.players[0].post(f"{court.path}/actions", CONCEDE))


def test_a_note_is_written_withdrawn_and_read_after_the_end(site: Site, visit: Begin) -> None:
    court = court_at(site)
    page = shown(arrive(visit, court.players[0]), court)
    page.locator('[data-do="note"]').click()
    expect(page.locator("#note-body")).to_be_focused()
    expect(page.locator("#note-on")).to_have_text(f"{AT}番の出来事への覚え書き")
    write(page, TEXT, "public")
    expect(page.locator(".noted-body")).to_have_text([TEXT])
    expect(page.locator("#note-body")).to_have_value("")
    write(page, "秘密", "private")
    expect(page.locator(".noted-body")).to_have_count(2)
    expect(page.locator(".event[aria-current] .note-sign")).to_have_text("覚え書き：2件")
    second = page.locator(".noted").nth(1)
    second.get_by_role("button", name="取り下げる").click()
    expect(second.get_by_role("button", name="取り下げる")).to_be_focused()
    second.get_by_role("button", name="取り下げる").click()
    expect(page.locator(".noted-body")).to_have_text([TEXT])
    other = arrive(visit, court.players[1])
    before = shown(other, court)
    expect(before.locator("#where")).to_be_visible()
    expect(before.locator(".noted, .note-sign, #track .sign.note")).to_have_count(0)
    close(court)
    after = shown(other, court, lang="en")
    expect(after.locator("#track .sign.note")).to_have_count(1)
    expect(after.locator(".note-sign")).to_have_text("Notes: 1")
    after.locator("#notes summary").click()
    expect(after.locator(".noted-body")).to_have_text([TEXT])
    expect(after.locator(".noted-head bdi")).to_have_text("One")
    expect(after.locator(".noted button")).to_have_count(0)
    check_readable_without_script(visit, court)


def check_readable_without_script(visit: Begin, court: Court) -> None:
    plain = shown(visit(java_script_enabled=False), court)
    row = plain.locator(".events-list > li").nth(AT - 1)
    expect(row.locator(".noted-body")).to_have_text(TEXT)
    expect(row.locator(".noted-head")).to_contain_text("全員")
    expect(plain.locator(".noted-body")).to_have_count(1)
    expect(plain.locator("#notes")).to_be_hidden()


@pytest.mark.soak
def test_notes_are_written_by_keyboard_alone(site: Site, visit: Begin, court: Court) -> None:
    page = shown(arrive(visit, court.players[0]), court)
    page.keyboard.press("m")
    page.keyboard.type("mfx 1")
    tab_to(page, "#note-form button[type=submit]")
    page.keyboard.press("Enter")
    expect(page.locator(".noted-body")).to_have_text(["mfx 1"])
    expect(page.locator(".noted-head").first).to_contain_text("自分だけ")
    tab_back(page, ".noted button")
    page.keyboard.press("Enter")
    expect(page.locator(".noted .danger")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".noted button")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(page.locator(".noted")).to_have_count(0)
    expect(page.locator("#notes summary")).to_be_focused()


def tab_back(page: Page, selector: str) -> None:
    """Press Shift+Tab until an element has the focus."""
    for _ in range(20):
        page.keyboard.press("Shift+Tab")
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"{selector} is not reached")


@pytest.mark.soak
def test_what_is_begun_at_an_event_is_written_there(site: Site, visit: Begin, court: Court) -> None:
    page = shown(arrive(visit, court.players[0]), court, lang="en")
    page.locator("#notes summary").click()
    page.locator("#note-body").fill("Here")
    page.locator('[data-do="event-on"]').click()
    expect(page.locator("#where")).to_contain_text(f"{AT + 1} /")
    expect(page.locator("#note-on")).to_have_text(f"Note on event {AT}")
    page.locator("#note-form button[type=submit]").click()
    expect(page.locator("#note-on")).to_have_text(f"Note on event {AT + 1}")
    expect(page.locator(".noted")).to_have_count(0)
    page.locator('[data-do="event-back"]').click()
    expect(page.locator(".noted-body")).to_have_text(["Here"])
    page.locator('[data-do="start"]').click()
    expect(page.locator("#note-form")).to_be_hidden()
    expect(page.locator("#notes-said")).to_have_text("This is before the first event.")


@pytest.mark.soak
def test_without_spoilers_notes_come_with_their_events(site: Site, visit: Begin) -> None:
    court = court_at(site)
    for seq in (AT, AT + 1):
        note(court, "public", f"note {seq}", seq)
    close(court)
    page = shown(visit(), court, spoilers="off")
    expect(page.locator(".note-sign")).to_have_count(1)
    expect(page.locator("#track .sign.note")).to_have_count(1)
    page.locator("#notes summary").click()
    expect(page.locator(".noted-body")).to_have_text([f"note {AT}"])
    page.locator('[data-do="event-on"]').click()
    expect(page.locator(".noted-body")).to_have_text([f"note {AT + 1}"])
    expect(page.locator(".note-sign")).to_have_count(2)


@pytest.mark.soak
def test_a_judge_reads_and_removes_what_is_meant_for_judges(site: Site, visit: Begin) -> None:
    court = court_at(site)
    note(court, "judges", "for judges")
    note(court, "private", "for me")
    good(court.judge.post(f"{court.path}/inspections", {"reason": "a look"}))
    page = shown(arrive(visit, court.judge), court, **{"as": "judge", "lang": "en"})
    page.locator("#notes summary").click()
    expect(page.locator(".noted-body")).to_have_text(["for judges"])
    page.locator('[data-viewer="spectator"]').click()
    expect(page.locator(".noted")).to_have_count(0)
    page.locator('[data-viewer="judge"]').click()
    page.get_by_role("button", name="Remove").click()
    page.get_by_role("button", name="Keep it").click()
    expect(page.locator(".noted")).to_have_count(1)
    page.get_by_role("button", name="Remove").click()
    page.get_by_role("button", name="Remove").click()
    expect(page.locator(".noted")).to_have_count(0)


@pytest.mark.soak
def test_the_list_of_marks_leads_to_notes(site: Site, visit: Begin) -> None:
    court = court_at(site)
    note(court, "private", "one")
    page = shown(arrive(visit, court.players[0]), court, at=0)
    page.locator('[data-do="marks"]').click()
    page.locator(".jump", has_text="覚え書き：1件").click()
    expect(page.locator(".event[aria-current] .no")).to_have_text(str(AT))


@pytest.mark.soak
def test_what_is_refused_is_said_at_the_form(site: Site, visit: Begin, court: Court) -> None:
    one = arrive(visit, court.players[0])
    page = shown(one, court, lang="en")
    page.locator("#notes summary").click()
    page.locator("#note-form button[type=submit]").click()
    expect(page.locator("#note-form .fault")).to_be_visible()
    one.context.clear_cookies()
    page.locator("#note-body").fill("Too late")
    page.locator("#note-form button[type=submit]").click()
    expect(page.locator("#note-form .form-fault")).to_be_visible()
    expect(page.locator("#note-body")).to_have_value("Too late")
    one.errors.clear()


@pytest.mark.soak
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_the_panel_fits_and_can_be_used_by_all(
    site: Site, visit: Begin, size: str, theme: str
) -> None:
    court = court_at(site)
    for audience in ("private", "judges", "public"):
        note(court, audience, "とても長い覚え書きです。" * 20 + "x" * 200)
    options: dict[str, object] = {"color_scheme": theme, "bypass_csp": True}
    if size == "phone":
        options["viewport"] = PHONE
    page = shown(arrive(visit, court.players[0], **options), court)
    page.locator('[data-do="note"]').click()
    expect(page.locator("#note-body")).to_be_in_viewport()
    wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert page.evaluate(wide) == 0
    assert violations_on(page) == []


@pytest.mark.soak
def test_a_file_with_notes_says_so_on_the_verification_page(
    site: Site, visit: Begin, court: Court
) -> None:
    page = visit(locale="en").open("/verify?lang=en")
    lines = court.hall.anybody.get(f"{court.path}/export").get_data().splitlines(keepends=True)
    told = {"seq": 1, "audience": "public", "author": None, "body": "x", "time": "t"}
    line = json.dumps({"note": dict(sorted(told.items()))}, separators=(",", ":")).encode() + b"\n"
    for notes, text in (
        ([line] * 2, "Notes in the file: 2, not part of the verdict"),
        ([line, b'{"note":1}\n'], "Notes in the file: 2, of which 1 damaged"),
    ):
        body = b"".join([*lines, *notes])
        page.set_input_files(
            "#file", {"name": "m.kifu.jsonl", "mimeType": "application/x-ndjson", "buffer": body}
        )
        expect(page.locator("#recheck-notes")).to_contain_text("Notes in the file: 2")
        page.locator("#ask-server").click()
        expect(page.locator("#file-notes")).to_contain_text(text)
