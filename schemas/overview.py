"""Answers that tell a whole match at once: who acted when, what came, in which turn."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from schemas.queries import INDEX_MAX, SpoilersQuery, ViewerQuery


class OverviewQuery(ViewerQuery, SpoilersQuery):
    """What is asked of an overview: the stretch that holds index `from`, and all behind it."""

    from_ = fields.Integer(data_key="from", load_default=0, validate=validate.Range(0, INDEX_MAX))


class RunsBody(Schema):
    """A value for each event of a stretch. runs: number of a value, how often it follows, again."""

    values = fields.List(fields.Raw(allow_none=True), required=True)
    runs = fields.List(fields.Integer(), required=True)


class MarkBody(Schema):
    """An event to which one wants to jump. kind: backup, ruling or result; text: its sentence."""

    seq = fields.Integer(required=True)
    kind = fields.String(required=True)
    text = fields.String(required=True)


class StretchBody(Schema):
    """What happened from index `index` to index `to`.

    actors: a seat, `system` or null. kinds: `{type, action}`, action: the type of what was played,
    else null. turns: `{round, turn}` and phases: `{phase, step}` after each event, null where the
    game has none. totals: seat → how many cards the zone of a side that the display names as its
    total holds after each event.
    """

    index = fields.Integer(required=True)
    to = fields.Integer(required=True)
    actors = fields.Nested(RunsBody, required=True)
    kinds = fields.Nested(RunsBody, required=True)
    turns = fields.Nested(RunsBody, required=True)
    phases = fields.Nested(RunsBody, required=True)
    totals = fields.Dict(keys=fields.String(), values=fields.Nested(RunsBody), required=True)
    marks = fields.List(fields.Nested(MarkBody), required=True)


class OverviewBody(Schema):
    """A match up to index `to`, a thousand events in a stretch; all lines of it, struck or not.

    total: the zone whose cards are counted, null if the game names none; paths: seat → where it
    lies in a view.
    """

    match = fields.String(required=True)
    viewer = fields.String(required=True)
    to = fields.Integer(required=True)
    total = fields.String(required=True, allow_none=True)
    paths = fields.Dict(keys=fields.String(), values=fields.String(), required=True)
    stretches = fields.List(fields.Nested(StretchBody), required=True)
