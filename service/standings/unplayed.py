"""Buchholz and Sonneborn-Berger with rounds that were not played (FIDE C.07, 2024, article 16).

Three treatments. `dummy`, of 2024: an own unplayed round counts as if against an opponent with the
own score; of an opponent's score, a requested bye of half a point or none with nothing but
voluntarily unplayed rounds behind it counts as a draw. A round that does not name a player counts
as such a bye. `virtual`, until 2023: the opponent of an unplayed round has the score that the
player had before it, the rest of a win in it, and draws in all rounds behind it; an opponent's
unplayed rounds count as draws. `none`: only played rounds count, with the scores that stand in the
table.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from service.standings.profiles import Criterion, Unplayed
from service.standings.tallies import NOBODY, VOLUNTARY, Entry, Sheet, Way


class Contribution(NamedTuple):
    """What a round adds. opponent: index or `NOBODY`; score: the opponent's, in units.

    result: own points of the round in units; cut: left out by a cut.
    """

    round: int
    opponent: int
    score: int
    result: int
    voluntary: bool
    cut: bool = False


def entries_of(sheet: Sheet, player: int) -> list[Entry]:
    """Return a player's entry of every round; one that does not name him is a bye of no points."""
    found = sheet.entries[player]
    if len(found) == len(sheet.numbers):
        return found
    listed = {entry.round: entry for entry in found}
    return [
        listed.get(number) or Entry(number, NOBODY, 0, Way.REQUESTED) for number in sheet.numbers
    ]


def scores_for_opponents(sheet: Sheet, unplayed: Unplayed) -> list[int]:
    """Return for each player the score with which he counts for his opponents, in units."""
    if unplayed == "none":
        return [tally.points for tally in sheet.tallies]
    adjusted = _with_draws_at_the_end if unplayed == "dummy" else _with_draws_for_unplayed
    return [adjusted(sheet, player) for player in range(len(sheet.players))]


def contributions(
    sheet: Sheet, player: int, scores: Sequence[int], criterion: Criterion
) -> list[Contribution]:
    """Return what each round of a player adds, with those that the criterion cuts marked."""
    found = []
    before = 0
    for place, entry in enumerate(entries_of(sheet, player)):
        voluntary = entry.way in VOLUNTARY
        if entry.way is Way.PLAYED:
            score = scores[entry.opponent]
        elif criterion.unplayed == "dummy":
            score = sheet.tallies[player].points
        else:
            rest = sheet.scoring.draw * (len(sheet.numbers) - place - 1)
            score = before + (sheet.scoring.win - entry.points) + rest
        before += entry.points
        if entry.way is Way.PLAYED or criterion.unplayed != "none":
            opponent = entry.opponent if entry.way is Way.PLAYED else NOBODY
            found.append(Contribution(entry.round, opponent, score, entry.points, voluntary))
    return _cut(found, criterion)


def _with_draws_at_the_end(sheet: Sheet, player: int) -> int:
    total = sheet.tallies[player].points
    for entry in reversed(entries_of(sheet, player)):
        if entry.way not in VOLUNTARY:
            break
        if entry.way is Way.REQUESTED:
            total += sheet.scoring.draw - entry.points
    return total


def _with_draws_for_unplayed(sheet: Sheet, player: int) -> int:
    return sum(
        entry.points if entry.way is Way.PLAYED else sheet.scoring.draw
        for entry in entries_of(sheet, player)
    )


def _cut(found: list[Contribution], criterion: Criterion) -> list[Contribution]:
    """Mark the lowest, voluntarily unplayed rounds before all others (16.5), and the highest."""
    if not (criterion.cut_low or criterion.cut_high):
        return found
    order = sorted(
        range(len(found)),
        key=lambda place: (not found[place].voluntary, found[place].score, place),
    )
    low = order[: criterion.cut_low]
    kept = sorted(order[criterion.cut_low :], key=lambda place: (-found[place].score, place))
    for place in (*low, *kept[: criterion.cut_high]):
        found[place] = found[place]._replace(cut=True)
    return found
