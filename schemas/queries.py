"""Query strings of the read side."""

from __future__ import annotations

import re

from marshmallow import RAISE, Schema, fields, validate

PAGE_DEFAULT = 50
PAGE_MAX = 500
WINDOW_DEFAULT = 50
PLACE = re.compile(r"^[0-9]{1,6}(\.[0-9]{1,5})?$")
CURSOR = re.compile(r"^[A-Za-z0-9_-]{1,512}$")
KEY = re.compile(r"^[\x21-\x7e]{1,128}$")
VIEWERS = ("spectator", "P1", "P2", "P3", "P4", "judge")
LANGUAGES = ("ja", "en")
STATES = ("beginning", "running", "held", "closed", "cancelled")
SPOILERS = ("off",)
INDEX_MAX = 999_999
VERDICTS = ("exact", "partial", "unverified", "diverged", "tampered")


class Query(Schema):
    """A query string; unknown names are refused."""

    class Meta:
        """Options of marshmallow."""

        unknown = RAISE


class LanguageQuery(Query):
    """Language of sentences; without it cookie, `Accept-Language`, then Japanese decide."""

    lang = fields.String(validate=validate.OneOf(LANGUAGES))


class PageQuery(LanguageQuery):
    """A page of a list. after: the `next` of the page before, opaque."""

    limit = fields.Integer(load_default=PAGE_DEFAULT, validate=validate.Range(1, PAGE_MAX))
    after = fields.String(validate=validate.Regexp(CURSOR))


class MatchesQuery(PageQuery):
    """A page of matches. person: only those in which he takes part."""

    game = fields.String(validate=validate.Length(1, 40))
    verdict = fields.String(validate=validate.OneOf(VERDICTS))
    state = fields.String(validate=validate.OneOf(STATES))
    person = fields.String(validate=validate.Length(1, 64))


class ViewerQuery(LanguageQuery):
    """Whose view is asked for."""

    as_ = fields.String(data_key="as", load_default="spectator", validate=validate.OneOf(VIEWERS))


class SpoilersQuery(Query):
    """Without spoilers: as if no more had happened than was watched. at: the place up to which."""

    spoilers = fields.String(validate=validate.OneOf(SPOILERS))
    at = fields.String(validate=validate.Regexp(PLACE))


class WatchedQuery(LanguageQuery, SpoilersQuery):
    """A match, whole or as far as it was watched."""


class PlaceQuery(ViewerQuery, SpoilersQuery):
    """A place in a match: `142.3` is index 142 plus 3 facts of event 143; default the end."""


class WindowQuery(ViewerQuery):
    """A window of a match: from index `from` to index `to`, at most 500 events."""

    from_ = fields.Integer(data_key="from", load_default=0, validate=validate.Range(min=0))
    to = fields.Integer(validate=validate.Range(min=0))


class WatchedWindowQuery(WindowQuery, SpoilersQuery):
    """A window of a match, or of what was watched of it."""


class LiveQuery(ViewerQuery, SpoilersQuery):
    """What is followed of a match: from index `from` on."""

    from_ = fields.Integer(data_key="from", load_default=0, validate=validate.Range(0, INDEX_MAX))


class IdempotencyHeaders(Schema):
    """The key of a command: who repeats it with the same body gets the answer to the first."""

    key = fields.String(data_key="Idempotency-Key", validate=validate.Regexp(KEY))


class ImportQuery(LanguageQuery):
    """How a log is imported. partial: store the legal prefix of an illegal one, too."""

    partial_ = fields.Boolean(
        data_key="partial", load_default=False, truthy={"true"}, falsy={"false"}
    )
