"""The course of a match: its present state, and what of it is rendered for whom."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from threading import Lock

from projections.definitions import definitions_named
from projections.replay import MatchHistory
from service.aggregates.events import MatchEvent
from service.aggregates.matches import Match
from service.engine.texts import Language
from service.engine.values import Viewer
from service.installation import Installation
from service.integrity.chain import Sealed
from service.live.messages import frame

AT_ONCE = 50
"""How many events are rendered and sent at once to somebody who is behind."""
FRAMES_KEPT = 256
STATES_KEPT = 4

Listener = Callable[[], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """A match at a time. present: as it is; shown: as those are shown it who are behind a delay."""

    present: Match
    shown: Match

    def horizon(self, *, is_delayed: bool) -> Match:
        """Return the state up to which a spectator is shown the match."""
        return self.shown if is_delayed else self.present

    @property
    def standing(self) -> tuple[object, ...]:
        """What decides beside grants who may see what: when it changes, that is asked again."""
        return (
            self.present.visibility,
            self.present.closed,
            self.shown.closed,
            self.present.reopened,
            self.present.seated,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Eyes:
    """By whose eyes a match is followed, in which language, and whether behind its delay."""

    viewer: Viewer
    language: Language
    is_delayed: bool


class RecentStates(MatchHistory):
    """The log, with the states of one match that were asked for last."""

    def __init__(self, log: MatchHistory) -> None:
        """Begin without a state."""
        self._log = log
        self._states: OrderedDict[int, Match] = OrderedDict()

    def match(self, match_id: str, *, version: int | None = None) -> Match:
        """Return the state of the match at a version."""
        if version is not None and version in self._states:
            return self._states[version]
        found = self._log.match(match_id, version=version)
        self.keep(found)
        return found

    def keep(self, state: Match) -> None:
        """Keep a state that is at hand."""
        self._states[state.version] = state
        self._states.move_to_end(state.version)
        if len(self._states) > STATES_KEPT:
            self._states.popitem(last=False)

    def events_of(self, stream: str, *, after: int, to: int) -> Iterator[MatchEvent]:
        """Yield events as the log does."""
        return self._log.events_of(stream, after=after, to=to)

    def sealed_of(self, stream: str, *, after: int, to: int) -> Iterator[Sealed]:
        """Yield sealed events as the log does."""
        return self._log.sealed_of(stream, after=after, to=to)

    def text(self, digest: str) -> str | None:
        """Return a free text as the log does."""
        return self._log.text(digest)


class Rendering:
    """The frames of a match for one viewer in one language; the last ones are kept.

    An event is rendered once for all who follow; who comes late has those before rendered again.
    """

    def __init__(self, installation: Installation, eyes: Eyes, reached: int) -> None:
        """Begin without frames; those behind `reached` are rendered as soon as they come."""
        self._installation = installation
        self._eyes = eyes
        self._reached = reached
        self._states = RecentStates(installation.log)
        self._frames: OrderedDict[int, bytes] = OrderedDict()
        self._lock = Lock()

    def go_on(self, moment: Moment) -> None:
        """Render what has come since, as far as it is sent at once."""
        horizon = moment.horizon(is_delayed=self._eyes.is_delayed)
        after = max(self._reached, horizon.version - AT_ONCE)
        if after < horizon.version:
            self.frames(horizon, after, horizon.version)
            self._reached = horizon.version

    def kept(self, after: int, to: int) -> list[bytes] | None:
        """Return the frames of the events with `after` < seq ≤ `to` if they are all at hand."""
        found = [self._frames.get(seq) for seq in range(after + 1, to + 1)]
        frames = [one for one in found if one is not None]
        return frames if len(frames) == len(found) else None

    def frames(self, horizon: Match, after: int, to: int) -> list[bytes]:
        """Return the same, rendered if need be. horizon: the state up to which all are shown."""
        assert after <= to <= min(horizon.version, after + AT_ONCE), "as many as fit, none beyond"
        with self._lock:
            found = self.kept(after, to)
            if found is None:
                found = self._rendered(horizon, after, to)
                self._frames.update(zip(range(after + 1, to + 1), found, strict=True))
                while len(self._frames) > FRAMES_KEPT:
                    self._frames.popitem(last=False)
        return found

    def _rendered(self, horizon: Match, after: int, to: int) -> list[bytes]:
        self._states.keep(horizon)
        replay = self._installation.replay(horizon, self._eyes.viewer, self._eyes.language)
        window = replace(replay, log=self._states).window(after, to)
        return [
            frame(seq, {**one, "cards": definitions_named(one, replay.ruleset.cards)})
            for seq, one in enumerate(window["frames"], start=after + 1)
        ]


class Course:
    """A match as it goes on, for all who follow it in this process."""

    def __init__(self, installation: Installation, match_id: str) -> None:
        """Begin without having looked: `look`."""
        self._installation = installation
        self._match_id = match_id
        self._lock = Lock()
        self._listeners: frozenset[Listener] = frozenset()
        self._renderings: dict[Eyes, Rendering] = {}
        self._moment: Moment | None = None
        self.followers = 0
        self.has_failed = False

    @property
    def moment(self) -> Moment:
        """The match as it was when it was looked at last; raises `NotFound`."""
        if self._moment is None:
            self.look()
        assert self._moment is not None
        return self._moment

    @property
    def is_due(self) -> bool:
        """Tell whether to look without a notice: for what waits for its time, or after a fault."""
        known = self._moment
        is_waiting = known is not None and known.shown.version < known.present.version
        return is_waiting or self.has_failed

    @property
    def has_looked(self) -> bool:
        """Tell whether it was looked at."""
        return self._moment is not None

    def look(self) -> None:
        """Look how far the match is; raises `NotFound`."""
        with self._lock:
            present = self._installation.log.match(self._match_id)
            shown = self._installation.shown(present)
            self._moment = Moment(present=present, shown=shown)

    def go_on(self) -> None:
        """Look how far the match is, render what is new, and tell those who follow."""
        self.look()
        self.has_failed = False
        for rendering in list(self._renderings.values()):
            rendering.go_on(self.moment)
        self.tell()

    def tell(self) -> None:
        """Call those who follow."""
        for listener in self._listeners:
            listener()

    def rendering(self, eyes: Eyes) -> Rendering:
        """Return what is rendered for these eyes."""
        reached = self.moment.horizon(is_delayed=eyes.is_delayed).version
        with self._lock:
            if eyes not in self._renderings:
                self._renderings[eyes] = Rendering(self._installation, eyes, reached)
            return self._renderings[eyes]

    def listen(self, listener: Listener) -> None:
        """Call somebody whenever there is something to look at."""
        with self._lock:
            self._listeners |= {listener}

    def leave(self, listener: Listener) -> None:
        """Call him no more."""
        with self._lock:
            self._listeners -= {listener}
