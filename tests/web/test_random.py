"""The page of draws: what is sealed and opened, and each draw made again in the browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, Route, expect

from schemas.strict import canonical, read_json
from service.engine.values import Json
from service.web.files import files
from tests.api.tables import MATCHES, good, hall_of
from tests.conftest import SEEDS
from tests.web.axe import violations_on
from tests.web.conftest import EXACT, PHONE, Site
from tests.web.match_pages import Begin, query_of

VECTORS: Json = read_json((SEEDS / "vectors" / "fairness.json").read_bytes())
PLAYED = 6
FROM_VECTORS = """async ([folder, told]) => {
    const fair = await import(`${folder}/fairness.js`);
    const { hexOf } = await import(`${folder}/digests.js`);
    const { match, roots, seeds } = told;
    const given = [seeds.P1, seeds.P2];
    const open = await fair.drawKey(roots.open, match, given);
    const closed = await fair.drawKey(roots.closed, match, given);
    const below = await fair.numbers(closed, "shuffle/P1.deck/0");
    const numbers = [];
    for (const limit of [6, 10, 100, 52]) numbers.push(await below(limit));
    const dice = [];
    for (let count = 0; count < 8; count += 1)
        dice.push(await fair.rolled(open, `die/6/${count}`, 6));
    return {
        root_commitments: {
            open: await fair.rootCommitment(match, "open", roots.open),
            closed: await fair.rootCommitment(match, "closed", roots.closed),
        },
        seed_commitments: {
            P1: await fair.seedCommitment(match, "P1", seeds.P1),
            P2: await fair.seedCommitment(match, "P2", seeds.P2),
        },
        keys: { open: hexOf(open), closed: hexOf(closed) },
        numbers,
        dice,
        shuffle: await fair.shuffled(closed, "shuffle/P1.deck/0", [..."abcdefgh"]),
        first: await fair.shuffled(open, "shuffle/first/0", ["P1", "P2"]),
    };
}"""


@pytest.fixture(scope="module")
def matches(site: Site) -> dict[str, str]:
    """Two matches of people: one that is over, one that goes on."""
    hall = hall_of(site.installation)
    players = [hall.person("勅使河原 凜太郎"), hall.person("長谷川・マクシミリアン・健太")]
    over, running = (hall.begin("formation", players) for _ in range(2))
    hall.play(players, over, PLAYED)
    good(players[0].post(f"{MATCHES}/{over}/actions", {"action": {"type": "concede"}}))
    return {"over": over, "running": running}


def verdicts(page: Page) -> set[str | None]:
    badges = page.locator("[data-draw] [data-verdict], [data-sealed] [data-verdict]").all()
    return {badge.get_attribute("data-verdict") for badge in badges}


def test_the_browser_makes_the_published_vectors(site: Site, visit: Begin) -> None:
    page = visit().open("/verify")
    told = page.evaluate(FROM_VECTORS, [f"/static/{files().digest}", VECTORS])
    assert told == {name: VECTORS[name] for name in told}


def test_every_draw_is_made_again(visit: Begin, matches: dict[str, str]) -> None:
    page = visit().open(f"/matches/{matches['over']}/random?lang=ja")
    rows = page.locator("[data-draw]")
    expect(rows.first).to_contain_text("先攻を決めるくじ")
    expect(rows.first).to_contain_text("shuffle/first/0")
    page.focus("#again")
    page.keyboard.press("Enter")
    expect(page.locator("#outcome [data-verdict]")).to_have_attribute("data-verdict", "same")
    expect(page.locator("#outcome")).to_contain_text(f"{rows.count()}回のくじがすべて")
    assert verdicts(page) == {"same"}
    page.click("[data-viewer=spectator]")
    assert query_of(page)["as"] == "spectator"
    expect(page.locator("main")).not_to_contain_text("30個の順番")
    expect(page.locator("main")).to_contain_text("順番は伏せられています（30個）")


def test_what_was_changed_is_found(visit: Begin, matches: dict[str, str]) -> None:
    def spoil(route: Route) -> None:
        body = route.fetch().json()
        body["items"][0]["draws"][1]["order"].reverse()
        body["seeds"]["P1"] = "00" * 32
        route.fulfill(body=canonical(body), content_type="application/json")

    one = visit()
    one.context.route("**/api/v1/matches/*/random?*", spoil)
    page = one.open(f"/matches/{matches['over']}/random?lang=en")
    page.click("#again")
    expect(page.locator("#outcome [data-verdict]")).to_have_attribute("data-verdict", "other")
    expect(page.locator("[data-sealed='seed/P1'] [data-verdict=other]")).to_be_visible()
    expect(page.locator("[data-sealed='seed/P2'] [data-verdict=same]")).to_be_visible()
    assert "other" in verdicts(page)


@pytest.mark.soak
def test_while_a_match_goes_on_its_roots_stay_closed(visit: Begin, matches: dict[str, str]) -> None:
    page = visit().open(f"/matches/{matches['running']}/random?lang=en")
    expect(page.locator("[data-sealed='closed/1']")).to_contain_text("Not opened yet.")
    page.click("#again")
    expect(page.locator("#outcome [data-verdict]")).to_have_attribute("data-verdict", "open")
    assert verdicts(page) == {"open", "hidden", "same"}


@pytest.mark.soak
def test_draws_that_came_with_a_record_say_so(site: Site, visit: Begin) -> None:
    page = visit(java_script_enabled=False).open(f"/matches/{site.matches[EXACT]}/random?lang=en")
    expect(page.locator("main")).to_contain_text("came with its record")
    assert page.locator("[data-draw]").count() > 1
    expect(page.locator("#again")).to_have_count(0)


@pytest.mark.soak
def test_axe_finds_nothing(visit: Begin, matches: dict[str, str]) -> None:
    one = visit(color_scheme="dark", bypass_csp=True, viewport=PHONE)
    page = one.open(f"/matches/{matches['over']}/random?lang=ja")
    page.click("#again")
    expect(page.locator("#outcome [data-verdict]")).to_be_visible()
    assert violations_on(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
