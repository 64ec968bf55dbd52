"""Standings and placings of tournaments: what is asked, and what is answered."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from schemas.queries import LanguageQuery, PageQuery
from schemas.tournaments import ROUND


class TableQuery(LanguageQuery):
    """Which table: of a phase, up to a round, by a profile other than the tournament's own."""

    phase = fields.Integer(validate=validate.Range(1, 8))
    round = fields.Integer(validate=ROUND)
    profile = fields.String(validate=validate.Length(1, 64))


class StandingsQuery(TableQuery, PageQuery):
    """A page of a table."""


class StandingBody(Schema):
    """A row. values: rounded; exact: fractions as text, by which the order is made.

    tied: how many share the place. levels: how many results rest on which level. frozen_rank: that
    which counts since the cut, null before one.
    """

    rank = fields.Integer(required=True)
    player = fields.String(required=True)
    name = fields.String(required=True)
    points = fields.String(required=True)
    values = fields.Dict(keys=fields.String(), values=fields.Float(), required=True)
    exact = fields.Dict(keys=fields.String(), values=fields.String(), required=True)
    tied = fields.Integer(required=True)
    levels = fields.Dict(keys=fields.String(), values=fields.Integer(), required=True)
    frozen_rank = fields.Integer(required=True, allow_none=True)


class StandingsBody(Schema):
    """A page of a table. round: the last one that counts. provisional: results are missing.

    next: for `after`, null at the end.
    """

    phase = fields.Integer(required=True)
    round = fields.Integer(required=True)
    profile = fields.String(required=True)
    provisional = fields.Boolean(required=True)
    items = fields.List(fields.Nested(StandingBody), required=True)
    next = fields.String(required=True, allow_none=True)


class PartBody(Schema):
    """A part of a value. round: 0 for one over all rounds; opponent: null for none."""

    round = fields.Integer(required=True)
    opponent = fields.String(required=True, allow_none=True)
    value = fields.String(required=True)
    counted = fields.Boolean(required=True)


class ReasonBody(Schema):
    """A value: the sum of the counted parts through the divisor, as fractions."""

    criterion = fields.String(required=True)
    value = fields.String(required=True)
    divisor = fields.Integer(required=True)
    parts = fields.List(fields.Nested(PartBody), required=True)


class StandingWhyBody(Schema):
    """Why a player stands where he stands."""

    phase = fields.Integer(required=True)
    round = fields.Integer(required=True)
    profile = fields.String(required=True)
    row = fields.Nested(StandingBody, required=True)
    reasons = fields.List(fields.Nested(ReasonBody), required=True)


class PlacedBody(Schema):
    """Where a player ended."""

    rank = fields.Integer(required=True)
    player = fields.String(required=True)
    name = fields.String(required=True)


class PlacingBody(Schema):
    """The placing through all phases. provisional: the tournament has not ended."""

    provisional = fields.Boolean(required=True)
    items = fields.List(fields.Nested(PlacedBody), required=True)


class PrintedTableBody(Schema):
    """A table on paper."""

    table = fields.Integer(required=True)
    names = fields.List(fields.String(), required=True)


class PrintedSeatBody(Schema):
    """Where a player sits; table and opponent are null for one who sits out."""

    name = fields.String(required=True)
    table = fields.Integer(required=True, allow_none=True)
    opponent = fields.String(required=True, allow_none=True)
    kind = fields.String(required=True, allow_none=True)


class PrintableBody(Schema):
    """What is pinned to the wall: tables, seats by name, standings after the round before."""

    name = fields.String(required=True, allow_none=True)
    round = fields.Integer(required=True)
    tables = fields.List(fields.Nested(PrintedTableBody), required=True)
    seats = fields.List(fields.Nested(PrintedSeatBody), required=True)
    standings = fields.List(fields.Nested(StandingBody), required=True)


class EventFileBody(Schema):
    """An event in the form that `kifu standings` reads."""

    kifu_event = fields.Integer(required=True)
    event = fields.Raw(required=True)
