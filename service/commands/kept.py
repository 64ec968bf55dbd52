"""The last states of streams, so that only what came after has to be read."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import Generic, Protocol, TypeVar


class Versioned(Protocol):
    """A state that knows how many events it comes from."""

    @property
    def version(self) -> int:
        """The number of events."""
        ...


State = TypeVar("State", bound=Versioned)


class KeptStates(Generic[State]):
    """States by stream, the last used ones. Many threads may ask at once; an older one is not kept.

    most: how many are kept.
    """

    def __init__(self, most: int) -> None:
        """Keep nothing yet."""
        self._most = most
        self._lock = Lock()
        self._states: OrderedDict[str, State] = OrderedDict()

    def get(self, stream: str) -> State | None:
        """Return the state that is kept of a stream, or None."""
        with self._lock:
            return self._states.get(stream)

    def keep(self, stream: str, state: State) -> None:
        """Keep a state, unless a later one of the stream is kept."""
        with self._lock:
            present = self._states.get(stream)
            if present is None or present.version < state.version:
                self._states[stream] = state
            self._states.move_to_end(stream)
            if len(self._states) > self._most:
                self._states.popitem(last=False)
