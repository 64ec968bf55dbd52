"""Checking in the browser finds what Python finds, in files of every game and viewer."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from schemas.plain_logs import read_lines
from schemas.strict import canonical
from service.cli.simulating import simulated_match
from service.engine.values import JUDGE, Json
from service.exchange import export_lines
from service.installation import Installation
from service.integrity.report import Report
from service.integrity.signing import new_key
from service.offline import verify_lines
from service.web.files import files
from tests.conftest import CATALOGUE, SEEDS, opened, settings_in
from tests.integrity.test_verify import changed, event_lines, rechained, unsigned
from tests.web.bookshelf import served
from tests.web.match_pages import Begin

Lines = list[bytes]
GAMES = ("formation", "hagmi", "hi-story")
VIEWERS = ("judge", "P1", "spectator")
HELD = ("judge", "P1")
SOAK = pytest.mark.soak
MIDDLE = 30
DIGEST = "0" * 64
CHECKS = {
    "form": "form",
    "opening": "chain",
    "seals": "chain",
    "links": "chain",
    "views": "fold",
    "statement": "complete",
    "signature": "complete",
    "draws": "fair",
}
"""Rung of the browser → check of Python; the form of lines is `malformed` there."""
RECHECK = """async ([folder, bytes]) => {
    const { recheck } = await import(`${folder}/recheck.js`);
    const file = Uint8Array.from(atob(bytes), (sign) => sign.charCodeAt(0));
    return (await recheck(file, { tell: null, breathe: async () => {} })).rungs;
}"""

WITHOUT_ED25519 = """
    const known = SubtleCrypto.prototype.importKey;
    SubtleCrypto.prototype.importKey = function (format, bytes, algorithm, ...more) {
        if (algorithm === "Ed25519") throw new DOMException("unknown", "NotSupportedError");
        return known.call(this, format, bytes, algorithm, ...more);
    };
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shelf:
    """An installation that signs. simulated: game → a match that drew from roots and seeds."""

    installation: Installation
    url: str
    simulated: dict[str, str]

    def lines(self, match_id: str, viewer: str = JUDGE) -> Lines:
        return export_lines(self.installation, self.installation.log.match(match_id), viewer)


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shelf]:
    folder = tmp_path_factory.mktemp("recheck")
    key_file = folder / "log.key"
    key_file.write_text(new_key())
    settings = replace(settings_in(folder), log_key=key_file, rate_limit="1000000 per minute")
    installation = opened(settings)
    simulated = {
        name: simulated_match(installation, CATALOGUE.game(name).sample, 11, 0, {}, "sample").id
        for name in GAMES
    }
    with served(installation, settings) as url:
        yield Shelf(installation=installation, url=url, simulated=simulated)
    installation.close()


@pytest.fixture(scope="module")
def page(shelf: Shelf, browser: Browser) -> Iterator[Page]:
    """A page from which the modules are run; what it shows does not matter."""
    context = browser.new_context()
    found = context.new_page()
    found.goto(f"{shelf.url}/verify")
    yield found
    context.close()


def rungs_of(page: Page, lines: Lines) -> Json:
    bytes_ = base64.b64encode(b"".join(lines)).decode()
    return page.evaluate(RECHECK, [f"/static/{files().digest}", bytes_])


def first_bad(rungs: Json) -> Json:
    """Return the checks that failed in the browser: check of Python → event, line."""
    # Python does not look at the signature of a statement that is wrong.
    return {
        CHECKS[rung]: (found.get("seq"), found.get("line"))
        for rung, found in reversed(rungs.items())
        if found["state"] == "failed"
    }


def failed_in(report: Report) -> Json:
    if report.overall == "malformed":
        return {"form": (None, report.line)}
    return {name: (check.seq, None) for name, check in report.checks.items() if check.failed}


def agree(page: Page, lines: Lines) -> tuple[Json, Report]:
    """Return what the browser and Python found: the same in the same place."""
    rungs, report = rungs_of(page, lines), verify_lines(CATALOGUE, lines)
    found = failed_in(report)
    # What needs the rules is not checked in the browser.
    found = {name: place for name, place in found.items() if name != "legal"}
    if report.viewer == JUDGE:
        found.pop("fold", None)
    assert first_bad(rungs) == found
    return rungs, report


def flipped(text: str) -> str:
    return ("1" if text[0] == "0" else "0") + text[1:]


def with_event(at: int, change: Callable[[Json], object]) -> Callable[[Lines], Lines]:
    return lambda lines: [*lines[:at], changed(lines[at], change), *lines[at + 1 :]]


def with_last(change: Callable[[Json], object]) -> Callable[[Lines], Lines]:
    return lambda lines: [*lines[:-1], changed(lines[-1], change)]


def in_part(part: str, viewer: str) -> Callable[[Json], object]:
    def change(body: Json) -> None:
        holder = viewer if viewer in body[part] else next(iter(body[part]))
        body[part][holder] = flipped(body[part][holder])

    return change


