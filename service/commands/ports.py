"""What commands need from outside: the log."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from service.aggregates.attachments import Attached
from service.aggregates.events import MatchEvent
from service.aggregates.fairness import Secrets
from service.aggregates.matches import Match


class MatchLog(Protocol):
    """The append-only log of matches, as commands see it."""

    def match(self, match_id: str, *, version: int | None = None) -> Match:
        """Return the state of a match; raises `NotFound`."""
        ...

    def append(
        self,
        match_id: str,
        before: Match | None,
        events: Sequence[MatchEvent],
        *,
        secrets: Secrets | None = None,
        attached: Attached | None = None,
    ) -> int:
        """Seal and save events behind a state, all or none; raises `Conflict`."""
        ...

    def secrets(self, match_id: str) -> Secrets:
        """Return what the installation keeps to itself about a match; raises `NotFound`."""
        ...

    def take_snapshots(self, stream: str) -> None:
        """Save the snapshots that are due."""
        ...
