"""Planted secrets: a name that a viewer may not know is in no byte of any answer to him."""

from __future__ import annotations

import copy
import json
import re
from pathlib import Path

import pytest
import yaml
from flask.testing import FlaskClient

from schemas.plain_logs import read_lines
from service.api.application import api_app
from service.engine.values import Json
from service.installation import open_installation
from service.settings import Settings
from tests.conftest import CATALOGUE, log_of

SECRET = "SECRET-{}"
ROUTES = (
    "/api/v1/matches",
    "/api/v1/matches/{id}",
    "/api/v1/matches/{id}/position",
    "/api/v1/matches/{id}/position?at=3",
    "/api/v1/matches/{id}/events?from=0&to={last}",
    "/api/v1/matches/{id}/frames?from=0&to={last}",
    "/api/v1/matches/{id}/position?at=99999",
    "/api/v1/openapi.json",
)


@pytest.fixture
def planted(settings: Settings, tmp_path: Path) -> tuple[FlaskClient, str, int]:
    """A running match whose second deck holds cards that are named like nothing else."""
    game = CATALOGUE.game("hi-story")
    cards = copy.deepcopy(game.sample.cards)
    lines = [json.loads(line) for line in log_of("hi-story").read_text().splitlines()]
    deck = cards["decks"]["mare"]
    by_id = {card["id"]: card for card in cards["cards"]}
    planted_list = []
    for entry in deck["list"]:
        name, _, count = entry.partition("*")
        secret = by_id[name] | {"id": f"secret-{name}", "name_en": SECRET.format(name)}
        cards["cards"].append(secret)
        planted_list.append(f"secret-{name}*{count}")
    deck["list"] = planted_list
    pool = tmp_path / "planted.yaml"
    pool.write_text(yaml.safe_dump(cards, allow_unicode=True))
    lines[0]["cards"] = "planted"
    installation = open_installation(settings, {"planted": pool})
    text = [json.dumps(line).encode() for line in lines[:5]]
    _, match_id = installation.import_lines(list(read_lines(text)))
    assert match_id is not None
    return api_app(installation).test_client(), match_id, 6


def names_in(body: str) -> set[str]:
    return set(re.findall(r"secret-[a-z-]+", body.lower()))


@pytest.mark.parametrize("viewer", ["P1", "spectator"])
def test_no_answer_names_a_card_that_was_not_revealed(
    planted: tuple[FlaskClient, str, int], viewer: str
) -> None:
    """In the first lines of the log both hands are dealt and nothing is shown."""
    client, match_id, last = planted
    for route in ROUTES:
        path = route.format(id=match_id, last=last)
        asked = (
            path if "/matches/" not in path else f"{path}{'&' if '?' in path else '?'}as={viewer}"
        )
        answer = client.get(asked if "position" in path or "from" in path else path)
        assert names_in(answer.get_data(as_text=True)) == set(), path
        assert names_in(str(answer.headers)) == set()


def test_its_owner_and_the_judge_see_them(planted: tuple[FlaskClient, str, int]) -> None:
    client, match_id, last = planted
    for viewer in ("P2", "judge"):
        path = f"/api/v1/matches/{match_id}/events?from=0&to={last}&as={viewer}"
        assert names_in(client.get(path).get_data(as_text=True))


def test_ids_of_the_other_player_are_never_shown(client: FlaskClient, match_id: str) -> None:
    """Instance ids of Hi! story survive shuffles: those of P2 are for P2 and the judge."""
    path = f"/api/v1/matches/{match_id}/frames?from=0&to=136&as=P1"

    def texts(value: Json) -> list[str]:
        if isinstance(value, str):
            return [value]
        parts = value.values() if isinstance(value, dict) else value
        return [] if not isinstance(value, dict | list) else [t for p in parts for t in texts(p)]

    shown = texts(client.get(path).get_json())
    assert [text for text in shown if re.fullmatch(r"b[a-z]?[0-9]+(#[0-9]+)?", text)] == []
