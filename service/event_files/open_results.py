"""What 0-0-0 stands for in a Swiss round of a platform that does not say it.

The platform's own table tells, as far as it can. Where both players have a point more in it than
all other results give, they drew. A round that others follow was over: nobody got a point, a double
loss. The last round was not over: such a table is unreported; and where the published points are
those of the rounds before it, the whole round is left out, as the platform did.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TypeAlias

from msgspec.structs import replace

from service.event_files.forms import players_of
from service.standings.profiles import PROFILES
from service.standings.records import Phase, Player, Result, Round
from service.standings.tables import table

Points: TypeAlias = Mapping[str, Fraction | None]


def with_open_results(
    players: Sequence[Player], phase: Phase, published: Points, notes: list[str]
) -> Phase:
    """Return the Swiss rounds with what their open results stand for; what was done is noted."""
    if not any(_open(one) for one in phase.rounds):
        return phase
    rounds = phase.rounds
    if _open(rounds[-1]) and _is_before(players, rounds, published):
        notes.append(f"{rounds[-1].name} was not over and is left out, as in the published table")
        rounds = rounds[:-1]
        last = None
    else:
        last = rounds[-1].number
    missing = _missing(players, rounds, published)
    return replace(
        phase,
        rounds=tuple(_closed_round(one, missing, notes, last=one.number == last) for one in rounds),
    )


def _open(one: Round) -> list[Result]:
    return [result for result in one.results if result.kind == "unreported"]


def _is_before(players: Sequence[Player], rounds: Sequence[Round], published: Points) -> bool:
    """Tell whether the published points are those before the last round rather than after it."""
    after = _missing(players, rounds, published)
    before = _missing(players, rounds[:-1], published)
    wrong_after = sum(points != 0 for points in after.values())
    return sum(points != 0 for points in before.values()) < wrong_after


def _missing(
    players: Sequence[Player], rounds: Iterable[Round], published: Points
) -> dict[str, Fraction]:
    """Return by how much each published player has more points than these rounds give."""
    rows = table(players, [*rounds], PROFILES["melee-floor"]).rows
    given = {row.player: published.get(row.player) for row in rows}
    return {
        row.player: points - row.points for row in rows if (points := given[row.player]) is not None
    }


def _closed_round(
    one: Round, missing: dict[str, Fraction], notes: list[str], *, last: bool
) -> Round:
    results = []
    for result in one.results:
        if result.kind == "unreported":
            closed = _closed(result, missing, last=last)
            notes.append(f"{one.name}: {result.first}, {result.second} 0-0-0: {closed.kind}")
            results.append(closed)
        else:
            results.append(result)
    return replace(one, results=tuple(results))


def _closed(result: Result, missing: dict[str, Fraction], *, last: bool) -> Result:
    both = [*players_of(result)]
    if all(missing.get(player, 0) >= 1 for player in both):
        for player in both:
            missing[player] -= 1
        return replace(result, kind="intentional_draw")
    return result if last else replace(result, kind="double_loss")
