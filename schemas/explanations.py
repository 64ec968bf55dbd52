"""Explanations: why an event came so, why an action is refused."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from schemas.matches import EventBody
from schemas.play import Request
from schemas.queries import VIEWERS, LanguageQuery

LINES = ("base", "modifier", "rounding", "total")
ACTOR_LENGTH_MAX = 64


class ExplanationQuery(LanguageQuery):
    """Whose view is asked for; without it the caller's own, else the spectator's."""

    as_ = fields.String(data_key="as", validate=validate.OneOf(VIEWERS))


class RefusalRequest(Request):
    """An action that is asked about. actor: whose; a seat asks for itself alone."""

    actor = fields.String(validate=validate.Length(1, ACTOR_LENGTH_MAX))
    action = fields.Dict(keys=fields.String(), required=True)


class CitedRuleBody(Schema):
    """A rule in the language asked for, of the edition that the match pins."""

    term = fields.String(required=True)
    text = fields.String(required=True)
    enforced_by = fields.String(required=True)
    edition = fields.String(required=True)
    url = fields.String(required=True)


class LineBody(Schema):
    """A line of a computation. rules: those of this line; its fact cites the others."""

    kind = fields.String(required=True, validate=validate.OneOf(LINES))
    text = fields.String(required=True)
    rules = fields.List(fields.String(), required=True)


class ExplainedFactBody(Schema):
    """A fact in words; an account leaves out the quiet ones.

    computation: how its number came, null if it shows none.
    """

    text = fields.String(required=True)
    quiet = fields.Boolean(required=True)
    rules = fields.List(fields.String(), required=True)
    computation = fields.List(fields.Nested(LineBody), required=True, allow_none=True)


class SeenPositionBody(Schema):
    """An index of a match with the view there."""

    index = fields.Integer(required=True)
    position = fields.Raw(required=True)


class AlternativeBody(Schema):
    """Something that was legal: an action, or a template whose fields could be chosen."""

    action = fields.Raw(required=True)
    text = fields.String(required=True)


class ExplanationBody(Schema):
    """Why an event came so. facts: one for each of the event's, in order.

    alternatives: what its actor could have done, for himself and the judge, else null. rules: id →
    rule, of all that are cited. cards: definition id → definition, of the cards that are named.
    """

    match = fields.String(required=True)
    viewer = fields.String(required=True)
    event = fields.Nested(EventBody, required=True)
    before = fields.Nested(SeenPositionBody, required=True)
    after = fields.Nested(SeenPositionBody, required=True)
    facts = fields.List(fields.Nested(ExplainedFactBody), required=True)
    alternatives = fields.List(fields.Nested(AlternativeBody), required=True, allow_none=True)
    rules = fields.Dict(keys=fields.String(), values=fields.Nested(CitedRuleBody), required=True)
    cards = fields.Raw(required=True)


class RefusedBody(Schema):
    """The rule that refuses an action, and why, in words."""

    rule = fields.String(required=True)
    reason = fields.String(required=True)


class RefusalBody(Schema):
    """Why an action is refused in the position at `index`; null: it would be accepted."""

    match = fields.String(required=True)
    index = fields.Integer(required=True)
    viewer = fields.String(required=True)
    actor = fields.String(required=True)
    refused = fields.Nested(RefusedBody, required=True, allow_none=True)
    rules = fields.Dict(keys=fields.String(), values=fields.Nested(CitedRuleBody), required=True)
