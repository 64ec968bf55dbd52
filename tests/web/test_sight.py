"""Nobody is sent what he may not see."""

from __future__ import annotations

from collections.abc import Iterator

from playwright.sync_api import Response, expect

from schemas.strict import canonical, read_json
from service.engine.values import Json
from tests.web.conftest import Site
from tests.web.match_pages import Begin, address


def texts_in(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value.rpartition("=")[2]
    elif isinstance(value, dict):
        for part in value.values():
            yield from texts_in(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from texts_in(part)


def hand_secrets(site: Site, number: int, index: int) -> set[str]:
    """Return the definitions in P2's hand that neither P1 brings nor the public is ever shown."""
    installation, match_id = site.installation, site.matches[number]
    judge = installation.replay(installation.log.match(match_id), "judge", "ja").position(index)
    own = {card for card_id, card in judge["cards"].items() if card_id.startswith("a")}
    public = installation.replay(installation.log.match(match_id), "spectator", "ja")
    shown = set(texts_in(read_json(canonical(public.window(0, public.match.version)))))
    return {judge["cards"][card] for card in judge["players"]["P2"]["hand"]} - own - shown


def bodies_of(responses: list[Response]) -> list[str]:
    """Return the bodies of pages and answers."""
    told = ("document", "fetch")
    return [one.text() for one in responses if one.request.resource_type in told]


def test_no_answer_tells_p1_the_hand_of_p2(site: Site, visit: Begin) -> None:
    index = 60
    secrets = next(
        (number, found) for number in site.matches if (found := hand_secrets(site, number, index))
    )
    number, definitions = secrets
    one = visit()
    responses: list[Response] = []
    one.context.on("response", lambda response: responses.append(response))
    page = one.open(address(site, number, at=index, as_="P1", lang="ja"))
    for key in ("ArrowRight", ".", "End", "Home"):
        page.keyboard.press(key)
    page.wait_for_load_state("networkidle")
    bodies = bodies_of(responses)
    assert len(bodies) > 1
    cards = site.installation.catalogue.game("hi-story").sample.ruleset.cards
    for definition in definitions:
        assert not any(f'"{definition}"' in body for body in bodies)
        assert not any(cards[definition]["text_ja"] in body for body in bodies)
    expect(page.locator(".side.far .backs")).not_to_have_count(0)
    page.keyboard.press("End")
    page.click("[data-viewer=judge]")
    expect(page.locator(".side.far [data-shown=row] .face").first).to_be_visible()
    page.wait_for_load_state("networkidle")
    bodies = bodies_of(responses)
    assert any(f'"{definition}"' in body for definition in definitions for body in bodies)
