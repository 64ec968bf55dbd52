"""Answers about verification."""

from __future__ import annotations

from marshmallow import Schema, fields


class CheckBody(Schema):
    """One check. seq: the first event concerned; expected, found: what differs there."""

    verdict = fields.String(required=True)
    text = fields.String(required=True)
    seq = fields.Integer(required=True, allow_none=True)
    expected = fields.String(required=True, allow_none=True)
    found = fields.String(required=True, allow_none=True)


class NoteCountBody(Schema):
    """The notes in a file, which are no part of the verdict. damaged: those that are unreadable."""

    count = fields.Integer(required=True)
    damaged = fields.Integer(required=True)


class ReportBody(Schema):
    """What a verification found. genuine: signed by a trusted key, null if none was trusted."""

    overall = fields.String(required=True)
    summary = fields.String(required=True)
    match = fields.String(required=True, allow_none=True)
    viewer = fields.String(required=True, allow_none=True)
    as_of = fields.String(required=True, allow_none=True)
    genuine = fields.Boolean(required=True, allow_none=True)
    first_bad = fields.Integer(required=True, allow_none=True)
    line = fields.Integer(required=True, allow_none=True)
    events = fields.Integer(required=True)
    checks = fields.Dict(keys=fields.String(), values=fields.Nested(CheckBody), required=True)
    notes = fields.Nested(NoteCountBody, required=True)
