"""Commands of the clock: what happens to matches that wait too long. Times are texts in UTC."""

from __future__ import annotations

from collections.abc import Sequence

from service.aggregates import beginning, ending
from service.aggregates.attachments import Saved
from service.aggregates.ending import CancelMatch
from service.aggregates.events import MatchEvent
from service.aggregates.matches import Given, Match, MatchCommand
from service.commands.changing import changed
from service.commands.ports import MatchLog
from service.engine.contract import Rejection


def meet_ready_deadline(
    log: MatchLog, match_id: str, *, before: str, now: str
) -> Saved | Rejection:
    """Go on without seeds that are late, cancel a match whose seats are late.

    Nothing happens to a match that has begun or in which something happened since `before`.
    """

    def decide(match: Match, given: Given) -> Sequence[MatchEvent]:
        if match.state != "beginning" or match.time >= before:
            return []
        late = CancelMatch(match_id=match_id, cause="not_ready")
        return beginning.default_seeds(match, given) or ending.cancel(match, late, given)

    return changed(log, MatchCommand(match_id=match_id), decide, now=now)


def abandon_idle(log: MatchLog, match_id: str, *, before: str, now: str) -> Saved | Rejection:
    """Close a running or held match in which nothing has happened since `before`."""

    def decide(match: Match, given: Given) -> Sequence[MatchEvent]:
        if match.state not in ("running", "held") or match.time >= before:
            return []
        return ending.abandon(match, given)

    return changed(log, MatchCommand(match_id=match_id), decide, now=now)
