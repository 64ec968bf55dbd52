"""Notices: the process that saves tells all others which match has gone on.

A notice is only a wake-up: it names a match and its version, never what happened. Whoever is woken
reads the log, so a notice that is lost or comes twice costs time alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from queue import Full, Queue
from threading import Lock, Thread
from typing import Any

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

CONNECT_S = 1
WAITING_MAX = 1_000
KEPT = 10_000
"""About how many notices the stream holds; who has missed more looks into the log anyway."""
STREAM, VERSION = b"match", b"version"
BLOCK_S = 1.0
PART = "/"
"""Stands in the name of every stream that is no match."""

Listener = Callable[[str], None]


class Notices:
    """Takes notices where something was saved, and gives them to this and to other processes.

    redis_url: where they go through; None: only this process hears of them. installation: gives
    the id of the installation, as several may share a Redis.
    """

    def __init__(self, redis_url: str | None, installation: Callable[[], str]) -> None:
        """Begin without listeners; nothing is connected before it is needed."""
        self.redis_url = redis_url
        self._installation = installation
        self._listeners: tuple[Listener, ...] = ()
        self._waiting: Queue[tuple[str, int]] = Queue(WAITING_MAX)
        self._lock = Lock()
        self._sender: Thread | None = None

    def listen(self, listener: Listener) -> None:
        """Call somebody with the id of every match that goes on in this process."""
        with self._lock:
            self._listeners = (*self._listeners, listener)

    def tell(self, versions: Mapping[str, int]) -> None:
        """Give notice of what was saved: stream → its version. Never waits for Redis."""
        matches = {name: version for name, version in versions.items() if PART not in name}
        for match_id, version in matches.items():
            for listener in self._listeners:
                listener(match_id)
            if self.redis_url is not None:
                self._send_later(match_id, version)

    @property
    def key(self) -> str:
        """The name of the Redis stream."""
        return f"kifu:{self._installation()}:notices"

    def connection(self) -> redis.Redis:
        """Return a connection for reading or writing notices; it is opened when it is used."""
        assert self.redis_url is not None, "only with Redis"
        return redis.Redis.from_url(
            self.redis_url,
            socket_connect_timeout=CONNECT_S,
            socket_timeout=CONNECT_S + BLOCK_S,
            retry=Retry(NoBackoff(), 0),
            protocol=2,
        )

    def _send_later(self, match_id: str, version: int) -> None:
        # More waiting than that: Redis is away, and everybody looks into the log by himself.
        with suppress(Full):
            self._waiting.put_nowait((match_id, version))
        with self._lock:
            if self._sender is None:
                self._sender = Thread(target=self._send, name="kifu-notices", daemon=True)
                self._sender.start()

    def _send(self) -> None:
        """Send what is waiting, for as long as the process lives; what fails is dropped."""
        connection, key = self.connection(), self.key
        while True:
            match_id, version = self._waiting.get()
            with suppress(redis.RedisError):
                connection.xadd(
                    key, {STREAM: match_id, VERSION: version}, maxlen=KEPT, approximate=True
                )
            self._waiting.task_done()


class Reader:
    """Reads the notices of all processes, from when it was opened."""

    def __init__(self, notices: Notices) -> None:
        """Connect and begin behind the last notice; raises `RedisError`."""
        self._connection = notices.connection()
        self._key = notices.key
        last: Any = self._connection.xrevrange(self._key, count=1)
        self._after = last[0][0] if last else b"0"

    def read(self, wait_s: float = BLOCK_S) -> set[str]:
        """Return the matches that have gone on, after at most so long; raises `RedisError`."""
        found: Any = self._connection.xread(
            {self._key: self._after}, count=KEPT, block=round(wait_s * 1_000)
        )
        notices = [notice for _, read in found or () for notice in read]
        if notices:
            self._after = notices[-1][0]
        return {fields[STREAM].decode() for _, fields in notices}

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()
