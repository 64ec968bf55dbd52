"""Tournaments and who plays in them: what is sent, and what is answered."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from schemas.play import ID, NAME, Flag, Request, Versioned
from schemas.queries import PageQuery

FORMATS = ("swiss", "round_robin", "single_elimination", "double_elimination")
CREDITS = ("loss", "half", "bye")
STATES = ("open", "running", "closed")
PHASES_MAX = 8
ROUNDS_MAX = 1_000
NAME_LENGTH_MAX = 200
REASON_LENGTH_MAX = 10_000
PLAYERS_MAX = 10_000
PLAYER = validate.Regexp(r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}\Z")
ROUND = validate.Range(1, ROUNDS_MAX)
SMALL = validate.Range(0, 10**6)


def reason() -> fields.String:
    """Return the field of a reason."""
    return fields.String(required=True, validate=validate.Length(1, REASON_LENGTH_MAX))


def rounds(most: int = ROUNDS_MAX) -> fields.List[int]:
    """Return a field of numbers of rounds or tables."""
    one = fields.Integer(strict=True, validate=validate.Range(1, most))
    return fields.List(one, load_default=list, validate=validate.Length(0, most))


class CutRequest(Request):
    """Who goes on to a phase: the first `top`, those with `points` or more, or both."""

    top = fields.Integer(strict=True, load_default=None, allow_none=True, validate=SMALL)
    points = fields.Integer(strict=True, load_default=None, allow_none=True, validate=SMALL)


class PhaseRequest(Request):
    """A phase. rounds: of a Swiss phase alone; cut: null for everybody of the phase before."""

    format = fields.String(required=True, validate=validate.OneOf(FORMATS))
    rounds = fields.Integer(strict=True, load_default=None, allow_none=True, validate=SMALL)
    best_of = fields.Integer(strict=True, load_default=1, validate=SMALL)
    cut = fields.Nested(CutRequest, load_default=None, allow_none=True)
    reset = Flag(load_default=False)


class OpenTournamentRequest(Request):
    """Open a tournament.

    profile: name of a standings profile, or one of one's own as an object. setup: of its matches,
    as in the opening of a match. late: what a late entry gets for each round missed.
    """

    name = fields.String(required=True, validate=validate.Length(1, NAME_LENGTH_MAX))
    game = fields.String(required=True, validate=NAME)
    cards = fields.String(load_default="sample", validate=validate.Length(1, 64))
    setup = fields.Raw(load_default=dict)
    phases = fields.List(
        fields.Nested(PhaseRequest), required=True, validate=validate.Length(1, PHASES_MAX)
    )
    profile = fields.Raw(required=True)
    late = fields.String(load_default="loss", validate=validate.OneOf(CREDITS))


class EnterRequest(Versioned):
    """Enter a player: a person, or a mere name. player: his id, made up unless given.

    from_round: the first one that he plays, the next unless given; byes: rounds for which he has a
    bye beforehand.
    """

    player = fields.String(validate=PLAYER)
    person = fields.String(validate=ID)
    name = fields.String(validate=validate.Length(1, NAME_LENGTH_MAX))
    from_round = fields.Integer(strict=True, load_default=None, allow_none=True, validate=ROUND)
    byes = rounds()


class DeckRequest(Versioned):
    """Register a deck, as the game writes it down, or `@name` of the pool.

    late: although its player can have played; by staff alone.
    """

    deck = fields.Raw(required=True)
    late = Flag(load_default=False)


class DropRequest(Versioned):
    """Let a player leave. opponent: what the other at his open table gets."""

    opponent = fields.String(load_default="forfeit", validate=validate.OneOf(("forfeit", "repair")))
    reason = reason()


class ReenterRequest(Versioned):
    """Let a player come back. byes: missed rounds that he is given."""

    from_round = fields.Integer(strict=True, load_default=None, allow_none=True, validate=ROUND)
    byes = rounds()


class PhaseStartRequest(Versioned):
    """Begin a phase. order: of those whom the line goes through, or of all before a first bracket.

    early: although rounds of the phase before are left.
    """

    order = fields.List(
        fields.String(validate=ID), load_default=list, validate=validate.Length(0, PLAYERS_MAX)
    )
    early = Flag(load_default=False)


class TournamentClosingRequest(Versioned):
    """End a tournament. early: although rounds are left."""

    early = Flag(load_default=False)


class TournamentsQuery(PageQuery):
    """A page of tournaments."""

    game = fields.String(validate=validate.Length(1, 40))
    state = fields.String(validate=validate.OneOf(STATES))


class DoneEventBody(Schema):
    """An event that a command made. seq: its number in the tournament."""

    seq = fields.Integer(required=True)
    type = fields.String(required=True)


class DoneBody(Schema):
    """What a command did: the events with `since` < seq ≤ `version`, none if all was so already."""

    tournament = fields.String(required=True)
    since = fields.Integer(required=True)
    version = fields.Integer(required=True)
    events = fields.List(fields.Nested(DoneEventBody), required=True)


class EnteredBody(DoneBody):
    """A player is in, or was. player: his id."""

    player = fields.String(required=True)


class ListedTournamentBody(Schema):
    """A tournament in a list. state: open until a round is published. name: null if erased."""

    id = fields.String(required=True)
    name = fields.String(required=True, allow_none=True)
    game = fields.String(required=True)
    state = fields.String(required=True)
    players = fields.Integer(required=True)
    opened_at = fields.String(required=True)


class TournamentsBody(Schema):
    """A page of tournaments, the last opened first. next: for `after`, null at the end."""

    items = fields.List(fields.Nested(ListedTournamentBody), required=True)
    next = fields.String(required=True, allow_none=True)


class CutBody(Schema):
    """Who goes on to a phase."""

    top = fields.Integer(required=True, allow_none=True)
    points = fields.Integer(required=True, allow_none=True)


class PhaseBody(Schema):
    """A phase. begun: its players are known; seeds: in order, empty for all who enter."""

    number = fields.Integer(required=True)
    format = fields.String(required=True)
    rounds = fields.Integer(required=True, allow_none=True)
    best_of = fields.Integer(required=True)
    cut = fields.Nested(CutBody, required=True, allow_none=True)
    reset = fields.Boolean(required=True)
    begun = fields.Boolean(required=True)
    seeds = fields.List(fields.String(), required=True)


class RoundHeadBody(Schema):
    """A published round. minutes: it lasts, null for no end. missing: tables without a result."""

    number = fields.Integer(required=True)
    phase = fields.Integer(required=True)
    name = fields.String(required=True)
    tables = fields.Integer(required=True)
    missing = fields.List(fields.Integer(), required=True)
    minutes = fields.Integer(required=True, allow_none=True)
    started_at = fields.String(required=True)
    closed = fields.Boolean(required=True)


class TournamentBody(ListedTournamentBody):
    """A tournament. player: the caller's own id in it.

    staff: he decides on tables; runs: on rounds and players.
    profile: in full, fractions as texts. phase: number of the one that is on.
    """

    version = fields.Integer(required=True)
    cards = fields.String(required=True)
    setup = fields.Raw(required=True)
    profile = fields.Raw(required=True)
    late = fields.String(required=True)
    phases = fields.List(fields.Nested(PhaseBody), required=True)
    phase = fields.Integer(required=True)
    rounds = fields.List(fields.Nested(RoundHeadBody), required=True)
    player = fields.String(required=True, allow_none=True)
    staff = fields.Boolean(required=True)
    runs = fields.Boolean(required=True)


class EntryBody(Schema):
    """A player. deck: digest of what he registered, which tells nothing of it; null for none."""

    player = fields.String(required=True)
    person = fields.String(required=True, allow_none=True)
    name = fields.String(required=True)
    from_round = fields.Integer(required=True)
    byes = fields.List(fields.Integer(), required=True)
    deck = fields.String(required=True, allow_none=True)
    dropped_after = fields.Integer(required=True, allow_none=True)
    disqualified = fields.Boolean(required=True)


class EntriesBody(Schema):
    """A page of players in the order of entry. next: for `after`, null at the end."""

    items = fields.List(fields.Nested(EntryBody), required=True)
    next = fields.String(required=True, allow_none=True)


class DeckBody(Schema):
    """The deck that a player registered, spelled out."""

    player = fields.String(required=True)
    deck = fields.Raw(required=True)
