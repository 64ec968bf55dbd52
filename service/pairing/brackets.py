"""The matches of an elimination bracket and where their winners and losers go.

A bracket of any size is one for the next power of two whose last seeds are missing: their
opponents, the top seeds, have byes in the first round, and byes pass through the losers' bracket.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias

import msgspec

SIZE_MIN = 2
SIZE_MAX = 4096

Side: TypeAlias = Literal["winners", "losers", "final", "reset", "third"]


class Seed(msgspec.Struct, frozen=True, tag="seed"):
    """A seat for the seed of this number, 1 the best; a bye where the bracket has fewer."""

    number: int


class WinnerOf(msgspec.Struct, frozen=True, tag="winner"):
    """A seat for the winner of a match."""

    match: str


class LoserOf(msgspec.Struct, frozen=True, tag="loser"):
    """A seat for the loser of a match."""

    match: str


Source: TypeAlias = Seed | WinnerOf | LoserOf


class BracketMatch(msgspec.Struct, frozen=True, kw_only=True):
    """A place for a match. id: `W2-1` is match 1 of round 2 of the winners' side.

    side reset: is played only if the player from the losers' bracket wins the final.
    """

    id: str
    side: Side
    round: int
    seats: tuple[Source, Source]


class Layout(msgspec.Struct, frozen=True, kw_only=True):
    """All matches of a bracket, each behind those its seats come from. size: number of players."""

    size: int
    matches: tuple[BracketMatch, ...]
    decider: str
    """The match whose winner wins the bracket, unless there is a reset and it is played."""


def single_elimination(size: int, *, third_place: bool = False) -> Layout:
    """Return the bracket for 2 to 4,096 players, with a match for the third place if asked for."""
    matches = list(_winners(size))
    final = matches[-1].id
    if third_place and size > SIZE_MIN + 1:
        semifinals = [seat.match for seat in matches[-1].seats if isinstance(seat, WinnerOf)]
        losers = LoserOf(semifinals[0]), LoserOf(semifinals[1])
        matches.append(BracketMatch(id="T1-1", side="third", round=1, seats=losers))
    return Layout(size=size, matches=tuple(matches), decider=final)


def double_elimination(size: int, *, reset: bool = True) -> Layout:
    """Return the bracket in which the second loss ends it, for 2 to 4,096 players.

    Losers' rounds with an even number take up the losers of a winners' round, in an order in which
    nobody can at once meet again whom he has met, as long as there is another place for him. With
    `reset` a loss in the final of the player who had none before leads to a second one.
    """
    winners = list(_winners(size))
    losers = list(_losers(winners))
    last = winners[-1].id
    from_losers = WinnerOf(losers[-1].id) if losers else LoserOf(last)
    final = BracketMatch(id="F1-1", side="final", round=1, seats=(WinnerOf(last), from_losers))
    matches = [*winners, *losers, final]
    if reset:
        again = WinnerOf(final.id), LoserOf(final.id)
        matches.append(BracketMatch(id="F2-1", side="reset", round=2, seats=again))
    return Layout(size=size, matches=tuple(matches), decider=final.id)


def seed_pairs(size: int) -> list[tuple[int, int]]:
    """Return the first round from top to bottom as seed numbers: 1–8, 4–5, 3–6, 2–7.

    Numbers above `size` are byes. Seeds 1 and 2 are in opposite halves, 1 to 4 in all quarters, and
    so on.
    """
    assert SIZE_MIN <= size <= SIZE_MAX, "a bracket has 2 to 4,096 players"
    order = [1]
    while len(order) < size:
        total = 2 * len(order) + 1
        order = [
            seed
            for index, better in enumerate(order)
            for seed in ((better, total - better) if index % 2 == 0 else (total - better, better))
        ]
    pairs = zip(order[::2], order[1::2], strict=True)
    return [(min(pair), max(pair)) for pair in pairs]


def _winners(size: int) -> Iterator[BracketMatch]:
    sources: list[tuple[Source, Source]] = [
        (Seed(one), Seed(other)) for one, other in seed_pairs(size)
    ]
    number = 1
    while sources:
        found = [_match("winners", number, index, seats) for index, seats in enumerate(sources)]
        yield from found
        ids = [match.id for match in found]
        sources = [
            (WinnerOf(one), WinnerOf(other))
            for one, other in zip(ids[::2], ids[1::2], strict=False)
        ]
        number += 1


def _losers(winners: list[BracketMatch]) -> Iterator[BracketMatch]:
    rounds: dict[int, list[str]] = {}
    for match in winners:
        rounds.setdefault(match.round, []).append(match.id)
    coming: list[Source] = [LoserOf(match) for match in rounds[1]]
    number = 0
    shifts = [0]
    for fallen_in in range(2, len(rounds) + 1):
        for fallen in (None, [LoserOf(match) for match in rounds[fallen_in]]):
            number += 1
            if fallen is None:
                seats = list(zip(coming[::2], coming[1::2], strict=True))
            else:
                shifts.append(_shift(shifts, len(fallen)))
                seats = [
                    (fallen[index ^ shifts[-1]], source) for index, source in enumerate(coming)
                ]
            found = [_match("losers", number, index, pair) for index, pair in enumerate(seats)]
            yield from found
            coming = [WinnerOf(match.id) for match in found]


def _shift(shifts: list[int], count: int) -> int:
    """Return with which number the places of the next fallen players are crossed (exclusive or).

    shifts: those of the earlier rounds. Who fell in one of them sits, so many rounds on, where its
    number shifted right puts him; with the same number his conqueror would meet him there again.
    Where no other number is left, the oldest meeting comes again.
    """
    taken = [shift >> (len(shifts) - index) for index, shift in enumerate(shifts)]
    wanted = (count - 1, count // 2, *range(count))
    return next((number for number in wanted if number not in taken), taken[0])


def _match(
    side: Literal["winners", "losers"], number: int, index: int, seats: tuple[Source, Source]
) -> BracketMatch:
    name = f"{side[0].upper()}{number}-{index + 1}"
    return BracketMatch(id=name, side=side, round=number, seats=seats)
