"""Sessions of browsers: sign in with a token, see who is signed in, sign out.

What changes things and comes with the cookie of a session needs the header `X-CSRFToken`, so that
a page of somebody else cannot have it sent. A token in `Authorization` needs none: no browser adds
it by itself.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

from flask import Flask, Response, current_app, request
from flask import session as csrf_secret
from flask.sessions import SecureCookieSessionInterface
from flask_wtf.csrf import generate_csrf, validate_csrf
from wtforms import ValidationError

from schemas.persons import SessionBody, SignInRequest
from service.accounts.tokens import SESSION_HOURS, Token
from service.accounts.uses import note_use
from service.aggregates.world import Forbidden, NotFound
from service.api.cursors import KEY_NAME
from service.api.identity import COOKIE, failures_counted, principal
from service.api.persons import body_of, caller_id
from service.api.routing import noun, route
from service.api.wiring import installation
from service.engine.values import Json
from service.installation import Installation, clock

SESSIONS = noun("sessions", prefix="/api/v1/sessions")
CSRF_HEADER = "X-CSRFToken"
CSRF_COOKIE = "kifu_csrf"
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
SIGN_IN = "sessions.sign_in"
LOOPBACK = ("localhost", "127.0.0.1", "::1")
SESSION_TIME = timedelta(hours=SESSION_HOURS)


class Cookies(SecureCookieSessionInterface):
    """The signed cookie with the secret of the CSRF tokens."""

    def get_cookie_secure(self, app: Flask) -> bool:
        """Tell whether browsers shall send it over TLS only."""
        return is_secure() or super().get_cookie_secure(app)


def install(app: Flask, here: Installation) -> None:
    """Sign cookies with a key of the installation, and check what comes with them."""
    app.secret_key = here.keys.key(KEY_NAME)
    app.session_interface = Cookies()
    app.config.update(
        SESSION_COOKIE_NAME=CSRF_COOKIE,
        SESSION_COOKIE_SAMESITE="Lax",
        WTF_CSRF_TIME_LIMIT=round(SESSION_TIME.total_seconds()),
    )
    app.before_request(check_csrf)


def check_csrf() -> None:
    """Raise `Forbidden` for a change that only the cookie of a session speaks for."""
    if request.method in SAFE_METHODS or "Authorization" in request.headers:
        return
    # Signing in takes nothing from the cookie, and no form of another site can send JSON.
    if request.endpoint == SIGN_IN or COOKIE not in request.cookies or principal().person is None:
        return
    try:
        validate_csrf(request.headers.get(CSRF_HEADER))
    except ValidationError as fault:
        text = f"send the csrf_token of /api/v1/sessions/current in the header {CSRF_HEADER}"
        raise Forbidden(text) from fault


@route(
    SESSIONS,
    "",
    action="sign_in",
    answer=SessionBody,
    method="POST",
    takes=SignInRequest,
    status=201,
)
def sign_in(query: dict[str, Any], body: dict[str, Any]) -> Response:
    """Open a session with a token; its cookie holds for 12 hours, and no longer than the token."""
    here, now = installation(), clock()
    with failures_counted():
        session, text = here.persons.open_session(body["token"], now)
    note_use(here.persons, here.access, here.persons.principal_of(body["token"], now), now=now)
    # Whoever signs in gets a secret of his own: one planted before would be known to somebody.
    csrf_secret.clear()
    answer = current_app.make_response((_body_of(session), 201))
    answer.set_cookie(
        COOKIE,
        text,
        max_age=SESSION_TIME,
        httponly=True,
        secure=is_secure(),
        samesite="Lax",
    )
    return answer


@route(SESSIONS, "/current", action="read_self", answer=SessionBody)
def show_session(query: dict[str, Any]) -> dict[str, Json]:
    """Show who is signed in."""
    return _body_of(_current())


@route(SESSIONS, "/current", action="sign_out", answer=None, method="DELETE", status=204)
def sign_out(query: dict[str, Any]) -> Response:
    """End the session."""
    installation().persons.revoke(_current().id, clock(), owner=caller_id())
    answer = Response(status=204)
    for cookie in (COOKIE, CSRF_COOKIE):
        answer.delete_cookie(cookie, secure=is_secure(), httponly=True, samesite="Lax")
    return answer


def signed_in() -> dict[str, Json] | None:
    """Return who is signed in with a browser, as others see him; None for everybody else."""
    person = None if "Authorization" in request.headers else principal().person
    return None if person is None else body_of(installation().persons.find(person))


def is_secure() -> bool:
    """Tell whether cookies of the present request are for TLS only: all but those of loopback."""
    return urlsplit(request.host_url).hostname not in LOOPBACK


def _current() -> Token:
    token = installation().persons.token(principal().token or "")
    if token.kind != "session":
        raise NotFound("this is no session: you call with a token")
    return token


def _body_of(session: Token) -> dict[str, Json]:
    return {
        "person": session.person,
        "name": installation().persons.find(session.person).name,
        "csrf_token": generate_csrf(),
        "expires_at": session.expires_at,
    }
