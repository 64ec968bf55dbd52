"""The formulas of the criteria: each value of a player as the terms it is made of.

A value is the sum of its terms through a divisor, put between bounds. The table and the reasons
are made from the same terms, so that they cannot disagree.

- points, wins, gd, cum: match points; rounds won, byes included; games won less games lost; the sum
  of the running scores.
- omw: mean over opponents of max(floor, points / (win x rounds)); oomw: mean of the opponents' omw.
- gw: game points / (3 x games), a drawn game 1; ogw: mean over opponents of max(floor, gw).
- wp: (wins + 1/2 ties) / rounds without byes, between floor and cap; ow: mean over opponents;
  oow: mean of the opponents' ow.
- bh: sum of the opponents' scores; sb: the same, each times the share of a win against him.

Without any opponent a mean is 0; without any round or game a share is 0 before its floor.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from service.standings.profiles import Criterion
from service.standings.tallies import NOBODY, Entry, Sheet
from service.standings.unplayed import Contribution, contributions, scores_for_opponents

# A share as (numerator, denominator), not reduced; the denominator is above zero.
Ratio = tuple[int, int]
NOTHING: Ratio = (0, 1)


class Term(NamedTuple):
    """A part of a value. opponent: his index or `NOBODY`; counted: False if a cut left it out."""

    round: int
    opponent: int
    value: Ratio
    counted: bool = True


class Parts(NamedTuple):
    """A value before its bounds: the sum of the counted terms through the divisor, 0 for none."""

    terms: list[Term]
    divisor: int


@dataclass(frozen=True, slots=True)
class Measure:
    """How a criterion is computed. parts: for why; value: the same value, without the terms."""

    value: Callable[[int], Fraction]
    parts: Callable[[int], Parts]


def measure_of(sheet: Sheet, criterion: Criterion) -> Measure:
    """Return how a criterion is computed on a sheet; raises KeyError for a group stage."""
    return _MEASURES[criterion.kind](sheet, criterion)


def bounded(ratio: Ratio, low: Fraction, high: Fraction) -> Ratio:
    """Return a share put between two bounds."""
    part, whole = ratio
    if part * low.denominator < low.numerator * whole:
        return (low.numerator, low.denominator)
    if part * high.denominator > high.numerator * whole:
        return (high.numerator, high.denominator)
    return ratio


def total(terms: Sequence[Ratio], divisor: int) -> Fraction:
    """Return the sum of shares through a divisor above zero."""
    common = lcm(*[whole for _, whole in terms])
    return Fraction(sum([part * (common // whole) for part, whole in terms]), common * divisor)


def _match_share(sheet: Sheet, player: int) -> Ratio:
    tally = sheet.tallies[player]
    return (tally.points, sheet.scoring.win * tally.rounds) if tally.rounds else NOTHING


def _game_share(sheet: Sheet, player: int) -> Ratio:
    stated = sheet.players[player].game_wins
    if stated is not None:
        return (stated.numerator, stated.denominator)
    tally = sheet.tallies[player]
    return (tally.game_points, 3 * tally.games) if tally.games else NOTHING


def _win_share(sheet: Sheet, player: int) -> Ratio:
    tally = sheet.tallies[player]
    return (tally.half_wins, 2 * tally.contested) if tally.contested else NOTHING


_SHARES = {"omw": _match_share, "oomw": _match_share, "gw": _game_share, "ogw": _game_share}


def _bounded_shares(sheet: Sheet, criterion: Criterion) -> list[Ratio]:
    """Return the share of every player between the bounds of the criterion."""
    share = _SHARES.get(criterion.kind, _win_share)
    caps = (
        criterion.cap,
        criterion.cap if criterion.dropped_cap is None else criterion.dropped_cap,
    )
    return [
        bounded(share(sheet, player), criterion.floor, caps[sheet.left_early(player)])
        for player in range(len(sheet.players))
    ]


def _mean(sheet: Sheet, values: Sequence[Ratio]) -> Measure:
    """Return the mean over the opponents that a player met."""

    def value(player: int) -> Fraction:
        opponents = sheet.tallies[player].opponents
        return total([values[other] for other in opponents], len(opponents) or 1)

    def parts(player: int) -> Parts:
        met = [entry for entry in sheet.entries[player] if entry.opponent != NOBODY]
        terms = [Term(entry.round, entry.opponent, values[entry.opponent]) for entry in met]
        return Parts(terms, len(terms) or 1)

    return Measure(value, parts)


def _mean_of_shares(sheet: Sheet, criterion: Criterion) -> Measure:
    return _mean(sheet, _bounded_shares(sheet, criterion))


def _mean_of_means(sheet: Sheet, criterion: Criterion) -> Measure:
    inner = _mean_of_shares(sheet, criterion)
    means = [inner.value(player) for player in range(len(sheet.players))]
    return _mean(sheet, [(mean.numerator, mean.denominator) for mean in means])


def _own_share(sheet: Sheet, criterion: Criterion) -> Measure:
    shares = _bounded_shares(sheet, criterion)
    return Measure(
        lambda player: Fraction(*shares[player]),
        lambda player: Parts([Term(0, NOBODY, shares[player])], 1),
    )


def _per_round(sheet: Sheet, part_of: Callable[[list[Entry]], list[int]], units: int) -> Measure:
    """Return a sum over the rounds of a player, in parts of a unit."""

    def parts(player: int) -> Parts:
        entries = sheet.entries[player]
        return Parts(
            [
                Term(entry.round, entry.opponent, (part, units))
                for entry, part in zip(entries, part_of(entries), strict=True)
            ],
            1,
        )

    return Measure(lambda player: Fraction(sum(part_of(sheet.entries[player])), units), parts)


def _points(sheet: Sheet, criterion: Criterion) -> Measure:
    units = sheet.scoring.units
    per_round = _per_round(sheet, lambda entries: [entry.points for entry in entries], units)
    return Measure(lambda player: Fraction(sheet.tallies[player].points, units), per_round.parts)


def _cumulative(sheet: Sheet, criterion: Criterion) -> Measure:
    """Points of a round count once for it and once for every round behind it."""
    behind = {number: len(sheet.numbers) - place for place, number in enumerate(sheet.numbers)}
    return _per_round(
        sheet,
        lambda entries: [entry.points * behind[entry.round] for entry in entries],
        sheet.scoring.units,
    )


def _own_count(sheet: Sheet, criterion: Criterion) -> Measure:
    def count(player: int) -> Ratio:
        tally = sheet.tallies[player]
        return (tally.wins if criterion.kind == "wins" else tally.game_difference, 1)

    return Measure(
        lambda player: Fraction(*count(player)),
        lambda player: Parts([Term(0, NOBODY, count(player))], 1),
    )


def _of_scores(
    sheet: Sheet, criterion: Criterion, worth: Callable[[Contribution], int], units: int
) -> Measure:
    """Return a sum over the scores of opponents."""
    scores = scores_for_opponents(sheet, criterion.unplayed)

    def found(player: int) -> list[Contribution]:
        return contributions(sheet, player, scores, criterion)

    return Measure(
        lambda player: Fraction(sum(worth(one) for one in found(player) if not one.cut), units),
        lambda player: Parts(
            [
                Term(one.round, one.opponent, (worth(one), units), not one.cut)
                for one in found(player)
            ],
            1,
        ),
    )


def _buchholz(sheet: Sheet, criterion: Criterion) -> Measure:
    return _of_scores(sheet, criterion, lambda one: one.score, sheet.scoring.units)


def _sonneborn_berger(sheet: Sheet, criterion: Criterion) -> Measure:
    return _of_scores(
        sheet,
        criterion,
        lambda one: one.score * one.result,
        sheet.scoring.units * sheet.scoring.win,
    )


_MEASURES: dict[str, Callable[[Sheet, Criterion], Measure]] = {
    "points": _points,
    "wins": _own_count,
    "cum": _cumulative,
    "gd": _own_count,
    "omw": _mean_of_shares,
    "ogw": _mean_of_shares,
    "ow": _mean_of_shares,
    "oomw": _mean_of_means,
    "oow": _mean_of_means,
    "gw": _own_share,
    "wp": _own_share,
    "bh": _buchholz,
    "sb": _sonneborn_berger,
}
