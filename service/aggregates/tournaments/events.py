"""The events of a tournament. The stored names of events and fields are for ever.

Phases are numbered from 1, rounds from 1 through all phases, tables from 1 in their round. by: a
person. reason: digest of a text; name, deck: digests of texts, too, so that both can be erased.
seed: 32 bytes in hexadecimal from which everything follows that was drawn.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from service.engine.values import Json

Format: TypeAlias = Literal["swiss", "round_robin", "single_elimination", "double_elimination"]
Credit: TypeAlias = Literal["loss", "half", "bye"]
Unpaired: TypeAlias = Literal["bye", "pre_awarded", "half", "loss", "absent"]
PenaltyKind: TypeAlias = Literal["warning", "game_loss", "match_loss", "disqualification"]
Verdict: TypeAlias = Literal["witnessed", "audited", "disputed"]
ResultKind: TypeAlias = Literal["played", "intentional_draw", "double_loss", "forfeit"]
"""As in the records of standings. forfeit: not played, or not to the end; winner null: neither."""


class Cut(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who goes on to a phase: the first `top`, those with `points` or more, or both."""

    top: int | None = None
    points: int | None = None


class Phase(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A part of a tournament. rounds: of a Swiss phase; the others follow from their size.

    best_of: most games of a match. cut: who comes from the phase before; null: everybody.
    reset: whether a grand final that the upper side loses is played again.
    """

    format: Format
    rounds: int | None = None
    best_of: int = 1
    cut: Cut | None = None
    reset: bool = False


class TournamentOpened(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A tournament was opened. profile: how standings are computed, in full.

    setup: of its matches, as the ruleset prepared it. late: what a late entry gets for each round
    that he missed.
    """

    name: str
    game: str
    cards: str
    setup: dict[str, Json]
    phases: list[Phase]
    profile: dict[str, Json]
    late: Credit
    by: str
    time: str


class PlayerEntered(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player is in. player: his id in the tournament; person: null for a name without an account.

    from_round: the first round that he can play. byes: rounds for which he has a bye beforehand.
    """

    player: str
    person: str | None
    name: str
    from_round: int
    byes: list[int]
    by: str
    time: str


class DeckRegistered(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player registered the deck that he plays. deck: digest of its text."""

    player: str
    deck: str
    by: str
    time: str


class PlayerDropped(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player leaves. after_round: the last one that counts for him."""

    player: str
    after_round: int
    by: str
    reason: str
    time: str


class PlayerReentered(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player who had left comes back; the rounds between are lost.

    byes: those of them for which staff gives a bye.
    """

    player: str
    from_round: int
    byes: list[int]
    by: str
    time: str


class Table(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Two players who meet. rematch: they have met before. slot: the match of a bracket."""

    table: int
    players: list[str]
    rematch: bool = False
    slot: str | None = None


class Sitting(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player without an opponent in a round, and what he gets for it."""

    player: str
    kind: Unpaired


class RoundDrafted(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who would meet whom; for staff until it is published. A later draft takes its place.

    why: reasons as data, null where the tables follow from the format. seed: of the pairer, null
    where nothing is drawn; input: digest of what the tables depend on.
    """

    phase: int
    round: int
    tables: list[Table]
    without: list[Sitting]
    why: Json
    seed: str | None
    input: str
    by: str
    time: str


class RoundPublished(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The draft of a round is what is played. minutes: the time that it lasts, null for none."""

    round: int
    minutes: int | None
    by: str
    time: str


class RoundRepaired(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A published round is paired anew, all of it at once; it is open again.

    Tables with the same number and players go on as they were. A bracket's round without a table
    is no round any more. why, seed, input: as in `RoundDrafted`; minimal: as few tables as can be
    are new.
    """

    round: int
    tables: list[Table]
    without: list[Sitting]
    why: Json
    minimal: bool
    seed: str | None
    input: str
    by: str
    reason: str
    time: str


class MatchLinked(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The log of a game counts for a table. seats: seat of the match → player.

    winner: a player, null for a draw or no result. verdict: what the log is worth; difference: why
    it is disputed, in words for a judge. source: digest of an imported log. by: null for a match
    played here that ended.
    """

    round: int
    table: int
    game: int
    match: str
    seats: dict[str, str]
    winner: str | None
    verdict: Verdict
    difference: str | None
    source: str | None
    by: str | None
    time: str


class ResultReported(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Somebody reports a match. games: won by the first, won by the second, drawn.

    winner: a player, null for none. matches: the logs linked so far. side: the player for whom he
    reports, null for staff. by: null where the logs themselves, or a drop, decided it.
    """

    round: int
    table: int
    kind: ResultKind
    winner: str | None
    games: list[int]
    matches: list[str]
    side: str | None
    by: str | None
    time: str


class ResultConfirmed(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The other player, or staff (side null), says the same.

    reported: number of the event that is confirmed.
    """

    round: int
    table: int
    reported: int
    side: str | None
    by: str
    time: str


class ResultAmended(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Staff replaces a result. supersedes: number of the event that it replaces, null if none.

    rewind: later matches of a bracket that had begun and are undone by it, as round and table.
    """

    round: int
    table: int
    kind: ResultKind
    winner: str | None
    games: list[int]
    supersedes: int | None
    rewind: list[list[int]]
    by: str
    reason: str
    time: str


class PenaltyGiven(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player is penalized; a game or match loss counts at his table of the round."""

    player: str
    kind: PenaltyKind
    round: int
    by: str
    reason: str
    time: str


class TimeExtended(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table may play longer than its round lasts."""

    round: int
    table: int
    minutes: int
    by: str
    reason: str
    time: str


class RoundClosed(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """No more results of a round, other than by amending them. missing: tables without one."""

    round: int
    missing: list[int]
    by: str
    time: str


class Placed(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where a player is. rank: from 1, the same for a tie."""

    rank: int
    player: str


class CutMade(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The players of a phase, by their seeds; the standings before it are frozen.

    ranking: of the phase before, in order; empty where the players are those who entered. seed: of
    lots and of the order of those whom nothing tells apart.
    """

    phase: int
    seeds: list[str]
    ranking: list[Placed]
    seed: str
    by: str
    time: str


class TournamentClosed(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The end. placing: in order. seed: of lots, null if none were drawn."""

    placing: list[Placed]
    seed: str | None
    by: str
    time: str


TournamentEvent: TypeAlias = (
    TournamentOpened
    | PlayerEntered
    | DeckRegistered
    | PlayerDropped
    | PlayerReentered
    | RoundDrafted
    | RoundPublished
    | RoundRepaired
    | MatchLinked
    | ResultReported
    | ResultConfirmed
    | ResultAmended
    | PenaltyGiven
    | TimeExtended
    | RoundClosed
    | CutMade
    | TournamentClosed
)
