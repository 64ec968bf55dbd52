"""The viewer of a match: all its keys, search, struck lines, marks, cards, sharing, following."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

import pytest
from playwright.sync_api import Page, Response, expect

from service.cli.demo_rulings import judge, read_rulings
from service.engine.values import Json
from service.installation import Installation
from service.settings import Settings
from tests.api.test_judging import Court, court_of
from tests.api.test_spectating import running
from tests.conftest import SEEDS, import_log, log_of, opened_in, settings_in
from tests.web.axe import violations_on
from tests.web.bookshelf import served
from tests.web.conftest import PHONE, Site, Visit
from tests.web.match_pages import Begin, address, at, events_of, query_of

BEASTS = 7
MIDDLE = 60
SUMMON = "召喚"


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A served installation with a match that a judge backed up, and one against the beasts."""

    installation: Installation
    settings: Settings
    url: str
    judged: str
    beasts: str

    def visit(self, visit: Begin, **options: object) -> Visit:
        one = visit(**options)
        one.url = self.url
        return one

    def backup(self) -> tuple[int, int]:
        """Return the number of the backup's event, and the index to which it went back."""
        (line,) = self.installation.log.match(self.judged).lines
        return line.begins, line.parent


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    folder = tmp_path_factory.mktemp("viewer")
    installation = opened_in(folder)
    judged = judge(installation, read_rulings(SEEDS)[0]).id
    beasts = import_log(installation, log_of("hagmi", BEASTS))
    settings = replace(settings_in(folder), rate_limit="1000000 per minute")
    with served(installation, settings) as url:
        yield Table(
            installation=installation, settings=settings, url=url, judged=judged, beasts=beasts
        )
    installation.close()


def turns_of(site: Site) -> list[int]:
    """Return the numbers of the events of the first match with which a turn begins."""
    return [
        event["seq"]
        for event in events_of(site)
        if any(body["fact"]["fact"] == "turn_started" for body in event["facts"])
    ]


def index_of(page: Page) -> int:
    return int(query_of(page)["at"].partition(".")[0])


def test_keys_move_by_turn(site: Site, visit: Begin) -> None:
    starts = turns_of(site)
    here = next(start for start in starts if start >= MIDDLE)
    before, after = starts[starts.index(here) - 1], starts[starts.index(here) + 1]
    page = visit().open(address(site, at=here + 1, as_="P1"))
    for key, place in (("ArrowLeft", here), ("ArrowLeft", before), ("ArrowRight", here)):
        page.keyboard.press(f"Shift+{key}")
        at(page, str(place))
    page.click("[data-do=turn-on]")
    at(page, str(after))


def test_digits_go_to_a_place_and_x_shows_everything(site: Site, visit: Begin) -> None:
    page = visit().open(address(site, at=5, as_="P2"))
    page.keyboard.type(str(MIDDLE))
    expect(page.locator("#typed")).to_contain_text(str(MIDDLE))
    page.keyboard.press("Enter")
    at(page, str(MIDDLE))
    page.keyboard.type("7")
    page.keyboard.press("Escape")
    expect(page.locator("#typed")).to_be_hidden()
    for viewer in ("judge", "P2"):
        page.keyboard.press("x")
        expect(page.locator(f"[data-viewer={viewer}]")).to_have_attribute("aria-current", "true")
        expect(page.locator(".side.near")).to_have_attribute("data-seat", "P2")
    at(page, str(MIDDLE))
    page.keyboard.press("?")
    keys = set(page.locator("#help kbd").all_inner_texts())
    assert keys >= {"←", "→", "Shift+←", ",", ".", "Home", "End", "0–9", "Enter", "f", "x"}
    assert keys >= {"+", "−", "/", "n", "N", "d", "?", "スペース"}


def test_n_goes_to_the_next_event_of_the_kind(site: Site, visit: Begin) -> None:
    kinds = {event["seq"]: event["action"]["type"] for event in events_of(site) if event["action"]}
    draws = [seq for seq, kind in kinds.items() if kind == "draw"]
    page = visit().open(address(site, at=draws[1], as_="P1"))
    for key, place in (("n", draws[2]), ("N", draws[1]), ("N", draws[0])):
        page.keyboard.press(key)
        at(page, str(place))
    page.keyboard.press("N")
    expect(page.locator("#notice")).not_to_be_empty()