def changes(viewer: str) -> dict[str, Callable[[Lines], Lines]]:
    """Return what may happen to the events of a file: name → what makes it of the lines."""
    at = MIDDLE
    return {
        "form": with_event(at, lambda body: body["form"].update(position_hash=DIGEST)),
        "seal": with_event(at, in_part("seals", viewer)),
        "seal of another": with_event(at, in_part("seals", "P2")),
        "salt": with_event(at, in_part("salts", viewer)),
        "actor": with_event(at, lambda body: body["header"].update(actor="P3")),
        "time": with_event(at, lambda body: body["header"].update(time="2020-01-01T00:00:00Z")),
        "match": with_event(at, lambda body: body["header"].update(match="other")),
        "hash": with_event(at, lambda body: body.update(hash=flipped(body["hash"]))),
        "order": lambda lines: [
            *(*lines[:at], lines[at + 1], lines[at]),
            *lines[at + 2 :],
        ],
        "missing": lambda lines: [*lines[:at], *lines[at + 1 :]],
        "first missing": lambda lines: [*lines[:2], *lines[3:]],
        "origin": lambda lines: [
            changed(lines[0], lambda head: head.update(origin="elsewhere")),
            *lines[1:],
        ],
        "edition": lambda lines: [
            changed(lines[0], lambda head: head.update(edition="x@9")),
            *lines[1:],
        ],
        "name": lambda lines: [
            changed(lines[0], lambda head: head["names"]["P1"].update(body="Somebody")),
            *lines[1:],
        ],
        "cards": lambda lines: [lines[0], b'{"cards":[]}\n', *lines[2:]],
    }


def changes_around() -> dict[str, Callable[[Lines], Lines]]:
    """Return what may happen to the lines around the chain, and to how lines are written."""
    at = MIDDLE
    return {
        "cut": lambda lines: lines[:-1],
        "cut before": lambda lines: [*lines[:-2], lines[-1]],
        "digest": with_last(lambda body: body.update(digest=DIGEST)),
        "head": with_last(lambda body: body["statement"].update(head=DIGEST)),
        "stated time": with_last(lambda body: body["statement"].update(time="2020")),
        "signature": with_last(lambda body: body["signature"].update(signature="A" * 86 + "==")),
        "unsigned": unsigned,
        "note": lambda lines: [*lines, b'{"note":{"damaged":1}}\n'],
        "note before": lambda lines: [*lines[:-1], b'{"note":1}\n'],
        "blank": lambda lines: [*lines[:at], lines[at].replace(b":", b": ", 1), *lines[at + 1 :]],
        "double key": lambda lines: [b'{"kifu":1,"kifu":1}\n', *lines[1:]],
        "fraction": lambda lines: [lines[0], b'{"cards":1.5}\n', *lines[2:]],
        "no text": lambda lines: [*lines[:at], b'{"a":"\xff"}\n', *lines[at + 1 :]],
        "no end": lambda lines: [*lines[:-1], lines[-1][:-1]],
        "another field": with_event(at, lambda body: body.update(more=1)),
        "nothing": lambda lines: [],
    }


@pytest.mark.parametrize("viewer", ["judge", "spectator", pytest.param("P1", marks=SOAK)])
def test_good_files_are_good_and_say_how_much(shelf: Shelf, page: Page, viewer: str) -> None:
    for match_id in shelf.simulated.values():
        lines = shelf.lines(match_id, viewer)
        rungs, report = agree(page, lines)
        assert first_bad(rungs) == {}
        assert rungs["links"]["count"] == len(lines) - 3
        assert rungs["signature"]["state"] in ("good", "not checkable")
        assert rungs["views"]["state"] == ("not checkable" if viewer == JUDGE else "good")
        assert rungs["draws"]["state"] == report.checks["fair"].verdict


@pytest.mark.parametrize("viewer", ["judge", "spectator", pytest.param("P1", marks=SOAK)])
def test_what_was_changed_is_found_at_the_first_bad_event(
    shelf: Shelf, page: Page, viewer: str
) -> None:
    lines = shelf.lines(shelf.simulated["hi-story"], viewer)
    for name, change in changes(viewer).items():
        rungs, _ = agree(page, change(lines))
        assert first_bad(rungs), name


@pytest.mark.parametrize("viewer", ["spectator", *(pytest.param(one, marks=SOAK) for one in HELD)])
def test_what_was_changed_around_the_chain_is_found(shelf: Shelf, page: Page, viewer: str) -> None:
    lines = shelf.lines(shelf.simulated["hi-story"], viewer)
    for name, change in changes_around().items():
        rungs, _ = agree(page, change(lines))
        assert (first_bad(rungs) == {}) == (name in ("cut", "unsigned", "note")), name
        if name == "cut":
            assert rungs["statement"]["state"] == "open"


