"""Brackets of tournaments: what is answered."""

from __future__ import annotations

from marshmallow import Schema, fields


class BracketSeatBody(Schema):
    """A seat of a match. player: null for a bye, and while nobody is known.

    from_slot: the match he comes from, null for a seed; as_winner: of it, or as its loser.
    """

    player = fields.String(required=True, allow_none=True)
    name = fields.String(required=True, allow_none=True)
    seed = fields.Integer(required=True, allow_none=True)
    bye = fields.Boolean(required=True)
    from_slot = fields.String(required=True, allow_none=True)
    as_winner = fields.Boolean(required=True, allow_none=True)


class BracketMatchBody(Schema):
    """A match. side: winners, losers, final, reset; column: its round on that side.

    round, table: where it is played, null before it is paired. games: won by the first and the
    second seat, null before a result. decided: there is a result.
    """

    slot = fields.String(required=True)
    side = fields.String(required=True)
    column = fields.Integer(required=True)
    seats = fields.List(fields.Nested(BracketSeatBody), required=True)
    round = fields.Integer(required=True, allow_none=True)
    table = fields.Integer(required=True, allow_none=True)
    winner = fields.String(required=True, allow_none=True)
    games = fields.List(fields.Integer(), required=True, allow_none=True)
    decided = fields.Boolean(required=True)


class BracketBody(Schema):
    """The bracket of a phase. champion: who has won it, null while that is open."""

    phase = fields.Integer(required=True)
    champion = fields.String(required=True, allow_none=True)
    matches = fields.List(fields.Nested(BracketMatchBody), required=True)
