"""An amended result of a match reaches the table for which its log counts (rulings 4)."""

from __future__ import annotations

from collections.abc import Collection

from msgspec.structs import replace

from service.aggregates.tournaments.amending import amended, changes_of
from service.aggregates.tournaments.brackets import TableKey
from service.aggregates.tournaments.deciding import (
    Given,
    TournamentCommand,
    check_open,
    is_elimination,
)
from service.aggregates.tournaments.events import TournamentEvent
from service.aggregates.tournaments.levels import logged_games
from service.aggregates.tournaments.state import TableResult, TableState, Tournament
from service.aggregates.world import Refused


class RelinkMatch(TournamentCommand, frozen=True, kw_only=True):
    """Ask that an amended match counts as it is now. winner: a seat, or None for a draw or nobody.

    rewind, begun, reason: as in `AmendResult`.
    """

    match: str
    winner: str | None
    rewind: bool = False
    begun: Collection[TableKey] = ()
    by: str
    reason: str


def relink(tournament: Tournament, command: RelinkMatch, given: Given) -> list[TournamentEvent]:
    """Link a match again with another winner, and amend the result of its table.

    Nothing happens to a match that is not linked. Raises `Refused` where a bracket would be left
    without a winner or would have to be rewound, `Closed`.
    """
    link = next((one for one in tournament.links() if one.match == command.match), None)
    if link is None:
        return []
    check_open(tournament)
    anew = replace(link, winner=link.seats.get(command.winner or ""), by=command.by, time=given.now)
    if anew.winner == link.winner:
        return []
    table = tournament.rounds[link.round].tables[link.table]
    after = table.with_link(anew)
    if table.result is None:
        return [anew]
    result = _result(tournament, link.round, table.result, after)
    changes = changes_of(
        tournament,
        link.round,
        link.table,
        result.winner,
        begun=command.begun,
        rewind=command.rewind,
    )
    return [
        anew,
        *amended(
            tournament,
            (link.round, after),
            result,
            given,
            by=command.by,
            reason=command.reason,
            changes=changes,
        ),
    ]


def _result(
    tournament: Tournament, number: int, before: TableResult, table: TableState
) -> TableResult:
    games = logged_games(table)
    first, second, _ = games
    winner = None
    if first != second:
        winner = table.players[0] if first > second else table.players[1]
    if winner is None and is_elimination(tournament, tournament.rounds[number].phase):
        raise Refused("a match of a bracket needs a winner")
    return replace(before, kind="played", winner=winner, games=games)
