"""The feed: which matches have gone on, from notices or, where there are none, from the log."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from threading import Event, Lock, Thread
from typing import Literal

import redis
import structlog

from service.notices import Notices, Reader
from service.store.log import Log

POLL_S = 1.0
CHECK_S = 5.0
"""How often the log is looked at though notices come: one that was lost costs no more than that."""

Source = Literal["idle", "redis", "log"]
Wake = Callable[[Collection[str]], None]


class Feed:
    """One thread of a process that tells which matches have gone on.

    wake: called with their ids, and with none when only time has passed, at least each second.
    """

    def __init__(self, log: Log, notices: Notices, wake: Wake) -> None:
        """Begin when the first spectator comes: `start`."""
        self._log = log
        self._notices = notices
        self._wake = wake
        self._lock = Lock()
        self._heard: set[str] = set()
        self._hears = Event()
        self._stopped = Event()
        self._thread: Thread | None = None
        self._reader: Reader | None = None
        self._place = 0
        self._check_at = 0.0
        self.source: Source = "idle"

    def start(self) -> None:
        """Begin, if it has not begun yet."""
        with self._lock:
            if self._thread is None:
                self._place = self._log.last_position()
                self._notices.listen(self._hear)
                self._thread = Thread(target=self._run, name="kifu-feed", daemon=True)
                self._thread.start()

    def stop(self) -> None:
        """Stop for ever, without waiting."""
        self._stopped.set()
        self._hears.set()

    def end(self) -> None:
        """Stop for ever; afterwards nothing is read any longer."""
        self.stop()
        with self._lock:
            thread = self._thread
        if thread is not None:
            thread.join()

    def _hear(self, match_id: str) -> None:
        with self._lock:
            self._heard.add(match_id)
        self._hears.set()

    def _run(self) -> None:
        while not self._stopped.is_set():
            try:
                self._wake(self._next())
            # The database may be away for a while; the streams wait until it is back.
            except Exception as fault:
                structlog.get_logger().error("feed failed", kind=type(fault).__qualname__)
                self._stopped.wait(POLL_S)

    def _next(self) -> set[str]:
        """Return what has gone on, after a second at most."""
        told = self._noticed()
        if self.source == "log" or time.monotonic() >= self._check_at:
            self._check_at = time.monotonic() + CHECK_S
            told |= self._logged()
        with self._lock:
            told |= self._heard
            self._heard = set()
            self._hears.clear()
        return told

    def _noticed(self) -> set[str]:
        """Wait for a notice: from Redis, or while it is away from this process alone."""
        try:
            if self._notices.redis_url is not None:
                self._reader = self._reader or Reader(self._notices)
                if self.source != "redis":
                    # What was saved while nobody listened is looked for once more.
                    self.source, self._check_at = "redis", 0.0
                    return set()
                return self._reader.read()
        except redis.RedisError:
            if self._reader is not None:
                self._reader.close()
            self._reader = None
        self.source = "log"
        self._hears.wait(POLL_S)
        return set()

    def _logged(self) -> set[str]:
        """Return the streams with events behind the place that was reached in the log."""
        last = self._log.last_position()
        if last <= self._place:
            return set()
        rows = self._log.rows(
            "SELECT DISTINCT stream FROM events WHERE position > ? AND position <= ?",
            *(self._place, last),
        )
        self._place = last
        return {stream for (stream,) in rows}
