"""What commands need from outside: the log."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from service.aggregates.attachments import Attached, Saved
from service.aggregates.events import MatchEvent, MatchOpened
from service.aggregates.fairness import Secrets
from service.aggregates.matches import Match
from service.engine.contract import Ruleset
from service.integrity.sealing import PublicEvent

NOTHING = Attached()


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicPart:
    """Events for a stream whose events have one form, behind number `version` with hash `head`."""

    stream: str
    events: Sequence[PublicEvent]
    version: int
    head: str


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
        attached: Attached = NOTHING,
    ) -> Saved:
        """Seal and save events behind a state, all or none; raises `Conflict`."""
        ...

    def ruleset_of(self, opened: MatchOpened) -> Ruleset:
        """Return the ruleset under which a match is played."""
        ...

    def secrets(self, match_id: str) -> Secrets:
        """Return what the installation keeps to itself about a match; raises `NotFound`."""
        ...

    def take_snapshots(self, stream: str) -> None:
        """Save the snapshots that are due."""
        ...


class PublicLog(Protocol):
    """The log of streams whose events have one form: editions, access."""

    def public_events(self, stream: str, *, after: int = 0) -> list[tuple[PublicEvent, str]]:
        """Return the events of a stream behind a version, each with its hash."""
        ...

    def append_public(
        self,
        stream: str,
        events: Sequence[PublicEvent],
        *,
        version: int,
        head: str,
        attached: Attached = NOTHING,
    ) -> None:
        """Seal and save events behind number `version`, whose hash is `head`; raises `Conflict`."""
        ...


class DisputeLog(MatchLog, PublicLog, Protocol):
    """The log as rulings see it, which write to several streams at once."""

    def events_of(self, stream: str, *, after: int, to: int) -> Iterator[MatchEvent]:
        """Yield the events of a match with `after` < version ≤ `to`."""
        ...

    def hash_of(self, stream: str, version: int) -> str:
        """Return the hash of an event that is there."""
        ...

    def append_together(
        self,
        parts: Sequence[PublicPart],
        *,
        before: Match,
        events: Sequence[MatchEvent],
        attached: Attached,
    ) -> None:
        """Seal and save events of a match and of other streams, all or none.

        What is attached belongs to the last of the parts. Raises `Conflict`.
        """
        ...
