"""What the page tests share: an installation with a few matches, its server, a browser."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Page,
    Request,
    ViewportSize,
    sync_playwright,
)

from schemas.plain_logs import read_lines
from service.engine.values import JUDGE
from service.exchange import export_lines
from service.installation import Installation
from service.offline import verify_lines
from service.worker import verify_stored
from tests.conftest import import_log, log_of, opened, settings_in
from tests.web.bookshelf import served

BROWSERS = ("/usr/bin/chromium", "google-chrome", "google-chrome-stable", "chromium-browser")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
EXACT, TAMPERED, UNVERIFIED = LOGS = (1, 2, 6)
LOOK_MS, LOOKS_MAX, QUIET_LOOKS = 40, 750, 4
MARKED = 10
SPOILT = 57
MARKUP = "<img src=x onerror=alert(1)>"
DESKTOP: ViewportSize = {"width": 1280, "height": 800}
PHONE: ViewportSize = {"width": 390, "height": 844}
VIOLATIONS = """
    window.violations = [];
    document.addEventListener("securitypolicyviolation", (event) => {
        window.violations.push(`${event.violatedDirective} ${event.blockedURI}`);
    });
"""


@dataclass(frozen=True, kw_only=True)
class Site:
    """A served installation. matches: number of the imported log → id of its match."""

    installation: Installation
    url: str
    matches: Mapping[int, str]


def import_marked(installation: Installation) -> str:
    """Import a log in which a player is called like a piece of markup."""
    log = log_of("hi-story", MARKED).read_bytes().replace(b"Player One", MARKUP.encode())
    _, match_id = installation.import_lines(list(read_lines(log.splitlines(keepends=True))))
    assert match_id is not None
    return match_id


def record_spoilt(installation: Installation, match_id: str) -> None:
    """Keep for a match what is found in a file of it in which the actor of an event is another."""
    lines = export_lines(installation, installation.log.match(match_id), JUDGE)
    head, (line,), tail = lines[: SPOILT + 1], lines[SPOILT + 1 : SPOILT + 2], lines[SPOILT + 2 :]
    spoilt = line.replace(b'"actor":"P1"', b'"actor":"P2"', 1)
    report = verify_lines(installation.catalogue, [*head, spoilt, *tail])
    installation.record_verdict(match_id, report)


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("web")
    settings = replace(settings_in(folder), rate_limit="1000000 per minute")
    installation = opened(settings)
    matches = {number: import_log(installation, log_of("hi-story", number)) for number in LOGS}
    matches[MARKED] = import_marked(installation)
    verify_stored(installation, matches[EXACT])
    record_spoilt(installation, matches[TAMPERED])
    with served(installation, settings) as url:
        yield Site(installation=installation, url=url, matches=matches)
    installation.close()


@contextmanager
def launched() -> Iterator[Browser]:
    """Lend a headless Chromium; raises `LookupError` if the machine has none."""
    named = os.environ.get("KIFU_TEST_BROWSER")
    path = named or next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        raise LookupError("The page tests need a Chromium: run tests/web/install-browser.")
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield found
        found.close()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with launched() as found:
        yield found


class Asked:
    """What a page has asked for and not got yet; a stream that stays open is not waited for."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._waiting: set[Request] = set()
        page.on("request", self._begin)
        page.on("requestfinished", self._end)
        page.on("requestfailed", self._end)

    def _begin(self, request: Request) -> None:
        if request.resource_type != "eventsource":
            self._waiting.add(request)

    def _end(self, request: Request) -> None:
        self._waiting.discard(request)

    def wait(self) -> None:
        """Wait until nothing has been asked for a moment."""
        quiet = 0
        for _ in range(LOOKS_MAX):
            self._page.wait_for_timeout(LOOK_MS)
            quiet = 0 if self._waiting else quiet + 1
            if quiet == QUIET_LOOKS:
                return
        raise AssertionError("the page goes on asking")


@dataclass(kw_only=True)
class Visit:
    """Opens pages as one visitor; what the console complained of is kept."""

    context: BrowserContext
    url: str
    errors: list[str] = field(default_factory=list)

    def open(self, path: str) -> Page:
        """Open a page and wait until everything it asks for has come."""
        page = self.context.new_page()
        page.on("console", lambda message: self._note(message.type, message.text))
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        asked = Asked(page)
        page.goto(self.url + path)
        asked.wait()
        return page

    def _note(self, kind: str, text: str) -> None:
        if kind in ("error", "warning"):
            self.errors.append(text)


@pytest.fixture
def visit(site: Site, browser: Browser) -> Iterator[Callable[..., Visit]]:
    """Return a function that makes a visitor of its own; at the end no console has complained."""
    visits: list[Visit] = []

    def begin(**options: Any) -> Visit:
        context = browser.new_context(**{"viewport": DESKTOP, "locale": "ja", **options})
        context.add_init_script(VIOLATIONS)
        visits.append(Visit(context=context, url=site.url))
        return visits[-1]

    yield begin
    for one in visits:
        one.context.close()
    assert [error for one in visits for error in one.errors] == []
