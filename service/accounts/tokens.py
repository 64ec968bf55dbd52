"""Tokens: made, shown once, and known again by the digest of their secret."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import secrets
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from service.aggregates.access import SCOPES, Place, Principal, Scope
from service.aggregates.world import Forbidden, Invalid
from service.times import moved

Kind = Literal["token", "session"]

HOUR_S = 60 * 60
DAY_S = 24 * HOUR_S
DAYS_MAX = 365
SESSION_HOURS = 12
ID_BYTES = 8
SECRET_BYTES = 32
TEXT = re.compile(r"([0-9a-f]{16})\.([A-Za-z0-9_-]{43})")
PLACE = re.compile(r"(match|tournament)/[A-Za-z0-9_-]{1,100}")
COLUMNS = (
    "id, person, digest, kind, scopes, narrowed_to, made_with, created_at, expires_at, "
    "revoked_at, last_day"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewToken:
    """Ask for a token. narrowed_to: the only place where it holds, None for everywhere."""

    person: str
    scopes: Collection[str]
    days: int
    narrowed_to: Place | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """A token as it is kept. made_with: of a session, the token of the sign-in.

    digest: SHA-256 of the secret, hexadecimal. last_day: the last one on which it was used.
    """

    id: str
    person: str
    digest: str
    kind: Kind
    scopes: frozenset[Scope]
    narrowed_to: Place | None
    made_with: str | None
    created_at: str
    expires_at: str
    revoked_at: str | None = None
    last_day: str | None = None

    @property
    def principal(self) -> Principal:
        """The caller who comes with it."""
        return Principal(
            person=self.person, scopes=self.scopes, token=self.id, narrowed_to=self.narrowed_to
        )

    def is_good(self, secret: str, now: str) -> bool:
        """Tell whether this is its secret and it still holds."""
        is_known = hmac.compare_digest(self.digest, digest_of(secret))
        return is_known and self.revoked_at is None and now < self.expires_at


def parted(text: str) -> tuple[str, str] | None:
    """Return the id and the secret of a token as it was shown, or None if it is none."""
    found = TEXT.fullmatch(text)
    return None if found is None else (found[1], found[2])


def made_token(wanted: NewToken, maker: Principal | None, now: str) -> tuple[Token, str]:
    """Return a token as it is kept, and as it is shown.

    maker: who asks; None from the shell. Raises `Invalid`, and `Forbidden` if the new token could
    do more than the one of the maker.
    """
    scopes = _checked_scopes(wanted)
    if maker is not None:
        if not scopes <= maker.scopes:
            raise Forbidden("a token cannot have a scope that the one it is made with lacks")
        if maker.narrowed_to not in (None, wanted.narrowed_to):
            raise Forbidden(f"with this token you make only tokens narrowed to {maker.narrowed_to}")
    expires = moved(now, wanted.days * DAY_S)
    return _made("token", wanted.person, scopes, wanted.narrowed_to, None, (now, expires))


def made_session(token: Token, now: str) -> tuple[Token, str]:
    """Return a session that can do what a token can, as it is kept, and as it is shown."""
    expires = min(moved(now, SESSION_HOURS * HOUR_S), token.expires_at)
    return _made("session", token.person, token.scopes, token.narrowed_to, token.id, (now, expires))


def digest_of(secret: str) -> str:
    """Return the SHA-256 of a secret; it is random and long, so nothing slower is needed."""
    return hashlib.sha256(secret.encode()).hexdigest()


def _checked_scopes(wanted: NewToken) -> frozenset[Scope]:
    scopes = frozenset(scope for scope in SCOPES if scope in wanted.scopes)
    unknown = sorted(set(wanted.scopes) - scopes)
    if unknown or not scopes:
        raise Invalid({"scopes": [f"a token has one or more of {', '.join(SCOPES)}"]})
    if not 1 <= wanted.days <= DAYS_MAX:
        raise Invalid({"days": [f"a token holds for 1 to {DAYS_MAX} days"]})
    if wanted.narrowed_to is not None and not PLACE.fullmatch(wanted.narrowed_to):
        raise Invalid({"narrowed_to": ["a token is narrowed to match/<id> or tournament/<id>"]})
    return scopes


def _made(
    kind: Kind,
    person: str,
    scopes: frozenset[Scope],
    narrowed_to: Place | None,
    made_with: str | None,
    lifetime: tuple[str, str],
) -> tuple[Token, str]:
    token_id, secret = secrets.token_hex(ID_BYTES), secrets.token_urlsafe(SECRET_BYTES)
    token = Token(
        id=token_id,
        person=person,
        digest=digest_of(secret),
        kind=kind,
        scopes=scopes,
        narrowed_to=narrowed_to,
        made_with=made_with,
        created_at=lifetime[0],
        expires_at=lifetime[1],
    )
    return token, f"{token_id}.{secret}"


def as_row(token: Token) -> tuple[str | None, ...]:
    """Return a token as a row of `COLUMNS`."""
    return (
        *(token.id, token.person, token.digest, token.kind),
        json.dumps(sorted(token.scopes)),
        *(token.narrowed_to, token.made_with, token.created_at, token.expires_at),
        *(token.revoked_at, token.last_day),
    )


def from_row(row: Sequence[Any]) -> Token:
    """Return the token of a row of `COLUMNS`."""
    names = COLUMNS.split(", ")
    return Token(**{**dict(zip(names, row, strict=True)), "scopes": frozenset(json.loads(row[4]))})