def test_space_plays_at_a_speed_until_it_is_pressed_again(site: Site, visit: Begin) -> None:
    page = visit(reduced_motion="reduce").open(address(site, at=MIDDLE, as_="P1"))
    for _ in range(4):
        page.keyboard.press("+")
    expect(page.locator("#speed")).to_have_value("8")
    page.keyboard.press("Space")
    expect(page.locator("#play")).to_have_attribute("aria-label", "一時停止")
    expect(page).to_have_url(re.compile(f"at={MIDDLE + 2}"))
    page.keyboard.press("Space")
    expect(page.locator("#play")).to_have_attribute("aria-label", "再生")
    page.keyboard.press("-")
    expect(page.locator("#speed")).to_have_value("4")


def test_d_disputes_the_event(site: Site, visit: Begin) -> None:
    page = visit().open(address(site, at=f"{MIDDLE}.1", as_="P1"))
    page.keyboard.press("d")
    expect(page).to_have_url(re.compile(rf"/{site.matches[1]}/disputes/new\?seq={MIDDLE + 1}&"))


def test_search_finds_events_by_their_words(site: Site, visit: Begin) -> None:
    said = [event["seq"] for event in events_of(site) if SUMMON in event["text"]]
    page = visit().open(address(site, at=MIDDLE, as_="P1", lang="ja"))
    page.keyboard.press("/")
    page.keyboard.type(f"{SUMMON} d?")
    expect(page.locator("#found .jump")).to_have_count(0)
    page.fill("#find-field", SUMMON)
    expect(page.locator("#found .jump .no").first).to_have_text(str(said[0]))
    expect(page.locator("#events")).to_be_hidden()
    page.keyboard.press("Enter")
    at(page, str(said[0]))
    page.keyboard.press("Escape")
    expect(page.locator("#events")).to_be_visible()


def test_steps_keep_to_the_live_line(table: Table, visit: Begin) -> None:
    backup, to = table.backup()
    page = table.visit(visit).open(f"/matches/{table.judged}?at={to}&as=judge")
    page.keyboard.press("ArrowRight")
    at(page, str(backup))
    page.keyboard.press(",")
    expect(page).to_have_url(re.compile(rf"at={to - 1}\.|at={to}&"))
    page.goto(f"{table.url}/matches/{table.judged}?at={backup}&as=judge")
    expect(page.locator(".side.near")).to_be_visible()
    page.keyboard.press("ArrowLeft")
    at(page, str(to))


def test_a_struck_line_is_told_and_replayed(table: Table, visit: Begin) -> None:
    backup, to = table.backup()
    page = table.visit(visit, bypass_csp=True).open(f"/matches/{table.judged}?at={backup}&as=P1")
    page.click(".line-link")
    at(page, str(to + 1))
    expect(page.locator("#struck")).to_be_visible()
    expect(page.locator(".struck .event[aria-current]")).to_contain_text("取り消し")
    assert violations_on(page) == []
    page.keyboard.press("ArrowRight")
    at(page, str(to + 2))
    page.keyboard.press("Home")
    at(page, "0")
    expect(page.locator("#struck")).to_be_hidden()
    page.go_back()
    page.click("[data-do=to-live]")
    at(page, str(backup))


def test_one_jumps_by_marks(table: Table, visit: Begin) -> None:
    backup, _ = table.backup()
    page = table.visit(visit, viewport=PHONE).open(f"/matches/{table.judged}?at=3&as=P1")
    for kind in ("backup", "dispute", "result"):
        expect(page.locator(f"#track .sign.{kind}")).to_have_count(1)
    page.click("[data-do=marks]")
    expect(page.locator("#sheet .jump", has_text="異議")).to_have_count(1)
    page.locator("#sheet .jump", has=page.locator(".no", has_text=str(backup))).click()
    at(page, str(backup))


