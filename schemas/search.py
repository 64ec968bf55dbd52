"""Searching rules, rulings, disputes and comments."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from schemas.queries import PAGE_MAX, PageQuery

KINDS = ("rules", "rulings", "disputes", "comments")
FOUND_DEFAULT = 20


class SearchQuery(PageQuery):
    """What is looked for. q: terms between spaces, all of which must occur.

    lang: only texts in this language, or of which nobody said the language; without it in any.
    synonyms: `1`: each term may also be one of its synonyms.
    """

    q = fields.String(required=True)
    in_ = fields.String(data_key="in", load_default="rules", validate=validate.OneOf(KINDS))
    game = fields.String(validate=validate.Length(1, 40))
    synonyms = fields.Boolean(load_default=False, truthy={"1"}, falsy={"0"})
    limit = fields.Integer(load_default=FOUND_DEFAULT, validate=validate.Range(1, PAGE_MAX))


class SpanBody(Schema):
    """A part of a text: start and end in characters (code points)."""

    start = fields.Integer(required=True)
    end = fields.Integer(required=True)


class SnippetBody(Schema):
    """A part of a text in its original wording. cut_before, cut_after: it goes on there."""

    text = fields.String(required=True)
    highlights = fields.List(fields.Nested(SpanBody), required=True)
    cut_before = fields.Boolean(required=True)
    cut_after = fields.Boolean(required=True)


class HitBody(Schema):
    """Something found. id: of the rule, ruling or dispute; of a comment `<dispute>/<number>`.

    number: of the ruling in its dispute, of the event of a comment. edition: of a rule. lang: null
    where nobody said.
    """

    id = fields.String(required=True)
    kind = fields.String(required=True)
    game = fields.String(required=True)
    edition = fields.String(required=True, allow_none=True)
    match = fields.String(required=True, allow_none=True)
    tournament = fields.String(required=True, allow_none=True)
    dispute = fields.String(required=True, allow_none=True)
    number = fields.Integer(required=True, allow_none=True)
    lang = fields.String(required=True, allow_none=True)
    time = fields.String(required=True)
    heading = fields.Nested(SnippetBody, required=True, allow_none=True)
    snippet = fields.Nested(SnippetBody, required=True)


class FoundBody(Schema):
    """A page of what was found: rules that fit best first, all else newest first.

    count: at most 1,000; capped: there are more. synonyms: words that would be looked for, too;
    widened: they were.
    """

    items = fields.List(fields.Nested(HitBody), required=True)
    next = fields.String(required=True, allow_none=True)
    count = fields.Integer(required=True)
    capped = fields.Boolean(required=True)
    synonyms = fields.List(fields.String(), required=True)
    widened = fields.Boolean(required=True)
