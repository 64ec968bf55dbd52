"""Requests and answers about persons, tokens, sessions, grants and the access log."""

from __future__ import annotations

import re

from marshmallow import Schema, fields, validate

from schemas.queries import LanguageQuery, PageQuery

SCOPES = ("read", "seat", "act", "judge", "organize", "operate")
ROLES = ("organizer", "head_judge", "judge", "auditor")
DAY = re.compile(r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$")
PLACE = re.compile(r"^(installation|tournament/[A-Za-z0-9_-]{1,100})$")
ID_LENGTH_MAX = 100
NAME_LENGTH_SENT_MAX = 200
TOKEN_LENGTH_MAX = 200
DAYS_MAX = 365
DAYS_DEFAULT = 30


def _id() -> fields.String:
    return fields.String(required=True, validate=validate.Length(1, ID_LENGTH_MAX))


class NameRequest(Schema):
    """A display name, 1 to 80 characters."""

    name = fields.String(required=True, validate=validate.Length(1, NAME_LENGTH_SENT_MAX))


class NewPersonRequest(NameRequest):
    """A new person. token_days: how long his first token holds; without it he gets none."""

    token_days = fields.Integer(strict=True, validate=validate.Range(1, DAYS_MAX))


class PersonBody(Schema):
    """A person as others see him."""

    id = fields.String(required=True)
    name = fields.String(required=True)


class NewPersonBody(PersonBody):
    """A person who was added. token: `id.secret` to hand to him, shown once; null for none."""

    token = fields.String(required=True, allow_none=True)


class SelfBody(PersonBody):
    """The caller. scopes: of his token; narrowed_to: its place; roles: in the installation."""

    scopes = fields.List(fields.String(), required=True)
    narrowed_to = fields.String(required=True, allow_none=True)
    roles = fields.List(fields.String(), required=True)


class NewTokenRequest(Schema):
    """A token of the caller. days: how long it holds; narrowed_to: its only place."""

    scopes = fields.List(
        fields.String(validate=validate.OneOf(SCOPES)),
        required=True,
        validate=validate.Length(1, len(SCOPES)),
    )
    days = fields.Integer(
        strict=True, load_default=DAYS_DEFAULT, validate=validate.Range(1, DAYS_MAX)
    )
    narrowed_to = fields.String(
        allow_none=True, load_default=None, validate=validate.Length(1, ID_LENGTH_MAX)
    )


class TokenBody(Schema):
    """A token without its secret. last_day: the last one on which it was used, or null."""

    id = fields.String(required=True)
    scopes = fields.List(fields.String(), required=True)
    narrowed_to = fields.String(required=True, allow_none=True)
    created_at = fields.String(required=True)
    expires_at = fields.String(required=True)
    last_day = fields.String(required=True, allow_none=True)


class NewTokenBody(TokenBody):
    """A token that was just made. token: what is sent with requests; it is shown only here."""

    token = fields.String(required=True)


class TokensBody(Schema):
    """The caller's tokens that hold, the oldest first."""

    items = fields.List(fields.Nested(TokenBody), required=True)


class SignInRequest(Schema):
    """What signs in: a token."""

    token = fields.String(required=True, validate=validate.Length(1, TOKEN_LENGTH_MAX))


class SessionBody(Schema):
    """Who is signed in. csrf_token: goes into the header `X-CSRFToken` of what changes things."""

    person = fields.String(required=True)
    name = fields.String(required=True)
    csrf_token = fields.String(required=True)
    expires_at = fields.String(required=True)


class GrantsQuery(LanguageQuery):
    """Where grants hold: the installation, or a tournament."""

    place = fields.String(load_default="installation", validate=validate.Regexp(PLACE))


class GrantRequest(Schema):
    """A role for a person."""

    person = _id()
    role = fields.String(required=True, validate=validate.OneOf(ROLES))


class GrantBody(Schema):
    """A role that a person has. name: null if it was erased."""

    person = fields.String(required=True)
    name = fields.String(required=True, allow_none=True)
    role = fields.String(required=True)


class GrantsBody(Schema):
    """The grants at a place itself, by role and person."""

    place = fields.String(required=True)
    items = fields.List(fields.Nested(GrantBody), required=True)


class AccessLogQuery(PageQuery):
    """A page of a day of the access log."""

    day = fields.String(required=True, validate=validate.Regexp(DAY))


class AccessEntryBody(Schema):
    """An entry of the access log. fields: of the event; the reason of a look in its words."""

    kind = fields.String(required=True)
    time = fields.String(required=True)
    fields_ = fields.Raw(required=True, data_key="fields")


class AccessLogBody(Schema):
    """A page of a day, in the order of the log. next: for `after`, null at the end.

    names: of the persons concerned; one who was erased has none.
    """

    items = fields.List(fields.Nested(AccessEntryBody), required=True)
    names = fields.Dict(keys=fields.String(), values=fields.String(), required=True)
    next = fields.String(required=True, allow_none=True)
