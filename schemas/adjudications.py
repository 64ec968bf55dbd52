"""Adjudications: a position and actions that are sent, what the rules say of them."""

from __future__ import annotations

from marshmallow import Schema, ValidationError, fields, validate, validates_schema

from schemas.play import ID, Flag, Request
from schemas.strict import Json

ACTIONS_MAX = 200
INDEX_MAX = 10**6
DEALS_MAX = 10**9
BEGINNINGS = ("position", "match", "deal")


class AdjudicationRequest(Request):
    """What if? A position, as shorthand, or a match and an index in it, or the number of a deal.

    A deal is the beginning of a match with decks of the pool; options: `{mode?, seats?}` of it.
    cards: the card pool of a position or deal, a match has its own. actions: `{actor, type, …}`.
    rng: as in worked examples. legal: tell what could be done at the end. positions: tell the one
    after each action.
    """

    position = fields.Raw()
    cards = fields.String(validate=validate.Length(1, 64))
    match = fields.String(validate=ID)
    at = fields.Integer(strict=True, validate=validate.Range(0, INDEX_MAX))
    deal = fields.Integer(strict=True, validate=validate.Range(0, DEALS_MAX))
    options = fields.Dict(keys=fields.String())
    actions = fields.List(
        fields.Dict(keys=fields.String()),
        load_default=list,
        validate=validate.Length(max=ACTIONS_MAX),
    )
    rng = fields.List(fields.Raw(), load_default=list)
    legal = Flag(load_default=False)
    positions = Flag(load_default=False)

    @validates_schema
    def _check_beginning(self, data: dict[str, Json], **_: Json) -> None:
        given = [name for name in BEGINNINGS if name in data]
        if len(given) != 1:
            raise ValidationError("one of position, match and deal is expected", "position")
        if ("match" in data) != ("at" in data):
            raise ValidationError("a match and an index in it belong together", "at")
        if "options" in data and "deal" not in data:
            raise ValidationError("only a deal has options", "options")
        if "match" in data and "cards" in data:
            raise ValidationError("a match has its own cards", "cards")


class AdjudicatedFactBody(Schema):
    """A fact with its sentence and the rules that it cites. quiet: an account leaves it out."""

    fact = fields.Raw(required=True)
    text = fields.String(required=True)
    quiet = fields.Boolean(required=True)
    rules = fields.List(fields.String(), required=True)


class AdjudicatedStepBody(Schema):
    """An accepted action with its sentence, and all that it brought about.

    If positions were asked for: position: after it; patches: for each fact what turns the position
    before it into the one after it (RFC 6902).
    """

    action = fields.Raw(required=True)
    text = fields.String(required=True)
    facts = fields.List(fields.Nested(AdjudicatedFactBody), required=True)
    position = fields.Raw()
    patches = fields.List(fields.Raw())


class RejectedBody(Schema):
    """The action that a rule refuses. at: its place in the list, from 0."""

    at = fields.Integer(required=True)
    rule = fields.String(required=True)
    reason = fields.String(required=True)
    rule_url = fields.String(required=True)


class AdjudicationBody(Schema):
    """What the rules say. seats: seat → display name. position: the last one reached.

    legal_actions: there, if asked for; legal_texts: in their order, each in words, with `…` for
    what is to be chosen. If positions were asked for: start: the one before the actions; cards:
    definition id → definition, of the cards that are named.
    """

    game = fields.String(required=True)
    edition = fields.String(required=True)
    seats = fields.Dict(keys=fields.String(), values=fields.String(), required=True)
    steps = fields.List(fields.Nested(AdjudicatedStepBody), required=True)
    rejected = fields.Nested(RejectedBody, required=True, allow_none=True)
    position = fields.Raw(required=True)
    legal_actions = fields.Dict(keys=fields.String(), values=fields.List(fields.Raw()))
    legal_texts = fields.Dict(keys=fields.String(), values=fields.List(fields.String()))
    start = fields.Raw()
    cards = fields.Raw()
