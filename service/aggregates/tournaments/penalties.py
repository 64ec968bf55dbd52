"""Penalties: on record, and with what they do to a table and a player."""

from __future__ import annotations

from collections.abc import Collection

from service.aggregates.tournaments.amending import amended, changes_of
from service.aggregates.tournaments.brackets import TableKey
from service.aggregates.tournaments.deciding import (
    Given,
    TournamentCommand,
    check_open,
    entry_in,
    round_in,
)
from service.aggregates.tournaments.entries import waiting_table
from service.aggregates.tournaments.events import (
    PenaltyGiven,
    PenaltyKind,
    PlayerDropped,
    TournamentEvent,
)
from service.aggregates.tournaments.results import reported, wins_of, won_by
from service.aggregates.tournaments.state import RoundState, TableState, Tournament
from service.aggregates.world import Refused


class GivePenalty(TournamentCommand, frozen=True, kw_only=True):
    """Ask for a penalty in a round. reason: digest of a text. rewind, begun: as in `AmendResult`.

    A game loss is on record for who reports the match; a match loss gives the table to the
    opponent, also against a result that is there; who is disqualified leaves.
    """

    player: str
    kind: PenaltyKind
    round: int
    rewind: bool = False
    begun: Collection[TableKey] = ()
    by: str
    reason: str


def penalize(tournament: Tournament, command: GivePenalty, given: Given) -> list[TournamentEvent]:
    """Give a penalty with all that follows from it.

    Raises `Refused` for a game or match loss of a player without a table in the round, or where a
    bracket would have to be rewound; `NotFound`, `Closed`.
    """
    check_open(tournament)
    entry = entry_in(tournament, command.player)
    one = round_in(tournament, command.round)
    table = one.table_of(command.player)
    if table is None and command.kind in ("game_loss", "match_loss"):
        raise Refused(f"{command.player} has no table in round {command.round}")
    events: list[TournamentEvent] = [
        PenaltyGiven(
            player=command.player,
            kind=command.kind,
            round=command.round,
            by=command.by,
            reason=command.reason,
            time=given.now,
        )
    ]
    if command.kind == "match_loss" and table is not None:
        events += _lost(tournament, command, (one, table), given)
    if command.kind == "disqualification" and entry.dropped_after is None:
        events += _expelled(tournament, command, given)
    return events


def _expelled(tournament: Tournament, command: GivePenalty, given: Given) -> list[TournamentEvent]:
    """Let a player go; the table at which he sits without a result is his opponent's."""
    dropped = PlayerDropped(
        player=command.player,
        after_round=tournament.last_round,
        by=command.by,
        reason=command.reason,
        time=given.now,
    )
    at = waiting_table(tournament, command.player)
    return [dropped] if at is None else [dropped, *_lost(tournament, command, at, given)]


def _lost(
    tournament: Tournament, command: GivePenalty, at: tuple[RoundState, TableState], given: Given
) -> list[TournamentEvent]:
    one, table = at
    opponent = table.opponent_of(command.player)
    result = won_by(table, opponent, wins_of(tournament, one.number), "played")
    if table.result is None and one.closed is None:
        return [reported(one.number, table, result, given, side=None, by=command.by)]
    if table.result is not None and table.result.winner == opponent:
        return []
    changes = changes_of(
        tournament,
        one.number,
        table.table.table,
        opponent,
        begun=command.begun,
        rewind=command.rewind,
    )
    return amended(
        tournament,
        (one.number, table),
        result,
        given,
        by=command.by,
        reason=command.reason,
        changes=changes,
    )
