"""Cuts: who goes on to a phase, and with which seed; also the seeding of a first bracket."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import groupby

from msgspec import Struct
from msgspec.structs import replace

from service.aggregates.tournaments.deciding import (
    Given,
    TournamentCommand,
    check_open,
    check_seed,
    is_elimination,
)
from service.aggregates.tournaments.drafts import is_over
from service.aggregates.tournaments.events import Cut, CutMade, Placed, TournamentEvent
from service.aggregates.tournaments.placing import Ranking, placing_table
from service.aggregates.tournaments.records import NOTHING, Replaced
from service.aggregates.tournaments.state import Tournament
from service.aggregates.world import Invalid, NotFound, Refused
from service.engine.draws import KeyedSource
from service.pairing.brackets import SIZE_MAX
from service.standings.cuts import cut_of
from service.standings.tables import Table

PLAYERS_MIN = 2
EVERYBODY = Cut()


class MakeCut(TournamentCommand, frozen=True, kw_only=True):
    """Ask for the players of a phase. seed: of lots, and of the order of those who are tied.

    order: of those whom the line of the cut goes through, or of all who entered where no phase was
    before; empty: as drawn. early: although rounds of the phase before are left.
    """

    phase: int
    seed: str
    order: tuple[str, ...] = ()
    early: bool = False
    by: str


class Seeding(Struct, frozen=True, kw_only=True):
    """Who goes on. undecided: a tie that the line goes through; ranking: the standings, frozen."""

    seeds: tuple[str, ...]
    undecided: tuple[str, ...]
    ranking: Ranking


def make_cut(tournament: Tournament, command: MakeCut, given: Given) -> list[TournamentEvent]:
    """Begin a phase with its players; nothing happens if that was done.

    Raises `Refused` while the phase before goes on, for an undecided tie, or with fewer than two
    players; `Invalid` for an order that is not of those who are tied, `Closed`.
    """
    check_open(tournament)
    check_seed(command.seed)
    if command.phase in tournament.cuts:
        return []
    is_first = command.phase == 1
    check_phase(tournament, command.phase, early=command.early)
    found = (
        entered(tournament, command.seed, command.order)
        if is_first
        else seeding_of(tournament, command.phase, command.seed, command.order)
    )
    if found.undecided:
        raise Refused(f"the line goes through a tie: give the order of {_named(found.undecided)}")
    if len(found.seeds) < PLAYERS_MIN:
        raise Refused(f"a phase needs {PLAYERS_MIN} players")
    if is_elimination(tournament, command.phase) and len(found.seeds) > SIZE_MAX:
        raise Refused(f"a bracket has at most {SIZE_MAX} players")
    return [
        CutMade(
            phase=command.phase,
            seeds=list(found.seeds),
            ranking=found.ranking,
            seed=command.seed,
            by=command.by,
            time=given.now,
        )
    ]


def check_phase(tournament: Tournament, phase: int, *, early: bool) -> None:
    """Raise `Invalid` or `Refused` unless a phase can begin."""
    if phase == 1:
        if tournament.phase_of(1).format == "swiss":
            raise Refused("a first Swiss phase has everybody who enters: it needs no cut")
        return
    if phase != tournament.phase + 1 or phase > len(tournament.opened.phases):
        raise Invalid({"phase": ["is not the next phase"]})
    for one in tournament.rounds.values():
        if one.closed is None:
            raise Refused(f"round {one.number} is not closed")
    if not tournament.rounds_of(tournament.phase):
        raise Refused(f"phase {tournament.phase} has not been played")
    if not early and not is_over(tournament, tournament.phase):
        raise Refused(f"phase {tournament.phase} has rounds left")


def entered(tournament: Tournament, seed: str, order: Sequence[str]) -> Seeding:
    """Seed those who entered, as staff orders them or as drawn; raises `Invalid`."""
    there = sorted(
        entry.player for entry in tournament.entries.values() if entry.dropped_after is None
    )
    drawn = _in_order(there, order) if order else _drawn("entries", there, seed)
    return Seeding(seeds=tuple(drawn), undecided=(), ranking=[])


def seeding_of(
    tournament: Tournament,
    phase: int,
    seed: str,
    order: Sequence[str],
    *,
    replaced: Replaced = NOTHING,
) -> Seeding:
    """Return who goes on from the phase before to a phase; raises `NotFound`, `Invalid`.

    Whoever has left does not. Those who are tied, but on the same side of the line, are in the
    order of a draw. replaced: results looked at as if they were there.
    """
    if not 1 < phase <= min(tournament.phase + 1, len(tournament.opened.phases)):
        raise NotFound(f"phase {phase} does not follow from one that has begun")
    table = placing_table(tournament, phase - 1, replaced=replaced, lots=seed)
    ranking = [Placed(rank=row.rank, player=row.player) for row in table.rows]
    there = _without_gaps(tournament, phase, table, seed)
    cut = tournament.phase_of(phase).cut or EVERYBODY
    points = None if cut.points is None else Fraction(cut.points)
    found = cut_of(there, size=cut.top, points=points)
    if not found.undecided or not order:
        return Seeding(seeds=found.seeds, undecided=found.undecided, ranking=ranking)
    tied = set(found.undecided)
    above = [player for player in found.seeds if player not in tied]
    seeds = [*above, *_in_order(found.undecided, order)][: len(found.seeds)]
    return Seeding(seeds=tuple(seeds), undecided=(), ranking=ranking)


def _without_gaps(tournament: Tournament, phase: int, table: Table, seed: str) -> Table:
    """Return the table of those who can go on, a tie in the order of a draw.

    Who was there when the cut was made has gone on, also if he left later.
    """
    cut = tournament.cuts.get(phase)
    able = {entry.player for entry in tournament.entries.values() if entry.dropped_after is None}
    able |= set() if cut is None else {*cut.seeds}
    rows = {row.player: row for row in table.rows if row.player in able}
    in_order = [
        rows[player]
        for rank, tied in groupby(rows.values(), key=lambda row: row.rank)
        for player in _drawn(f"rank/{rank}", sorted(row.player for row in tied), seed)
    ]
    return replace(table, rows=tuple(in_order))


def _drawn(label: str, players: list[str], seed: str) -> list[str]:
    return [*KeyedSource(bytes.fromhex(seed), {}).ordered(f"cut/{label}", players)]


def _in_order(players: Sequence[str], order: Sequence[str]) -> list[str]:
    if sorted(order) != sorted(players):
        raise Invalid({"order": [f"each of {_named(sorted(players))} once"]})
    return list(order)


def _named(players: Sequence[str]) -> str:
    return ", ".join(players)
