"""Opening a match at its last event and dragging its bar, in a browser, short and long matches.

The server is a process of its own; browser and server share the cores.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Page

from service.catalogue import LoadedGame
from tests.bench.live import running
from tests.conftest import opened_in, settings_in
from tests.long_match import store_long_match
from tests.web.conftest import DESKTOP, launched

TITLE = "Opening a match at its last event in a browser, and dragging its bar"
HEADINGS = (
    *("events", "first visit", "worst", "again", "of the short match"),
    *("frames/s while dragging", "script of a frame, p50", "p95", "worst"),
)
NOTE = """
From the click on the address until board, sentence and bar are drawn, medians of {visits} visitors;
again: the same visitor opens it once more. While dragging the pointer moves {moves} times across
the whole bar; {frame} frames a second are what the browser draws at most.
"""
SHORT, LENGTHS = 100, (100, 10_000)
VISITS, MOVES, FRAME_MS, FRAMES_PER_S = 7, 240, 16, 60
WATCHING = """
    window.took = [];
    window.frames = 0;
    const look = () => {
        window.frames += 1;
        const main = document.getElementById("main");
        if (main?.dataset.scriptMs && !window.opened) {
            const where = document.getElementById("where").textContent;
            const bar = document.querySelector(".turn")?.getAttribute("d");
            const isDrawn = document.querySelector(".side .zone") && bar?.startsWith("M");
            if (isDrawn && where === window.name) window.opened = performance.now();
            if (window.opened) {
                new MutationObserver(() => window.took.push(Number(main.dataset.scriptMs)))
                    .observe(main, { attributes: true, attributeFilter: ["data-script-ms"] });
            }
        }
        requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
"""


def note() -> str:
    """Return what stands below the table."""
    return NOTE.format(visits=VISITS, moves=MOVES, frame=FRAMES_PER_S)


def rows(game: LoadedGame, folder: Path) -> list[list[str]]:
    """Return a row for each length of a match."""
    folder.mkdir()
    installation = opened_in(folder)
    matches = {length: store_long_match(installation, game, length) for length in LENGTHS}
    installation.close()
    with running("serve", settings_in(folder), 1, ("--no-work",)) as (port, _), launched() as found:
        base = f"http://127.0.0.1:{port}/matches"
        measured = {
            length: _measured(found, f"{base}/{match_id}", length)
            for length, match_id in matches.items()
        }
    short = statistics.median(measured[SHORT][0])
    return [_row(length, *times, short) for length, times in measured.items()]


def _row(
    length: int,
    first: Sequence[float],
    again: Sequence[float],
    took: Sequence[float],
    rate: float,
    short: float,
) -> list[str]:
    median, slow = statistics.median(first), sorted(took)
    return [
        f"{length:,}",
        f"{median:.0f} ms",
        f"{max(first):.0f} ms",
        f"{statistics.median(again):.0f} ms",
        f"{median / short:.1f}",
        f"{rate:.0f}",
        f"{statistics.median(slow):.1f} ms",
        f"{slow[len(slow) * 95 // 100]:.1f} ms",
        f"{slow[-1]:.1f} ms",
    ]


def _measured(
    browser: Browser, address: str, length: int
) -> tuple[list[float], list[float], list[float], float]:
    """Return the times of first and second visits, those of frames in ms, and frames a second."""
    first, again = [], []
    took: list[float] = []
    rate = 0.0
    for _ in range(VISITS):
        context = browser.new_context(viewport=DESKTOP, locale="ja")
        context.add_init_script(WATCHING)
        page, opened = _opened(context, address, length)
        first.append(opened)
        page.close()
        page, opened = _opened(context, address, length)
        again.append(opened)
        took, rate = _dragged(page)
        context.close()
    return first, again, took, rate


def _opened(context: BrowserContext, address: str, length: int) -> tuple[Page, float]:
    """Open a match at its end; return the page, and when all was drawn in ms."""
    page = context.new_page()
    page.evaluate("(where) => { window.name = where; }", f"{length} / {length}")
    page.goto(f"{address}?at={length}", wait_until="commit")
    page.wait_for_function("() => window.opened")
    return page, float(page.evaluate("window.opened"))


def _dragged(page: Page) -> tuple[list[float], float]:
    """Drag the bar from its end to its beginning; return times of frames, and frames a second."""
    box = page.locator("#range").bounding_box()
    assert box is not None
    width, height = box["width"] - 20, box["y"] + 20
    page.mouse.move(box["x"] + width, height)
    page.mouse.down()
    begun = page.evaluate("({ at: performance.now(), frames: window.frames })")
    for step in range(MOVES):
        page.mouse.move(box["x"] + width * (1 - step / MOVES), height)
        page.wait_for_timeout(FRAME_MS)
    ended = page.evaluate("({ at: performance.now(), frames: window.frames })")
    page.mouse.up()
    rate = (ended["frames"] - begun["frames"]) / (ended["at"] - begun["at"]) * 1000
    return [float(one) for one in page.evaluate("window.took")], rate
