"""Cuts and final placing: who goes on, who meets whom, who ended where."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import groupby

from msgspec import Struct

from service.standings.records import Event, Result, Round, loser_of, winner_of
from service.standings.tables import Row, Table


class Cut(Struct, frozen=True, kw_only=True):
    """Who goes on, in the order of the table: seed 1 first.

    undecided: ids of a tie that the line goes through, so that a draw or a ruling is needed.
    """

    seeds: tuple[str, ...]
    undecided: tuple[str, ...] = ()


class Place(Struct, frozen=True, kw_only=True):
    """Where a player ended. reached: the last bracket round that he came to, or null.

    tied: how many share the place.
    """

    place: int
    player: str
    reached: str | None
    row: Row
    tied: int = 1


def cut_of(table: Table, *, size: int | None = None, points: Fraction | None = None) -> Cut:
    """Return the first `size` of those who have at least `points`; no limit means all."""
    able = [row for row in table.rows if points is None or row.points >= points]
    taken = able if size is None else able[:size]
    seeds = tuple(row.player for row in taken)
    if len(able) == len(taken) or not taken or able[len(taken)].rank != taken[-1].rank:
        return Cut(seeds=seeds)
    rank = taken[-1].rank
    return Cut(seeds=seeds, undecided=tuple(row.player for row in able if row.rank == rank))


def bracket_seeds(size: int) -> list[int]:
    """Return the seeds of the slots of a bracket from top to bottom; size: a power of two.

    Two neighbours meet, and seeds 1 and 2 only in the last round: 1 8 5 4 3 6 7 2 for eight.
    """
    seeds = [1]
    while len(seeds) < size:
        whole = 2 * len(seeds) + 1
        pairs = ((seed, whole - seed) for seed in seeds)
        seeds = [
            seed
            for place, pair in enumerate(pairs)
            for seed in (pair if place % 2 == 0 else reversed(pair))
        ]
    return seeds


def bracket_pairs(seeds: Sequence[str]) -> list[tuple[str, str | None]]:
    """Return the tables of the first bracket round, the higher seed first, from top to bottom.

    Where the seeds fill no power of two the first of them have no opponent.
    """
    slots = bracket_seeds(max(2, 1 << (len(seeds) - 1).bit_length())) if seeds else []
    found: list[tuple[str, str | None]] = []
    for one, other in zip(slots[::2], slots[1::2], strict=True):
        high, low = sorted((one, other))
        found.append((seeds[high - 1], seeds[low - 1] if low <= len(seeds) else None))
    return found


def final_placing(event: Event, table: Table, *, bracket: int) -> list[Place]:
    """Return where everybody ended: by bracket round reached, inside one by the table.

    bracket: index of the phase that is the bracket. Winners of a match for a place that is played
    between losers of the same round stand before the other losers of it. Whoever was not in the
    bracket stands behind it, in the order of the table.
    """
    rounds = event.phases[bracket].rounds
    reached = _reached(rounds)
    for_place = _winners_for_a_place(rounds, reached)
    names = [one.name for one in rounds]

    def key(row: Row) -> tuple[int, int, int]:
        return (-reached.get(row.player, -1), -for_place.get(row.player, 0), row.rank)

    places: list[Place] = []
    for _, group in groupby(sorted(table.rows, key=lambda row: (*key(row), row.player)), key=key):
        rows = list(group)
        place = len(places) + 1
        for row in rows:
            last = reached.get(row.player)
            places.append(
                Place(
                    place=place,
                    player=row.player,
                    reached=None if last is None else names[min(last, len(names) - 1)],
                    row=row,
                    tied=len(rows),
                )
            )
    return places


def _reached(rounds: Sequence[Round]) -> dict[str, int]:
    """Return the index of the last round each player came to; who won came to the one behind it."""
    reached: dict[str, int] = {}
    lost: set[str] = set()
    for place, one in enumerate(rounds):
        for result in one.results:
            on = {*_players(result)} - lost
            reached |= dict.fromkeys(on, place)
            reached |= dict.fromkeys(on & _through(result), place + 1)
        for result in one.results:
            lost |= _out(result)
    return reached


def _through(result: Result) -> set[str]:
    if result.kind in ("bye", "awarded_bye"):
        return {result.first}
    winner = winner_of(result)
    return set() if winner is None else {winner}


def _out(result: Result) -> set[str]:
    if result.kind in ("double_loss", "assigned_loss", "absence", "zero_bye"):
        return {*_players(result)}
    loser = loser_of(result)
    return set() if loser is None else {loser}


def _players(result: Result) -> Iterator[str]:
    yield result.first
    if result.second is not None:
        yield result.second


def _winners_for_a_place(rounds: Sequence[Round], reached: dict[str, int]) -> dict[str, int]:
    """Return 1 for each winner over somebody who had lost in the same round as he."""
    found: dict[str, int] = {}
    for place, one in enumerate(rounds):
        for result in one.results:
            winner, loser = winner_of(result), loser_of(result)
            if winner is None or loser is None:
                continue
            if reached[winner] == reached[loser] < place:
                found[winner] = found.get(winner, 0) + 1
    return found
