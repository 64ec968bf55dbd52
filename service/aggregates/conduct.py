"""What judges and openers do to a match without ending it: hold it, release it, show or hide it."""

from __future__ import annotations

from service.aggregates.events import (
    MatchEvent,
    MatchHeld,
    MatchReleased,
    Visibility,
    VisibilitySet,
)
from service.aggregates.matches import Given, Match, MatchCommand, check_open
from service.aggregates.world import Refused


class HoldMatch(MatchCommand, frozen=True, kw_only=True):
    """Ask to stop play. by: a judge; reason: digest of a text."""

    by: str
    reason: str


class ReleaseMatch(MatchCommand, frozen=True, kw_only=True):
    """Ask to let play go on. by: a judge."""

    by: str


class SetVisibility(MatchCommand, frozen=True, kw_only=True):
    """Ask to change who may know of a match."""

    visibility: Visibility
    by: str


def hold(match: Match, command: HoldMatch, given: Given) -> list[MatchEvent]:
    """Stop play until a judge lets it go on. Raises `Refused` if it is held, `Closed`."""
    check_open(match)
    if match.held is not None:
        raise Refused(f"match {match.id} is held already")
    return [MatchHeld(by=command.by, reason=command.reason, time=given.now)]


def release(match: Match, command: ReleaseMatch, given: Given) -> list[MatchEvent]:
    """Let play go on. Raises `Refused` if it is not held, `Closed`."""
    check_open(match)
    if match.held is None:
        raise Refused(f"match {match.id} is not held")
    return [MatchReleased(by=command.by, time=given.now)]


def set_visibility(match: Match, command: SetVisibility, given: Given) -> list[MatchEvent]:
    """Change who may know of a match, also after its end; nothing happens if it is so already."""
    if match.visibility == command.visibility:
        return []
    return [VisibilitySet(visibility=command.visibility, by=command.by, time=given.now)]
