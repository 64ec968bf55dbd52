"""The bar of a long match: whole at once, jumps to what is not here yet, ways from there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, Request, expect

from projections.overview import stretch
from service.engine.values import SPECTATOR, Json
from service.installation import Installation
from tests.api.tables import MATCHES, good, hall_of
from tests.conftest import opened_in, settings_in
from tests.long_match import store_long_match
from tests.web.bookshelf import served
from tests.web.conftest import EXACT, Site
from tests.web.match_pages import Begin, address, at, query_of

EVENTS = 2_100
FAR = 1_000
EDGES = re.compile(r"M([0-9.]+) ")
MOVES, FRAME_MS = 120, 16
SCRIPT_MS_MAX = 8
NOTING = """
    window.took = [];
    const main = document.getElementById("main");
    new MutationObserver(() => window.took.push(Number(main.dataset.scriptMs)))
        .observe(main, { attributes: true, attributeFilter: ["data-script-ms"] });
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Long:
    """A served installation with a long match that still runs."""

    installation: Installation
    url: str
    match_id: str

    @property
    def path(self) -> str:
        return f"{self.url}/matches/{self.match_id}"

    def turns(self) -> list[int]:
        """Return the numbers of the events with which turns begin, after the first."""
        replay = self.installation.replay(
            self.installation.log.match(self.match_id), SPECTATOR, "ja"
        )
        runs = stretch(replay, 0, EVENTS).turns.runs
        ends = [sum(runs[1 : place + 1 : 2]) for place in range(1, len(runs), 2)]
        return [end + 1 for end in ends if end < EVENTS]


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Long]:
    folder = tmp_path_factory.mktemp("bar")
    installation = opened_in(folder)
    match_id = store_long_match(installation, installation.catalogue.game("hi-story"), EVENTS)
    settings = replace(settings_in(folder), rate_limit="1000000 per minute")
    with served(installation, settings) as url:
        yield Long(installation=installation, url=url, match_id=match_id)
    installation.close()


class Asking:
    """What a page asks the API for, from the beginning on."""

    def __init__(self, page: Page) -> None:
        self._asked: list[Request] = []
        page.on("request", lambda request: self._asked.append(request))

    def of(self, name: str) -> list[dict[str, str]]:
        """Return the queries of what was asked for by the last part of its path."""
        parts = [urlsplit(request.url) for request in self._asked]
        return [
            {key: values[0] for key, values in parse_qs(part.query).items()}
            for part in parts
            if part.path.startswith("/api/") and part.path.rpartition("/")[2] == name
        ]


def arrived(visit: Begin, url: str, **options: object) -> tuple[Page, Asking]:
    """Return a page that stands where its address says, and what it asks for."""
    page = visit(**options).context.new_page()
    asking = Asking(page)
    page.goto(url)
    at(page, query_of(page)["at"])
    return page, asking


def edges(page: Page, seat: str) -> list[float]:
    """Return where the blocks of a seat begin, as parts of the bar."""
    path = page.locator(f".lane[data-seat={seat}]")
    width = page.locator("#track").evaluate("node => node.clientWidth")
    return [float(left) / width for left in EDGES.findall(path.get_attribute("d") or "")]


def test_the_bar_is_whole_while_two_windows_are_here(long: Long, visit: Begin) -> None:
    page, asking = arrived(visit, f"{long.path}?at={EVENTS}")
    expect(page.locator(".turn")).to_have_attribute("d", re.compile("^M"))
    for seat in ("P1", "P2"):
        found = edges(page, seat)
        assert found[0] < 0.05
        assert found[-1] > 0.95
        assert max(after - before for before, after in pairwise(found)) < 0.02
    assert len(asking.of("frames")) <= 2
    assert [query["from"] for query in asking.of("overview")] == ["0"]


def test_what_is_drawn_first_is_asked_for_once(long: Long, site: Site, visit: Begin) -> None:
    spoiler_free = f"{site.url}{address(site, at=40, spoilers='off')}"
    for url in (f"{long.path}?at={EVENTS}", f"{long.path}?at=70.1&lang=en", spoiler_free):
        page, asking = arrived(visit, url)
        starts = [query["from"] for query in asking.of("frames")]
        assert len(starts) == len(set(starts)), url
        assert len(asking.of("hi-story")) == 1, url
        page.close()


def test_without_script_the_events_around_the_place_are_listed(long: Long, visit: Begin) -> None:
    page = visit(java_script_enabled=False).context.new_page()
    page.goto(f"{long.path}?at=70.1")
    numbers = page.locator("#events .no").all_inner_texts()
    assert numbers == [str(seq) for seq in range(51, 101)]
    page.click("#pager [rel=next]")
    expect(page.locator("#events .no").first).to_have_text("101")


def test_one_steps_by_turns_whose_frames_are_not_here(long: Long, visit: Begin) -> None:
    turns = long.turns()
    here = next(turn for turn in turns if turn >= FAR)
    page, _ = arrived(visit, f"{long.path}?at={here}")
    for key, place in (
        ("Shift+ArrowRight", turns[turns.index(here) + 1]),
        ("Shift+ArrowLeft", here),
        ("Shift+ArrowLeft", turns[turns.index(here) - 1]),
    ):
        page.keyboard.press(key)
        at(page, str(place))


