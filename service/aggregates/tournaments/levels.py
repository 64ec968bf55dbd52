"""What a result rests on: logs, reports, amendments. Computed from the state, never stored."""

from __future__ import annotations

from collections import Counter
from typing import Literal, TypeAlias

from msgspec import Struct

from service.aggregates.tournaments.state import TableState, Tournament

Level: TypeAlias = Literal["witnessed", "audited", "reported", "disputed", "amended"]
Games: TypeAlias = tuple[int, int, int]


class Difference(Struct, frozen=True, kw_only=True):
    """Why a result is disputed, for a judge. faults: of logs that are not legal, in words.

    reported, logged: games won by the first, won by the second, drawn or not ended.
    """

    reported: Games
    logged: Games
    faults: tuple[str, ...]


def logged_games(table: TableState) -> Games:
    """Return what the legal logs of a table say."""
    first, second = table.players
    winners = [link.winner for link in table.links if link.verdict != "disputed"]
    return winners.count(first), winners.count(second), winners.count(None)


def difference_of(table: TableState) -> Difference | None:
    """Return how the logs of a table speak against its result, or None."""
    faults = tuple(
        link.difference or "the log is not legal"
        for link in table.links
        if link.verdict == "disputed"
    )
    if table.result is None:
        return None
    reported, logged = table.result.games, logged_games(table)
    # A game may be lost by a penalty or have no log, but no log may show more than was reported.
    is_told_otherwise = any(log > told for log, told in zip(logged, reported, strict=True))
    if not faults and not is_told_otherwise:
        return None
    return Difference(reported=reported, logged=logged, faults=faults)


def level_of(table: TableState) -> Level | None:
    """Return the level of a table's result, or None while there is none.

    witnessed: a log for every game, all played here or signed by a key that is trusted. audited: a
    legal log for every game, and both players or staff say the same.
    """
    result = table.result
    if result is None:
        return None
    if result.amended:
        return "amended"
    if difference_of(table) is not None:
        return "disputed"
    if not table.links or len(table.links) != sum(result.games):
        return "reported"
    if all(link.verdict == "witnessed" for link in table.links):
        return "witnessed"
    is_agreed = result.confirmed or (result.side is None and result.by is not None)
    return "audited" if is_agreed else "reported"


def level_counts(tournament: Tournament, phase: int) -> dict[str, dict[Level, int]]:
    """Return for each player how many of his results in a phase are on which level."""
    counts: dict[str, Counter[Level]] = {}
    for one in tournament.rounds_of(phase):
        for table in one.tables.values():
            level = level_of(table)
            if level is not None:
                for player in table.players:
                    counts.setdefault(player, Counter())[level] += 1
    return {player: dict(found) for player, found in counts.items()}
