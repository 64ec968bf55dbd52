"""What a stream is made of: the lines of Server-Sent Events."""

from __future__ import annotations

import msgspec

from service.engine.values import Json

MEDIA_TYPE = "text/event-stream"
HEADERS = {"Cache-Control": "private, no-store", "X-Accel-Buffering": "no"}
"""No cache keeps a stream, and no proxy in front holds it back."""
RETRY_MS = 2_000
HEARTBEAT = b":\n\n"
GONE = b"event: gone\ndata: {}\n\n"
"""Whoever gets this may not see the match any longer; he need not come back."""


def beginning() -> bytes:
    """Return what a stream begins with: after how long to come back when it breaks off."""
    return b"retry: %d\n\n" % RETRY_MS


def frame(index: int, body: Json) -> bytes:
    """Return the event that leads to an index, with its number for `Last-Event-ID`."""
    data = msgspec.json.encode(body, order="sorted")
    return b"id: %d\nevent: frame\ndata: %s\n\n" % (index, data)


def end(index: int) -> bytes:
    """Return what follows the last event: there is nothing more to come."""
    return b'event: end\ndata: {"index":%d}\n\n' % index
