"""The answer about how an installation runs."""

from __future__ import annotations

from marshmallow import Schema, fields


class ParkedBody(Schema):
    """A match or tournament that a read model passes over. fault: kind and place, never its text.

    version: of the event that failed; place: its position in the log.
    """

    stream = fields.String(required=True)
    place = fields.Integer(required=True)
    version = fields.Integer(required=True)
    fault = fields.String(required=True)


class ReadModelBody(Schema):
    """A generation of a read model. state: live, next, former or unknown.

    position: the place in the log up to which it has come; lag: events behind it; lag_s: how many
    seconds the first of them has waited.
    """

    projection = fields.String(required=True)
    generation = fields.Integer(required=True)
    state = fields.String(required=True)
    position = fields.Integer(required=True)
    lag = fields.Integer(required=True)
    lag_s = fields.Integer(required=True)
    parked = fields.List(fields.Nested(ParkedBody), required=True)


class FailureBody(Schema):
    """A match that its last verification refused. first_bad: number of the first event at fault."""

    match = fields.String(required=True)
    overall = fields.String(required=True)
    first_bad = fields.Integer(required=True, allow_none=True)
    events = fields.Integer(required=True)
    at = fields.String(required=True)


class JobsBody(Schema):
    """The jobs of a kind of the last 90 days. since: from when the oldest has waited, or null."""

    kind = fields.String(required=True)
    waiting = fields.Integer(required=True)
    done = fields.Integer(required=True)
    broken = fields.Integer(required=True)
    since = fields.String(required=True, allow_none=True)


class OperationsBody(Schema):
    """How an installation runs. events: in the log; at: when it was asked.

    matches, tournaments: state → how many; verdicts: of verifications → how many matches; failures:
    those refused, the last verified first, at most 100.
    """

    at = fields.String(required=True)
    events = fields.Integer(required=True)
    signing = fields.Boolean(required=True)
    matches = fields.Dict(keys=fields.String(), values=fields.Integer(), required=True)
    tournaments = fields.Dict(keys=fields.String(), values=fields.Integer(), required=True)
    verdicts = fields.Dict(keys=fields.String(), values=fields.Integer(), required=True)
    projections = fields.List(fields.Nested(ReadModelBody), required=True)
    failures = fields.List(fields.Nested(FailureBody), required=True)
    jobs = fields.List(fields.Nested(JobsBody), required=True)
