"""Following: whoever follows a match, how far he is, what he gets next."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock

import structlog

from service.aggregates.matches import Match
from service.aggregates.showing import viewers_for_all
from service.aggregates.world import Full, Invalid, NotFound, TooMany
from service.engine.values import Viewer
from service.installation import Installation
from service.live.courses import AT_ONCE, Course, Moment
from service.live.feeding import Feed, Source
from service.settings import StreamLimits

AGAIN_S = 10
"""After how long to try again when there is no room."""
LAST_EVENT_ID = "Last-Event-ID"
INDEX = re.compile(r"[0-9]{1,6}")
HEARTBEAT_S = 15
STREAM_S_MAX = 3_600
"""Then a stream breaks off, and the caller comes back where he was."""
ENDED = ("closed", "cancelled")


@dataclass(slots=True, kw_only=True)
class Place:
    """How far a spectator is. sent: the index that he has; last: behind which he wants no more."""

    sent: int
    last: int | None = None

    def due(self, horizon: Match) -> int:
        """Return up to which index he gets events next; that which he has if there are none."""
        to = min(horizon.version, self.sent + AT_ONCE)
        return max(self.sent, to if self.last is None else min(to, self.last))

    def is_over(self, moment: Moment, horizon: Match) -> bool:
        """Tell whether all that he will ever be shown was sent."""
        if self.last is not None and self.sent >= self.last:
            return True
        is_whole = horizon.version == moment.present.version and horizon.state in ENDED
        return is_whole and self.sent >= horizon.version


def begun(last: str | None, asked: int) -> int:
    """Return the index that a caller has: that of the last event he got, else as he asks.

    Raises `Invalid` for an id that no stream has given.
    """
    if last is None:
        return asked
    if INDEX.fullmatch(last) is None:
        raise Invalid({LAST_EVENT_ID: ["the id of an event of this stream"]})
    return int(last)


def check_open_to_all(moment: Moment, viewer: Viewer) -> None:
    """Raise `NotFound` unless anybody may follow a match by these eyes."""
    is_known = moment.present.visibility != "participants"
    if not is_known or viewer not in viewers_for_all(moment.shown):
        raise NotFound(f"no match {moment.present.id}")


class Live:
    """The matches that are followed in this process, and by how many.

    Who comes first to a match begins its course; it ends with the last who follows it.
    """

    def __init__(self, installation: Installation, limits: StreamLimits) -> None:
        """Begin without spectators; the feed starts with the first one."""
        self._installation = installation
        self._limits = limits
        self._courses: dict[str, Course] = {}
        self._callers: Counter[str] = Counter()
        self._lock = Lock()
        self._feed = Feed(installation.log, installation.notices, self._wake)
        self.is_stopped = False
        installation.end_first(self.end)

    @property
    def source(self) -> Source:
        """Where it is heard from what goes on at present."""
        return self._feed.source

    @property
    def streams(self) -> int:
        """How many streams there are."""
        return self._callers.total()

    def start(self) -> None:
        """Begin to hear from what goes on; without spectators nobody has to."""
        self._feed.start()

    def enter(self, caller: str) -> None:
        """Take a place for a stream; raises `Full`, `TooMany`."""
        with self._lock:
            if self.is_stopped or self._callers.total() >= self._limits.streams:
                raise Full("there are as many streams as this server can hold", wait_s=AGAIN_S)
            most = self._limits.per_caller
            if most is not None and self._callers[caller] >= most:
                raise TooMany("you follow as many matches as one caller may", wait_s=AGAIN_S)
            self._callers[caller] += 1

    def leave(self, caller: str) -> None:
        """Give the place back."""
        with self._lock:
            self._callers[caller] -= 1
            if not self._callers[caller]:
                del self._callers[caller]

    def join(self, match_id: str) -> Course:
        """Return the course of a match, for one more who follows it: `part`."""
        self.start()
        with self._lock:
            if match_id not in self._courses:
                self._courses[match_id] = Course(self._installation, match_id)
            course = self._courses[match_id]
            course.followers += 1
        return course

    def part(self, match_id: str) -> None:
        """Let one follow it less."""
        with self._lock:
            course = self._courses[match_id]
            course.followers -= 1
            if not course.followers:
                del self._courses[match_id]

    @contextmanager
    def followed(self, match_id: str) -> Iterator[Course]:
        """Lend the course of a match; raises `NotFound` when it is looked at."""
        course = self.join(match_id)
        try:
            yield course
        finally:
            self.part(match_id)

    def stop(self) -> None:
        """End all streams, and begin none; also called by signals, so it takes no lock."""
        self.is_stopped = True
        self._feed.stop()
        for course in list(self._courses.values()):
            course.tell()

    def end(self) -> None:
        """Stop, and wait until nothing is read from the log any longer."""
        self.stop()
        self._feed.end()

    def _wake(self, gone_on: Collection[str]) -> None:
        """Let the courses go on that have something new to show, or may have by now."""
        for match_id, course in list(self._courses.items()):
            if match_id in gone_on or course.is_due:
                self._go_on(match_id, course)

    def _go_on(self, match_id: str, course: Course) -> None:
        try:
            course.go_on()
        # Whatever it was, the other matches go on; this one is looked at again in a second.
        except Exception as fault:
            course.has_failed = True
            kind = type(fault).__qualname__
            structlog.get_logger().error("live match failed", match=match_id, kind=kind)
