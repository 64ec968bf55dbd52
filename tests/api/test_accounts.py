"""Persons, tokens, sessions, grants and the access log over HTTP, as clients use them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.accounts.tokens import DAY_S, HOUR_S, NewToken
from service.aggregates.access import INSTALLATION, SCOPES, Role, RoleGranted
from service.api.application import api_app
from service.api.identity import COOKIE
from service.api.sessions import CSRF_COOKIE, CSRF_HEADER
from service.commands.access import grant_role
from service.installation import Installation, clock
from service.times import moved

DATABASES = ("sqlite", "postgresql")
API = "/api/v1"
NOBODY = "00000000-0000-0000-0000-000000000000"

Send = Callable[..., TestResponse]


def enrol(
    installation: Installation, name: str, *roles: Role, place: str = INSTALLATION, **wanted: Any
) -> tuple[str, str]:
    """Return a new person with roles, and a token."""
    person = installation.persons.create(name, clock()).id
    for role in roles:
        event = RoleGranted(person=person, role=role, place=place, by=None, time=clock())
        grant_role(installation.access, event)
    return person, token_of(installation, person, **wanted)


def token_of(installation: Installation, person: str, **wanted: Any) -> str:
    asked = NewToken(person=person, **{"scopes": SCOPES, "days": 1, **wanted})
    return installation.persons.create_token(asked, None, clock())[1]


@pytest.fixture
def send(installation: Installation) -> Send:
    """Send a request as a program does: with a token, without cookies."""
    app = api_app(installation)

    def sent(method: str, path: str, token: str | None = None, **more: Any) -> TestResponse:
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        client = app.test_client(use_cookies=False)
        return client.open(f"{API}{path}", method=method, headers=headers, **more)

    return sent


def code_of(answer: TestResponse) -> tuple[int, str]:
    body = answer.get_json()
    assert answer.content_type == "application/problem+json"
    return answer.status_code, body["type"].removeprefix("/problems/")


def test_a_person_reads_and_renames_himself(installation: Installation, send: Send) -> None:
    ann, token = enrol(installation, "Ann", "judge", scopes=["read", "act"])
    assert send("GET", "/persons/me", token).get_json() == {
        "id": ann,
        "name": "Ann",
        "scopes": ["act", "read"],
        "narrowed_to": None,
        "roles": ["judge"],
    }
    assert send("PUT", "/persons/me/name", token, json={"name": " 杏 "}).get_json() == {
        "id": ann,
        "name": "杏",
    }
    _, other = enrol(installation, "Bob", scopes=["read"])
    assert send("GET", f"/persons/{ann}", other).get_json() == {"id": ann, "name": "杏"}
    assert code_of(send("PUT", "/persons/me/name", other, json={"name": "B"}))[0] == 403
    for unknown in (NOBODY, "%00", "x" * 300):
        assert code_of(send("GET", f"/persons/{unknown}", other)) == (404, "not-found")
    installation.persons.erase(ann)
    assert code_of(send("GET", f"/persons/{ann}", other)) == (404, "not-found")
    assert code_of(send("GET", "/persons/me", token)) == (401, "unauthenticated")


def test_nobody_is_told_about_persons_without_a_token(
    installation: Installation, send: Send
) -> None:
    ann, _ = enrol(installation, "Ann")
    for method, path in (
        ("GET", "/persons/me"),
        ("GET", f"/persons/{ann}"),
        ("GET", "/tokens"),
        ("GET", "/sessions/current"),
        ("GET", "/grants"),
        ("GET", "/access-log?day=2026-01-02"),
        ("DELETE", "/sessions/current"),
        ("DELETE", f"/tokens/{NOBODY}"),
    ):
        answer = send(method, path)
        assert code_of(answer) == (401, "unauthenticated"), path
        assert answer.headers["WWW-Authenticate"] == "Bearer"


@pytest.mark.parametrize(
    ("role", "scope", "status"),
    [
        ("operator", "operate", 201),
        ("organizer", "organize", 201),
        ("operator", "read", 403),
        ("judge", "organize", 403),
    ],
)
def test_who_adds_a_person(
    installation: Installation, send: Send, role: Role, scope: str, status: int
) -> None:
    _, token = enrol(installation, "Olga", role, scopes=[scope])
    answer = send("POST", "/persons", token, json={"name": "New"})
    assert answer.status_code == status
    if status == 201:
        assert installation.persons.find(answer.get_json()["id"]).name == "New"


WRONG = [
    ("POST", "/persons", {}, "name"),
    ("POST", "/persons", {"name": ""}, "name"),
    ("POST", "/persons", {"name": "x" * 81}, "name"),
    ("POST", "/persons", {"name": "a\u202eb"}, "name"),
    ("POST", "/persons", {"name": 7}, "name"),
    ("POST", "/persons", {"name": "A", "id": "mine"}, "id"),
    ("POST", "/persons", [], "body"),
    ("PUT", "/persons/me/name", {"name": None}, "name"),
    ("POST", "/tokens", {"scopes": []}, "scopes"),
    ("POST", "/tokens", {"scopes": ["all"]}, "scopes.0"),
    ("POST", "/tokens", {"scopes": "read"}, "scopes"),
    ("POST", "/tokens", {"scopes": ["read"], "days": 366}, "days"),
    ("POST", "/tokens", {"scopes": ["read"], "days": "3"}, "days"),
    ("POST", "/tokens", {"scopes": ["read"], "days": True}, "days"),
    ("POST", "/tokens", {"scopes": ["read"], "person": NOBODY}, "person"),
    ("POST", "/tokens", {"scopes": ["read"], "narrowed_to": "installation"}, "narrowed_to"),
    ("POST", "/sessions", {}, "token"),
    ("POST", "/sessions", {"token": "x" * 201}, "token"),
    ("POST", "/grants", {"person": NOBODY, "role": "judge"}, "person"),
    ("POST", "/grants", {"person": "x" * 101, "role": "judge"}, "person"),
    ("POST", "/grants", {"person": NOBODY, "role": "operator"}, "role"),
    ("POST", "/grants", {"person": NOBODY, "role": "judge", "by": NOBODY}, "by"),
    ("POST", "/grants?place=match/m", {"person": NOBODY, "role": "judge"}, "place"),
]


@pytest.mark.parametrize(("method", "path", "body", "place"), WRONG)
def test_wrong_bodies_are_told_with_their_places(
    installation: Installation, send: Send, method: str, path: str, body: Any, place: str
) -> None:
    _, token = enrol(installation, "Olga", "operator")
    answer = send(method, path, token, json=body)
    assert code_of(answer) == (422, "invalid")
    assert list(answer.get_json()["errors"]) == [place]


def test_a_token_is_shown_once_and_revoked_by_its_owner(
    installation: Installation, send: Send
) -> None:
    ann, first = enrol(installation, "Ann")
    _, stranger = enrol(installation, "Bob", "operator")
    wanted = {"scopes": ["read"], "days": 3, "narrowed_to": "match/m"}
    made = send("POST", "/tokens", first, json=wanted)
    assert made.status_code == 201
    body = made.get_json()
    text = body.pop("token")
    listed = send("GET", "/tokens", first)
    assert text.partition(".")[2] not in listed.get_data(as_text=True)
    (own,) = [one for one in listed.get_json()["items"] if one["id"] == body["id"]]
    assert own == body
    assert send("GET", "/persons/me", text).get_json()["narrowed_to"] == "match/m"
    assert code_of(send("DELETE", f"/tokens/{body['id']}", stranger)) == (404, "not-found")
    assert send("DELETE", f"/tokens/{body['id']}", first).status_code == 204
    assert code_of(send("DELETE", f"/tokens/{body['id']}", first)) == (404, "not-found")
    assert code_of(send("GET", "/persons/me", text)) == (401, "unauthenticated")
    assert [one.person for one in installation.persons.tokens_of(ann, clock())] == [ann]


def test_a_narrow_token_reaches_no_wider_one(installation: Installation, send: Send) -> None:
    ann, wide = enrol(installation, "Ann", "operator")
    narrow = token_of(installation, ann, scopes=["read", "operate"], narrowed_to="match/m")
    ids = [one["id"] for one in send("GET", "/tokens", narrow).get_json()["items"]]
    assert ids == [narrow.partition(".")[0]]
    assert code_of(send("DELETE", f"/tokens/{wide.partition('.')[0]}", narrow))[0] == 404
    for wanted in (
        {"scopes": ["act"], "narrowed_to": "match/m"},
        {"scopes": ["read"], "narrowed_to": "match/n"},
        {"scopes": ["read"]},
    ):
        assert code_of(send("POST", "/tokens", narrow, json=wanted)) == (403, "forbidden")
    same = {"scopes": ["read"], "narrowed_to": "match/m"}
    assert send("POST", "/tokens", narrow, json=same).status_code == 201
    assert code_of(send("POST", "/persons", narrow, json={"name": "New"}))[0] == 403
    assert code_of(send("GET", "/grants", narrow))[0] == 403


def test_tokens_that_are_not_good_are_refused(installation: Installation, send: Send) -> None:
    ann, _ = enrol(installation, "Ann")
    before = moved(clock(), -2 * DAY_S)
    wanted = NewToken(person=ann, scopes=["read"], days=1)
    _, expired = installation.persons.create_token(wanted, None, before)
    revoked, text = installation.persons.create_token(wanted, None, clock())
    installation.persons.revoke(revoked.id, clock())
    for bad in (expired, text, "nonsense", "0" * 16 + "." + "A" * 43):
        assert code_of(send("GET", "/persons/me", bad)) == (401, "unauthenticated")
        assert code_of(send("POST", "/sessions", json={"token": bad})) == (401, "unauthenticated")


@pytest.fixture
def browser(installation: Installation) -> FlaskClient:
    return api_app(installation).test_client()


def sign_in(browser: FlaskClient, token: str, **more: Any) -> TestResponse:
    return browser.post(f"{API}/sessions", json={"token": token}, **more)


def test_a_browser_signs_in_and_out(installation: Installation, browser: FlaskClient) -> None:
    ann, token = enrol(installation, "Ann", scopes=["read", "act"])
    answer = sign_in(browser, token)
    assert answer.status_code == 201
    body = answer.get_json()
    assert (body["person"], body["name"]) == (ann, "Ann")
    assert clock() < body["expires_at"] <= moved(clock(), 12 * HOUR_S)
    shown = browser.get(f"{API}/sessions/current").get_json()
    assert {**shown, "csrf_token": ""} == {**body, "csrf_token": ""}
    session = browser.get_cookie(COOKIE)
    assert session is not None
    headers = {CSRF_HEADER: shown["csrf_token"]}
    assert browser.delete(f"{API}/sessions/current", headers=headers).status_code == 204
    assert browser.get_cookie(COOKIE) is None
    assert browser.get(f"{API}/sessions/current").status_code == 401
    # The session itself has ended, not only the cookie.
    browser.set_cookie(COOKIE, session.value)
    assert browser.get(f"{API}/sessions/current").status_code == 401


def test_the_cookie_is_for_this_site_and_not_for_scripts(
    installation: Installation, browser: FlaskClient
) -> None:
    _, token = enrol(installation, "Ann")
    for host, is_secure in (
        ("http://localhost", False),
        ("http://127.0.0.1:8000", False),
        ("http://[::1]:8000", False),
        ("https://kifu.example", True),
        ("http://kifu.example:8000", True),
        ("http://localhost.example", True),
    ):
        cookies = sign_in(browser, token, base_url=host).headers.getlist("Set-Cookie")
        assert {one.partition("=")[0] for one in cookies} == {COOKIE, CSRF_COOKIE}
        for cookie in cookies:
            assert "HttpOnly" in cookie
            assert "SameSite=Lax" in cookie
            assert ("Secure" in cookie) == is_secure, host


CHANGES = [
    ("PUT", "/persons/me/name", {"name": "Anna"}),
    ("POST", "/persons", {"name": "New"}),
    ("POST", "/tokens", {"scopes": ["read"]}),
    ("POST", "/grants", {"person": NOBODY, "role": "judge"}),
    ("DELETE", "/sessions/current", None),
]


@pytest.mark.parametrize(("method", "path", "body"), CHANGES)
def test_a_change_with_the_cookie_alone_is_refused(
    installation: Installation, browser: FlaskClient, method: str, path: str, body: Any
) -> None:
    _, token = enrol(installation, "Ann", "operator")
    csrf_token = sign_in(browser, token).get_json()["csrf_token"]
    for headers in ({}, {CSRF_HEADER: ""}, {CSRF_HEADER: csrf_token[:-1]}, {CSRF_HEADER: "x"}):
        answer = browser.open(f"{API}{path}", method=method, json=body, headers=headers)
        assert code_of(answer) == (403, "forbidden")
    good = browser.open(f"{API}{path}", method=method, json=body, headers={CSRF_HEADER: csrf_token})
    assert good.status_code in (200, 201, 204, 422)
    assert installation.persons.names([NOBODY]) == {}


def test_the_csrf_token_of_another_browser_is_no_good(
    installation: Installation, browser: FlaskClient
) -> None:
    _, token = enrol(installation, "Ann")
    other = browser.application.test_client()
    sign_in(browser, token)
    theirs = sign_in(other, token).get_json()["csrf_token"]
    answer = browser.put(
        f"{API}/persons/me/name", json={"name": "Anna"}, headers={CSRF_HEADER: theirs}
    )
    assert code_of(answer) == (403, "forbidden")


def test_a_token_in_a_header_needs_no_csrf_token(
    installation: Installation, browser: FlaskClient
) -> None:
    ann, token = enrol(installation, "Ann")
    sign_in(browser, token)
    headers = {"Authorization": f"Bearer {token}"}
    answer = browser.put(f"{API}/persons/me/name", json={"name": "Anna"}, headers=headers)
    assert answer.get_json() == {"id": ann, "name": "Anna"}
    current = browser.get(f"{API}/sessions/current", headers=headers)
    assert code_of(current) == (404, "not-found")


def test_revoking_a_token_ends_its_sessions(
    installation: Installation, browser: FlaskClient
) -> None:
    _, token = enrol(installation, "Ann")
    sign_in(browser, token)
    assert browser.get(f"{API}/persons/me").status_code == 200
    installation.persons.revoke(token.partition(".")[0], clock())
    assert browser.get(f"{API}/persons/me").status_code == 401
    assert browser.get(f"{API}/rulesets").status_code == 200


def test_an_operator_makes_an_organizer_who_makes_judges(
    installation: Installation, send: Send
) -> None:
    _, operator = enrol(installation, "Olga", "operator")
    otto, organizer = enrol(installation, "Otto")
    judy, judge = enrol(installation, "Judy")
    office = {"person": judy, "role": "judge"}
    assert code_of(send("POST", "/grants", organizer, json=office)) == (403, "forbidden")
    given = send("POST", "/grants", operator, json={"person": otto, "role": "organizer"})
    assert given.get_json() == {"person": otto, "name": "Otto", "role": "organizer"}
    for _ in range(2):
        assert send("POST", "/grants", organizer, json=office).status_code == 201
    again = {"person": judy, "role": "organizer"}
    assert code_of(send("POST", "/grants", organizer, json=again)) == (403, "forbidden")
    listed = send("GET", "/grants", judge).get_json()
    assert [(one["role"], one["name"]) for one in listed["items"]] == [
        ("judge", "Judy"),
        ("operator", "Olga"),
        ("organizer", "Otto"),
    ]
    assert send("DELETE", f"/grants/judge/{judy}", organizer).status_code == 204
    assert code_of(send("DELETE", f"/grants/judge/{judy}", organizer)) == (404, "not-found")
    assert code_of(send("DELETE", f"/grants/operator/{judy}", operator)) == (404, "not-found")
    assert code_of(send("DELETE", f"/grants/organizer/{otto}", organizer))[0] == 403
    assert code_of(send("GET", "/grants", judge)) == (403, "forbidden")


def test_grants_of_a_tournament_hold_there(installation: Installation, send: Send) -> None:
    _, organizer = enrol(installation, "Otto", "organizer", place="tournament/t")
    judy, _ = enrol(installation, "Judy")
    office = {"person": judy, "role": "judge"}
    assert send("POST", "/grants?place=tournament/t", organizer, json=office).status_code == 201
    for elsewhere in ("/grants", "/grants?place=tournament/u"):
        assert code_of(send("POST", elsewhere, organizer, json=office)) == (403, "forbidden")
    listed = send("GET", "/grants?place=tournament/t", organizer).get_json()
    assert (listed["place"], len(listed["items"])) == ("tournament/t", 2)


def test_grants_of_a_match_hold_there(
    installation: Installation, send: Send, match_id: str
) -> None:
    here, place = f"/matches/{match_id}/grants", f"match/{match_id}"
    otto, organizer = enrol(installation, "Otto", "organizer", place=place)
    judy, judge = enrol(installation, "Judy")
    office = {"person": judy, "role": "head_judge"}
    assert code_of(send("GET", here, judge)) == (403, "forbidden")
    assert code_of(send("POST", here, judge, json=office)) == (403, "forbidden")
    assert send("POST", here, organizer, json=office).status_code == 201
    boss = {"person": judy, "role": "organizer"}
    assert code_of(send("POST", here, organizer, json=boss)) == (403, "forbidden")
    assert code_of(send("POST", "/grants", organizer, json=office)) == (403, "forbidden")
    roles = {one["person"]: one["role"] for one in send("GET", here, judge).get_json()["items"]}
    assert roles == {otto: "organizer", judy: "head_judge"}
    assert send("DELETE", f"{here}/head_judge/{judy}", organizer).status_code == 204
    assert code_of(send("GET", here, judge)) == (403, "forbidden")
    assert code_of(send("GET", f"/matches/{NOBODY}/grants", organizer)) == (404, "not-found")


def test_the_access_log_tells_a_day(installation: Installation, send: Send) -> None:
    olga, operator = enrol(installation, "Olga", "operator")
    ann, token = enrol(installation, "Ann", "judge")
    today = clock()[:10]
    assert code_of(send("GET", f"/access-log?day={today}", token)) == (403, "forbidden")
    path, entries = f"/access-log?day={today}&limit=2", []
    body = send("GET", path, operator).get_json()
    while True:
        assert len(body["items"]) <= 2
        entries += body["items"]
        if body["next"] is None:
            break
        body = send("GET", f"{path}&after={body['next']}", operator).get_json()
    assert [(one["kind"], one["fields"]["person"]) for one in entries] == [
        ("role_granted", olga),
        ("role_granted", ann),
        ("token_used", ann),
        ("token_used", olga),
    ]
    assert entries[0]["fields"]["by"] is None
    assert entries[2]["fields"]["token"] == token.partition(".")[0]
    assert send("GET", "/access-log?day=2020-01-01", operator).get_json() == {
        "items": [],
        "names": {},
        "next": None,
    }
    for wrong in ("day=yesterday", "limit=2", f"day={today}&after=x"):
        assert code_of(send("GET", f"/access-log?{wrong}", operator)) == (422, "invalid")
