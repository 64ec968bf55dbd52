"""The bracket of an elimination phase: made from seeds and results, corrected with care."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from typing import TypeAlias

from msgspec import Struct

from service.aggregates.tournaments.events import Sitting, Table
from service.aggregates.tournaments.state import RoundState, TableState, Tournament
from service.pairing.bracket_play import (
    BYE,
    Bracket,
    RewindNeeded,
    Seating,
    correct,
    opened,
    ready,
    rewind,
    seatings,
)
from service.pairing.brackets import (
    BracketMatch,
    Layout,
    double_elimination,
    single_elimination,
)

TableKey: TypeAlias = tuple[int, int]
"""A table as the number of its round and its own."""

NONE: Collection[TableKey] = ()


class Correction(Struct, frozen=True, kw_only=True):
    """What another result changes in a bracket.

    undone: tables that have begun and would be taken back; repaired: round → its tables, for the
    published rounds in which somebody else sits, or nobody yet.
    """

    undone: tuple[TableKey, ...]
    repaired: dict[int, tuple[Table, ...]]


def layout_of(tournament: Tournament, phase: int) -> Layout:
    """Return the matches of the bracket of a phase that has begun."""
    one = tournament.phase_of(phase)
    size = len(tournament.cuts[phase].seeds)
    return _layout(size, is_double=one.format == "double_elimination", reset=one.reset)


@lru_cache(maxsize=32)
def _layout(size: int, *, is_double: bool, reset: bool) -> Layout:
    return double_elimination(size, reset=reset) if is_double else single_elimination(size)


def matches_of(tournament: Tournament, phase: int) -> dict[str, BracketMatch]:
    """Return the matches of a bracket by their slots."""
    return {match.id: match for match in layout_of(tournament, phase).matches}


def has_begun(table: TableState) -> bool:
    """Tell whether a result or a log of a table is known."""
    return table.result is not None or bool(table.links)


def bracket_of(
    tournament: Tournament, phase: int, *, begun: Collection[TableKey] = NONE
) -> Bracket:
    """Return the bracket of a phase as it stands. begun: tables of which games were opened."""
    winners: dict[str, str | None] = {}
    started: set[str] = set()
    for number, slot, table in _slots(tournament, phase):
        if has_begun(table) or (number, table.table.table) in begun:
            started.add(slot)
        if table.result is not None:
            winners[slot] = table.result.winner
    empty = opened(layout_of(tournament, phase), tournament.cuts[phase].seeds)
    return Bracket(
        layout=empty.layout, players=empty.players, winners=winners, started=frozenset(started)
    )


def _slots(tournament: Tournament, phase: int) -> Iterator[tuple[int, str, TableState]]:
    for one in tournament.rounds_of(phase):
        for table in one.tables.values():
            assert table.table.slot is not None, "a table of a bracket has its slot"
            yield one.number, table.table.slot, table


def next_tables(tournament: Tournament, phase: int) -> tuple[list[Table], list[Sitting]]:
    """Return what can be played next: on each side the lowest round with players that are known.

    In the first round the seeds without an opponent have a bye.
    """
    bracket = bracket_of(tournament, phase)
    seated = seatings(bracket)
    playable = _lowest(matches_of(tournament, phase), ready(bracket))
    met = {frozenset(table.players) for one in tournament.rounds.values() for table in _of(one)}
    tables = [
        _table(number, slot, seated[slot], met) for number, slot in enumerate(playable, start=1)
    ]
    if tournament.rounds_of(phase):
        return tables, []
    byes = [
        Sitting(player=player, kind="bye")
        for match in bracket.layout.matches
        if match.side == "winners" and match.round == 1 and BYE in seated[match.id]
        for player in seated[match.id]
        if player not in (None, BYE)
    ]
    return tables, byes


def _lowest(matches: Mapping[str, BracketMatch], slots: Collection[str]) -> list[str]:
    """Keep of each side the matches of the first round that has one."""
    first: dict[str, int] = {}
    for slot in slots:
        match = matches[slot]
        first[match.side] = min(match.round, first.get(match.side, match.round))
    return [slot for slot in slots if matches[slot].round == first[matches[slot].side]]


def is_decided(tournament: Tournament, phase: int) -> bool:
    """Tell whether nothing is left to be played in a bracket."""
    return phase in tournament.cuts and not ready(bracket_of(tournament, phase))


def correction(
    tournament: Tournament, key: TableKey, winner: str | None, begun: Collection[TableKey] = NONE
) -> Correction:
    """Return what changes if a table of a bracket that has a result had another winner."""
    number, table = key
    phase = tournament.rounds[number].phase
    slot = tournament.rounds[number].tables[table].table.slot
    assert slot is not None, "a table of a bracket has its slot"
    bracket = bracket_of(tournament, phase, begun=begun)
    found = correct(bracket, slot, winner)
    undone: tuple[str, ...] = ()
    if isinstance(found, RewindNeeded):
        undone = found.started
        found = rewind(bracket, slot, winner)
    assert isinstance(found, Bracket), "the match has a result and the winner sits at it"
    places = {slot: (at, one.table.table) for at, slot, one in _slots(tournament, phase)}
    return Correction(
        undone=tuple(places[slot] for slot in undone),
        repaired=dict(_repaired(tournament, phase, seatings(found))),
    )


def _repaired(
    tournament: Tournament, phase: int, seated: Mapping[str, Seating]
) -> Iterator[tuple[int, tuple[Table, ...]]]:
    for one in tournament.rounds_of(phase):
        earlier = [other for other in tournament.rounds.values() if other.number < one.number]
        met = {frozenset(table.players) for other in earlier for table in _of(other)}
        after = tuple(
            _table(table.table, table.slot or "", seated[table.slot or ""], met)
            for table in _of(one)
            if not {None, BYE} & {*seated[table.slot or ""]}
        )
        if [table.players for table in after] != [table.players for table in _of(one)]:
            yield one.number, after


def _of(one: RoundState) -> list[Table]:
    return [state.table for state in one.tables.values()]


def _table(number: int, slot: str, seating: Seating, met: Collection[frozenset[str]]) -> Table:
    players = [player for player in seating if player is not None]
    return Table(table=number, players=players, rematch=frozenset(players) in met, slot=slot)
