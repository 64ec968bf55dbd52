"""Tournaments for the tests of pages: many players with Japanese names, rounds under way."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

from schemas.strict import read_yaml
from service.cli.demo_tournaments import FILE
from tests.api.cups import Cup, cup_of
from tests.api.tables import hall_of
from tests.conftest import SEEDS
from tests.web.conftest import Site

LONG = ("長谷川・マクシミリアン・健太郎", "オコナー＝中村 シヴォーン・ヘレナ", "勅使河原 凜太郎")
TITLE = "夏の陣 2026 オープン選手権 <b>"
SWISS_5 = {"format": "swiss", "rounds": 5}
TOP_8 = {"format": "single_elimination", "cut": {"top": 8}}
MISSING = 2
"""How many tables of the last round of the large tournament have no result."""


def names_of_demo(folder: Path = SEEDS) -> list[str]:
    """Return the Japanese names of the players of the demo, three of them long ones."""
    found = read_yaml((folder / FILE).read_bytes())["tournaments"][0]["players"]
    return [*LONG, *(player["name"].partition(" (")[0] for player in found[len(LONG) :])]


def large_cup(site: Site) -> Cup:
    """Return a tournament of 33 players in its second round."""
    cup = cup_of(hall_of(site.installation), SWISS_5, TOP_8, name=TITLE)
    for name in names_of_demo():
        cup.enter(name)
    cup.finish(cup.begin())
    number = cup.begin()
    for table in cup.tables(number)[:-MISSING]:
        cup.report(number, table["table"], min(table["players"]))
    return cup


def small_cup(site: Site, players: int = 4, **phase: object) -> Cup:
    """Return a tournament of a few players before its first round."""
    swiss = {"format": "swiss", "rounds": 2, **phase}
    cup = cup_of(hall_of(site.installation), swiss, name="夜の会")
    for name in names_of_demo()[:players]:
        cup.enter(name)
    return cup


def skip_to_content(page: Page) -> None:
    """Use the skip link, as somebody without a mouse does."""
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
