"""Answers about records of matches: draws, audits of logs that were brought."""

from __future__ import annotations

from marshmallow import Schema, fields


class MadeBody(Schema):
    """How a draw came about.

    label: of its stream; root: with whose key it is drawn, `open` or `closed`; before: what was
    shuffled, in its order of before, null where that is not for the viewer; text: it in words.
    """

    label = fields.String(required=True)
    root = fields.String(required=True)
    before = fields.List(fields.Raw(), required=True, allow_none=True)
    text = fields.String(required=True)


class DrawnBody(Schema):
    """The draws of one event and how each was made; a withheld one is null."""

    seq = fields.Integer(required=True)
    draws = fields.List(fields.Raw(allow_none=True), required=True)
    made = fields.List(fields.Nested(MadeBody, allow_none=True), required=True)


class PeriodBody(Schema):
    """Events from number `since` on whose draws follow from the same two roots.

    sealed: the commitments to them, null if the draws came with the record; open, closed: the roots
    in hexadecimal, as far as they were opened.
    """

    since = fields.Integer(required=True)
    sealed = fields.Raw(required=True, allow_none=True)
    open = fields.String(required=True, allow_none=True)
    closed = fields.String(required=True, allow_none=True)


class DrawsBody(Schema):
    """The draws of a window, and all that they follow from.

    roots: commitments of the opening; seeds: seat → opened seed, null for none given; seals: seat →
    commitment to its seed, null for none.
    """

    match = fields.String(required=True)
    viewer = fields.String(required=True)
    to = fields.Integer(required=True)
    roots = fields.Raw(required=True, allow_none=True)
    periods = fields.List(fields.Nested(PeriodBody), required=True)
    seeds = fields.Dict(keys=fields.String(), values=fields.String(allow_none=True), required=True)
    seals = fields.Dict(keys=fields.String(), values=fields.String(allow_none=True), required=True)
    items = fields.List(fields.Nested(DrawnBody), required=True)


class AuditBody(Schema):
    """A log that was stored. verdict: of its audit."""

    match = fields.String(required=True)
    verdict = fields.String(required=True)
    actions = fields.Integer(required=True)
