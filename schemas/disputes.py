"""Disputes and rulings: what is sent, and what is answered."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from schemas.matches import OutcomeBody
from schemas.play import HEX_32, ID, NAME, SEAT, TEXT_LENGTH_MAX, Flag, Reasoned, Request
from schemas.queries import LanguageQuery, PageQuery

SEQ = validate.Range(1, 10**6)
RULE = validate.Regexp(r"^[A-Z]{2}-[0-9]{3}$")
RULES_MAX = 50
FACTS_MAX = 5_000
EVIDENCE_MAX = 50
SHUFFLES_MAX = 20
JUDGEMENTS = ("upheld", "rejected", "undecided")
KINDS = (
    "no_action",
    "partial_fix",
    "simple_backup",
    "full_backup",
    "penalty",
    "result_amendment",
)
AUTHORITIES = ("judge", "head_judge", "publisher")
PENALTIES = ("warning", "game_loss", "match_loss", "disqualification")
AUDIENCES = ("parties", "judges")
STATES = ("open", "assigned", "ruled", "appealed", "final", "withdrawn")
STANDINGS = ("in_force", "needs_review", "interim", "overruled")


class EventRefRequest(Request):
    """An event of the disputed match, told by its hash."""

    seq = fields.Integer(required=True, strict=True, validate=SEQ)
    hash = fields.String(required=True, validate=HEX_32)


class DisputeVersioned(Request):
    """A command on a dispute. expected_version: refuse with 409 if the dispute has gone on."""

    expected_version = fields.Integer(strict=True, validate=validate.Range(1, 10**6))


class OpenDisputeRequest(EventRefRequest):
    """Dispute an event. claim: what is wrong, in any language; rules: ids, maybe none."""

    claim = fields.String(required=True, validate=validate.Length(1, TEXT_LENGTH_MAX))
    rules = fields.List(
        fields.String(validate=RULE), load_default=list, validate=validate.Length(max=RULES_MAX)
    )


class CommentRequest(DisputeVersioned):
    """Say something. audience: `judges` for what the other side is not to read."""

    text = fields.String(required=True, validate=validate.Length(1, TEXT_LENGTH_MAX))
    audience = fields.String(load_default="parties", validate=validate.OneOf(AUDIENCES))
    evidence = fields.List(
        fields.Nested(EventRefRequest),
        load_default=list,
        validate=validate.Length(max=EVIDENCE_MAX),
    )


class AssignmentRequest(DisputeVersioned):
    """Give the dispute to a judge; without one the caller takes it."""

    judge = fields.String(validate=ID)


class SeatPenaltyRequest(Request):
    """What a seat is given."""

    seat = fields.String(required=True, validate=SEAT)
    kind = fields.String(required=True, validate=validate.OneOf(PENALTIES))


class RulingTextRequest(Request):
    """The text of a ruling, in one language or both."""

    ja = fields.String(validate=validate.Length(1, TEXT_LENGTH_MAX))
    en = fields.String(validate=validate.Length(1, TEXT_LENGTH_MAX))


class RulingRequest(DisputeVersioned):
    """Rule on a dispute.

    authority: the caller's highest office, unless he says less; `publisher` is for head judges of
    the whole installation. to: index of a backup. facts, shuffles (names of piles): of a partial
    fix. winner: of an amended result, a seat, `draw` or null. release: let play go on. rewind: may
    undo matches of a bracket that have begun.
    """

    outcome = fields.String(required=True, validate=validate.OneOf(JUDGEMENTS))
    kind = fields.String(required=True, validate=validate.OneOf(KINDS))
    rules = fields.List(
        fields.String(validate=RULE), load_default=list, validate=validate.Length(max=RULES_MAX)
    )
    text = fields.Nested(RulingTextRequest, required=True)
    authority = fields.String(validate=validate.OneOf(AUTHORITIES))
    to = fields.Integer(strict=True, validate=validate.Range(1, 10**6))
    facts = fields.List(fields.Raw(), load_default=list, validate=validate.Length(max=FACTS_MAX))
    shuffles = fields.List(
        fields.String(validate=validate.Length(1, 40)),
        load_default=list,
        validate=validate.Length(max=SHUFFLES_MAX),
    )
    winner = fields.String(
        load_default=None, allow_none=True, validate=validate.OneOf((*SEAT.choices, "draw"))
    )
    penalty = fields.Nested(SeatPenaltyRequest)
    release = Flag(load_default=False)
    rewind = Flag(load_default=False)


class AppealRequest(DisputeVersioned):
    """Ask the head judge. ruling: its number in the dispute."""

    ruling = fields.Integer(required=True, strict=True, validate=validate.Range(1, 10**4))
    reason = fields.String(required=True, validate=validate.Length(1, TEXT_LENGTH_MAX))


class ReviewRequest(Reasoned):
    """Say what a judge thinks of a correction by agreement. corrected: number of its event."""

    corrected = fields.Integer(required=True, strict=True, validate=SEQ)
    approved = Flag(required=True)


class BackupCostQuery(LanguageQuery):
    """The index to which a match would go back; without it the one before the last event."""

    to = fields.Integer(validate=validate.Range(0, 10**6))


class OfMatchesQuery(PageQuery):
    """A page of what belongs to matches."""

    game = fields.String(validate=NAME)
    match = fields.String(validate=ID)
    tournament = fields.String(validate=ID)


class DisputesQuery(OfMatchesQuery):
    """A page of disputes. person: only those of matches in which he takes part."""

    person = fields.String(validate=ID)
    state = fields.String(validate=validate.OneOf(STATES))


class RulingsQuery(OfMatchesQuery):
    """A page of rulings. rule: one that they cite; standing: whether they still hold."""

    rule = fields.String(validate=RULE)
    standing = fields.String(validate=validate.OneOf(STANDINGS))


class CitedBody(Schema):
    """A rule as it stood in an edition, and where it can be read."""

    rule = fields.String(required=True)
    edition = fields.String(required=True)
    url = fields.String(required=True)


class EventRefBody(Schema):
    """An event of a match, told by its hash."""

    match = fields.String(required=True)
    seq = fields.Integer(required=True)
    hash = fields.String(required=True)


class CostBody(Schema):
    """What a backup undoes, in numbers.

    events, actions: of the line played; draws: by label; learned: seat → cards it has seen since,
    null for whom that is not meant.
    """

    to = fields.Integer(required=True)
    events = fields.Integer(required=True)
    actions = fields.Integer(required=True)
    draws = fields.Dict(keys=fields.String(), values=fields.Integer(), required=True)
    learned = fields.Dict(
        keys=fields.String(), values=fields.Integer(), required=True, allow_none=True
    )


class BackupCostBody(CostBody):
    """The cost of a backup beforehand. kind: what it would be; version: of the match looked at."""

    match = fields.String(required=True)
    version = fields.Integer(required=True)
    kind = fields.String(required=True)


class SeatPenaltyBody(Schema):
    """What a seat was given."""

    seat = fields.String(required=True)
    kind = fields.String(required=True)


class RemedyBody(Schema):
    """What a ruling did. event: number of the event of the match that carries it out."""

    event = fields.Integer(required=True, allow_none=True)
    to = fields.Integer(required=True, allow_none=True)
    cost = fields.Nested(CostBody, required=True, allow_none=True)
    outcome = fields.Nested(OutcomeBody, required=True, allow_none=True)
    penalty = fields.Nested(SeatPenaltyBody, required=True, allow_none=True)


class RulingBody(Schema):
    """A ruling. text: in the language asked for, else in the other one; null where erased.

    standing: in_force; needs_review: a rule that it cites has changed; interim: the publisher has
    not decided; overruled: a later ruling took its place.
    """

    id = fields.String(required=True)
    dispute = fields.String(required=True)
    match = fields.String(required=True)
    seq = fields.Integer(required=True)
    game = fields.String(required=True)
    number = fields.Integer(required=True)
    outcome = fields.String(required=True)
    kind = fields.String(required=True)
    rules = fields.List(fields.Nested(CitedBody), required=True)
    text = fields.String(required=True, allow_none=True)
    text_ja = fields.String(required=True, allow_none=True)
    text_en = fields.String(required=True, allow_none=True)
    authority = fields.String(required=True)
    remedy = fields.Nested(RemedyBody, required=True)
    standing = fields.String(required=True)
    by = fields.String(required=True)
    time = fields.String(required=True)


class RulingsBody(Schema):
    """A page of rulings, the last given first. next: for `after`, null at the end."""

    items = fields.List(fields.Nested(RulingBody), required=True)
    next = fields.String(required=True, allow_none=True)


class CommentBody(Schema):
    """What was said. text: null where it is not meant for the caller, or erased."""

    by = fields.String(required=True)
    text = fields.String(required=True, allow_none=True)
    audience = fields.String(required=True)
    evidence = fields.List(fields.Nested(EventRefBody), required=True)
    time = fields.String(required=True)


class AppealBody(Schema):
    """An appeal of the last ruling. ruling: its number."""

    ruling = fields.Integer(required=True)
    by = fields.String(required=True)
    reason = fields.String(required=True, allow_none=True)
    time = fields.String(required=True)


class DisputeBody(Schema):
    """A dispute in a list. claim: null where it is not meant for the caller, or erased."""

    id = fields.String(required=True)
    match = fields.String(required=True)
    seq = fields.Integer(required=True)
    game = fields.String(required=True)
    tournament = fields.String(required=True, allow_none=True)
    state = fields.String(required=True)
    judge = fields.String(required=True, allow_none=True)
    rules = fields.List(fields.Nested(CitedBody), required=True)
    opened_by = fields.String(required=True)
    seat = fields.String(required=True, allow_none=True)
    claim = fields.String(required=True, allow_none=True)
    rulings = fields.Integer(required=True)
    opened_at = fields.String(required=True)
    updated_at = fields.String(required=True)


class DisputesBody(Schema):
    """A page of disputes, the last opened first. next: for `after`, null at the end."""

    items = fields.List(fields.Nested(DisputeBody), required=True)
    next = fields.String(required=True, allow_none=True)


class OneDisputeBody(DisputeBody):
    """A dispute with all that was said. names: person → display name.

    commands: those below the dispute that the caller may give as it stands; authorities: with which
    he may rule; judges: persons to whom he may give it.
    """

    version = fields.Integer(required=True)
    event = fields.Nested(EventRefBody, required=True)
    comments = fields.List(fields.Nested(CommentBody), required=True)
    given = fields.List(fields.Nested(RulingBody), required=True)
    appeal = fields.Nested(AppealBody, required=True, allow_none=True)
    names = fields.Dict(keys=fields.String(), values=fields.String(), required=True)
    commands = fields.List(fields.String(), required=True)
    authorities = fields.List(fields.String(), required=True)
    judges = fields.List(fields.String(), required=True)
