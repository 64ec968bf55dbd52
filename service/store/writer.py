"""Group commit: the appends of callers at the same time share one transaction."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Condition
from typing import Any

from eventsourcing.persistence import (
    AggregateRecorder,
    InterfaceError,
    OperationalError,
    StoredEvent,
)

from service.aggregates.attachments import Attached
from service.store.attached import Statement, statements

BATCH_EVENTS_MAX = 500

OUTAGES = (InterfaceError, OperationalError)
"""The database failed, not one of the appends: to try them one by one would only take longer."""


class WriterClosed(RuntimeError):
    """An append came after the log was closed."""


class Append:
    """What one caller wants to save, and what came of it."""

    def __init__(
        self, events: Sequence[StoredEvent] = (), beside: Sequence[Statement] = ()
    ) -> None:
        """Begin without an answer. beside: the statements of what is attached."""
        self.events = events
        self.beside = beside
        self.positions: Sequence[int] | None = None
        self.fault: Exception | None = None

    @property
    def is_answered(self) -> bool:
        """Tell whether it was saved or refused."""
        return self.positions is not None or self.fault is not None


class Writer(AggregateRecorder):
    """Saves for all callers of a process, one transaction at a time.

    Who finds nobody saving saves at once. Who comes meanwhile waits, and one of those who wait
    saves for all of them. So nobody waits for company, and a caller who is alone pays for no other
    thread: handing an append to one and waking up again costs him up to half of a fast commit.
    """

    def __init__(self, recorder: AggregateRecorder) -> None:
        """Save through a recorder, whose `insert_events` is one transaction."""
        self._recorder = recorder
        self._changed = Condition()
        self._waiting: list[Append] = []
        self._is_saving = False
        self._is_closed = False

    def insert_events(
        self, stored_events: Sequence[StoredEvent], *, attached: Attached | None = None, **_: Any
    ) -> Sequence[int]:
        """Save events and what is attached to them, all or none; return their log positions.

        Raises what the recorder raises for these events, `WriterClosed`.
        """
        beside: tuple[Statement, ...] = ()
        if attached is not None:
            stream = stored_events[-1].originator_id
            versions = [
                one.originator_version for one in stored_events if one.originator_id == stream
            ]
            since, version = versions[0] - 1, versions[-1]
            beside = tuple(statements(attached, str(stream), since=since, version=version))
        append = Append(stored_events, beside)
        self._settle(append)
        if append.fault is not None:
            raise append.fault
        assert append.positions is not None
        return append.positions

    def select_events(self, originator_id: Any, **bounds: Any) -> Sequence[StoredEvent]:
        """Return the events of a stream within bounds, in order."""
        return self._recorder.select_events(originator_id, **bounds)

    def close(self) -> None:
        """Save what is waiting and take nothing more; closing again does nothing."""
        if not self._is_closed:
            self._settle(Append(), is_last=True)

    def _settle(self, append: Append, *, is_last: bool = False) -> None:
        with self._changed:
            if self._is_closed:
                raise WriterClosed("the log is closed")
            self._is_closed = is_last
            self._waiting.append(append)
        try:
            while not append.is_answered:
                self._follow_or_save(append)
        finally:
            # A caller who is interrupted takes his append with him.
            with self._changed:
                self._forget_answered(append)

    def _follow_or_save(self, append: Append) -> None:
        with self._changed:
            self._changed.wait_for(lambda: append.is_answered or not self._is_saving)
            if append.is_answered:
                return
            self._is_saving = True
            batch = self._next_batch()
        try:
            self._save(batch)
        finally:
            with self._changed:
                self._is_saving = False
                self._changed.notify_all()
                self._forget_answered()

    def _next_batch(self) -> list[Append]:
        """Return those who wait longest; what is left over goes into the next transaction."""
        batch: list[Append] = []
        count = 0
        for append in self._waiting:
            count += len(append.events)
            if batch and count > BATCH_EVENTS_MAX:
                break
            batch.append(append)
        return batch

    def _forget_answered(self, also: Append | None = None) -> None:
        self._waiting = [one for one in self._waiting if one is not also and not one.is_answered]

    def _save(self, batch: Sequence[Append]) -> None:
        """Answer each append of a batch; if it fails as a whole, only who is at fault loses."""
        try:
            positions = self._saved(batch)
        except OUTAGES as fault:
            for append in batch:
                append.fault = fault
        except Exception as fault:
            if len(batch) == 1:
                batch[0].fault = fault
                return
            for append in batch:
                self._save([append])
        else:
            for append in batch:
                count = len(append.events)
                append.positions, positions = positions[:count], positions[count:]

    def _saved(self, batch: Sequence[Append]) -> Sequence[int]:
        events = [event for append in batch for event in append.events]
        if not events:
            return ()
        beside = [statement for append in batch for statement in append.beside]
        return self._recorder.insert_events(events, beside=beside) or ()
