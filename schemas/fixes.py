"""Partial fixes: facts that a judge would give in a match, and what he could give next."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from schemas.disputes import FACTS_MAX, SHUFFLES_MAX
from schemas.play import Request


class FixesRequest(Request):
    """What if a judge gave these facts and had these piles shuffled? Nothing is done."""

    facts = fields.List(fields.Raw(), load_default=list, validate=validate.Length(max=FACTS_MAX))
    shuffles = fields.List(
        fields.String(validate=validate.Length(1, 40)),
        load_default=list,
        validate=validate.Length(max=SHUFFLES_MAX),
    )


class ToldFactBody(Schema):
    """A fact in words, with the rules that it cites."""

    fact = fields.Raw(required=True)
    text = fields.String(required=True)
    rules = fields.List(fields.String(), required=True)


class ChoiceBody(Schema):
    """A value that a field may hold, in words."""

    value = fields.Raw(required=True, allow_none=True)
    text = fields.String(required=True)


class FixFieldBody(Schema):
    """A field that is chosen. kind: card, player, zone or number, null for any other."""

    name = fields.String(required=True)
    kind = fields.String(required=True, allow_none=True)
    values = fields.List(fields.Nested(ChoiceBody), required=True)


class FixBody(Schema):
    """A kind of fact that could be given. text: with `…` for what is to be chosen.

    entries: as legal actions are listed, with `fact` and `rules` in place of `type`.
    """

    fact = fields.String(required=True)
    text = fields.String(required=True)
    fields_ = fields.List(fields.Nested(FixFieldBody), required=True, data_key="fields")
    entries = fields.List(fields.Raw(), required=True)


class ShuffleBody(Schema):
    """A pile that can be shuffled."""

    name = fields.String(required=True)
    text = fields.String(required=True)


class FixesBody(Schema):
    """The facts in words, shuffles last, and what could be given behind them.

    version: of the match looked at. fault: why they cannot be ordered as they stand, or null.
    """

    match = fields.String(required=True)
    version = fields.Integer(required=True)
    told = fields.List(fields.Nested(ToldFactBody), required=True)
    fault = fields.String(required=True, allow_none=True)
    items = fields.List(fields.Nested(FixBody), required=True)
    shuffles = fields.List(fields.Nested(ShuffleBody), required=True)
