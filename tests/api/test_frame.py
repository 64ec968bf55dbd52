"""The frame of the API: what is declared, who is let in, what is read, what is answered."""

from __future__ import annotations

import json
from collections.abc import Iterator
from io import BytesIO
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import given, settings
from hypothesis import strategies as st
from marshmallow import Schema, fields

from service.accounts.tokens import NewToken
from service.aggregates.access import INSTALLATION, SCOPES, Role, RoleGranted, Scope
from service.aggregates.permissions import PERMISSIONS
from service.aggregates.world import Forbidden, Invalid, Unauthenticated
from service.api.application import ROUTES, api_app
from service.api.cursors import cursor_of, place_of
from service.api.identity import COOKIE
from service.api.roles import README, with_table
from service.api.routing import JSON_BYTES_MAX, RAW_BYTES_MAX, Route, noun, route
from service.commands.access import grant_role
from service.installation import Installation, clock
from tests.api.tables import NO_LIMIT, Caller
from tests.conftest import opened_in

HERE = "/things"
THINGS = noun("things", prefix=HERE)
JSON = "application/json"


class ThingRequest(Schema):
    name = fields.String(required=True)
    count = fields.Integer(strict=True)


class ThingBody(Schema):
    name = fields.String(required=True)
    part = fields.String()


@route(
    THINGS,
    "/<part>",
    method="POST",
    action="create_person",
    answer=ThingBody,
    takes=ThingRequest,
    status=201,
    idempotent=True,
)
def make_thing(query: dict[str, Any], body: dict[str, Any], part: str) -> dict[str, Any]:
    return {"name": body["name"], "part": part}


@route(THINGS, "/<part>", method="PUT", action="verify_file", answer=ThingBody, takes="text/plain")
def put_thing(query: dict[str, Any], body: bytes, part: str) -> dict[str, Any]:
    return {"name": body.decode(), "part": part}


@route(THINGS, "/<part>", method="DELETE", action="read_self", answer=None, status=204)
def delete_thing(query: dict[str, Any], part: str) -> None:
    assert part


@route(THINGS, "/<part>", action="read_self", answer=ThingBody)
def show_part(query: dict[str, Any], part: str) -> dict[str, Any]:
    return {"name": "thing", "part": part}


@route(
    THINGS,
    "",
    action="read_grants",
    answer=ThingBody,
    place=lambda query: f"match/{query.get('lang', 'ja')}",
)
def show_thing(query: dict[str, Any]) -> dict[str, Any]:
    return {"name": "thing"}


@pytest.fixture
def app(installation: Installation) -> Flask:
    app = api_app(installation, rate_limit=NO_LIMIT)
    app.register_blueprint(THINGS)
    return app


@pytest.fixture(scope="module")
def operator(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Caller]:
    """An operator of an app for all tests that change nothing in it."""
    found = opened_in(tmp_path_factory.mktemp("frame"))
    app = api_app(found, rate_limit=NO_LIMIT)
    app.register_blueprint(THINGS)
    token = token_of(found, role="operator")["Authorization"].removeprefix("Bearer ")
    yield Caller(client=app.test_client(), token=token)
    found.close()


def token_of(
    installation: Installation,
    *,
    scopes: tuple[Scope, ...] = (),
    role: Role | None = None,
    place: str = INSTALLATION,
) -> dict[str, str]:
    person = installation.persons.create("somebody", clock()).id
    if role is not None:
        grant_role(
            installation.access,
            RoleGranted(person=person, role=role, place=place, by=None, time=clock()),
        )
    wanted = NewToken(person=person, scopes=scopes or SCOPES, days=1)
    return {
        "Authorization": f"Bearer {installation.persons.create_token(wanted, None, clock())[1]}"
    }


def name_of(one: Route) -> str:
    return f"{one.method} {one.rule}"


# What is declared.


def test_every_route_was_declared_with_an_action(client: FlaskClient) -> None:
    rules = {
        (method, rule.rule, rule.endpoint)
        for rule in client.application.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
        if rule.rule.startswith("/api/") and rule.endpoint != "api-docs.openapi_json"
    }
    assert rules == {(one.method, one.rule, one.endpoint) for one in ROUTES}
    assert {one.action for one in ROUTES} <= set(PERMISSIONS)


def test_a_route_with_an_action_that_is_none_cannot_be_declared() -> None:
    with pytest.raises(KeyError):
        route(THINGS, "/never", action="fly", answer=None)(lambda query: None)


