"""Results: reported by a player or staff, confirmed by the other player or staff."""

from __future__ import annotations

from service.aggregates.tournaments.deciding import (
    Given,
    TournamentCommand,
    check_open,
    is_elimination,
    open_round_in,
    table_in,
    wins_needed,
)
from service.aggregates.tournaments.events import (
    ResultConfirmed,
    ResultKind,
    ResultReported,
    TournamentEvent,
)
from service.aggregates.tournaments.state import TableResult, TableState, Tournament
from service.aggregates.world import Conflict, Invalid, Refused

GAMES_PARTS = 3


class ResultCommand(TournamentCommand, frozen=True, kw_only=True):
    """What reports and amendments have: the table and what is said to have come of it.

    winner: a player, None for none. games: won by the first, won by the second, drawn.
    """

    round: int
    table: int
    kind: ResultKind = "played"
    winner: str | None = None
    games: tuple[int, int, int] = (0, 0, 0)
    by: str

    @property
    def told(self) -> TableResult:
        """The result that is told."""
        return TableResult(kind=self.kind, winner=self.winner, games=self.games)


class ReportResult(ResultCommand, frozen=True, kw_only=True):
    """Ask to take a result. side: the player for whom it is reported, None for staff."""

    side: str | None = None


class ConfirmResult(TournamentCommand, frozen=True, kw_only=True):
    """Say the same as a report. reported: number of the event; side: as in `ReportResult`."""

    round: int
    table: int
    reported: int
    side: str | None = None
    by: str


def report(tournament: Tournament, command: ReportResult, given: Given) -> list[TournamentEvent]:
    """Take a result; nothing happens if the same one is there, whoever reported it.

    Raises `Conflict` if another one is there, `Refused` for a round that is closed or somebody who
    does not sit at the table, `NotFound`, `Invalid`, `Closed`.
    """
    check_open(tournament)
    table = table_in(tournament, command.round, command.table)
    check_side(table, command.side)
    check_result(tournament, command.round, table, command.told)
    if table.result is not None and is_same(table.result, command.told):
        return []
    open_round_in(tournament, command.round)
    if table.result is not None:
        raise Conflict(
            f"round {command.round}, table {command.table} has another result",
            version=tournament.version,
        )
    return [reported(command.round, table, command.told, given, side=command.side, by=command.by)]


def confirm(tournament: Tournament, command: ConfirmResult, given: Given) -> list[TournamentEvent]:
    """Confirm a result, also of a closed round; nothing happens if that was done.

    Raises `Conflict` if it is not the result that is there, `Refused` for who reported it himself,
    `NotFound`, `Closed`.
    """
    check_open(tournament)
    table = table_in(tournament, command.round, command.table)
    check_side(table, command.side)
    result = table.result
    if result is None or result.seq != command.reported:
        raise Conflict(
            f"round {command.round}, table {command.table} has another result, or none",
            version=tournament.version,
        )
    if result.confirmed:
        return []
    if command.side is not None and command.side == result.side:
        raise Refused("the other player, or staff, confirms a result")
    return [
        ResultConfirmed(
            round=command.round,
            table=command.table,
            reported=command.reported,
            side=command.side,
            by=command.by,
            time=given.now,
        )
    ]


def reported(
    number: int,
    table: TableState,
    result: TableResult,
    given: Given,
    *,
    side: str | None,
    by: str | None,
) -> ResultReported:
    """Return the report of a result, with the logs that are linked so far."""
    return ResultReported(
        round=number,
        table=table.table.table,
        kind=result.kind,
        winner=result.winner,
        games=list(result.games),
        matches=[link.match for link in table.links],
        side=side,
        by=by,
        time=given.now,
    )


def won_by(table: TableState, winner: str | None, wins: int, kind: ResultKind) -> TableResult:
    """Return the result with which one player wins all that is needed; None: neither does."""
    first, second = table.players
    games = (wins * (winner == first), wins * (winner == second), 0)
    return TableResult(kind=kind, winner=winner, games=games)


def is_same(one: TableResult, other: TableResult) -> bool:
    """Tell whether two results say the same, whoever reported them."""
    return (one.kind, one.winner, one.games) == (other.kind, other.winner, other.games)


def check_side(table: TableState, side: str | None) -> None:
    """Raise `Refused` for a player who does not sit at the table."""
    if side is not None and side not in table.players:
        raise Refused(f"{side} does not sit at table {table.table.table}")


def check_result(
    tournament: Tournament, number: int, table: TableState, result: TableResult
) -> None:
    """Raise `Invalid` for a result that a match of this phase cannot have."""
    phase = tournament.rounds[number].phase
    fault = _fault_of_games(result.games, tournament.phase_of(phase).best_of)
    if fault is not None:
        raise Invalid({"games": [fault]})
    if result.winner not in (None, *table.players):
        raise Invalid({"winner": [f"one of {', '.join(table.players)} or null"]})
    fault = _fault_of_winner(table, result, is_bracket=is_elimination(tournament, phase))
    if fault is not None:
        raise Invalid({"winner": [fault]})


def _fault_of_games(games: tuple[int, ...], best_of: int) -> str | None:
    wins = best_of // 2 + 1
    if len(games) != GAMES_PARTS or min(games) < 0:
        return "three numbers from 0: won by the first, won by the second, drawn"
    first, second, drawn = games
    if max(first, second) > wins or first == second == wins or drawn > best_of:
        return f"a best of {best_of} is won with {wins}"
    return None


def _fault_of_winner(table: TableState, result: TableResult, *, is_bracket: bool) -> str | None:
    first, second, _ = result.games
    if result.kind == "forfeit":
        return None
    if result.kind != "played":
        if result.winner is not None:
            return f"{result.kind} has no winner"
        if result.kind == "intentional_draw" and is_bracket:
            return "a bracket has no draws"
        return None
    if first == second:
        if is_bracket and result.winner is None:
            return "a bracket has no draws: staff names who goes on"
        return None if is_bracket or result.winner is None else "the games have no winner"
    ahead = table.players[0] if first > second else table.players[1]
    return None if result.winner == ahead else f"by the games it is {ahead}"


def wins_of(tournament: Tournament, number: int) -> int:
    """Return how many games win a match of a round."""
    return wins_needed(tournament, tournament.rounds[number].phase)
