"""Errors: one body for all, in the language asked for, and nothing secret in the log."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import NoReturn

import pytest
from flask import Flask
from flask.testing import FlaskClient

from schemas.problems import PROBLEMS
from service.aggregates import world
from service.api.application import api_app
from service.api.problems import refusal
from service.engine.contract import Rejection
from service.engine.texts import Scene
from service.engine.values import Json
from service.installation import Installation
from tests.conftest import CATALOGUE

SECRET = "s3cr3t-of-somebody"
FAULTS = {
    "not-found": world.NotFound("nothing"),
    "conflict": world.Conflict("gone on", version=7),
    "invalid": world.Invalid({"seats.P1": ["nobody"], "after": ["none"]}),
    "unauthenticated": world.Unauthenticated("who?"),
    "forbidden": world.Forbidden("no"),
    "idempotency-key-reused": world.KeyReused("other body"),
    "too-many": world.TooMany("slowly", wait_s=9),
    "held": world.Held("wait"),
    "closed": world.Closed("over"),
    "parked": world.Parked("stopped"),
    "full": world.Full("no room", wait_s=9),
}


class Secretive(Exception):
    """A bug whose text quotes what somebody sent."""


@pytest.fixture
def app(installation: Installation) -> Flask:
    """The app with routes that raise what its functions may raise."""
    app = api_app(installation)

    def add(name: str, fault: Exception) -> None:
        def fail() -> NoReturn:
            raise fault

        app.add_url_rule(f"/fails/{name}", name, fail, methods=["GET", "POST"])

    for code, fault in FAULTS.items():
        add(code, fault)
    add("refused", world.Refused("not like this"))
    add("bug", Secretive(SECRET))
    return app


@pytest.fixture
def failing(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.mark.parametrize("code", sorted(PROBLEMS))
def test_every_problem_is_told_in_both_languages(code: str) -> None:
    problem = PROBLEMS[code]
    assert problem.ja.endswith("。")
    assert problem.en.isascii()
    assert 400 <= problem.status < 600


@pytest.mark.parametrize("code", sorted(FAULTS))
@pytest.mark.parametrize("language", ["ja", "en"])
def test_every_fault_of_the_world_is_a_problem(
    failing: FlaskClient, code: str, language: str
) -> None:
    answer = failing.get(f"/fails/{code}?lang={language}")
    assert answer.content_type == "application/problem+json"
    body = answer.get_json()
    assert body["type"] == f"/problems/{code}"
    assert answer.status_code == body["status"] == PROBLEMS[code].status
    assert body["title"] == getattr(PROBLEMS[code], language)


def test_every_kind_of_fault_has_an_answer() -> None:
    kinds = {type(fault) for fault in FAULTS.values()} | {world.Refused}
    assert kinds == set(world.WorldFault.__subclasses__())


def test_faults_tell_what_helps(failing: FlaskClient) -> None:
    assert failing.get("/fails/conflict").get_json()["version"] == 7
    assert failing.get("/fails/invalid").get_json()["errors"] == {
        "seats.P1": ["nobody"],
        "after": ["none"],
    }
    assert failing.get("/fails/unauthenticated").headers["WWW-Authenticate"] == "Bearer"
    assert failing.get("/fails/too-many").headers["Retry-After"] == "9"
    refused = failing.get("/fails/refused")
    assert (refused.status_code, refused.get_json()["detail"]) == (409, "not like this")
    assert failing.put("/api/v1/rules/HS-312").headers["Allow"]


def test_a_rule_is_cited_with_its_reason(app: Flask) -> None:
    words = CATALOGUE.game("hi-story").sample.words
    scene = Scene(names={}, definition_of=lambda _: None)
    for language, reason in (("ja", "ゲームはもう終わっています。"), ("en", "The game is over.")):
        with app.test_request_context(f"/?lang={language}"):
            answer = refusal(Rejection("HS-104"), words, scene)
        body = answer.get_json()
        assert answer.status_code == 422
        assert body["type"] == "/problems/rule"
        assert (body["rule"], body["reason"]) == ("HS-104", reason)
        assert app.test_client().get(body["rule_url"]).get_json()["id"] == "HS-104"


def test_a_bug_is_found_in_the_log_by_its_number(
    failing: FlaskClient, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = failing.get("/fails/bug", headers={"X-Request-ID": "mine-1"})
    assert answer.status_code == 500
    assert SECRET not in answer.get_data(as_text=True)
    logged = next(line for line in lines(capsys) if line["event"] == "bug")
    assert logged["id"] == answer.get_json()["id"]
    assert logged["request"] == "mine-1"
    assert logged["kinds"] == [f"{Secretive.__module__}.Secretive"]
    places = logged["places"]
    assert any("test_problems.py" in place and place.endswith(" fail") for place in places)


def test_the_log_holds_no_secret_of_a_request(
    failing: FlaskClient, capsys: pytest.CaptureFixture[str]
) -> None:
    token = f"0123456789abcdef.{SECRET}{'x' * (43 - len(SECRET))}"
    for path in ("/fails/bug", "/fails/invalid", "/api/v1/verify", f"/{SECRET}"):
        failing.set_cookie("kifu_session", token)
        failing.post(
            f"{path}?name={SECRET}",
            data=json.dumps({SECRET: SECRET}),
            content_type="application/json",
            headers={
                "X-Request-ID": f"{SECRET}!",
                "User-Agent": SECRET,
                "Referer": f"http://{SECRET}/",
                "Idempotency-Key": SECRET,
            },
        )
        failing.get(f"{path}?{SECRET}", headers={"Authorization": f"Bearer {token}"})
        failing.open(path, method=SECRET.upper())
    out, err = capsys.readouterr()
    assert err
    assert SECRET not in (out + err)
    assert SECRET.upper() not in (out + err)


def test_each_request_has_one_line_with_its_number(
    client: FlaskClient, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = client.get("/api/v1/rulesets/hi-story?lang=en", headers={"X-Request-ID": "a.B_c-9"})
    assert answer.headers["X-Request-ID"] == "a.B_c-9"
    (line,) = lines(capsys)
    assert (line["request"], line["method"], line["status"]) == ("a.B_c-9", "GET", 200)
    assert line["route"] == "/api/v1/rulesets/<game>"
    assert line["ms"] >= 0
    assert set(line) == {"event", "level", "method", "ms", "request", "route", "status", "time"}


@pytest.mark.parametrize("asked", ["", "x" * 65, "a b", "a\u00e9", "<script>", "a;b"])
def test_a_number_that_is_not_plain_is_replaced(client: FlaskClient, asked: str) -> None:
    answer = client.get("/healthz", headers={"X-Request-ID": asked})
    assert answer.headers["X-Request-ID"] != asked
    assert len(answer.headers["X-Request-ID"]) == 32


def lines(capsys: pytest.CaptureFixture[str]) -> Iterator[dict[str, Json]]:
    return iter([json.loads(line) for line in capsys.readouterr().err.splitlines()])


def test_why_is_said_in_the_language_asked_for_where_that_is_known(client: FlaskClient) -> None:
    def asked(language: str) -> Json:
        body = {"facts": "no", "more": 1}
        return client.post(
            f"/api/v1/rulesets/hi-story/adjudications?lang={language}", json=body
        ).get_json()

    ja, en = asked("ja"), asked("en")
    assert ja["errors"] == en["errors"], "programs read the same in both languages"
    assert ja["errors"]["more"] == ["Unknown field."]
    assert (ja["reasons"]["more"], en["reasons"]["more"]) == (
        ["この項目はありません。"],
        ["Unknown field."],
    )
    unknown: Json = {"position": {"turn": []}}
    told = client.post("/api/v1/rulesets/hi-story/adjudications?lang=ja", json=unknown).get_json()
    assert list(told["reasons"].values()) == [[None]], "it is said in English alone"
    ja, en = (client.get(f"/api/v1/matches/nobody?lang={name}").get_json() for name in ("ja", "en"))
    assert (ja["detail"], ja["reason"]) == ("no match nobody", "その試合はありません。")
    assert en["reason"] == en["detail"]
