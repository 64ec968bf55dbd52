"""Games and rules over HTTP."""

from __future__ import annotations

from flask.testing import FlaskClient

from service.installation import Installation
from tests.conftest import CATALOGUE


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


def test_registered_editions_are_listed(installation: Installation, client: FlaskClient) -> None:
    assert client.get("/api/v1/rulesets/hagmi/editions").get_json()["items"] == []
    installation.register_editions()
    body = client.get("/api/v1/rulesets/hagmi/editions").get_json()
    assert body["present"] == "hagmi@1"
    assert [one["edition"] for one in body["items"]] == ["hagmi@1"]
    assert client.get("/api/v1/rulesets/nothing/editions").status_code == 404
