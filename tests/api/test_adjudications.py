"""Adjudications over HTTP: the worked examples, what may be asked of matches, hostile input."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from werkzeug.test import TestResponse

from service.accounts.tokens import NewToken
from service.aggregates.access import INSTALLATION, SCOPES, RoleGranted
from service.commands.access import grant_role
from service.engine.corrections import INSTANCES_MAX, POSITION_BYTES_MAX
from service.engine.examples import play
from service.engine.patches import applied
from service.engine.values import Json, same
from service.installation import clock
from tests.api.conftest import Reading
from tests.api.tables import Hall
from tests.conftest import CATALOGUE
from tests.contract.test_examples import examples_of
from tests.long_match import store_long_match

HI_STORY = "hi-story"
EVERY = 25
WINDOW = {
    "phase": "set",
    "players": {"P1": {"hand": ["a1=yasuke"], "fields": {"1": "a2=shun-dash"}}},
}
END = {"actor": "P1", "type": "end_phase"}

searched = settings(
    max_examples=8,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@pytest.fixture
def client(reading: Reading) -> FlaskClient:
    return reading.client


@pytest.fixture
def match_id(reading: Reading) -> str:
    return reading.match_id


def ask(
    client: FlaskClient, game: str = HI_STORY, /, *, lang: str = "en", **body: Json
) -> TestResponse:
    return client.post(f"/api/v1/rulesets/{game}/adjudications?lang={lang}", json=body)


def errors_of(answer: TestResponse) -> list[str]:
    assert answer.status_code == 422, answer.get_json()
    assert answer.get_json()["type"] == "/problems/invalid"
    return sorted(answer.get_json()["errors"])


@pytest.mark.parametrize("name", CATALOGUE.names())
def test_every_worked_example_is_decided_as_it_says(client: FlaskClient, name: str) -> None:
    game = CATALOGUE.game(name)
    for example in examples_of(game):
        sent = {key: example[key] for key in ("actions", "rng") if key in example}
        answer = ask(client, name, position=example.get("position", {}), legal=True, **sent)
        assert answer.status_code == 200, (example["id"], answer.get_json())
        body, run = answer.get_json(), play(example, game.sample.ruleset)
        told = [fact for step in body["steps"] for fact in step["facts"]]
        assert same([fact["fact"] for fact in told], run.facts), example["id"]
        assert all(fact["rules"] == fact["fact"]["rules"] for fact in told)
        assert same(body["position"], run.position)
        rejected = example["expect"].get("rejected")
        found = body["rejected"] and {key: body["rejected"][key] for key in ("at", "rule")}
        assert same(found, rejected), example["id"]
        assert body["edition"] == game.edition.name


def test_facts_and_refusals_are_worded(client: FlaskClient) -> None:
    body = ask(client, position=WINDOW, actions=[END] * 4).get_json()
    assert body["rejected"]["at"] == len(body["steps"]) > 0
    told = [fact for step in body["steps"] for fact in step["facts"]]
    assert all(fact["text"] for fact in told if not fact["quiet"])
    assert not all(fact["quiet"] for fact in told)
    rule = body["rejected"]["rule"]
    assert body["rejected"]["rule_url"] == f"/api/v1/rules/{rule}"
    assert client.get(body["rejected"]["rule_url"]).status_code == 200
    japanese = ask(client, position=WINDOW, actions=[END] * 4, lang="ja").get_json()
    assert japanese["rejected"]["reason"] != body["rejected"]["reason"]


def test_positions_and_legal_actions_come_when_asked_for(client: FlaskClient) -> None:
    plain = ask(client, position=WINDOW, actions=[END]).get_json()
    assert "legal_actions" not in plain
    assert "position" not in plain["steps"][0]
    body = ask(client, position=WINDOW, actions=[END], legal=True, positions=True).get_json()
    assert body["steps"][0]["position"] == body["position"] == plain["position"]
    assert {"type": "concede"} in body["legal_actions"]["P1"]


@pytest.mark.parametrize(
    ("body", "places"),
    [
        ({}, ["position"]),
        ({"position": {}, "match": "m", "at": 1}, ["position"]),
        ({"match": "m"}, ["at"]),
        ({"match": "m", "at": 1, "cards": "sample"}, ["cards"]),
        ({"match": "m", "at": -1}, ["at"]),
        ({"position": None}, ["position"]),
        ({"position": []}, ["position"]),
        ({"position": {"phase": "tea"}}, ["position.phase"]),
        ({"position": {"players": {"P1": {"hand": 5.0}}}}, None),
        ({"position": {"players": {"P1": {"hand": "x"}}}}, ["position.players.P1.hand"]),
        ({"position": WINDOW, "cards": "none"}, ["cards"]),
        ({"position": WINDOW, "actions": [END] * 201}, ["actions"]),
        ({"position": WINDOW, "actions": [{"type": "draw"}]}, ["actions.0.actor"]),
        ({"position": WINDOW, "actions": [{"actor": 1}]}, ["actions.0.actor"]),
        ({"position": WINDOW, "actions": [1]}, ["actions.0"]),
        ({"position": WINDOW, "actions": [END], "rng": [3, "keep"]}, ["rng.0"]),
        ({"position": {"phase": "setup"}, "rng": ["keep"]}, ["rng.0"]),
        ({"position": WINDOW, "colour": "red"}, ["colour"]),
        ({"position": WINDOW, "legal": "yes"}, ["legal"]),
    ],
)
def test_what_is_wrong_is_told_with_its_place(
    client: FlaskClient, body: Any, places: list[str] | None
) -> None:
    answer = ask(client, **body)
    if places is None:
        assert answer.status_code == 400
    else:
        assert errors_of(answer) == places


def test_a_draw_that_does_not_fit_is_told_by_its_index(client: FlaskClient) -> None:
    settled = {"settled": True, "deck": 20}
    setup = {
        "phase": "setup",
        "players": {"P1": settled, "P2": settled},
    }
    throw = {"actor": "system", "type": "decide_first"}
    assert ask(client, position=setup, actions=[throw], rng=[6]).status_code == 200
    assert errors_of(ask(client, position=setup, actions=[throw], rng=[7])) == ["rng.0"]
    assert errors_of(ask(client, position=setup, actions=[throw])) == ["rng.0"]
    assert errors_of(ask(client, position=setup, actions=[throw], rng=[6, 6])) == ["rng.1"]


def test_positions_are_kept_small(client: FlaskClient) -> None:
    side = {"deck": INSTANCES_MAX // 2, "hand": 1}
    large = ask(client, position={"players": {"P1": side, "P2": side}})
    assert errors_of(large) == ["position"]
    name = min(CATALOGUE.game("formation").sample.ruleset.cards)
    decks = {player: {name: INSTANCES_MAX} for player in ("P1", "P2")}
    start = {"actor": "system", "type": "start_match", "decks": decks}
    grown = ask(client, "formation", position={"phase": "setup"}, actions=[start])
    assert errors_of(grown) == ["actions.0"]
    long = ask(client, position=WINDOW, rng=["x" * POSITION_BYTES_MAX])
    assert long.status_code == 413


def test_an_unknown_game_or_match_is_not_found(client: FlaskClient, match_id: str) -> None:
    bodies: list[tuple[str, dict[str, Json]]] = [
        ("chess", {"position": {}}),
        ("chess", {"match": match_id, "at": 1}),
        ("formation", {"match": match_id, "at": 1}),
        (HI_STORY, {"match": "nowhere", "at": 1}),
        (HI_STORY, {"match": match_id, "at": 999_999}),
    ]
    for game, body in bodies:
        assert ask(client, game, **body).status_code == 404


def test_nothing_is_stored(reading: Reading, client: FlaskClient, match_id: str) -> None:
    before = reading.installation.log.last_position()
    assert ask(client, match=match_id, at=40, legal=True).status_code == 200
    assert ask(client, position=WINDOW, actions=[END]).status_code == 200
    assert reading.installation.log.last_position() == before


def test_after_the_end_what_is_opened_is_adjudicated(
    reading: Reading, client: FlaskClient, match_id: str
) -> None:
    installation = reading.installation
    replay = installation.replay(installation.log.match(match_id), "judge", "en")
    event = replay.events(40, 41)[0]
    body = ask(client, match=match_id, at=40, legal=True).get_json()
    assert same(body["position"], replay.position(40))
    actor = str(event["actor"])
    concession = {"actor": actor, "type": "concede"}
    what_if = ask(client, match=match_id, at=40, actions=[concession], positions=True).get_json()
    assert what_if["rejected"] is None
    assert what_if["position"]["result"]["reason"] == "concede"
    assert "Player" in what_if["steps"][0]["facts"][0]["text"]


def test_a_running_match_is_adjudicated_by_judges_who_look_into_it(hall: Hall) -> None:
    client, installation = hall.client, hall.installation
    match_id = store_long_match(installation, installation.catalogue.game(HI_STORY), 30)
    asked: dict[str, Json] = {"match": match_id, "at": 20}
    assert ask(client, **asked).status_code == 403
    judge = installation.persons.create("Judge", clock()).id
    event = RoleGranted(person=judge, role="judge", place=INSTALLATION, by=None, time=clock())
    grant_role(installation.access, event)
    wanted = NewToken(person=judge, scopes=SCOPES, days=1)
    token = installation.persons.create_token(wanted, None, clock())[1]
    headers = {"Authorization": f"Bearer {token}"}
    path = f"/api/v1/rulesets/{HI_STORY}/adjudications"
    assert client.post(path, json=asked, headers=headers).status_code == 403
    looks = f"/api/v1/matches/{match_id}/inspections"
    assert client.post(looks, json={"reason": "A question"}, headers=headers).status_code == 201
    answer = client.post(path, json=asked, headers=headers)
    assert answer.status_code == 200
    assert answer.get_json()["position"]["players"]["P1"]["deck"]
    assert ask(client, **asked).status_code == 403


MODES: Mapping[str, tuple[Mapping[str, Json], ...]] = {
    "hi-story": ({},),
    "hagmi": ({}, *({"mode": "machine_beast", "seats": seats} for seats in (1, 2, 3, 4))),
    "formation": ({}, {"hand_size": 6, "round_limit": 2}),
}


@pytest.mark.parametrize("name", CATALOGUE.names())
def test_a_match_is_dealt_by_a_number(client: FlaskClient, name: str) -> None:
    for options in MODES[name]:
        told = [
            ask(client, name, deal=number, options=options, legal=True, positions=True).get_json()
            for number in (1, 1, 2)
        ]
        assert told[0] == told[1], "the same number is the same deal"
        assert told[0]["start"] != told[2]["start"]
        assert len(told[0]["seats"]) == options.get("seats", 2)
        for body in told:
            ruleset = CATALOGUE.game(name).sample.ruleset
            assert ruleset.normalise(body["start"]) == body["start"] == body["position"]
            assert any(entries for seat, entries in body["legal_actions"].items() if seat != "MB")
            again = ask(client, name, position=body["start"], legal=True).get_json()
            assert again["legal_actions"] == body["legal_actions"]


@pytest.mark.parametrize("name", CATALOGUE.names())
def test_a_deal_has_the_options_of_its_game(client: FlaskClient, name: str) -> None:
    wrong: tuple[Json, ...] = ({"x": 1}, {"seats": 9}, {"mode": 3}, {"mode": []}, {"seats": {}})
    for options in wrong:
        assert errors_of(ask(client, name, deal=1, options=options)) == ["options"]
    for number in (-1, 10**9 + 1, True, "1", None):
        assert errors_of(ask(client, name, deal=number)) == ["deal"]
    assert errors_of(ask(client, name, position={}, options={})) == ["options"]
    assert errors_of(ask(client, name, position={}, deal=1)) == ["position"]


JUNK: tuple[Json, ...] = (
    None, True, False, 0, 1, -1, 2**53 - 1, 1_000, "", "?", "P1", "P2", "P9", "MB", "system", "a1",
    "b1", "keep", "concede", "draw", [], {}, [[]], [None], ["a1", "a1"], {"deck": True}, {"die": 7},
    {"actor": "P1", "type": "concede"}, {"actor": "system", "type": []}, ["x"] * 1_000,
)  # fmt: skip
TRIES = 25


def send(client: FlaskClient, game: str, body: Json) -> TestResponse:
    """Send any JSON value, null included."""
    path = f"/api/v1/rulesets/{game}/adjudications"
    return client.post(path, data=json.dumps(body), content_type="application/json")


def parts_of(value: Json) -> Iterator[Json]:
    yield value
    if isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from parts_of(part)


def spoilt(value: Json, parts: list[Json], chance: random.Random) -> Json:
    """Return a value with one part, at any depth, exchanged for anything or left out."""
    if not isinstance(value, dict | list) or not value or chance.random() < 0.15:
        return chance.choice(parts if chance.random() < 0.5 else JUNK)
    key: Any = chance.choice(list(value) if isinstance(value, dict) else range(len(value)))
    copy: Any = value.copy()
    if chance.random() < 0.1:
        del copy[key]
    else:
        copy[key] = spoilt(value[key], parts, chance)
    return copy


@pytest.mark.parametrize("name", CATALOGUE.names())
@searched
@given(seed=st.integers(0, 10**9))
def test_hostile_input_is_refused_or_decided(client: FlaskClient, name: str, seed: int) -> None:
    chance, examples = random.Random(seed), examples_of(CATALOGUE.game(name))
    parts = [part for example in examples[::7] for part in parts_of(example["actions"])]
    parts += [part for example in examples[::7] for part in parts_of(example.get("position", {}))]
    for _ in range(TRIES):
        example = chance.choice(examples)
        body: Json = {
            "position": example.get("position", {}),
            "actions": example["actions"],
            "rng": example.get("rng", []),
        }
        for _ in range(chance.randint(1, 3)):
            body = spoilt(body, parts, chance)
        if isinstance(body, dict):
            body = {**body, "legal": True}
        answer = send(client, name, body)
        assert answer.status_code in (200, 400, 422), (body, answer.get_json())


@pytest.mark.parametrize("game", [*CATALOGUE.names(), "chess", "%00", "x" * 300])
def test_any_body_is_answered(client: FlaskClient, game: str) -> None:
    for body in (
        *JUNK,
        *({"position": part} for part in JUNK),
        *({"rng": [part]} for part in JUNK),
    ):
        assert send(client, game, body).status_code in (200, 404, 422)


def test_positions_come_fact_by_fact(client: FlaskClient) -> None:
    for name in CATALOGUE.names():
        for example in list(CATALOGUE.examples(name))[::EVERY]:
            body = client.get(f"/api/v1/rulesets/{name}/examples/{example}").get_json()
            position = body["position"]
            for step in body["steps"]:
                assert len(step["patches"]) == len(step["facts"])
                for operations in step["patches"]:
                    position = applied(position, operations)
                assert same(position, step["position"]), example
            again = ask(
                client,
                name,
                position=body["position"],
                actions=body["actions"],
                rng=body["rng"],
                positions=True,
            ).get_json()
            assert same(again["start"], body["position"])
            assert same(again["position"], position)
            assert again["seats"] == body["seats"]
            assert set(again["cards"]) <= set(CATALOGUE.game(name).sample.ruleset.cards)


def test_what_can_be_done_is_worded(client: FlaskClient, match_id: str) -> None:
    open_texts = set()
    for at in range(5, 60, 6):
        body = ask(client, match=match_id, at=at, legal=True).get_json()
        assert body["legal_actions"].keys() == body["legal_texts"].keys()
        for actor, entries in body["legal_actions"].items():
            texts = body["legal_texts"][actor]
            assert len(texts) == len(entries)
            assert not any("None" in text for text in texts)
            open_texts |= {
                text for entry, text in zip(entries, texts, strict=True) if "choose" in entry
            }
    assert "Player One draws (cards: …)." in open_texts
