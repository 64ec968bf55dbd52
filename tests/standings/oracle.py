"""The formulas again, as slow and as plain as they are written down; for comparison only."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

from service.standings.records import Event, Result

ONE, ZERO = Fraction(1), Fraction(0)


def lines(event: Event, player: str) -> Iterator[tuple[Result, str | None, int, int, int]]:
    """Yield each result of a player with his opponent and his games won, lost, drawn."""
    for one in event.phases[0].rounds:
        for result in one.results:
            if result.kind == "unreported" or player not in (result.first, result.second):
                continue
            won, lost, drawn = result.games
            if player == result.first:
                yield result, result.second, won, lost, drawn
            else:
                yield result, result.first, lost, won, drawn


def won(result: Result, player: str) -> bool:
    return (result.first if result.winner == "first" else result.second) == player and (
        result.winner is not None
    )


def drew(result: Result) -> bool:
    return result.winner is None and result.kind in ("played", "intentional_draw")


def points(event: Event, player: str) -> int:
    total = 0
    for result, *_ in lines(event, player):
        if won(result, player) or result.kind in ("bye", "awarded_bye"):
            total += 3
        elif drew(result) or result.kind == "half_bye":
            total += 1
    return total


def match_share(event: Event, player: str) -> Fraction:
    listed = sum(result.kind not in ("absence", "zero_bye") for result, *_ in lines(event, player))
    return Fraction(points(event, player), 3 * listed) if listed else ZERO


def game_share(event: Event, player: str) -> Fraction:
    stated = next(one.game_wins for one in event.players if one.id == player)
    if stated is not None:
        return stated
    score = games = 0
    for result, _, win, loss, draw in lines(event, player):
        if result.kind in ("bye", "awarded_bye"):
            win, loss, draw = 2, 0, 0
        if result.kind == "assigned_loss":
            win, loss, draw = 0, 2, 0
        score += 3 * win + draw
        games += win + loss + draw
    return Fraction(score, 3 * games) if games else ZERO


def win_share(event: Event, player: str) -> Fraction:
    score, rounds = ZERO, 0
    for result, *_ in lines(event, player):
        if result.kind in ("bye", "awarded_bye", "half_bye", "zero_bye", "absence"):
            continue
        rounds += 1
        score += ONE if won(result, player) else Fraction(1, 2) if drew(result) else ZERO
    share = score / rounds if rounds else ZERO
    last = len(event.phases[0].rounds)
    dropped = next(one.dropped_after for one in event.players if one.id == player)
    cap = Fraction(3, 4) if dropped is not None and dropped < last else ONE
    return min(max(share, Fraction(1, 4)), cap)


def mean(event: Event, player: str, share: Callable[[Event, str], Fraction]) -> Fraction:
    met = [opponent for _, opponent, *_ in lines(event, player) if opponent is not None]
    return sum((share(event, one) for one in met), ZERO) / len(met) if met else ZERO


def percentages(event: Event, player: str, floor: Fraction) -> dict[str, Fraction]:
    def match(event: Event, one: str) -> Fraction:
        return max(floor, match_share(event, one))

    def game(event: Event, one: str) -> Fraction:
        return max(floor, game_share(event, one))

    return {
        "points": Fraction(points(event, player)),
        "omw": mean(event, player, match),
        "gw": game(event, player),
        "ogw": mean(event, player, game),
    }


def of_tom(event: Event, player: str) -> dict[str, Fraction]:
    def opponents(event: Event, one: str) -> Fraction:
        return mean(event, one, win_share)

    return {
        "points": Fraction(points(event, player)),
        "wp": win_share(event, player),
        "ow": opponents(event, player),
        "oow": mean(event, player, opponents),
    }
