"""Commands on matches: what is sent to open, play and end them, and what is answered."""

from __future__ import annotations

from typing import Any

from marshmallow import RAISE, Schema, fields, validate

from schemas.matches import EventBody

SEATS = ("P1", "P2", "P3", "P4")
OPEN = "open"
VISIBILITIES = ("listed", "link", "participants")
AFTER_END = ("nothing", "seats", "all")
OFFICE_CAUSES = ("forfeit", "abandoned", "time", "ruling")
DELAY_EVENTS_MAX = 1_000
DELAY_S_MAX = 24 * 60 * 60
TEXT_LENGTH_MAX = 10_000
HEX_32 = [
    # `$` also stands before a line break at the end, so the length is looked at, too.
    validate.Length(equal=64),
    validate.Regexp(r"^[0-9a-f]{64}$", error="32 bytes in lower-case hexadecimal"),
]
SEAT = validate.OneOf(SEATS)
NAME = validate.Regexp(r"^[a-z0-9][a-z0-9_-]{0,39}$")
ID = validate.Length(1, 64)


class Flag(fields.Boolean):
    """True or false, and nothing that is merely equal to them."""

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> bool:
        if not isinstance(value, bool):
            raise self.make_error("invalid", input=value)
        return value


class Request(Schema):
    """The body of a command; unknown fields are refused, so is whoever claims to be another."""

    class Meta:
        """Options of marshmallow."""

        unknown = RAISE


class Versioned(Request):
    """A command on a match. expected_version: refuse with 409 if the match has gone on."""

    expected_version = fields.Integer(strict=True, validate=validate.Range(1, 10**6))


class Reasoned(Versioned):
    """A command for which a person answers. reason: told to all who may know of the match."""

    reason = fields.String(required=True, validate=validate.Length(1, TEXT_LENGTH_MAX))


class PolicyRequest(Request):
    """What callers without a seat or an office see; see `Policy` of the events."""

    after_end = fields.String(load_default="all", validate=validate.OneOf(AFTER_END))
    delay_events = fields.Integer(
        strict=True, load_default=0, validate=validate.Range(0, DELAY_EVENTS_MAX)
    )
    delay_s = fields.Integer(strict=True, load_default=0, validate=validate.Range(0, DELAY_S_MAX))


class OpenMatchRequest(Request):
    """Open a match. seats: seat → id of a person, or `open`: whoever takes it.

    setup: what the game lets one fix beforehand besides the decks. edition: refuse unless the match
    would be played under it.
    """

    game = fields.String(required=True, validate=NAME)
    cards = fields.String(load_default="sample", validate=validate.Length(1, 64))
    edition = fields.String(validate=validate.Length(1, 200))
    seats = fields.Dict(
        keys=fields.String(validate=SEAT),
        values=fields.String(validate=ID),
        required=True,
        validate=validate.Length(1, len(SEATS)),
    )
    setup = fields.Raw(load_default=dict)
    policy = fields.Nested(PolicyRequest, load_default=lambda: PolicyRequest().load({}))
    visibility = fields.String(load_default="listed", validate=validate.OneOf(VISIBILITIES))


class TakeSeatRequest(Versioned):
    """Take an open seat."""

    seat = fields.String(required=True, validate=SEAT)


class ReadyRequest(Versioned):
    """Get ready with a deck, as the game writes it down, or `@name` of the pool.

    seed_commitment: H("kifu-seed-v1", match, seat, seed) of 32 bytes of one's own.
    """

    deck = fields.Raw(required=True)
    seed_commitment = fields.String(validate=HEX_32)


class SeedRequest(Versioned):
    """Open the seed that was committed to."""

    seed = fields.String(required=True, validate=HEX_32)


class ActionRequest(Versioned):
    """Play an action; what is inside it is the ruleset's."""

    action = fields.Dict(keys=fields.String(), required=True)


class ProposalRequest(Reasoned):
    """Propose facts, in the vocabulary of the game."""

    facts = fields.List(fields.Dict(keys=fields.String()), required=True)


class ProposalAnswerRequest(Versioned):
    """Accept or decline a proposal. proposed: number of its event."""

    proposed = fields.Integer(strict=True, required=True, validate=validate.Range(1, 10**6))
    accepted = Flag(required=True)


class EndOfferRequest(Versioned):
    """Offer to end the match. winner: a seat, `draw`, or null."""

    winner = fields.String(required=True, allow_none=True)


class ClosingRequest(Reasoned):
    """Close a match by an office. winner: as above; none of an abandoned match."""

    cause = fields.String(required=True, validate=validate.OneOf(OFFICE_CAUSES))
    winner = fields.String(load_default=None, allow_none=True)


class VisibilityRequest(Versioned):
    """Change who may know of a match."""

    visibility = fields.String(required=True, validate=validate.OneOf(VISIBILITIES))


class ReasonRequest(Request):
    """The reason for a look into a match; told to its seats after the end."""

    reason = fields.String(required=True, validate=validate.Length(1, TEXT_LENGTH_MAX))


class ReceiptBody(Schema):
    """A signed receipt: that the log holds this event. signature: null without a key."""

    receipt = fields.Raw(required=True)
    signature = fields.Raw(required=True, allow_none=True)


class AcceptedBody(Schema):
    """What an accepted command did: the events with `since` < seq ≤ `version`, as seen by `viewer`.

    Of more than 500 events the first 500; the others are read as usual. receipt: for the last one.
    """

    match = fields.String(required=True)
    since = fields.Integer(required=True)
    version = fields.Integer(required=True)
    viewer = fields.String(required=True)
    events = fields.List(fields.Nested(EventBody), required=True)
    receipt = fields.Nested(ReceiptBody, required=True)


class LegalActionsBody(Schema):
    """What one's own seat may do at the end of the match. awaited: the seats that can go on."""

    match = fields.String(required=True)
    version = fields.Integer(required=True)
    seat = fields.String(required=True)
    actions = fields.List(fields.Raw(), required=True)
    awaited = fields.List(fields.String(), required=True)


class InspectionBody(Schema):
    """A look of a judge or auditor into a match. until: when it ends at the latest."""

    person = fields.String(required=True)
    reason = fields.String(required=True, allow_none=True)
    time = fields.String(required=True)
    until = fields.String(required=True)


class InspectionsBody(Schema):
    """All looks into a match, the first one first."""

    items = fields.List(fields.Nested(InspectionBody), required=True)


class RefusalsBody(Schema):
    """How many actions of each seat the rules refused."""

    match = fields.String(required=True)
    counts = fields.Dict(keys=fields.String(), values=fields.Integer(), required=True)
