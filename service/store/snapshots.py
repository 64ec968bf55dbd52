"""Snapshots of match states: a cache beside the log that may vanish at any time."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

import msgspec
from eventsourcing.domain import DomainEventProtocol
from eventsourcing.persistence import EventStore, JSONTranscoder, Mapper, StoredEvent

from service.aggregates.matches import Match

EVERY = 100

_SHAPE = hashlib.sha256(
    msgspec.json.encode(msgspec.json.schema(Match), order="sorted")
).hexdigest()[:16]
TAG = f"match.snapshot.{_SHAPE}"
"""Names the shape of the state: a snapshot of another shape is not read."""

_DECODER = msgspec.json.Decoder(Match)
_ENCODER = msgspec.json.Encoder()


class Snapshot(msgspec.Struct, frozen=True):
    """The state of a match at a version, as the library wants it."""

    originator_id: str
    originator_version: int
    match: Match


class SnapshotMapper(Mapper[str]):
    """Match states ↔ stored bytes."""

    def __init__(self) -> None:
        """Use no transcoder: states are msgspec JSON."""
        super().__init__(transcoder=JSONTranscoder())

    def to_stored_event(self, domain_event: DomainEventProtocol[str]) -> StoredEvent:
        """Encode a `Snapshot`."""
        assert isinstance(domain_event, Snapshot)
        return StoredEvent(
            originator_id=domain_event.originator_id,
            originator_version=domain_event.originator_version,
            topic=TAG,
            state=_ENCODER.encode(domain_event.match),
        )

    def to_domain_event(self, stored_event: StoredEvent) -> Snapshot:
        """Decode a stored row."""
        match = _DECODER.decode(stored_event.state)
        return Snapshot(str(stored_event.originator_id), stored_event.originator_version, match)


class Snapshots(EventStore[str]):
    """The library's snapshot store; a snapshot that does not load is passed over."""

    def get(self, originator_id: str, **bounds: Any) -> Iterator[DomainEventProtocol[str]]:
        """Return the snapshots within bounds that can be read."""
        try:
            return iter(list(super().get(originator_id, **bounds)))
        except (msgspec.ValidationError, msgspec.DecodeError):
            return iter(())
