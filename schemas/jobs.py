"""Answers about jobs."""

from __future__ import annotations

from marshmallow import Schema, fields


class JobAnswerBody(Schema):
    """What the request would have been answered. status: of HTTP."""

    status = fields.Integer(required=True)
    body = fields.Raw(required=True)


class JobBody(Schema):
    """A job. state: waiting | done; answer: null while it waits."""

    id = fields.String(required=True)
    kind = fields.String(required=True)
    state = fields.String(required=True)
    answer = fields.Nested(JobAnswerBody, required=True, allow_none=True)
