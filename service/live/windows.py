"""Rendered windows of matches, kept in Redis for a while: a cache that may vanish or lie.

What a window holds depends on the viewer, so all that decides it is in the key, and the key is kept
with the window: what stands under another key is not taken.
"""

from __future__ import annotations

import hashlib
import time
import zlib
from collections.abc import Mapping
from typing import Literal

import msgspec
import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

WAIT_S = 0.25
AWAY_S = 5.0
"""For so long nobody tries a server that did not answer: each would wait for it."""
KEPT_S = 600
LENGTHS = {"frames": 50, "overview": 1000}
"""What windows hold. Only those that begin at a multiple of its length and are no longer are kept:
so there are few."""
PACKED_MAX = 256 * 2**10
UNPACKED_MAX = 4 * 2**20
FASTEST = 1


class WindowKey(msgspec.Struct, frozen=True, kw_only=True):
    """All on which a window depends.

    holds: what of the match; edition: with its cards and texts; is_closed: what is revealed depends
    on it; head: the hash of the event that leads to `to`; names: of the seats, which can be erased.
    """

    holds: Literal["frames", "overview"]
    installation: str
    match: str
    edition: str
    viewer: str
    language: str
    is_closed: bool
    start: int
    to: int
    head: str
    names: Mapping[str, str]

    @property
    def is_kept(self) -> bool:
        """Tell whether such windows are kept at all."""
        length = LENGTHS[self.holds]
        return self.start % length == 0 and 0 < self.to - self.start <= length

    @property
    def told(self) -> bytes:
        """All of it as bytes, on one line."""
        return msgspec.json.encode(self, order="sorted")

    @property
    def name(self) -> str:
        """The name under which the window is kept."""
        return f"kifu:window:{hashlib.sha256(self.told).hexdigest()}"


class Windows:
    """The cache of an app. redis_url: None for none."""

    def __init__(self, redis_url: str | None) -> None:
        """Connect when it is needed."""
        self._away_until = 0.0
        self._redis = None
        if redis_url is not None:
            self._redis = redis.Redis.from_url(
                redis_url,
                socket_connect_timeout=WAIT_S,
                socket_timeout=WAIT_S,
                retry=Retry(NoBackoff(), 0),
                protocol=2,
            )

    def get(self, key: WindowKey) -> bytes | None:
        """Return a window that is kept, or None."""
        if self._redis is None or not key.is_kept or time.monotonic() < self._away_until:
            return None
        try:
            return unpacked(self._redis.get(key.name), key)
        except redis.RedisError:
            self._away_until = time.monotonic() + AWAY_S
            return None

    def put(self, key: WindowKey, window: bytes) -> None:
        """Keep a window for a while, unless it is large."""
        if self._redis is None or not key.is_kept or time.monotonic() < self._away_until:
            return
        packed = zlib.compress(key.told + b"\n" + window, FASTEST)
        if len(packed) > PACKED_MAX:
            return
        try:
            self._redis.set(key.name, packed, ex=KEPT_S)
        except redis.RedisError:
            self._away_until = time.monotonic() + AWAY_S


def unpacked(packed: object, key: WindowKey) -> bytes | None:
    """Return the window that was packed under a key; None for anything else."""
    if not isinstance(packed, bytes):
        return None
    inflating = zlib.decompressobj()
    try:
        text = inflating.decompress(packed, UNPACKED_MAX)
    except zlib.error:
        return None
    told, _, window = text.partition(b"\n")
    return window if inflating.eof and told == key.told else None
