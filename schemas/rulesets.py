"""Answers about games and rules."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from schemas.queries import Query


class RulesetBody(Schema):
    """A game in its present edition. Digests: SHA-256 in hexadecimal.

    revision: of its wording, 0 for the first. pools: names of its card pools, the sample first.
    """

    game = fields.String(required=True)
    edition = fields.String(required=True)
    revision = fields.Integer(required=True)
    engine = fields.Integer(required=True)
    rules_digest = fields.String(required=True)
    cards_digest = fields.String(required=True)
    texts_digest = fields.String(required=True)
    rules = fields.Integer(required=True, metadata={"description": "number of rules"})
    pools = fields.List(fields.String(), required=True)


class RulesetsBody(Schema):
    """All games."""

    items = fields.List(fields.Nested(RulesetBody), required=True)


class CardsQuery(Query):
    """Which card pool: by its name, the sample if none is given."""

    cards = fields.String(validate=validate.Length(1, 64))


class CardsBody(Schema):
    """The cards of a pool. digest: of the pool; definitions: id → definition (cards.yaml)."""

    game = fields.String(required=True)
    digest = fields.String(required=True)
    definitions = fields.Dict(keys=fields.String(), values=fields.Raw(), required=True)


class DisplayedRulesetBody(RulesetBody):
    """A game with how its positions are drawn and worded (display.yaml)."""

    board = fields.Raw(required=True)
    zones = fields.Raw(required=True)
    counters = fields.Raw(required=True)
    keywords = fields.Raw(required=True)
    words = fields.Raw(required=True)
