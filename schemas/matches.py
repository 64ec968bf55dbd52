"""Answers about matches."""

from __future__ import annotations

from marshmallow import Schema, fields


class OutcomeBody(Schema):
    """How a match ended."""

    winner = fields.String(required=True, allow_none=True)
    reason = fields.String(required=True, allow_none=True)


class VerdictBody(Schema):
    """What the last verification said. fair: of the draws; at: when."""

    overall = fields.String(required=True)
    fair = fields.String(required=True, allow_none=True)
    first_bad = fields.Integer(required=True, allow_none=True)
    events = fields.Integer(required=True)
    at = fields.String(required=True)


class MatchBody(Schema):
    """A match in a list. events: the last index; closed_at: also of one that was cancelled.

    seats: seat → display name; persons: seat → id, null for an open seat or a mere name. lines:
    how many were played, more than one after a backup. is_amended: a judge changed the outcome.
    """

    id = fields.String(required=True)
    game = fields.String(required=True)
    edition = fields.String(required=True)
    cards = fields.String(required=True)
    kind = fields.String(required=True)
    seats = fields.Dict(keys=fields.String(), values=fields.String(), required=True)
    persons = fields.Dict(
        keys=fields.String(), values=fields.String(allow_none=True), required=True
    )
    opened_by = fields.String(required=True, allow_none=True)
    tournament = fields.String(required=True, allow_none=True)
    visibility = fields.String(required=True)
    state = fields.String(required=True)
    events = fields.Integer(required=True)
    actions = fields.Integer(required=True)
    lines = fields.Integer(required=True)
    opened_at = fields.String(required=True)
    closed_at = fields.String(required=True, allow_none=True)
    cause = fields.String(required=True, allow_none=True)
    outcome = fields.Nested(OutcomeBody, required=True, allow_none=True)
    is_amended = fields.Boolean(required=True)
    verdict = fields.Nested(VerdictBody, required=True, allow_none=True)


class MatchesBody(Schema):
    """A page of matches, the last opened first. next: for `after`, null at the end."""

    items = fields.List(fields.Nested(MatchBody), required=True)
    next = fields.String(required=True, allow_none=True)


class BackupBody(Schema):
    """A backup: number of its event, and the index to which it went back."""

    seq = fields.Integer(required=True)
    to = fields.Integer(required=True)


class OneMatchBody(MatchBody):
    """A match with what it pinned, and what it is to the caller.

    viewers: whose views he may ask for; seat: his own, or null. offers: seat → the outcome with
    which it would end the match; proposal: number of the event whose facts wait for an answer;
    unreviewed: numbers of corrections by agreement at which no judge has looked. backups: which
    event went back to which index. roots: the commitments to the draws at present.
    """

    viewers = fields.List(fields.String(), required=True)
    seat = fields.String(required=True, allow_none=True)
    offers = fields.Dict(keys=fields.String(), values=fields.Nested(OutcomeBody), required=True)
    proposal = fields.Integer(required=True, allow_none=True)
    unreviewed = fields.List(fields.Integer(), required=True)
    backups = fields.List(fields.Nested(BackupBody), required=True)
    setup = fields.Raw(required=True, allow_none=True)
    roots = fields.Raw(required=True, allow_none=True)
    engine = fields.Integer(required=True)
    rules_digest = fields.String(required=True)
    cards_digest = fields.String(required=True)
    texts_digest = fields.String(required=True)


class PositionBody(Schema):
    """A view of a position. cards: definition id → definition, of the cards that the view names."""

    match = fields.String(required=True)
    index = fields.Integer(required=True)
    step = fields.Integer(required=True)
    viewer = fields.String(required=True)
    position = fields.Raw(required=True)
    cards = fields.Raw(required=True)


class FactBody(Schema):
    """A fact and its sentence; quiet ones are left out of an account of the match."""

    fact = fields.Raw(required=True, allow_none=True)
    text = fields.String(required=True)
    quiet = fields.Boolean(required=True)


class EventBody(Schema):
    """An event as the viewer sees it; what is withheld as a whole is null.

    content: of an event that is no action, as it was sealed for the viewer. line: from 0, each
    backup begins another; parent: the index on which the event builds. hash: of the event in the
    chain, the same for every viewer.
    """

    seq = fields.Integer(required=True)
    line = fields.Integer(required=True)
    parent = fields.Integer(required=True)
    hash = fields.String(required=True)
    type = fields.String(required=True)
    time = fields.String(required=True)
    actor = fields.String(required=True, allow_none=True)
    action = fields.Raw(required=True, allow_none=True)
    draws = fields.List(fields.Raw(allow_none=True), required=True)
    facts = fields.List(fields.Nested(FactBody), required=True)
    content = fields.Raw(required=True, allow_none=True)
    text = fields.String(required=True)


class EventsBody(Schema):
    """The events with `from` < seq ≤ `to`."""

    match = fields.String(required=True)
    viewer = fields.String(required=True)
    to = fields.Integer(required=True)
    items = fields.List(fields.Nested(EventBody), required=True)


class FrameBody(Schema):
    """An event with one JSON Patch (RFC 6902) per fact; a backup has no fact and one patch."""

    event = fields.Nested(EventBody, required=True)
    patches = fields.List(fields.List(fields.Raw()), required=True)


class WindowBody(Schema):
    """The position at `index` in full, then the frames that lead to index `to`."""

    match = fields.String(required=True)
    viewer = fields.String(required=True)
    index = fields.Integer(required=True)
    to = fields.Integer(required=True)
    position = fields.Raw(required=True)
    frames = fields.List(fields.Nested(FrameBody), required=True)
    cards = fields.Raw(required=True)