@pytest.mark.parametrize("one", [one for one in ROUTES if "match_id" in one.parts], ids=name_of)
def test_no_route_shows_a_match_that_is_not_there(operator: Caller, one: Route) -> None:
    path = one.rule.replace("<match_id>", "nowhere")
    answer = operator.client.open(path, method=one.method)
    assert answer.status_code in ((404,) if one.method == "GET" else (401, 404, 415))


def test_the_table_of_roles_is_up_to_date() -> None:
    text = README.read_text("utf-8")
    assert with_table(text) == text, "run `.venv/bin/python -m service.api.roles`"


# Who is let in.


def test_who_is_not_signed_in_is_asked_to(app: Flask) -> None:
    answer = app.test_client().post(f"{HERE}/a", json={"name": "x"})
    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"] == "Bearer"


def test_office_and_scope_are_both_needed(app: Flask, installation: Installation) -> None:
    client = app.test_client()

    def status(headers: dict[str, str]) -> int:
        return client.post(f"{HERE}/a", json={"name": "x"}, headers=headers).status_code

    assert status(token_of(installation)) == 403
    assert status(token_of(installation, role="auditor")) == 403
    assert status(token_of(installation, role="operator", scopes=("read",))) == 403
    assert status(token_of(installation, role="operator", scopes=("operate",))) == 201
    assert status(token_of(installation, role="organizer")) == 201


def test_an_office_holds_where_it_was_given(app: Flask, installation: Installation) -> None:
    client = app.test_client()
    headers = token_of(installation, role="judge", place="match/en")
    assert client.get(f"{HERE}?lang=en", headers=headers).status_code == 200
    assert client.get(f"{HERE}?lang=ja", headers=headers).status_code == 403


def test_callers_inside_the_service_are_checked_too(app: Flask, installation: Installation) -> None:
    with app.test_request_context("/"), pytest.raises(Unauthenticated):
        make_thing({}, {"name": "x"}, "a")
    with (
        app.test_request_context("/", headers=token_of(installation)),
        pytest.raises(Forbidden),
    ):
        make_thing({}, {"name": "x"}, "a")
    with app.test_request_context("/", headers=token_of(installation, role="operator")):
        assert make_thing({}, {"name": "x"}, "a") == {"name": "x", "part": "a"}


@pytest.mark.parametrize(
    "given",
    ["Bearer", "Bearer ", "Bearer x", "Bearer \u00e9.\u00e9", "Basic eDp5", "x", "Bearer a b"],
)
def test_a_token_that_is_not_good_is_refused_everywhere(client: FlaskClient, given: str) -> None:
    answer = client.get("/api/v1/rulesets", headers={"Authorization": given})
    assert answer.status_code == 401
    assert answer.content_type == "application/problem+json"


def test_a_revoked_token_is_refused(app: Flask, installation: Installation) -> None:
    headers = token_of(installation)
    client = app.test_client()
    assert client.delete(f"{HERE}/a", headers=headers).status_code == 204
    token_id = headers["Authorization"].removeprefix("Bearer ").partition(".")[0]
    installation.persons.revoke(token_id, clock())
    assert client.delete(f"{HERE}/a", headers=headers).status_code == 401


def test_a_cookie_that_is_not_good_is_like_none(client: FlaskClient) -> None:
    client.set_cookie(COOKIE, "0123456789abcdef." + "x" * 43)
    assert client.get("/api/v1/rulesets").status_code == 200


def test_a_session_says_who_asks(app: Flask, installation: Installation) -> None:
    text = token_of(installation)["Authorization"].removeprefix("Bearer ")
    _, cookie = installation.persons.open_session(text, clock())
    client = app.test_client()
    assert client.get(f"{HERE}/a").status_code == 401
    client.set_cookie(COOKIE, cookie)
    assert client.get(f"{HERE}/a").status_code == 200


def test_the_first_use_of_a_day_and_failures_are_on_record(
    app: Flask, installation: Installation
) -> None:
    client, headers, day = app.test_client(), token_of(installation), clock()[:10]
    for _ in range(3):
        client.get("/api/v1/rulesets", headers=headers)
        client.get("/api/v1/rulesets", headers={"Authorization": "Bearer x.y"})
    token_id = headers["Authorization"].removeprefix("Bearer ").partition(".")[0]
    assert installation.access.uses(day).tokens == {token_id}
    ((block, _, count),) = installation.sign_ins.past("9999-01-01T00")
    assert (block, count) == ("127.0.0.0/24", 3)


