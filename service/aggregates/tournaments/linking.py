"""Logs of games: each counts for one table, once, and only by an explicit link."""

from __future__ import annotations

from collections.abc import Mapping

from service.aggregates.events import TableGame
from service.aggregates.tournaments.deciding import (
    Given,
    TournamentCommand,
    check_open,
    is_elimination,
    table_in,
)
from service.aggregates.tournaments.events import MatchLinked, TournamentEvent, Verdict
from service.aggregates.tournaments.levels import logged_games
from service.aggregates.tournaments.results import reported, wins_of
from service.aggregates.tournaments.state import TableResult, TableState, Tournament
from service.aggregates.world import Invalid, Refused

DRAW = "draw"


class LinkMatch(TournamentCommand, frozen=True, kw_only=True):
    """Ask that the log of a game counts for a table. The caller tells what the match is.

    played_for: the table for which it was opened, None for none. players: seat → player; persons:
    seat → person who sat there, None for a name. winner: a seat, `draw`, or None. fault: why the
    log is not legal, None if it is. is_live: played here; is_trusted: signed by a key that the
    organizer trusts. source: digest of an imported log. by: None where it follows from the end of a
    match that was played for the table.
    """

    round: int
    table: int
    game: int
    match: str
    played_for: TableGame | None
    players: Mapping[str, str]
    persons: Mapping[str, str | None]
    winner: str | None
    fault: str | None = None
    is_live: bool
    is_trusted: bool = False
    source: str | None = None
    by: str | None


def link(tournament: Tournament, command: LinkMatch, given: Given) -> list[TournamentEvent]:
    """Link a log; the result follows if nothing else was reported and witnessed logs decide it.

    Nothing happens if the link is there. Raises `Refused` for a log that serves another table or
    other players, or a game that has a log; `Invalid`, `NotFound`, `Closed`.
    """
    check_open(tournament)
    table = table_in(tournament, command.round, command.table)
    for other in tournament.links():
        if other.match == command.match and _place(other) == _place(command):
            return []
        if other.match == command.match or (other.source and other.source == command.source):
            raise Refused(f"the log serves round {other.round}, table {other.table} already")
    _check_place(tournament, command, table)
    _check_players(tournament, command, table)
    linked = MatchLinked(
        round=command.round,
        table=command.table,
        game=command.game,
        match=command.match,
        seats=dict(sorted(command.players.items())),
        winner=command.players.get(command.winner or ""),
        verdict=_verdict(command),
        difference=command.fault,
        source=command.source,
        by=command.by,
        time=given.now,
    )
    after = table.with_link(linked)
    result = _decided(tournament, command.round, after)
    if result is None:
        return [linked]
    return [linked, reported(command.round, after, result, given, side=None, by=None)]


def seats_of_game(table: TableState, game: int) -> dict[str, str]:
    """Return seat → player for a game: the first of the table begins in the odd ones."""
    first, second = table.players
    return {"P1": first, "P2": second} if game % 2 else {"P1": second, "P2": first}


def _place(link: MatchLinked | LinkMatch) -> tuple[int, int, int]:
    return link.round, link.table, link.game


def _check_place(tournament: Tournament, command: LinkMatch, table: TableState) -> None:
    one = tournament.rounds[command.round]
    best_of = tournament.phase_of(one.phase).best_of
    # Drawn games are played again, so that there may be more of them than the best of says.
    if not 1 <= command.game <= 2 * best_of:
        raise Invalid({"game": [f"from 1 to {2 * best_of}"]})
    if any(other.game == command.game for other in table.links):
        raise Refused(f"game {command.game} of this table has a log already")
    here = TableGame(
        tournament=tournament.id,
        phase=one.phase,
        round=command.round,
        table=command.table,
        game=command.game,
    )
    if command.played_for not in (None, here):
        raise Refused(f"match {command.match} was played for another table or game")


def _check_players(tournament: Tournament, command: LinkMatch, table: TableState) -> None:
    if sorted(command.players.values()) != sorted(table.players):
        raise Refused("the seats of the log are not the two players of the table")
    if command.winner not in (None, DRAW, *command.players):
        raise Invalid({"winner": [f"one of {', '.join(command.players)}, {DRAW} or null"]})
    for seat, player in command.players.items():
        sat = command.persons.get(seat)
        # A match that was opened for this table has its seats from the pairing.
        is_known = sat is not None or not command.is_live or command.played_for is not None
        if not is_known or sat not in (None, tournament.entries[player].person):
            raise Refused(f"{seat} of the log was not {player}")


def _verdict(command: LinkMatch) -> Verdict:
    if command.fault is not None:
        return "disputed"
    return "witnessed" if command.is_live or command.is_trusted else "audited"


def _decided(tournament: Tournament, number: int, table: TableState) -> TableResult | None:
    """Return the result that witnessed logs decide at a table of an open round, or None."""
    one = tournament.rounds[number]
    if table.result is not None or one.closed is not None:
        return None
    if any(link.verdict != "witnessed" for link in table.links):
        return None
    first, second, drawn = logged_games(table)
    wins, best_of = wins_of(tournament, number), tournament.phase_of(one.phase).best_of
    if max(first, second) < wins and first + second + drawn < best_of:
        return None
    winner = None
    if first != second:
        winner = table.players[0] if first > second else table.players[1]
    if winner is None and is_elimination(tournament, one.phase):
        return None
    return TableResult(kind="played", winner=winner, games=(first, second, drawn))
