"""What another result or a log of a table would change: standings, pairings, cuts, its level."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TypeAlias

from msgspec import Struct

from service.aggregates.tournaments.brackets import Correction, correction
from service.aggregates.tournaments.cuts import seeding_of
from service.aggregates.tournaments.deciding import Given, is_elimination, table_in
from service.aggregates.tournaments.drawing import ASSIGNED, field_of
from service.aggregates.tournaments.events import MatchLinked
from service.aggregates.tournaments.folding import evolve
from service.aggregates.tournaments.levels import Difference, Level, difference_of, level_of
from service.aggregates.tournaments.linking import LinkMatch, link
from service.aggregates.tournaments.placing import standings_of
from service.aggregates.tournaments.records import NOTHING, Replaced
from service.aggregates.tournaments.results import check_result
from service.aggregates.tournaments.state import RoundState, TableResult, Tournament
from service.pairing.fields import Unpairable
from service.pairing.swiss import pair
from service.standings.tables import Row

Tables: TypeAlias = tuple[tuple[str, str], ...]


class Standing(Struct, frozen=True, kw_only=True):
    """Where a player is. values: by short name of the criterion."""

    rank: int
    points: Fraction
    values: dict[str, Fraction]


class Moved(Struct, frozen=True, kw_only=True):
    """A player whose row after a round would be another."""

    round: int
    player: str
    before: Standing
    after: Standing


class PairedOtherwise(Struct, frozen=True, kw_only=True):
    """A later round that the pairer would have made otherwise, with the seed it had.

    tables, byes: those that would have been made and were not; gone: tables in their place.
    """

    round: int
    tables: Tables
    byes: tuple[str, ...]
    gone: Tables


class SeededOtherwise(Struct, frozen=True, kw_only=True):
    """A cut that would have been another. undecided: a tie through the line that staff orders."""

    phase: int
    before: tuple[str, ...]
    after: tuple[str, ...]
    undecided: tuple[str, ...]


class Preview(Struct, frozen=True, kw_only=True):
    """All that would change. bracket: None outside of one, or where the table has no result."""

    standings: tuple[Moved, ...]
    pairings: tuple[PairedOtherwise, ...]
    cuts: tuple[SeededOtherwise, ...]
    bracket: Correction | None


class LinkPreview(Struct, frozen=True, kw_only=True):
    """What a log would be worth at a table. link: as it would be, or is already if not `is_new`.

    result, level, difference: those of the table behind it, None while it has no result.
    """

    is_new: bool
    link: MatchLinked
    result: TableResult | None
    level: Level | None
    difference: Difference | None


class LaterAmendment(Struct, frozen=True, kw_only=True):
    """A result that was replaced after a later round had been paired."""

    round: int
    table: int


def preview(tournament: Tournament, number: int, table: int, result: TableResult) -> Preview:
    """Tell what would change if a table of a published round had this result.

    Raises `NotFound`, `Invalid` for a result that it cannot have.
    """
    state = table_in(tournament, number, table)
    check_result(tournament, number, state, result)
    phase = tournament.rounds[number].phase
    replaced = {(number, table): result}
    if is_elimination(tournament, phase):
        has_result = state.result is not None
        bracket = correction(tournament, (number, table), result.winner) if has_result else None
        return Preview(standings=(), pairings=(), cuts=(), bracket=bracket)
    later = [one for one in tournament.rounds_of(phase) if one.number > number]
    return Preview(
        standings=tuple(
            moved
            for at in (number, *(one.number for one in later))
            for moved in _moved(tournament, phase, at, replaced)
        ),
        pairings=tuple(
            found for one in later if (found := _otherwise(tournament, one, replaced)) is not None
        ),
        cuts=tuple(_seeded(tournament, phase + 1, replaced)),
        bracket=None,
    )


def preview_link(tournament: Tournament, command: LinkMatch, given: Given) -> LinkPreview:
    """Tell what a table would be with a log of one of its games; raises as `link`."""
    events, after = link(tournament, command, given), tournament
    for event in events:
        after = evolve(after, event, tournament_id=tournament.id)
    table = table_in(after, command.round, command.table)
    return LinkPreview(
        is_new=bool(events),
        link=next(one for one in table.links if one.match == command.match),
        result=table.result,
        level=level_of(table),
        difference=difference_of(table),
    )


def amended_since(tournament: Tournament, number: int) -> list[LaterAmendment]:
    """Return the earlier results of its phase that were replaced after a round was paired.

    The pairing stays as it was published; this marks it.
    """
    one = tournament.rounds[number]
    return [
        LaterAmendment(round=done.round, table=done.table)
        for done in tournament.amendments
        if done.seq > one.drafted
        and done.round < number
        and done.round in tournament.rounds
        and tournament.rounds[done.round].phase == one.phase
    ]


def _moved(tournament: Tournament, phase: int, number: int, replaced: Replaced) -> Iterator[Moved]:
    before = standings_of(tournament, phase, to_round=number)
    after = standings_of(tournament, phase, to_round=number, replaced=replaced)
    standing = {row.player: _standing(row) for row in before.rows}
    for row in after.rows:
        if standing[row.player] != _standing(row):
            yield Moved(
                round=number,
                player=row.player,
                before=standing[row.player],
                after=_standing(row),
            )


def _standing(row: Row) -> Standing:
    return Standing(rank=row.rank, points=row.points, values=row.values)


def _otherwise(
    tournament: Tournament, one: RoundState, replaced: Replaced
) -> PairedOtherwise | None:
    if one.seed is None:
        return None
    before, byes_before = _paired(tournament, one, NOTHING)
    after, byes_after = _paired(tournament, one, replaced)
    if before == after and byes_before == byes_after:
        return None
    return PairedOtherwise(
        round=one.number,
        tables=tuple(sorted(after - before)),
        byes=tuple(sorted(byes_after - byes_before)),
        gone=tuple(sorted(before - after)),
    )


def _paired(
    tournament: Tournament, one: RoundState, replaced: Replaced
) -> tuple[set[tuple[str, str]], set[str]]:
    """Return the tables and byes that the pairer makes of a round, each pair in order of ids."""
    seed = one.seed
    assert seed is not None, "only a round that was drawn is drawn again"
    sitting = {sits.player: sits.kind for sits in one.without if sits.kind != ASSIGNED}
    only = {player for table in one.tables.values() for player in table.players}
    only |= {sits.player for sits in one.without}
    field = field_of(tournament, one.number, seed, sitting, replaced=replaced, only=only)
    found = pair(field.players, field.options)
    if isinstance(found, Unpairable):
        return set(), set()
    return {(min(both), max(both)) for both in found.tables}, set(found.byes)


def _seeded(tournament: Tournament, phase: int, replaced: Replaced) -> Iterator[SeededOtherwise]:
    cut = tournament.cuts.get(phase)
    if cut is None:
        return
    found = seeding_of(tournament, phase, cut.seed, (), replaced=replaced)
    if list(found.seeds) != cut.seeds:
        yield SeededOtherwise(
            phase=phase,
            before=tuple(cut.seeds),
            after=found.seeds,
            undecided=found.undecided,
        )
