"""Games and rules over HTTP."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from service.api.application import api_app
from service.installation import Installation
from service.settings import read_settings
from tests.conftest import CATALOGUE, SEEDS, opened, settings_in


def test_every_game_is_listed_with_its_digests(client: FlaskClient) -> None:
    items = client.get("/api/v1/rulesets").get_json()["items"]
    assert [item["game"] for item in items] == CATALOGUE.names()
    for item in items:
        edition = CATALOGUE.game(item["game"]).edition
        assert item["edition"] == edition.name
        assert item["cards_digest"] == edition.cards_digest


def test_a_game_tells_how_it_is_drawn(client: FlaskClient) -> None:
    body = client.get("/api/v1/rulesets/hi-story").get_json()
    assert body["board"]["side"]
    assert body["zones"]["deck"]["ja"] == "山札"


def test_card_pools_that_were_brought_are_named_with_their_game(tmp_path: Path) -> None:
    pool, other = tmp_path / "club.yaml", tmp_path / "broken.yaml"
    pool.write_bytes((SEEDS / "hi-story/cards.yaml").read_bytes())
    other.write_text("cards: 5")
    settings = replace(settings_in(tmp_path), card_pools={"club": pool, "broken": other})
    here = opened(settings)
    client = api_app(here).test_client()
    items = client.get("/api/v1/rulesets").get_json()["items"]
    here.log.close()
    pools = {item["game"]: item["pools"] for item in items}
    assert pools["hi-story"] == ["sample", "club"]
    assert pools["formation"] == pools["hagmi"] == ["sample"]


def test_card_pools_of_the_environment() -> None:
    read = read_settings({"KIFU_CARD_POOLS": "club=/a/b.yaml,real=c.yaml"})
    assert read.card_pools == {"club": Path("/a/b.yaml"), "real": Path("c.yaml")}
    assert read_settings({}).card_pools == {}
    with pytest.raises(ValueError, match="name=file"):
        read_settings({"KIFU_CARD_POOLS": "club"})


@pytest.mark.parametrize("name", CATALOGUE.names())
def test_the_cards_of_a_pool_are_listed(client: FlaskClient, name: str) -> None:
    body = client.get(f"/api/v1/rulesets/{name}/cards").get_json()
    sample = CATALOGUE.game(name).sample
    assert (body["game"], body["digest"]) == (name, sample.digest)
    assert body["definitions"] == sample.ruleset.cards
    assert client.get(f"/api/v1/rulesets/{name}/cards?cards=sample").get_json() == body
    refused = client.get(f"/api/v1/rulesets/{name}/cards?cards=nothing")
    assert (refused.status_code, list(refused.get_json()["errors"])) == (422, ["cards"])
    assert client.get("/api/v1/rulesets/nothing/cards").status_code == 404


def test_registered_editions_are_listed(installation: Installation, client: FlaskClient) -> None:
    assert client.get("/api/v1/rulesets/hagmi/editions").get_json()["items"] == []
    installation.register_editions()
    body = client.get("/api/v1/rulesets/hagmi/editions").get_json()
    assert body["present"] == "hagmi@1"
    assert [one["edition"] for one in body["items"]] == ["hagmi@1"]
    assert client.get("/api/v1/rulesets/nothing/editions").status_code == 404
