"""How much of a match a caller without a seat or an office is shown (integrity 6)."""

from __future__ import annotations

from collections.abc import Callable

from service.aggregates.matches import Match
from service.engine.values import JUDGE, SPECTATOR, Viewer

FIRST = 1
"""That there is a match is no secret of its course: its opening is shown at once."""


def shown_until(match: Match, *, time_of: Callable[[int], str], past: str) -> int:
    """Return the last index that is shown, by the delay of the match's policy.

    time_of: index → time of the event that leads to it. past: the present less `delay_s`.
    Index i is shown when i ≤ n - delay_events and time(i) ≤ past; once the end itself is past, all.
    """
    ended = match.closed or match.cancelled
    if ended is not None and ended.time <= past:
        return match.version
    policy = match.opened.policy
    last = max(FIRST, match.version - policy.delay_events)
    return last if policy.delay_s == 0 else _last_before(past, time_of, last)


def _last_before(past: str, time_of: Callable[[int], str], last: int) -> int:
    """Return the last index of those up to `last` whose time is past; times never go back."""
    first = FIRST
    while first < last:
        middle = (first + last + 1) // 2
        if time_of(middle) <= past:
            first = middle
        else:
            last = middle - 1
    return first


def has_delay(match: Match) -> bool:
    """Tell whether callers without a seat or an office are behind."""
    policy = match.opened.policy
    return bool(policy.delay_events or policy.delay_s)


def viewers_for_all(match: Match) -> list[Viewer]:
    """Return whose views everybody may ask for who may know of a match, as far as it is shown.

    The spectator's; after the end the policy may open the others.
    """
    after_end = match.opened.policy.after_end if match.closed is not None else "nothing"
    seats = match.seats if after_end in ("seats", "all") else []
    return [SPECTATOR, *seats, *([JUDGE] if after_end == "all" else [])]
