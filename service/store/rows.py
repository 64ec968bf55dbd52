"""Reading and snapshots, the same on both databases: plain rows of our own tables."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol, TypeAlias, cast

from eventsourcing.persistence import (
    AggregateRecorder,
    ApplicationRecorder,
    Notification,
    StoredEvent,
)

UNBOUNDED = 2**62

Rows: TypeAlias = list[tuple[Any, ...]]


class Row(NamedTuple):
    """A stored event as the database gives it: cheaper than the library's dataclass."""

    originator_id: str
    originator_version: int
    topic: str
    state: bytes


class NotedRow(NamedTuple):
    """A row with its place in the log over all streams."""

    id: int
    originator_id: str
    originator_version: int
    topic: str
    state: bytes


class Datastore(Protocol):
    """A database as the recorders see it; parameters stand for `?` in a statement."""

    def rows(self, statement: str, *parameters: Any) -> Rows:
        """Return the rows of a query."""
        ...

    def write_each(self, statement: str, rows: Sequence[Sequence[Any]]) -> None:
        """Carry out a statement for each row of parameters, in one transaction."""
        ...


class EventRows(ApplicationRecorder):
    """The reading half of a recorder of events."""

    @abstractmethod
    def rows(self, statement: str, *parameters: Any) -> Rows:
        """Return the rows of a query."""

    def select_events(
        self,
        originator_id: Any,
        *,
        gt: int | None = None,
        lte: int | None = None,
        desc: bool = False,
        limit: int | None = None,
    ) -> Sequence[StoredEvent]:
        """Return the events of a stream within bounds, in order."""
        rows = self.rows(
            _selection("events", desc=desc), *_bounds(originator_id, gt=gt, lte=lte, limit=limit)
        )
        return _as_events(rows)

    def select_notifications(
        self,
        start: int | None,
        limit: int,
        stop: int | None = None,
        topics: Sequence[str] = (),
        *,
        inclusive_of_start: bool = True,
    ) -> Sequence[Notification]:
        """Return the events of all streams from a position on, in order."""
        assert not topics, "all topics are read; a filter would break waiting for a position"
        first = (start or 0) + (0 if inclusive_of_start else 1)
        rows = self.rows(
            "SELECT position, stream, version, tag, body FROM events "
            "WHERE position >= ? AND position <= ? ORDER BY position LIMIT ?",
            first,
            UNBOUNDED if stop is None else stop,
            limit,
        )
        # Rows have the fields of a notification; dataclasses would cost more than reading.
        return cast(Sequence[Notification], [NotedRow(*row) for row in rows])

    def max_notification_id(self) -> int:
        """Return the position of the last event, 0 in an empty log."""
        ((position,),) = self.rows("SELECT MAX(position) FROM events")
        return position or 0


class SnapshotRecorder(AggregateRecorder):
    """Snapshots of one shape of state; those of another shape are not seen."""

    tag = ""

    def __init__(self, datastore: Datastore) -> None:
        """Keep them in a database."""
        self._datastore = datastore

    def insert_events(self, stored_events: Sequence[StoredEvent], **_: Any) -> Sequence[int] | None:
        """Keep snapshots, instead of those that are there at the same versions."""
        self._datastore.write_each(
            "INSERT INTO snapshots (stream, version, tag, body) VALUES (?,?,?,?) "
            "ON CONFLICT (stream, version) DO UPDATE SET tag = excluded.tag, body = excluded.body",
            [
                (one.originator_id, one.originator_version, one.topic, one.state)
                for one in stored_events
            ],
        )
        return None

    def select_events(
        self,
        originator_id: Any,
        *,
        gt: int | None = None,
        lte: int | None = None,
        desc: bool = False,
        limit: int | None = None,
    ) -> Sequence[StoredEvent]:
        """Return the snapshots of a stream within bounds, in order."""
        rows = self._datastore.rows(
            _selection("snapshots", desc=desc, condition="tag = ?"),
            self.tag,
            *_bounds(originator_id, gt=gt, lte=lte, limit=limit),
        )
        return _as_events(rows)


def _selection(table: str, *, desc: bool, condition: str = "TRUE") -> str:
    return (
        f"SELECT stream, version, tag, body FROM {table} "
        f"WHERE {condition} AND stream = ? AND version > ? AND version <= ? "
        f"ORDER BY version {'DESC' if desc else 'ASC'} LIMIT ?"
    )


def _bounds(
    stream: Any, *, gt: int | None, lte: int | None, limit: int | None
) -> tuple[str, int, int, int]:
    return (
        str(stream),
        gt or 0,
        UNBOUNDED if lte is None else lte,
        UNBOUNDED if limit is None else limit,
    )


def _as_events(rows: Rows) -> Sequence[StoredEvent]:
    # Rows have the fields of a stored event; dataclasses would cost more than reading.
    return cast(Sequence[StoredEvent], [Row(*row) for row in rows])