# Which bodies are read.

UNREADABLE = {
    "empty": b"",
    "cut": b'{"name": "x"',
    "trailing": b'{"name": "x"}}',
    "not a number": b'{"name": NaN}',
    "float": b'{"name": 1.5}',
    "exponent": b'{"name": 1e2}',
    "huge": b'{"name": ' + b"9" * 5000 + b"}",
    "beyond 2^53": b'{"name": 9007199254740992}',
    "twice": b'{"name": "x", "name": "y"}',
    "deep list": b"[" * 100_000,
    "deep object": b'{"a":' * 70 + b"1" + b"}" * 70,
    "surrogate": b'{"name": "\\ud800"}',
    "no UTF-8": b'{"name": "\xff"}',
    "zero": b'{"name": "\\u0000"}',
    "no normal form": '{"name": "e\u0301"}'.encode(),
    "other charset": '{"name": "x"}'.encode("utf-16"),
    "bare key": b"{name: 1}",
    "key not printable": b'{"\\u0007": 1}',
}
WRONG = {
    "list": b"[]",
    "text": b'"name"',
    "number": b"1",
    "null": b"null",
    "truth": b"true",
    "unknown field": b'{"no such field": 1}',
    "unknown nothing": b'{"_": null}',
}
TAKING_JSON = [
    one for one in (*ROUTES, *THINGS.routes) if one.takes and not isinstance(one.takes, str)
]
TAKING_RAW = [one for one in (*ROUTES, *THINGS.routes) if isinstance(one.takes, str)]


def path_of(one: Route) -> str:
    parts = {name: "x" for name in one.parts}
    path = one.rule
    for name, value in parts.items():
        path = path.replace(f"<{name}>", value).replace(f"<path:{name}>", value)
    return path


@pytest.mark.parametrize("one", TAKING_JSON, ids=name_of)
def test_a_body_that_cannot_be_read_is_refused(operator: Caller, one: Route) -> None:
    client, headers = operator.client, operator.headers
    for kind, body in UNREADABLE.items():
        answer = client.open(
            path_of(one), method=one.method, data=body, content_type=JSON, headers=headers
        )
        assert (answer.status_code, answer.content_type) == (400, "application/problem+json"), kind
        assert answer.get_json()["type"] == "/problems/malformed-json"
        assert answer.get_json()["detail"]
    for kind, body in WRONG.items():
        answer = client.open(
            path_of(one), method=one.method, data=body, content_type=JSON, headers=headers
        )
        assert (answer.status_code, answer.content_type) == (422, "application/problem+json"), kind
        assert answer.get_json()["errors"]


@pytest.mark.parametrize("one", [*TAKING_JSON, *TAKING_RAW], ids=name_of)
def test_size_and_media_type_are_looked_at_before_a_body_is_read(
    operator: Caller, one: Route
) -> None:
    client, headers = operator.client, operator.headers
    media_type = one.takes if isinstance(one.takes, str) else JSON
    size_max = RAW_BYTES_MAX if isinstance(one.takes, str) else JSON_BYTES_MAX
    for wrong in ("", "text/html", "application/x-www-form-urlencoded", "application/jsonp", "/"):
        answer = client.open(
            path_of(one), method=one.method, data=b"{}", content_type=wrong, headers=headers
        )
        assert answer.status_code == 415, wrong
        assert media_type in answer.get_json()["detail"]
    answer = client.open(
        path_of(one),
        method=one.method,
        data=b"{}",
        content_type=media_type,
        headers=headers,
        environ_overrides={"CONTENT_LENGTH": str(size_max + 2)},
    )
    assert answer.status_code == 413
    assert answer.content_type == "application/problem+json"


@pytest.mark.parametrize("one", TAKING_JSON, ids=name_of)
@pytest.mark.parametrize("over", [0, 1, 2, 70_000])
def test_a_body_in_chunks_is_never_cut(operator: Caller, one: Route, over: int) -> None:
    """It tells no length; cut behind the object, it would be read as if it were whole."""
    answer = operator.client.open(
        path_of(one),
        method=one.method,
        input_stream=BytesIO(b"{}".ljust(JSON_BYTES_MAX + over)),
        content_type=JSON,
        headers=operator.headers,
        environ_overrides={"wsgi.input_terminated": True},
    )
    assert (answer.status_code == 413) == (over > 0)


