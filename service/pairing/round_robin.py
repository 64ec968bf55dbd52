"""Round robin: everybody meets everybody, in the order of the Berger tables."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from service.pairing.fields import PLAYERS_MIN, Unpairable


class RobinRound(msgspec.Struct, frozen=True, kw_only=True):
    """A round of a round robin; bye: who is without opponent in an odd field."""

    number: int
    tables: tuple[tuple[str, str], ...]
    bye: str | None


def round_robin(players: Sequence[str], *, circles: int = 1) -> tuple[RobinRound, ...] | Unpairable:
    """Return all rounds for players in the order of their numbers.

    In every second circle the first-named and the second-named change. In an odd field each has one
    bye in each circle.
    """
    if len(players) < PLAYERS_MIN:
        return Unpairable(reason="too_few_players", active=len(players))
    seats = len(players) + len(players) % 2
    rounds = [
        _round(players, seats, number, is_reversed=circle % 2 == 1)
        for circle in range(circles)
        for number in range(1, seats)
    ]
    return tuple(
        msgspec.structs.replace(found, number=number)
        for number, found in enumerate(rounds, start=1)
    )


def _round(players: Sequence[str], seats: int, number: int, *, is_reversed: bool) -> RobinRound:
    """Return a round of the Berger table for an even number of seats; the last may be empty."""
    circle = seats - 1
    # The last seat stays; whom it meets goes on by half the seats from round to round.
    middle = (number - 1) * (seats // 2) % circle
    pairs = [(middle, circle) if number % 2 else (circle, middle)]
    for step in range(1, seats // 2):
        pairs.append(((middle + step) % circle, (middle - step) % circle))
    if is_reversed:
        pairs = [(other, one) for one, other in pairs]
    empty = len(players)
    return RobinRound(
        number=number,
        tables=tuple(
            (players[one], players[other]) for one, other in pairs if empty not in (one, other)
        ),
        bye=players[middle] if empty < seats else None,
    )
