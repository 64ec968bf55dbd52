"""Who asks, and whether he may: once per request, from a token or the cookie of a session."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager

from flask import Flask, g, request

from service.accounts.uses import note_use
from service.aggregates.access import ANYBODY, INSTALLATION, Place, Principal, Relation, relations
from service.aggregates.permissions import allowed
from service.aggregates.world import Forbidden, Unauthenticated
from service.api.limits import address_block, limits
from service.api.requests import note
from service.api.wiring import installation
from service.installation import clock

COOKIE = "kifu_session"
BEARER = "bearer"
UNASKED = ("static", "health")
"""Files and blueprints that are the same for everybody."""


def install(app: Flask) -> None:
    """Find out who asks before anything else is done for him."""
    app.before_request(identify)


def identify() -> None:
    """Refuse a token that is not good, and tell the log and the limits who asks."""
    endpoint = request.endpoint or UNASKED[0]
    if not {endpoint.rpartition(".")[2], request.blueprint}.isdisjoint(UNASKED):
        return
    principal()


def principal() -> Principal:
    """Return who sends the present request.

    Raises `Unauthenticated` for a token that is not good, `TooMany` if there were many of them; a
    cookie that is not good is like none.
    """
    if "principal" not in g:
        found = g.principal = _principal()
        if found.person is not None:
            note(person=found.person)
            note_use(installation().persons, installation().access, found, now=clock())
    known: Principal = g.principal
    return known


def _principal() -> Principal:
    if "Authorization" in request.headers:
        with failures_counted():
            return _bearer()
    if COOKIE in request.cookies:
        try:
            return installation().persons.principal_of(request.cookies[COOKIE], clock())
        except Unauthenticated:
            return ANYBODY
    return ANYBODY


def _bearer() -> Principal:
    given = request.authorization
    if given is None or given.type != BEARER or not given.token:
        raise Unauthenticated("send `Authorization: Bearer id.secret`")
    return installation().persons.principal_of(given.token, clock())


@contextmanager
def failures_counted() -> Iterator[None]:
    """Count a sign-in that fails; raises `TooMany` instead when there were many from a network.

    Who comes with a good token is let in all the same: his neighbours do not lock him out, and no
    number of guesses finds a secret.
    """
    try:
        yield
    except Unauthenticated:
        installation().sign_ins.add(request.remote_addr, clock())
        limits().count_failure(address_block())
        raise


def permit(action: str, place: Place = INSTALLATION) -> frozenset[Relation]:
    """Return what the caller is at a place, if he may do something there.

    Raises `Unauthenticated`, `Forbidden`.
    """
    asking, book = principal(), installation().access
    # Who is not signed in has no grants that would have to be read.
    places = () if asking.person is None else dict.fromkeys((INSTALLATION, place))
    found = relations(asking, [book.at(one) for one in places])
    check(action, found)
    return found


def check(action: str, found: Collection[Relation]) -> None:
    """Raise `Unauthenticated` or `Forbidden` unless the caller may do something.

    found: what he is to that which is concerned.
    """
    asking = principal()
    if allowed(asking, action, found):
        return
    if asking.person is None:
        raise Unauthenticated(f"{action} needs somebody who is signed in")
    raise Forbidden(f"you may not {action}, or not with this token")