@pytest.mark.parametrize("one", ROUTES, ids=name_of)
def test_a_body_where_none_is_taken_breaks_nothing(operator: Caller, one: Route) -> None:
    if one.takes is None:
        answer = operator.client.open(
            path_of(one), method=one.method, data=UNREADABLE["deep list"], content_type=JSON
        )
        assert answer.status_code < 500


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=6,
)


@settings(max_examples=40)
@given(data=st.data())
def test_no_body_makes_a_bug(operator: Caller, data: st.DataObject) -> None:
    one = data.draw(st.sampled_from(TAKING_JSON))
    assert isinstance(one.takes, type)
    names = [str(field.data_key or name) for name, field in one.takes().fields.items()]
    body = data.draw(st.dictionaries(st.sampled_from(names) | st.text(max_size=8), VALUES))
    answer = operator.client.open(
        path_of(one),
        method=one.method,
        data=json.dumps(body),
        content_type=JSON,
        headers=operator.headers,
    )
    assert answer.status_code < 500


def test_the_place_of_a_fault_is_told(app: Flask, installation: Installation) -> None:
    headers = token_of(installation, role="operator")

    def faults(body: object, **more: Any) -> Any:
        answer = app.test_client().post(
            f"{HERE}/a{more.pop('query', '')}", json=body, headers=headers | more
        )
        assert answer.status_code == 422
        return answer.get_json()["errors"]

    assert faults({"count": "3"}) == {
        "name": ["Missing data for required field."],
        "count": ["Not a valid integer."],
    }
    assert set(faults({"name": "x", "colour": 1})) == {"colour"}
    assert set(faults([])) == {"body"}
    assert set(faults({"name": "x"}, query="?lang=fr")) == {"lang"}
    assert set(faults({"name": "x"}, query="?colour=red")) == {"colour"}
    assert set(faults({"name": "x"}, **{"Idempotency-Key": "k" * 129})) == {"Idempotency-Key"}


def test_a_raw_body_comes_as_it_is(app: Flask) -> None:
    answer = app.test_client().put(f"{HERE}/a", data="日本".encode(), content_type="text/plain")
    assert answer.get_json() == {"name": "日本", "part": "a"}


# What is answered.


def test_what_is_known_is_left_out(client: FlaskClient) -> None:
    first = client.get("/api/v1/rules/HS-312")
    tag = first.headers["ETag"]
    assert not tag.startswith("W/")
    for known in (tag, f'"other", {tag}', f"W/{tag}", "*"):
        again = client.get("/api/v1/rules/HS-312", headers={"If-None-Match": known})
        assert (again.status_code, again.get_data(), again.headers["ETag"]) == (304, b"", tag)
    other = client.get("/api/v1/rules/HS-312", headers={"If-None-Match": '"other"'})
    assert (other.status_code, other.get_data()) == (200, first.get_data())
    assert client.get("/api/v1/rules/HS-310").headers["ETag"] != tag
    assert "ETag" not in client.get("/api/v1/rules/HS-000").headers


def test_head_and_options_are_answered(client: FlaskClient) -> None:
    full, head = client.get("/api/v1/rulesets"), client.head("/api/v1/rulesets")
    assert (head.status_code, head.get_data()) == (200, b"")
    for name in ("Content-Length", "Content-Type", "ETag"):
        assert head.headers[name] == full.headers[name]
    options = client.options("/api/v1/rulesets")
    assert set(options.headers["Allow"].split(", ")) == {"GET", "HEAD", "OPTIONS"}


def test_a_cursor_leads_back_to_its_place(app: Flask) -> None:
    with app.app_context():
        cursor = cursor_of({"opened": 12, "id": "x"}, of="matches")
        assert place_of(cursor, of="matches") == {"opened": 12, "id": "x"}
        assert cursor == cursor_of({"id": "x", "opened": 12}, of="matches")
        assert "12" not in cursor
        for wrong in ("", "x", "12", "AAAA", cursor[:-1], cursor + "A", f"A{cursor[1:]}", "é"):
            with pytest.raises(Invalid) as refused:
                place_of(wrong, of="matches")
            assert set(refused.value.errors) == {"after"}
        with pytest.raises(Invalid):
            place_of(cursor, of="persons")
