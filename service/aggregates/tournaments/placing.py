"""Who is where: the table of a phase, and the final placing through all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from typing import TypeAlias, TypeVar

from msgspec.structs import replace

from service.aggregates.tournaments.brackets import bracket_of, matches_of
from service.aggregates.tournaments.deciding import is_elimination
from service.aggregates.tournaments.events import Placed
from service.aggregates.tournaments.records import NOTHING, Replaced, record_of
from service.aggregates.tournaments.scoring import profile_of
from service.aggregates.tournaments.state import Tournament
from service.pairing.bracket_play import champion, seatings
from service.pairing.brackets import BracketMatch, Side
from service.standings.tables import Row, Table, table_of

Comparable = TypeVar("Comparable", int, tuple[int, int, int])
Ranking: TypeAlias = list[Placed]
"""In order; a tie has one rank."""

SIDES: Sequence[Side] = ("winners", "losers", "final", "reset")
CHAMPION = (len(SIDES), 0)


def standings_of(
    tournament: Tournament,
    phase: int,
    *,
    to_round: int | None = None,
    replaced: Replaced = NOTHING,
    lots: str | None = None,
) -> Table:
    """Return the table of a phase by the profile of the tournament.

    lots: seed of the profile's draws. replaced: results looked at as if they were there.
    """
    event = record_of(tournament, to_round=to_round, replaced=replaced)
    return table_of(event, profile_of(tournament), phase=phase - 1, lots=lots)


def placing_table(
    tournament: Tournament,
    phase: int,
    *,
    replaced: Replaced = NOTHING,
    lots: str | None = None,
) -> Table:
    """Return the table of a phase, in which a bracket is ranked by how far each player came."""
    table = standings_of(tournament, phase, replaced=replaced, lots=lots)
    if phase not in tournament.cuts or not is_elimination(tournament, phase):
        return table
    points = {row.player: row.points for row in table.rows}
    ranking = bracket_ranking(tournament, phase)
    tied = Counter(placed.rank for placed in ranking)
    rows = tuple(
        Row(
            rank=placed.rank,
            player=placed.player,
            name=placed.player,
            points=points.get(placed.player, Fraction(0)),
            values={},
            tied=tied[placed.rank],
        )
        for placed in ranking
    )
    return Table(profile=table.profile, rows=rows, provisional=table.provisional)


def ranking_of(tournament: Tournament, phase: int, *, lots: str | None = None) -> Ranking:
    """Return who is where after a phase."""
    table = placing_table(tournament, phase, lots=lots)
    return [Placed(rank=row.rank, player=row.player) for row in table.rows]


def bracket_ranking(tournament: Tournament, phase: int) -> Ranking:
    """Return who is where in a bracket: by the round reached, inside one by the standings before.

    Whoever can still win is before those who are out.
    """
    out = _left_in(tournament, phase)
    cut = tournament.cuts[phase]
    before = {placed.player: placed.rank for placed in cut.ranking}

    def key(player: str) -> tuple[int, int, int]:
        side, number = out.get(player, CHAMPION)
        return -side, -number, before.get(player, 0)

    return _ranked({player: key(player) for player in cut.seeds})


def final_placing(tournament: Tournament, *, lots: str | None = None) -> Ranking:
    """Return who ended where: by the last phase reached, then as that phase ended.

    Who did not make a cut stands behind those who did, in the order of the standings frozen then.
    Whoever was disqualified has no place.
    """
    found: Ranking = []
    for phase in range(tournament.phase, 0, -1):
        later = tournament.cuts.get(phase + 1)
        ranking = ranking_of(tournament, phase, lots=lots) if later is None else later.ranking
        known = {one.player for one in found}
        rest = {
            one.player: one.rank
            for one in ranking
            if one.player not in known and not tournament.entries[one.player].disqualified
        }
        found += [replace(one, rank=len(known) + one.rank) for one in _ranked(rest)]
    return found


def _left_in(tournament: Tournament, phase: int) -> dict[str, tuple[int, int]]:
    """Return for everybody who is out of a bracket the side and round of his last match."""
    bracket = bracket_of(tournament, phase)
    seated = seatings(bracket)
    losses: dict[str, list[BracketMatch]] = {}
    both: set[str] = set()
    for slot, match in matches_of(tournament, phase).items():
        if slot not in bracket.winners:
            continue
        for player in seated[slot]:
            if player is not None and player != bracket.winners[slot]:
                losses.setdefault(player, []).append(match)
        if bracket.winners[slot] is None:
            both |= {*losses} & {*seated[slot]}
    allowed = 2 if tournament.phase_of(phase).format == "double_elimination" else 1
    winner = champion(bracket)
    return {
        player: (SIDES.index(lost[-1].side), lost[-1].round)
        for player, lost in losses.items()
        if player != winner and (len(lost) >= allowed or winner is not None or player in both)
    }


def _ranked(keys: Mapping[str, Comparable]) -> Ranking:
    """Rank players by their keys, the lowest first; a tie stays in its order."""
    found: Ranking = []
    for _, tied in groupby(sorted(keys, key=keys.__getitem__), key=keys.__getitem__):
        rank = len(found) + 1
        found += [Placed(rank=rank, player=player) for player in tied]
    return found