def test_a_card_leads_to_what_happened_to_it(site: Site, visit: Begin) -> None:
    summon = next(
        event
        for event in events_of(site)
        if event["actor"] == "P1" and event["action"] and event["action"]["type"] == "summon"
    )
    page = visit().open(address(site, at=summon["seq"], as_="P1"))
    page.click(".tile.changed .face")
    row = page.locator("#sheet .jump", has=page.locator(".no", has_text=str(summon["seq"]))).first
    expect(row).to_contain_text(SUMMON)
    page.keyboard.press("Home")
    row.click()
    at(page, str(summon["seq"]))


def test_a_shared_link_opens_the_same(site: Site, visit: Begin) -> None:
    one = visit()
    one.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = one.open(address(site, at=MIDDLE, as_="P1", lang="en"))
    page.click("[data-viewer=spectator]")
    page.keyboard.press("f")
    page.click("[data-do=share]")
    expect(page.locator("#notice")).to_have_text("The link to this place is copied.")
    link = page.evaluate("navigator.clipboard.readText()")
    other = visit(locale="ja").open(link.removeprefix(site.url))
    for part in ("#caption", "#board", "#viewers [aria-current=true]", "#events-title"):
        assert other.inner_text(part) == page.inner_text(part)
    expect(other.locator(".side.near")).to_have_attribute("data-seat", "P2")


def test_without_spoilers_nothing_later_is_sent(site: Site, visit: Begin) -> None:
    later = {event["hash"] for event in events_of(site)[MIDDLE + 3 :]}
    one = visit()
    answers: list[Response] = []
    one.context.on("response", lambda response: answers.append(response))
    page = one.open(address(site, at=MIDDLE, as_="P1", spoilers="off"))
    expect(page.locator("#range")).to_have_attribute("max", str(MIDDLE))
    for key, place in (("ArrowRight", 1), (".", 2), ("Home", -MIDDLE), ("End", 2), ("n", 2)):
        page.keyboard.press(key)
        at(page, str(MIDDLE + place))
    page.click("[data-do=event-on]")
    at(page, str(MIDDLE + 3))
    expect(page.locator("#range")).to_have_attribute("max", str(MIDDLE + 3))
    told = [answer.text() for answer in answers if f"/matches/{site.matches[1]}" in answer.url]
    assert len(told) > 2
    assert not any(secret in body for body in told for secret in later)
    assert not any("山札切れ" in body or '"closed"' in body for body in told)
    assert query_of(page)["spoilers"] == "off"


def test_a_match_is_followed_that_another_process_plays(table: Table, visit: Begin) -> None:
    court: Court = court_of(table.installation, "hi-story")
    with running("serve", table.settings, "--no-work") as url:
        follow(court, replace(table, url=url).visit(visit))


def follow(court: Court, one: Visit) -> None:
    """Follow a match, look back while it goes on, and catch up."""
    page = one.open(f"/matches/{court.match}?at=999999")
    first = index_of(page)
    court.hall.play(court.players, court.match, 1)
    expect(page).not_to_have_url(re.compile(rf"at={first}&"))
    page.keyboard.press("ArrowLeft")
    behind = page.locator("#behind")
    expect(behind).to_contain_text("1")
    place = index_of(page)
    court.hall.play(court.players, court.match, 3)
    count = shown(court)["events"] - place
    expect(behind).to_contain_text(str(count))
    assert index_of(page) == place
    page.click("#catch-up")
    at(page, str(place + count))
    one.context.close()


def shown(court: Court) -> Json:
    return court.shown(court.judge)


@pytest.mark.soak
def test_more_than_two_seats_and_the_beasts(table: Table, visit: Begin) -> None:
    page = table.visit(visit).open(f"/matches/{table.beasts}?at=120&as=P2")
    expect(page.locator(".side.far")).to_have_count(2)
    expect(page.locator(".side.near")).to_have_attribute("data-seat", "P2")
    expect(page.locator(".middle .zone .tile").first).to_be_visible()
    boxes = [one.bounding_box() for one in page.locator(".side.far").all()]
    assert boxes[0] is not None
    assert boxes[1] is not None
    assert boxes[0]["y"] == boxes[1]["y"]
    page.set_viewport_size(PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
