"""Notes on events of a match: what is sent, and what is answered."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from schemas.disputes import SEQ
from schemas.play import TEXT_LENGTH_MAX, Request
from schemas.queries import PageQuery, SpoilersQuery, ViewerQuery, WatchedWindowQuery

AUDIENCES = ("private", "judges", "public")


class NotesQuery(PageQuery, WatchedWindowQuery):
    """A page of the notes on events behind index `from`, up to index `to`; default the end."""


class NotingQuery(ViewerQuery, SpoilersQuery):
    """With whose eyes, and how far, somebody sees the match who writes a note."""


class NoteRequest(Request):
    """Note something on an event. seq: its number.

    audience: `private` is for the author alone, `judges` for him and who sees the match as a judge,
    `public` for all who may see the match, once it has closed.
    """

    seq = fields.Integer(required=True, strict=True, validate=SEQ)
    audience = fields.String(required=True, validate=validate.OneOf(AUDIENCES))
    body = fields.String(required=True, validate=validate.Length(1, TEXT_LENGTH_MAX))


class NoteBody(Schema):
    """A note. author: id of a person; name: what he is called, null where that was erased.

    removable: the caller may withdraw it as its author, or remove it by his office.
    """

    id = fields.String(required=True)
    match = fields.String(required=True)
    seq = fields.Integer(required=True)
    author = fields.String(required=True)
    name = fields.String(required=True, allow_none=True)
    audience = fields.String(required=True)
    body = fields.String(required=True)
    time = fields.String(required=True)
    removable = fields.Boolean(required=True)


class NotesBody(Schema):
    """A page of notes, those on the first events first. next: for `after`, null at the end."""

    items = fields.List(fields.Nested(NoteBody), required=True)
    next = fields.String(required=True, allow_none=True)