def test_what_is_expected_and_found_is_told_alike(shelf: Shelf, page: Page) -> None:
    lines = shelf.lines(shelf.simulated["hagmi"], "P1")
    known = changes("P1") | changes_around()
    for name in ("form", "hash", "missing", "digest"):
        spoilt = known[name](lines)
        (check,) = [one for one in verify_lines(CATALOGUE, spoilt).checks.values() if one.failed]
        (rung,) = [one for one in rungs_of(page, spoilt).values() if one["state"] == "failed"]
        assert (rung["expected"], rung["found"]) == (check.expected, check.found), name


def test_a_position_that_was_not_sealed_is_found(shelf: Shelf, page: Page) -> None:
    lines = shelf.lines(shelf.simulated["formation"], "spectator")
    at = next(at for at, line in enumerate(lines) if b'"view":' in line)
    for change in (lambda body: body["view"].update(more=1), lambda body: body.pop("view")):
        rungs, _ = agree(page, with_event(at, change)(lines))
        assert rungs["views"]["state"] == "failed"


def test_draws_of_a_chain_that_was_sealed_anew_are_found(shelf: Shelf, page: Page) -> None:
    lines = shelf.lines(shelf.simulated["hi-story"])
    (opened_at,), seeded = event_lines(lines, "secrets_opened"), event_lines(lines, "seed_opened")
    for at, change in (
        (seeded[-1], lambda body: body["form"].update(seed="11" * 32)),
        (opened_at, lambda body: body["form"].update(closed="22" * 32)),
        (opened_at, lambda body: body["form"].update(open=None)),
    ):
        rungs = rungs_of(page, rechained(with_event(at, change)(lines)))
        assert first_bad(rungs)["fair"] == (at - 1, None)


def test_dice_of_a_chain_that_was_sealed_anew_are_found(shelf: Shelf, page: Page) -> None:
    lines = shelf.lines(shelf.simulated["hagmi"])
    at = next((at for at, line in enumerate(lines) if b'"sides":' in line), None)
    assert at is not None, "a die was thrown"

    def throw(body: Json) -> None:
        (die, *_) = [draw for draw in body["form"]["draws"] if "die" in draw]
        die["die"] = die["die"] % die["sides"] + 1

    rungs = rungs_of(page, rechained(with_event(at, throw)(lines)))
    assert first_bad(rungs)["fair"] == (at - 1, None)


def test_shuffles_are_made_again_from_what_the_service_tells(shelf: Shelf, visit: Begin) -> None:
    def spoil(route: Route) -> None:
        body = route.fetch().json()
        made = next(one for item in body["items"] for one in item["made"] if one and one["before"])
        made["before"].reverse()
        route.fulfill(body=canonical(body), content_type="application/json")

    one = visit()
    one.url = shelf.url
    page = one.open(f"/matches/{shelf.simulated['hi-story']}/verify?lang=en")
    draws = page.locator("[data-rung=draws]")
    page.click("#recheck-start")
    expect(draws).to_have_attribute("data-tone", "good")
    expect(draws).to_contain_text(re.compile(r"[1-9]\d* shuffles"))
    one.context.route("**/random?*", spoil)
    page.click("#recheck-start")
    expect(draws).to_have_attribute("data-tone", "bad")
    expect(draws).to_contain_text("A shuffle does not follow from the root and the seeds.")
    expect(draws.locator(".event-at")).to_have_attribute("href", re.compile("at="))


@pytest.mark.soak
def test_a_browser_that_knows_no_ed25519_says_so(shelf: Shelf, visit: Begin) -> None:
    one = visit()
    one.url = shelf.url
    one.context.add_init_script(WITHOUT_ED25519)
    page = one.open(f"/matches/{shelf.simulated['formation']}/verify?lang=en")
    page.click("#recheck-start")
    expect(page.locator("[data-rung=signature]")).to_contain_text("cannot check Ed25519")
    expect(page.locator("#recheck-overall")).to_have_text("unbroken")


@pytest.mark.soak
@pytest.mark.parametrize(
    "path", sorted(SEEDS.glob("*/logs/*.plain.jsonl")), ids=lambda one: one.stem
)
def test_every_recorded_game_is_checked_alike(shelf: Shelf, page: Page, path: Path) -> None:
    """Of a game with an illegal action, what comes before that is stored."""
    lines = list(read_lines(path.read_bytes().splitlines(keepends=True)))
    _, match_id = shelf.installation.import_lines(lines, partial=True)
    assert match_id is not None
    for viewer in VIEWERS:
        held = shelf.lines(match_id, viewer)
        rungs, _ = agree(page, held)
        assert first_bad(rungs) == {}
        for at in (3, len(held) // 2, len(held) - 2):
            agree(page, [*held[:at], *held[at + 1 :]])
            agree(page, with_event(at, in_part("seals", viewer))(held))
