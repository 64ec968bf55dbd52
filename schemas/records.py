"""Answers about records of matches: draws, audits of logs that were brought."""

from __future__ import annotations

from marshmallow import Schema, fields


class DrawnBody(Schema):
    """The draws of one event; a withheld one is null."""

    seq = fields.Integer(required=True)
    draws = fields.List(fields.Raw(allow_none=True), required=True)


class DrawsBody(Schema):
    """The draws of a window. roots: commitments; seeds: seat → opened seed, null for none given."""

    match = fields.String(required=True)
    viewer = fields.String(required=True)
    to = fields.Integer(required=True)
    roots = fields.Raw(required=True, allow_none=True)
    seeds = fields.Dict(keys=fields.String(), values=fields.String(allow_none=True), required=True)
    items = fields.List(fields.Nested(DrawnBody), required=True)


class AuditBody(Schema):
    """A log that was stored. verdict: of its audit."""

    match = fields.String(required=True)
    verdict = fields.String(required=True)
    actions = fields.Integer(required=True)
