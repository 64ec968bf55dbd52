"""Grants and uses as the log has them: the last states are kept, only what came after is read."""

from __future__ import annotations

from collections.abc import Sequence

from service.aggregates.access import (
    Access,
    AccessEvent,
    Place,
    PlaceEvent,
    UseEvent,
    Uses,
    evolve,
    evolve_uses,
)
from service.aggregates.attachments import Attached
from service.commands.kept import KeptStates
from service.commands.ports import NOTHING, PublicLog

KEPT_MAX = 1000


class AccessBook:
    """What is granted where. It may be asked for every request, by many threads at once."""

    def __init__(self, log: PublicLog) -> None:
        """Read from a log; nothing is read yet."""
        self._log = log
        self._kept: KeptStates[Access | Uses] = KeptStates(KEPT_MAX)

    def at(self, place: Place) -> Access:
        """Return the grants and looks at a place; of a place that nobody knows, none."""
        found = self._kept.get(_stream_of(Access(place=place))) or Access(place=place)
        assert isinstance(found, Access)
        for event, head in self._log.public_events(_stream_of(found), after=found.version):
            assert isinstance(event, PlaceEvent), "a place has no other events"
            found = evolve(found, event, head)
        self._kept.keep(_stream_of(found), found)
        return found

    def uses(self, day: str) -> Uses:
        """Return what is on record about a day, yyyy-mm-dd."""
        found = self._kept.get(_stream_of(Uses(day=day))) or Uses(day=day)
        assert isinstance(found, Uses)
        for event, head in self._log.public_events(_stream_of(found), after=found.version):
            assert isinstance(event, UseEvent), "a day has no other events"
            found = evolve_uses(found, event, head)
        self._kept.keep(_stream_of(found), found)
        return found

    def events_of_day(self, day: str, *, after: int = 0) -> list[AccessEvent]:
        """Return the uses on record about a day behind a number, in order."""
        return self._events(_stream_of(Uses(day=day)), after)

    def events_at(self, place: Place, *, after: int = 0) -> list[AccessEvent]:
        """Return the grants and looks at a place behind a number, in order."""
        return self._events(_stream_of(Access(place=place)), after)

    def append(
        self, before: Access | Uses, events: Sequence[AccessEvent], attached: Attached = NOTHING
    ) -> None:
        """Save events behind a state, and what is attached to them; raises `Conflict`."""
        self._log.append_public(
            _stream_of(before), events, version=before.version, head=before.head, attached=attached
        )

    def _events(self, stream: str, after: int) -> list[AccessEvent]:
        found: list[AccessEvent] = []
        for event, _ in self._log.public_events(stream, after=after):
            assert isinstance(event, AccessEvent), "a stream of access has no other events"
            found.append(event)
        return found


def _stream_of(state: Access | Uses) -> str:
    return f"access/{state.place}" if isinstance(state, Access) else f"access/use/{state.day}"
