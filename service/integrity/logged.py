"""An event at its place in the log, as read models and the background work see it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from service.integrity.chain import Sealed
from service.integrity.sealing import Event, event_of


@dataclass(frozen=True, kw_only=True)
class Logged:
    """An event of the log. place: its position, version: its number in the stream."""

    place: int
    stream: str
    version: int
    sealed: Sealed

    @cached_property
    def event(self) -> Event:
        """The event, read when it is first asked for."""
        return event_of(self.sealed)

    @property
    def time(self) -> str:
        """When it was stored."""
        return self.sealed.header.time
