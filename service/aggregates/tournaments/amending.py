"""Amendments: staff replaces a result; a bracket follows as far as nothing of it has begun."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from service.aggregates.tournaments.brackets import Correction, TableKey, correction
from service.aggregates.tournaments.deciding import Given, check_open, is_elimination, table_in
from service.aggregates.tournaments.drawing import bracket_digest
from service.aggregates.tournaments.events import ResultAmended, RoundRepaired, TournamentEvent
from service.aggregates.tournaments.folding import evolve
from service.aggregates.tournaments.results import ResultCommand, check_result, is_same
from service.aggregates.tournaments.state import TableResult, TableState, Tournament
from service.aggregates.world import Conflict, Refused

UNTOUCHED = Correction(undone=(), repaired={})


class AmendResult(ResultCommand, frozen=True, kw_only=True):
    """Ask to replace a result. supersedes: number of its event, None where there is none.

    rewind: matches of a bracket that have begun may be undone. begun: tables, as round and table,
    of which games have been opened. reason: digest of a text.
    """

    supersedes: int | None
    rewind: bool = False
    begun: Collection[TableKey] = ()
    reason: str


def amend(tournament: Tournament, command: AmendResult, given: Given) -> list[TournamentEvent]:
    """Replace a result; nothing happens if it is the same.

    Published pairings of Swiss rounds and round robins stay. In a bracket the players of later
    tables are replaced. Raises `Conflict` if the command supersedes another result than the present
    one, `Refused` if later matches of a bracket have begun and `rewind` does not allow to undo
    them, or where the result can still be reported; `NotFound`, `Invalid`, `Closed`.
    """
    check_open(tournament)
    table = table_in(tournament, command.round, command.table)
    check_result(tournament, command.round, table, command.told)
    if table.result is not None and is_same(table.result, command.told):
        return []
    if (None if table.result is None else table.result.seq) != command.supersedes:
        raise Conflict(
            f"round {command.round}, table {command.table} has another result",
            version=tournament.version,
        )
    if table.result is None and tournament.rounds[command.round].closed is None:
        raise Refused(f"round {command.round} is open: the result can be reported")
    return amended(
        tournament,
        (command.round, table),
        command.told,
        given,
        by=command.by,
        reason=command.reason,
        changes=_changes(tournament, command),
    )


def amended(
    tournament: Tournament,
    at: tuple[int, TableState],
    result: TableResult,
    given: Given,
    *,
    by: str,
    reason: str,
    changes: Correction = UNTOUCHED,
) -> list[TournamentEvent]:
    """Return the amendment of a table of a round, and what changes in a bracket with it."""
    number, table = at
    done = ResultAmended(
        round=number,
        table=table.table.table,
        kind=result.kind,
        winner=result.winner,
        games=list(result.games),
        supersedes=None if table.result is None else table.result.seq,
        rewind=[list(key) for key in changes.undone],
        by=by,
        reason=reason,
        time=given.now,
    )
    if not changes.repaired:
        return [done]
    after = evolve(tournament, done, tournament_id=tournament.id)
    digest = bracket_digest(after, tournament.rounds[number].phase)
    return [
        done,
        *(
            RoundRepaired(
                round=later,
                tables=list(tables),
                without=list(tournament.rounds[later].without),
                why=None,
                minimal=True,
                seed=None,
                input=digest,
                by=by,
                reason=reason,
                time=given.now,
            )
            for later, tables in changes.repaired.items()
        ),
    ]


def changes_of(
    tournament: Tournament,
    number: int,
    table: int,
    winner: str | None,
    *,
    begun: Collection[TableKey],
    rewind: bool,
) -> Correction:
    """Return what changes in a bracket.

    Raises `Refused` if matches that have begun, or a later phase, stand in the way.
    """
    one = tournament.rounds[number]
    if not is_elimination(tournament, one.phase) or one.tables[table].result is None:
        return UNTOUCHED
    found = correction(tournament, (number, table), winner, begun)
    if found.repaired and one.phase != tournament.phase:
        raise Refused(f"the matches of phase {one.phase} that hang on this one are over")
    if found.undone and not rewind:
        raise Refused(f"matches have begun that another winner undoes: {_named(found.undone)}")
    return found


def _changes(tournament: Tournament, command: AmendResult) -> Correction:
    return changes_of(
        tournament,
        command.round,
        command.table,
        command.winner,
        begun=command.begun,
        rewind=command.rewind,
    )


def _named(tables: Sequence[TableKey]) -> str:
    return "; ".join(f"round {number}, table {table}" for number, table in tables)