def test_a_place_that_is_not_here_tells_its_turn(long: Long, visit: Begin) -> None:
    page, _ = arrived(visit, f"{long.path}?at={EVENTS}")
    expect(page.locator(".turn")).to_have_attribute("d", re.compile("^M"))
    page.route("**/frames?*", lambda route: None)
    page.locator("#range").evaluate(
        "(node, value) => { node.value = value; node.dispatchEvent(new Event('input')); }", FAR
    )
    expect(page.locator("#caption")).to_have_text(re.compile(r"ターン\s?\d+ .*フェーズ"))
    expect(page.locator("#where")).to_have_text(f"{FAR} / {EVENTS}")


def test_ways_lead_from_the_moment_that_is_shown(site: Site, visit: Begin) -> None:
    page = visit().open(address(site, at=40, as_="P1"))
    page.keyboard.press("ArrowRight")
    at(page, "41")
    ways = {name: page.locator(f"[data-way={name}]") for name in ("random", "adjudicate")}
    queries: dict[str, Json] = {
        name: parse_qs(urlsplit(str(way.get_attribute("href"))).query) for name, way in ways.items()
    }
    assert queries["random"] == {"from": ["40"], "as": ["P1"], "lang": ["ja"]}
    assert queries["adjudicate"] == {
        "match": [site.matches[1]],
        "at": ["41"],
        "lang": ["ja"],
    }
    ways["adjudicate"].click()
    expect(page.locator(".side")).to_have_count(2)
    expect(page).to_have_url(re.compile(r"/adjudicate/hi-story\?.*at=41"))
    page.go_back()
    ways["random"].click()
    expect(page).to_have_url(re.compile(r"/random\?.*from=40"))


def test_who_may_not_adjudicate_is_not_led_there(long: Long, site: Site, visit: Begin) -> None:
    page, _ = arrived(visit, f"{long.path}?at=1")
    expect(page.locator("[data-way=random]")).to_be_visible()
    expect(page.locator("[data-way=adjudicate]")).to_have_count(0)
    page = visit().open(address(site, at=40, spoilers="off"))
    expect(page.locator("[data-way]")).to_have_count(0)


def test_the_bar_grows_with_the_match(long: Long, visit: Begin) -> None:
    """An event that is no action is asked for; who has gone back is left where he is."""
    page, asking = arrived(visit, f"{long.path}?at=1")
    expect(page.locator(".turn")).to_have_attribute("d", re.compile("^M"))
    judge = hall_of(long.installation).person("Judge", "judge")
    good(judge.post(f"{MATCHES}/{long.match_id}/hold", {"reason": "a question"}))
    expect(page.locator("#range")).to_have_attribute("max", str(EVENTS + 1))
    expect(page.locator("#where")).to_have_text(f"1 / {EVENTS + 1}")
    assert [query["from"] for query in asking.of("overview")] == ["0", str(EVENTS)]


def test_what_each_side_has_left_is_drawn_and_told(site: Site, visit: Begin) -> None:
    match_id = site.matches[EXACT]
    match = site.installation.log.match(match_id)
    replay = site.installation.replay(match, SPECTATOR, "ja")
    page = visit().open(f"/matches/{match_id}?at=60&lang=ja")
    for seat in ("P1", "P2"):
        curve = page.locator(f".curve[data-seat={seat}]")
        expect(curve).to_have_attribute("d", re.compile(r"^M[0-9.]+ [0-9.]+H.+V"))
    view = replay.position(60)
    left = [len(view["players"][seat]["deck"]) for seat in ("P1", "P2")]
    expect(page.locator("#totals")).to_have_text(f"山札P1 {left[0]}P2 {left[1]}")
    page.keyboard.press("Home")
    expect(page.locator("#totals")).to_have_text("")
    page.locator("[data-do=marks]").click()
    expect(page.locator(".jump-list .jump").last).to_contain_text("山札 P1")


@pytest.mark.soak
def test_ten_thousand_events_are_dragged_through(long: Long, visit: Begin) -> None:
    """The script takes at most 8 ms of nearly every frame."""
    game = long.installation.catalogue.game("hi-story")
    match_id = store_long_match(long.installation, game, 10_000)
    page, _ = arrived(visit, f"{long.url}/matches/{match_id}?at=10000")
    expect(page.locator(".turn")).to_have_attribute("d", re.compile("^M"))
    page.evaluate(NOTING)
    box = page.locator("#range").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] - 20, box["y"] + 20)
    page.mouse.down()
    for step in range(MOVES):
        page.mouse.move(box["x"] + (box["width"] - 20) * (1 - step / MOVES), box["y"] + 20)
        page.wait_for_timeout(FRAME_MS)
    page.mouse.up()
    took = sorted(page.evaluate("window.took"))
    assert len(took) > MOVES / 4
    assert took[len(took) * 95 // 100] <= SCRIPT_MS_MAX
