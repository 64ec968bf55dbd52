"""A fourth game is one folder of code and one of data: listed, played, replayed, drawn, asked."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import Browser, Page, expect

from service.engine.values import Json
from tests.conftest import SEEDS
from tests.web.conftest import DESKTOP, PHONE

GAME = "high-card"
HERE = Path(__file__).parent.parent
FOLDERS = shutil.ignore_patterns("__pycache__")


@pytest.fixture(scope="module")
def fourth(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """Serve the four games: address, the matches that were played, imported and go on, a token."""
    root = tmp_path_factory.mktemp("fourth")
    for part in ("code", "seeds"):
        shutil.copytree(HERE / "fourth" / part, root / part, ignore=FOLDERS)
    for folder in SEEDS.iterdir():
        (root / "seeds" / folder.name).symlink_to(folder)
    command = [sys.executable, "-m", "tests.fourth.serving", str(root)]
    with subprocess.Popen(command, cwd=HERE.parent, stdout=subprocess.PIPE) as served:
        assert served.stdout is not None
        line = served.stdout.readline()
        assert line, "the server did not come up"
        yield json.loads(line)
        served.terminate()


@pytest.fixture
def page(fourth: dict[str, str], browser: Browser) -> Iterator[Page]:
    """A page of a Japanese visitor; at the end its console has not complained."""
    errors: list[str] = []
    context = browser.new_context(viewport=DESKTOP, locale="ja", base_url=fourth["url"])
    shown = context.new_page()
    shown.on("console", lambda one: errors.append(one.text) if one.type == "error" else None)
    shown.on("pageerror", lambda error: errors.append(str(error)))
    yield shown
    context.close()
    assert errors == []


def get(fourth: dict[str, str], path: str) -> Any:
    with urlopen(f"{fourth['url']}/api/v1/{path}") as answer:
        return json.load(answer)


def post(fourth: dict[str, str], path: str, body: Json) -> Any:
    headers = {"Content-Type": "application/json"}
    sent = Request(f"{fourth['url']}/api/v1/{path}", json.dumps(body).encode(), headers)
    with urlopen(sent) as answer:
        return json.load(answer)


def test_it_is_listed(fourth: dict[str, str]) -> None:
    games = [one["game"] for one in get(fourth, "rulesets")["items"]]
    assert games == sorted(["formation", "hagmi", "hi-story", GAME])
    listed = get(fourth, f"matches?game={GAME}")["items"]
    assert {(one["id"], one["state"]) for one in listed} == {
        (fourth["played"], "closed"),
        (fourth["imported"], "closed"),
        (fourth["running"], "running"),
    }


def test_it_is_replayed_and_verified(fourth: dict[str, str]) -> None:
    path = f"matches/{fourth['played']}"
    events = get(fourth, f"{path}/events?lang=en&as=judge")["items"]
    texts = [fact["text"] for event in events for fact in event["facts"]]
    assert texts[-1].startswith(("勅使河原 凜太郎 wins", "長谷川・マクシミリアン・健太 wins"))
    assert get(fourth, f"{path}/verification?as=judge")["overall"] == "exact"
    (last,) = [one for one in events if one["facts"] and one["facts"][-1]["text"] == texts[-1]]
    why = get(fourth, f"{path}/events/{last['seq']}/explanation?lang=ja&as=judge")
    assert "先攻の札：" in json.dumps(why, ensure_ascii=False)


def test_it_keeps_its_secrets(fourth: dict[str, str]) -> None:
    position = get(fourth, f"matches/{fourth['running']}/position")["position"]
    assert position["cards"] == {}
    assert position["players"]["P1"]["hand"] == [None, None]


def test_it_is_asked_about_a_position(fourth: dict[str, str]) -> None:
    players = {"P1": {"table": ["a1"]}, "P2": {"hand": ["b1"]}}
    cards = {"a1": "three", "b1": "two"}
    body = {
        "position": {"turn": "P2", "cards": cards, "players": players},
        "actions": [{"actor": "P2", "type": "play_card", "card": "b1"}],
    }
    answer = post(fourth, f"rulesets/{GAME}/adjudications?lang=ja", body)
    assert "P1の勝ち（大きい数）。" in json.dumps(answer, ensure_ascii=False)
    played = get(fourth, f"rulesets/{GAME}/examples/HC-EX-002")
    assert played["faults"] == []


def test_its_rules_are_found(fourth: dict[str, str]) -> None:
    found = get(fourth, f"search?q={quote('交換')}&in=rules&game={GAME}&synonyms=1")
    assert found["items"][0]["id"] == "HC-011"
    assert get(fourth, "rules/HC-001")["id"] == "HC-001"
    assert len(get(fourth, "rules/HC-007/occurrences")["items"]) == 2


def test_its_board_is_drawn(fourth: dict[str, str], page: Page) -> None:
    page.goto(f"/matches/{fourth['imported']}?at=6&as=judge&lang=ja")
    expect(page.locator(".side.near .tile .name")).to_have_text(["二の札", "三の札"])
    expect(page.locator(".side.far .tile .name")).to_have_text(["三の札", "一の札"])
    page.keyboard.press("Home")
    expect(page.locator(".side .tile .name")).to_have_count(0)
    page.set_viewport_size(PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_it_has_all_the_pages(fourth: dict[str, str], page: Page) -> None:
    page.goto("/?lang=ja")
    expect(page.locator(".card").filter(has_text=GAME)).to_have_count(3)
    page.goto(f"/matches?game={GAME}&lang=ja")
    expect(page.locator("tbody tr")).to_have_count(3)
    page.goto(f"/rules/{GAME}?lang=ja")
    expect(page.locator("main")).to_contain_text("入れ替え")
    page.goto(f"/matches/{fourth['played']}/random?lang=ja")
    page.click("#again")
    expect(page.locator("#outcome [data-verdict]")).to_have_attribute("data-verdict", "same")
