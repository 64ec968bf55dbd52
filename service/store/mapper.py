"""Sealed events ↔ stored bytes: canonical JSON under owned tags, `<stream kind>.<event>.<version>`.

A tag is stored for ever and never a class path. What is hashed is what is stored: an event that is
read back re-hashes to itself.
"""

from __future__ import annotations

import msgspec
from eventsourcing.domain import DomainEventProtocol
from eventsourcing.persistence import JSONTranscoder, Mapper, StoredEvent

from schemas.strict import canonical
from service.integrity.chain import Sealed

_DECODER = msgspec.json.Decoder(Sealed)


class Recorded(msgspec.Struct, frozen=True):
    """A sealed event at its place in a stream: what the library calls a domain event."""

    originator_id: str
    originator_version: int
    sealed: Sealed


class EventMapper(Mapper[str]):
    """The library's mapper with our bytes."""

    def __init__(self) -> None:
        """Use no transcoder, cipher or compressor: what is stored is canonical JSON."""
        super().__init__(transcoder=JSONTranscoder())

    def to_stored_event(self, domain_event: DomainEventProtocol[str]) -> StoredEvent:
        """Encode a `Recorded`."""
        assert isinstance(domain_event, Recorded)
        return StoredEvent(
            originator_id=domain_event.originator_id,
            originator_version=domain_event.originator_version,
            topic=domain_event.sealed.header.type,
            state=encoded(domain_event.sealed),
        )

    def to_domain_event(self, stored_event: StoredEvent) -> Recorded:
        """Decode a stored row."""
        return Recorded(
            str(stored_event.originator_id),
            stored_event.originator_version,
            decoded(stored_event.state),
        )


def encoded(sealed: Sealed) -> bytes:
    """Return the canonical bytes of an event; raises `Unreadable` outside the profile."""
    return canonical(msgspec.to_builtins(sealed))


def decoded(body: bytes) -> Sealed:
    """Return the event of stored bytes; raises `msgspec.ValidationError`."""
    return _DECODER.decode(body)
