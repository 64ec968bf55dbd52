"""An event at its place in the log, as read models and the background work see it."""

from __future__ import annotations

from functools import cached_property

import msgspec

from service.integrity.chain import Header, Sealed
from service.integrity.sealing import Event, event_of, kind_of

_SEALED = msgspec.json.Decoder(Sealed)


class _Headed(msgspec.Struct, frozen=True):
    """A stored event of which only the header is read: a small part of the whole."""

    header: Header


_HEADED = msgspec.json.Decoder(_Headed)


class Logged(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """An event of the log. place: its position, version: its number in the stream.

    tag, body: as stored. What they hold is read when it is first asked for, so that whoever looks
    for a few kinds of events pays for no others. Raises `UnknownTag`, `msgspec.ValidationError`
    then.
    """

    place: int
    stream: str
    version: int
    tag: str
    body: bytes

    @property
    def kind(self) -> type[Event]:
        """The class of the event."""
        return kind_of(self.tag)

    @cached_property
    def sealed(self) -> Sealed:
        """The event with its header, the forms of all viewers and the seals."""
        return _SEALED.decode(self.body)

    @cached_property
    def event(self) -> Event:
        """The event."""
        return event_of(self.sealed)

    @cached_property
    def time(self) -> str:
        """When it was stored."""
        return _HEADED.decode(self.body).header.time
