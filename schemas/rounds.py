"""Rounds and results of tournaments: what is sent, and what is answered."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from schemas.play import ID, SEATS, Flag, Request, Versioned
from schemas.queries import PageQuery
from schemas.tournaments import PLAYER, PLAYERS_MAX, ROUND, RoundHeadBody, reason, rounds

SITTING = ("pre_awarded", "half", "loss", "absent")
KINDS = ("played", "intentional_draw", "double_loss", "forfeit")
PENALTIES = ("warning", "game_loss", "match_loss", "disqualification")
MINUTES_MAX = 10**6
GAMES_MAX = 100
GAMES_PARTS = 3


def _sitting() -> fields.Dict:
    """Player → what he gets for not being paired."""
    return fields.Dict(
        keys=fields.String(validate=PLAYER),
        values=fields.String(validate=validate.OneOf(SITTING)),
        load_default=dict,
        validate=validate.Length(0, PLAYERS_MAX),
    )


def _version() -> fields.Integer:
    """The version on which the command is decided: sent twice it would do more than once."""
    return fields.Integer(strict=True, required=True, validate=validate.Range(1, 10**6))


class DraftRequest(Versioned):
    """Pair the next round. again: draw anew although a draft is there.

    extra_bye: one more bye may follow where byes that are given leave an odd number.
    """

    round = fields.Integer(strict=True, required=True, validate=ROUND)
    sitting = _sitting()
    extra_bye = Flag(load_default=False)
    again = Flag(load_default=False)


class PublishRequest(Versioned):
    """Let a draft be played. minutes: that the round lasts, null for no end."""

    minutes = fields.Integer(
        strict=True, load_default=None, allow_none=True, validate=validate.Range(1, MINUTES_MAX)
    )


class RepairRequest(Versioned):
    """Pair a published round again. minimal: as few tables as can be are new.

    paired: who sat out by decision and is to be paired.
    """

    minimal = Flag(load_default=True)
    sitting = _sitting()
    paired = fields.List(
        fields.String(validate=PLAYER), load_default=list, validate=validate.Length(0, PLAYERS_MAX)
    )
    extra_bye = Flag(load_default=False)
    reason = reason()


class RoundClosingRequest(Versioned):
    """Close a round. missing: the tables whose results are known to be missing."""

    missing = rounds(PLAYERS_MAX)


class GameRequest(Request):
    """Open a game of a match. game: from 1."""

    game = fields.Integer(strict=True, load_default=1, validate=validate.Range(1, GAMES_MAX))


class LinkRequest(Versioned):
    """Let the log of a match count for a table.

    seats: seat → player; unless given it follows from the persons who sat there, else from the
    order at the table.
    """

    match = fields.String(required=True, validate=ID)
    game = fields.Integer(strict=True, load_default=1, validate=validate.Range(1, GAMES_MAX))
    seats = fields.Dict(
        keys=fields.String(validate=validate.OneOf(SEATS)),
        values=fields.String(validate=PLAYER),
        validate=validate.Length(1, len(SEATS)),
    )


class OutcomeRequest(Request):
    """What came of a table. games: won by the first, won by the second, drawn.

    winner: a player, null for none.
    """

    kind = fields.String(load_default="played", validate=validate.OneOf(KINDS))
    winner = fields.String(required=True, allow_none=True, validate=PLAYER)
    games = fields.List(
        fields.Integer(strict=True, validate=validate.Range(0, GAMES_MAX)),
        required=True,
        validate=validate.Length(equal=GAMES_PARTS),
    )


class ResultRequest(OutcomeRequest, Versioned):
    """Report a result."""


class ConfirmationRequest(Versioned):
    """Say the same as a report. reported: number of its event."""

    reported = fields.Integer(strict=True, required=True, validate=validate.Range(1, 10**6))


class CorrectionRequest(OutcomeRequest, Versioned):
    """Replace a result. supersedes: number of its event, null where there is none.

    rewind: matches of a bracket that have begun may be undone.
    """

    supersedes = fields.Integer(
        strict=True, required=True, allow_none=True, validate=validate.Range(1, 10**6)
    )
    rewind = Flag(load_default=False)
    reason = reason()


class PenaltyRequest(Request):
    """Give a penalty in a round. rewind: as in a correction."""

    expected_version = _version()
    player = fields.String(required=True, validate=PLAYER)
    kind = fields.String(required=True, validate=validate.OneOf(PENALTIES))
    rewind = Flag(load_default=False)
    reason = reason()


class GivenPenaltyBody(Schema):
    """A penalty on record. reason: null where it was erased."""

    player = fields.String(required=True)
    name = fields.String(required=True)
    kind = fields.String(required=True)
    round = fields.Integer(required=True)
    by = fields.String(required=True)
    reason = fields.String(required=True, allow_none=True)
    time = fields.String(required=True)


class PenaltiesBody(Schema):
    """Penalties in the order in which they were given. counts: player → kind → how many."""

    items = fields.List(fields.Nested(GivenPenaltyBody), required=True)
    counts = fields.Dict(
        keys=fields.String(),
        values=fields.Dict(keys=fields.String(), values=fields.Integer()),
        required=True,
    )


class ExtensionRequest(Request):
    """Give a table more time."""

    expected_version = _version()
    minutes = fields.Integer(strict=True, required=True, validate=validate.Range(1, MINUTES_MAX))
    reason = reason()


class PairingsQuery(PageQuery):
    """A page of tables. player: only his."""

    player = fields.String(validate=validate.Length(1, 64))


class SittingBody(Schema):
    """A player without an opponent, and what he gets. why: of a bye, or null."""

    player = fields.String(required=True)
    name = fields.String(required=True)
    kind = fields.String(required=True)
    why = fields.Raw(required=True, allow_none=True)


class PlaceBody(Schema):
    """A table of a round."""

    round = fields.Integer(required=True)
    table = fields.Integer(required=True)


class RoundBody(RoundHeadBody):
    """A round. seed, input: of the pairer, null where nothing is drawn.

    amended: earlier results that were replaced after it was paired; the pairing stays.
    """

    without = fields.List(fields.Nested(SittingBody), required=True)
    seed = fields.String(required=True, allow_none=True)
    input = fields.String(required=True)
    amended = fields.List(fields.Nested(PlaceBody), required=True)


class ResultBody(Schema):
    """A result. seq: number of its event; by: a person, null where logs or a drop decided it."""

    kind = fields.String(required=True)
    winner = fields.String(required=True, allow_none=True)
    games = fields.List(fields.Integer(), required=True)
    seq = fields.Integer(required=True)
    side = fields.String(required=True, allow_none=True)
    by = fields.String(required=True, allow_none=True)
    confirmed = fields.Boolean(required=True)
    amended = fields.Boolean(required=True)


class LinkBody(Schema):
    """The log of a game. seats: seat → player."""

    match = fields.String(required=True)
    game = fields.Integer(required=True)
    seats = fields.Dict(keys=fields.String(), values=fields.String(), required=True)
    winner = fields.String(required=True, allow_none=True)
    verdict = fields.String(required=True)


class DifferenceBody(Schema):
    """How the logs of a table speak against its result. faults: of the logs, in words."""

    reported = fields.List(fields.Integer(), required=True)
    logged = fields.List(fields.Integer(), required=True)
    faults = fields.List(fields.String(), required=True)


class LinkPreviewBody(Schema):
    """What a log would be worth at a table; nothing is done. is_new: it is not linked yet.

    fault: why the log is not legal, in words, null if it is. result, level, difference: those that
    the table would have, null while there is no result.
    """

    is_new = fields.Boolean(required=True)
    link = fields.Nested(LinkBody, required=True)
    fault = fields.String(required=True, allow_none=True)
    result = fields.Nested(ResultBody, required=True, allow_none=True)
    level = fields.String(required=True, allow_none=True)
    difference = fields.Nested(DifferenceBody, required=True, allow_none=True)


class PairingBody(Schema):
    """A table. names: of the players, in their order. slot: the match of a bracket.

    level: what the result rests on, null while there is none. minutes: that the table may play,
    null for no end. difference: told to staff and who sits there, else null.
    """

    table = fields.Integer(required=True)
    players = fields.List(fields.String(), required=True)
    names = fields.List(fields.String(), required=True)
    rematch = fields.Boolean(required=True)
    slot = fields.String(required=True, allow_none=True)
    result = fields.Nested(ResultBody, required=True, allow_none=True)
    level = fields.String(required=True, allow_none=True)
    links = fields.List(fields.Nested(LinkBody), required=True)
    minutes = fields.Integer(required=True, allow_none=True)
    difference = fields.Nested(DifferenceBody, required=True, allow_none=True)


class PairingsBody(Schema):
    """A page of tables. next: for `after`, null at the end."""

    items = fields.List(fields.Nested(PairingBody), required=True)
    next = fields.String(required=True, allow_none=True)


class TableReasonBody(Schema):
    """Why two players meet, as data; null where it follows from the format."""

    table = fields.Integer(required=True)
    players = fields.List(fields.String(), required=True)
    why = fields.Raw(required=True, allow_none=True)


class PairingWhyBody(TableReasonBody):
    """Why two players meet in a round."""

    round = fields.Integer(required=True)


class ReasonsBody(Schema):
    """A page of tables of a round, each with its reason. next: for `after`, null at the end."""

    items = fields.List(fields.Nested(TableReasonBody), required=True)
    next = fields.String(required=True, allow_none=True)


class DraftTableBody(Schema):
    """A table of a draft."""

    table = fields.Integer(required=True)
    players = fields.List(fields.String(), required=True)
    names = fields.List(fields.String(), required=True)
    rematch = fields.Boolean(required=True)
    slot = fields.String(required=True, allow_none=True)
    why = fields.Raw(required=True, allow_none=True)


class DraftBody(Schema):
    """A round as it was drafted, for staff. fits: it can still be published."""

    round = fields.Integer(required=True)
    phase = fields.Integer(required=True)
    tables = fields.List(fields.Nested(DraftTableBody), required=True)
    without = fields.List(fields.Nested(SittingBody), required=True)
    seed = fields.String(required=True, allow_none=True)
    input = fields.String(required=True)
    fits = fields.Boolean(required=True)


class GameBody(Schema):
    """The match of a game."""

    match = fields.String(required=True)
    game = fields.Integer(required=True)


class PreviewBody(Schema):
    """What another result would change.

    standings: rows after each round, before and after; pairings: rounds that would have been made
    otherwise; cuts: other seeds; bracket: null outside of one.
    """

    standings = fields.List(fields.Raw(), required=True)
    pairings = fields.List(fields.Raw(), required=True)
    cuts = fields.List(fields.Raw(), required=True)
    bracket = fields.Raw(required=True, allow_none=True)
