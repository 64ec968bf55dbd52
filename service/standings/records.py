"""A neutral record of an event: who entered, who met whom, what came of it.

Readers and the tournament aggregate make such records; tables, reasons and cuts are computed from
nothing else. `laws` names what a record must keep.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Final, Literal, TypeAlias

from msgspec import Struct

Kind: TypeAlias = Literal[
    "played",
    "intentional_draw",
    "double_loss",
    "forfeit",
    "unreported",
    "bye",
    "awarded_bye",
    "half_bye",
    "zero_bye",
    "absence",
    "assigned_loss",
]
PhaseKind: TypeAlias = Literal["swiss", "round_robin", "single_elimination"]

Side: TypeAlias = Literal["first", "second"]

FIRST: Final = "first"
SECOND: Final = "second"
PAIRED = frozenset({"played", "intentional_draw", "double_loss", "forfeit", "unreported"})

Games: TypeAlias = tuple[int, int, int]
NO_GAMES: Games = (0, 0, 0)


class Player(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A player of an event.

    entered: number of the first round he was there for. dropped_after: number of the last one, if
    he left before the end. seed: as published for the cut. game_wins: share of games won that a
    platform states and its results do not tell; None where the results tell it.
    """

    id: str
    name: str
    entered: int = 1
    dropped_after: int | None = None
    seed: int | None = None
    game_wins: Fraction | None = None


class Result(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What came of a table, or of a player without opponent.

    kind: played; intentional_draw; double_loss (played, both lose); forfeit (not played; winner
    null: neither came); unreported; and without opponent: bye (assigned), awarded_bye (asked for
    or pre-awarded, full), half_bye, zero_bye (asked for), absence (unasked), assigned_loss. winner:
    null for a draw. games: won by the first, won by the second, drawn.
    """

    first: str
    second: str | None = None
    kind: Kind = "played"
    winner: Side | None = None
    games: Games = NO_GAMES


class Round(Struct, frozen=True, kw_only=True):
    """A round. number: from 1, through all phases."""

    number: int
    name: str
    results: tuple[Result, ...]


class Phase(Struct, frozen=True, kw_only=True):
    """Rounds of one kind, one after the other."""

    kind: PhaseKind
    rounds: tuple[Round, ...]


class Event(Struct, frozen=True, kw_only=True):
    """An event: its players in the order of entry, and its phases."""

    name: str
    players: tuple[Player, ...]
    phases: tuple[Phase, ...]


def laws(event: Event) -> str | None:
    """Return what is wrong with a record, with its place, or None.

    Ids of players and numbers of rounds are unique and rounds are in order; a round names each
    player at most once and only players of the event; a result has an opponent exactly where its
    kind has one, and a winner only where one can win.
    """
    ids = {player.id for player in event.players}
    if len(ids) != len(event.players):
        return "players: the same id twice"
    last = 0
    for one in rounds_of(event):
        if one.number <= last:
            return f"round {one.number}: rounds are not in order"
        last = one.number
        fault = _fault_of_round(one, ids)
        if fault is not None:
            return f"round {one.number}: {fault}"
    return None


def rounds_of(event: Event) -> Iterator[Round]:
    """Yield the rounds of all phases."""
    for phase in event.phases:
        yield from phase.rounds


def winner_of(result: Result) -> str | None:
    """Return the id of the winner, or None."""
    if result.winner is None:
        return None
    return result.first if result.winner == FIRST else result.second


def loser_of(result: Result) -> str | None:
    """Return the id of who lost to somebody, or None."""
    if result.winner is None:
        return None
    return result.second if result.winner == FIRST else result.first


def _fault_of_round(one: Round, ids: set[str]) -> str | None:
    seen: set[str] = set()
    for result in one.results:
        for player in (result.first, result.second):
            if player is None:
                continue
            if player not in ids:
                return f"{player} is no player of the event"
            if player in seen:
                return f"{player} is there twice"
            seen.add(player)
        fault = _fault_of_result(result)
        if fault is not None:
            return f"{result.first}: {fault}"
    return None


def _fault_of_result(result: Result) -> str | None:
    if (result.second is not None) != (result.kind in PAIRED):
        return f"{result.kind} with the wrong number of players"
    if result.winner is not None and result.kind not in ("played", "forfeit"):
        return f"{result.kind} has no winner"
    if min(result.games) < 0:
        return "a negative number of games"
    return None
