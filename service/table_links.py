"""Logs of games for tables of tournaments: what a match is worth, and its link."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

from service.aggregates.attachments import Attached, Saved
from service.aggregates.matches import Match
from service.aggregates.tournaments.deciding import Given, table_in
from service.aggregates.tournaments.linking import DRAW, LinkMatch, seats_of_game
from service.aggregates.tournaments.previews import LinkPreview, preview_link
from service.aggregates.tournaments.state import TableState, Tournament
from service.aggregates.world import Closed, Invalid, NotFound, Refused
from service.commands.ports import NOTHING
from service.commands.tournaments import carry_out
from service.engine.values import JUDGE
from service.exchange import report_on
from service.installation import Installation, clock

LEGAL = frozenset({"exact"})
PARTIAL, IMPORTED = "partial", "imported"


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where the log of a match is to count. seats: seat → player, None: as the match tells."""

    tournament: str
    round: int
    table: int
    game: int
    seats: Mapping[str, str] | None = None


def link_match(
    installation: Installation,
    match: Match,
    place: Place,
    *,
    by: str | None,
    expected_version: int | None = None,
    attached: Attached = NOTHING,
) -> Saved:
    """Let the log of a closed match count for a table; what it is worth is found out here.

    by: None where it follows from the end of a match that was played for the table. Raises
    `Refused` for a match that goes on or of which there is only a part, and what the command
    raises.
    """
    command = _command(installation, match, place, by=by, expected_version=expected_version)
    return carry_out(installation.tournaments, command, now=clock(), attached=attached)


def foresee_link(installation: Installation, match: Match, place: Place) -> LinkPreview:
    """Return what a log would be worth at a table, and what it would change; nothing is saved.

    Raises as `link_match`.
    """
    command = _command(installation, match, place, by=None, expected_version=None)
    before = installation.tournaments.tournament(place.tournament)
    return preview_link(before, command, Given(now=clock()))


def _command(
    installation: Installation,
    match: Match,
    place: Place,
    *,
    by: str | None,
    expected_version: int | None,
) -> LinkMatch:
    if match.closed is None:
        raise Refused(f"match {match.id} has not ended")
    if match.closed.cause == PARTIAL:
        raise Refused(f"of match {match.id} there is only a part")
    tournament = installation.tournaments.tournament(place.tournament)
    _check_game(tournament, match)
    table = table_in(tournament, place.round, place.table)
    seats = place.seats or seats_of(tournament, match, table, place.game)
    outcome = match.outcome
    winner = None if outcome is None else outcome["winner"]
    return LinkMatch(
        tournament_id=tournament.id,
        expected_version=expected_version,
        round=place.round,
        table=place.table,
        game=place.game,
        match=match.id,
        played_for=match.opened.table,
        players=seats,
        persons={seat: one.person for seat, one in match.seated.items()},
        winner=winner if winner in (*seats, DRAW) else None,
        fault=_fault_of(installation, match),
        is_live=match.opened.kind != IMPORTED,
        source=match.opened.source,
        by=by,
    )


def link_played(installation: Installation, match_id: str) -> None:
    """Link a closed match that was played for a table, unless the table takes it no more."""
    match = installation.log.match(match_id)
    table = match.opened.table
    if table is None or match.closed is None:
        return
    place = Place(
        tournament=table.tournament, round=table.round, table=table.table, game=table.game
    )
    # Staff may have linked another log, paired the round again or closed the tournament.
    with suppress(Closed, Invalid, NotFound, Refused):
        link_match(installation, match, place, by=None)


def seats_of(tournament: Tournament, match: Match, table: TableState, game: int) -> dict[str, str]:
    """Return who of a table sat where: by the persons, else in the order of its games."""
    by_person = {tournament.entries[player].person: player for player in table.players}
    persons = {seat: one.person for seat, one in match.seated.items()}
    if None not in by_person and {*persons.values()} == {*by_person}:
        return {seat: by_person[person] for seat, person in persons.items()}
    usual = seats_of_game(table, game)
    return {seat: player for seat, player in usual.items() if seat in persons}


def _check_game(tournament: Tournament, match: Match) -> None:
    if match.opened.game != tournament.opened.game:
        raise Refused(f"match {match.id} is none of {tournament.opened.game}")


def _fault_of(installation: Installation, match: Match) -> str | None:
    """Return why a log is not legal, in words, or None."""
    report = installation.kept_report(match) or report_on(installation, match, JUDGE)
    return None if report.overall in LEGAL else f"{report.overall}: {report.summary}"
