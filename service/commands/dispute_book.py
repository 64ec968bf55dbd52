"""Disputes as the log has them: the last states are kept, only what came after is read."""

from __future__ import annotations

from collections.abc import Sequence

from service.aggregates.disputes.events import DisputeEvent
from service.aggregates.disputes.state import Dispute, evolve
from service.aggregates.world import NotFound
from service.commands.kept import KeptStates
from service.commands.ports import PublicLog, PublicPart

KEPT_MAX = 256


class DisputeBook:
    """The disputes of an installation. It may be asked by many threads at once."""

    def __init__(self, log: PublicLog) -> None:
        """Read from a log; nothing is read yet."""
        self._log = log
        self._kept: KeptStates[Dispute] = KeptStates(KEPT_MAX)

    def dispute(self, dispute_id: str) -> Dispute:
        """Return the state of a dispute; raises `NotFound`."""
        found = self._kept.get(dispute_id)
        after = 0 if found is None else found.version
        for event, head in self._log.public_events(stream_of(dispute_id), after=after):
            assert isinstance(event, DisputeEvent), "a dispute has no other events"
            found = evolve(found, event, dispute_id=dispute_id, head=head)
        if found is None:
            raise NotFound(f"no dispute {dispute_id}")
        self._kept.keep(dispute_id, found)
        return found

    def events(self, dispute_id: str, *, after: int = 0) -> list[DisputeEvent]:
        """Return the events of a dispute behind a number, in order."""
        found: list[DisputeEvent] = []
        for event, _ in self._log.public_events(stream_of(dispute_id), after=after):
            assert isinstance(event, DisputeEvent), "a dispute has no other events"
            found.append(event)
        return found


def stream_of(dispute_id: str) -> str:
    """Return the stream of a dispute."""
    return f"dispute/{dispute_id}"


def part_of(dispute_id: str, before: Dispute | None, events: Sequence[DisputeEvent]) -> PublicPart:
    """Return what is to be saved of a dispute behind a state."""
    return PublicPart(
        stream=stream_of(dispute_id),
        events=events,
        version=0 if before is None else before.version,
        head="" if before is None else before.head,
    )
