"""A tournament as the neutral record from which standings are computed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal, TypeAlias

from service.aggregates.tournaments.brackets import matches_of
from service.aggregates.tournaments.deciding import is_elimination
from service.aggregates.tournaments.events import Credit, Format, Unpaired
from service.aggregates.tournaments.state import (
    Entry,
    RoundState,
    TableResult,
    TableState,
    Tournament,
)
from service.standings.records import (
    Event,
    Kind,
    Phase,
    PhaseKind,
    Player,
    Result,
    Round,
)

Replaced: TypeAlias = Mapping[tuple[int, int], TableResult]
"""Results to take in place of those that are there, by round and table."""

NOTHING: Replaced = {}
SIDES: tuple[Literal["first"], Literal["second"]] = ("first", "second")
KINDS: Mapping[Format, PhaseKind] = {
    "swiss": "swiss",
    "round_robin": "round_robin",
    "single_elimination": "single_elimination",
    "double_elimination": "single_elimination",
}
UNPAIRED: Mapping[Unpaired, Kind] = {
    "bye": "bye",
    "pre_awarded": "awarded_bye",
    "half": "half_bye",
    "loss": "assigned_loss",
    "absent": "absence",
}
CREDITS: Mapping[Credit, Kind] = {
    "loss": "assigned_loss",
    "half": "half_bye",
    "bye": "awarded_bye",
}


def record_of(
    tournament: Tournament,
    *,
    to_round: int | None = None,
    replaced: Replaced = NOTHING,
    names: Mapping[str, str] | None = None,
) -> Event:
    """Return the record of a tournament, up to a round if one is named.

    replaced: results to be looked at as if they were there. names: of the tournament (under its
    id) and of players by their ids; without one the id stands for it. A table without a result is
    `unreported`.
    """
    names = names or {}
    last = tournament.last_round if to_round is None else to_round
    phases = [
        Phase(
            kind=KINDS[tournament.phase_of(number).format],
            rounds=tuple(
                _round(tournament, one, replaced)
                for one in tournament.rounds_of(number)
                if one.number <= last
            ),
        )
        for number in range(1, tournament.phase + 1)
    ]
    seeds = {player for cut in tournament.cuts.values() for player in cut.seeds}
    players = [
        Player(
            id=entry.player,
            name=names.get(entry.player, entry.player),
            entered=entry.from_round,
            dropped_after=entry.dropped_after,
        )
        for entry in tournament.entries.values()
        if _was_there(entry) or entry.player in seeds
    ]
    name = names.get(tournament.id, tournament.id)
    return Event(name=name, players=tuple(players), phases=tuple(phases))


def _was_there(entry: Entry) -> bool:
    """Tell whether a player was there for a round: who left before his first one was not."""
    return any(one.until is not None for one in entry.absences) or (
        entry.dropped_after is None or entry.dropped_after >= entry.from_round
    )


def _round(tournament: Tournament, one: RoundState, replaced: Replaced) -> Round:
    results = [
        result_of(table, replaced.get((one.number, table.table.table), table.result))
        for table in one.tables.values()
    ]
    results += [Result(first=sits.player, kind=UNPAIRED[sits.kind]) for sits in one.without]
    if not is_elimination(tournament, one.phase):
        results += _unlisted(tournament, one)
    return Round(number=one.number, name=round_name(tournament, one), results=tuple(results))


def result_of(table: TableState, result: TableResult | None) -> Result:
    """Return what came of a table."""
    first, second = table.players
    if result is None:
        return Result(first=first, second=second, kind="unreported")
    return Result(
        first=first,
        second=second,
        kind=result.kind,
        winner=SIDES[table.players.index(result.winner)] if result.winner is not None else None,
        games=result.games,
    )


def round_name(tournament: Tournament, one: RoundState) -> str:
    """Return how a round is called, so that a reader of the record can tell what it was."""
    phase = tournament.phase_of(one.phase).format
    place = [other.number for other in tournament.rounds_of(one.phase)].index(one.number) + 1
    if phase == "swiss":
        return f"Swiss round {one.number}"
    if phase == "round_robin":
        return f"Round {one.number}"
    if phase == "double_elimination":
        return f"Double elimination round {place}"
    matches = matches_of(tournament, one.phase)
    (played, *_) = (matches[table.table.slot or ""].round for table in one.tables.values())
    left = 2 * sum(match.round == played for match in matches.values())
    return "Final" if left == 2 else f"Top {left}"


def _unlisted(tournament: Tournament, one: RoundState) -> Iterator[Result]:
    """Yield what players have for a round in which they are neither at a table nor sit out.

    Rounds before a late entry are credited as the tournament says, those of an absence are lost
    unless staff gave byes for them; after a drop a player is not listed.
    """
    listed = {player for table in one.tables.values() for player in table.players}
    listed |= {sits.player for sits in one.without}
    for entry in members(tournament, one.phase):
        if entry.player in listed or not _was_there(entry):
            continue
        kind = _kind_unlisted(tournament, entry, one.number)
        if kind is not None:
            yield Result(first=entry.player, kind=kind)


def _kind_unlisted(tournament: Tournament, entry: Entry, number: int) -> Kind | None:
    if number < entry.from_round:
        return CREDITS[tournament.opened.late]
    absence = entry.absence_in(number)
    if absence is None:
        return "absence"
    if absence.until is None:
        return None
    return "awarded_bye" if number in absence.byes else "assigned_loss"


def members(tournament: Tournament, phase: int) -> list[Entry]:
    """Return the players of a phase, those who left included: who made the cut, or everybody."""
    cut = tournament.cuts.get(phase)
    if cut is None:
        return list(tournament.entries.values())
    return [tournament.entries[player] for player in cut.seeds]
