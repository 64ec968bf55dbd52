"""What each player of a phase has to show under a profile: points, rounds, games, opponents.

Everything is a whole number: points are counted in the smallest part that the profile gives.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property
from math import lcm
from typing import NamedTuple

from service.standings.profiles import Profile
from service.standings.records import FIRST, NO_GAMES, SECOND, Games, Player, Round

NOBODY = -1


class Way(IntEnum):
    """How a round came to its points, as far as unplayed rounds are told apart (FIDE C.07.16)."""

    PLAYED = 0
    BYE = 1
    REQUESTED = 2
    FORFEIT_WIN = 3
    FORFEIT_LOSS = 4


# Rounds that a player did not play by his own doing.
VOLUNTARY = frozenset({Way.REQUESTED, Way.FORFEIT_LOSS})


class Entry(NamedTuple):
    """A round of a player. opponent: his index, or `NOBODY`; points: in units."""

    round: int
    opponent: int
    points: int
    way: Way


@dataclass(slots=True)
class Tally:
    """The sums of one player. half_wins: two for a win, one for a tie, byes left out.

    rounds: those that he was listed in; contested: the same without byes. points: in units.
    game_points: three for a game won, one for a drawn one.
    """

    points: int = 0
    rounds: int = 0
    contested: int = 0
    half_wins: int = 0
    wins: int = 0
    game_points: int = 0
    games: int = 0
    game_difference: int = 0
    opponents: list[int] = field(default_factory=list)


class Side(NamedTuple):
    """What a kind of result is worth for one side. points: in units."""

    points: int
    half_wins: int
    wins: int
    way: Way


class Alone(NamedTuple):
    """What a kind of round without opponent is worth. points: in units."""

    points: int
    rounds: int
    contested: int
    wins: int
    games: Games
    way: Way


@dataclass(frozen=True, slots=True, kw_only=True)
class Scoring:
    """A profile's points in units, and what every kind of result is worth."""

    units: int
    win: int
    draw: int
    pairs: Mapping[tuple[str, str | None], tuple[Side, Side]]
    alone: Mapping[str, Alone]


@dataclass(frozen=True, kw_only=True)
class Sheet:
    """The tallies of a phase. numbers: of the rounds, in order; unreported: tables without result.

    scoring.units: parts of a point.
    """

    players: tuple[Player, ...]
    index: Mapping[str, int]
    rounds: tuple[Round, ...]
    scoring: Scoring
    tallies: tuple[Tally, ...]
    numbers: tuple[int, ...]
    unreported: int

    def left_early(self, player: int) -> bool:
        """Tell whether a player left before the last round."""
        dropped = self.players[player].dropped_after
        return dropped is not None and bool(self.numbers) and dropped < self.numbers[-1]

    @cached_property
    def entries(self) -> list[list[Entry]]:
        """The rounds of each player that he was listed in; made only where they are needed."""
        found: list[list[Entry]] = [[] for _ in self.players]
        for one in self.rounds:
            for result in one.results:
                first = self.index[result.first]
                if result.second is None:
                    alone = self.scoring.alone[result.kind]
                    found[first].append(Entry(one.number, NOBODY, alone.points, alone.way))
                elif result.kind != "unreported":
                    second = self.index[result.second]
                    mine, other = self.scoring.pairs[result.kind, result.winner]
                    found[first].append(Entry(one.number, second, mine.points, mine.way))
                    found[second].append(Entry(one.number, first, other.points, other.way))
        return found


def sheet_of(players: Sequence[Player], rounds: Sequence[Round], profile: Profile) -> Sheet:
    """Return the tallies of the players over these rounds."""
    scoring = _scoring_of(profile)
    index = {player.id: number for number, player in enumerate(players)}
    tallies = tuple(Tally() for _ in players)
    unreported = 0
    for one in rounds:
        for result in one.results:
            if result.second is None:
                _count_alone(tallies[index[result.first]], scoring.alone[result.kind])
            elif result.kind == "unreported":
                unreported += 1
            else:
                pair = (index[result.first], index[result.second])
                _count_pair(tallies, pair, result.games, scoring.pairs[result.kind, result.winner])
    return Sheet(
        players=tuple(players),
        index=index,
        rounds=tuple(rounds),
        scoring=scoring,
        tallies=tallies,
        numbers=tuple(one.number for one in rounds),
        unreported=unreported,
    )


def _scoring_of(profile: Profile) -> Scoring:
    units = lcm(profile.win.denominator, profile.draw.denominator, profile.loss.denominator)
    win, draw, loss = (
        points.numerator * (units // points.denominator)
        for points in (profile.win, profile.draw, profile.loss)
    )
    won, lost = Side(win, 2, 1, Way.PLAYED), Side(loss, 0, 0, Way.PLAYED)
    drawn = lost if profile.tie_is_double_loss else Side(draw, 1, 0, Way.PLAYED)
    came, stayed_away = won._replace(way=Way.FORFEIT_WIN), lost._replace(way=Way.FORFEIT_LOSS)
    bye = Alone(win, 1, 0, 1, profile.bye_games, Way.BYE)
    return Scoring(
        units=units,
        win=win,
        draw=draw,
        pairs={
            ("played", FIRST): (won, lost),
            ("played", SECOND): (lost, won),
            ("played", None): (drawn, drawn),
            ("intentional_draw", None): (drawn, drawn),
            ("double_loss", None): (lost, lost),
            ("forfeit", FIRST): (came, stayed_away),
            ("forfeit", SECOND): (stayed_away, came),
            ("forfeit", None): (stayed_away, stayed_away),
        },
        alone={
            "bye": bye,
            "awarded_bye": bye,
            "half_bye": Alone(draw, 1, 0, 0, NO_GAMES, Way.REQUESTED),
            "zero_bye": Alone(0, 0, 0, 0, NO_GAMES, Way.REQUESTED),
            "absence": Alone(0, 0, 0, 0, NO_GAMES, Way.FORFEIT_LOSS),
            "assigned_loss": Alone(loss, 1, 1, 0, profile.loss_games, Way.FORFEIT_LOSS),
        },
    )


def _count_alone(tally: Tally, worth: Alone) -> None:
    """Count a round without opponent."""
    won, lost, drawn = worth.games
    tally.points += worth.points
    tally.rounds += worth.rounds
    tally.contested += worth.contested
    tally.wins += worth.wins
    tally.game_points += 3 * won + drawn
    tally.games += won + lost + drawn
    tally.game_difference += won - lost


def _count_pair(
    tallies: Sequence[Tally], pair: tuple[int, int], games: Games, worth: tuple[Side, Side]
) -> None:
    """Count a table for both of its players."""
    won, lost, drawn = games
    for own, other, (points, half_wins, wins, _), mine, his in (
        (*pair, worth[0], won, lost),
        (pair[1], pair[0], worth[1], lost, won),
    ):
        tally = tallies[own]
        tally.points += points
        tally.rounds += 1
        tally.contested += 1
        tally.half_wins += half_wins
        tally.wins += wins
        tally.game_points += 3 * mine + drawn
        tally.games += mine + his + drawn
        tally.game_difference += mine - his
        tally.opponents.append(other)
