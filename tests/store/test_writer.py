"""Group commit: who comes while another saves shares the next transaction; only losers lose."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Event
from typing import Any

import pytest
from eventsourcing.persistence import (
    AggregateRecorder,
    IntegrityError,
    OperationalError,
    StoredEvent,
)

from service.aggregates.attachments import Attached, Command, Text
from service.store.log import Log
from service.store.writer import BATCH_EVENTS_MAX, Writer, WriterClosed
from tests.store.streams import open_log

DATABASES = ("sqlite", "postgresql")

WAIT_S = 20
CALLERS = 6
NAME = Text(salt=b"salt", body="name")


class Gate(AggregateRecorder):
    """A recorder that can be held up, and notes how many events each transaction had."""

    def __init__(self, recorder: AggregateRecorder) -> None:
        """Let everything through at first."""
        self._recorder = recorder
        self.is_open = Event()
        self.is_open.set()
        self.sizes: list[int] = []

    def insert_events(self, stored_events: Sequence[StoredEvent], **more: Any) -> Any:
        """Wait until the gate is open, then save."""
        self.sizes.append(len(stored_events))
        assert self.is_open.wait(WAIT_S)
        return self._recorder.insert_events(stored_events, **more)

    def select_events(self, originator_id: Any, **bounds: Any) -> Sequence[StoredEvent]:
        """Read."""
        return self._recorder.select_events(originator_id, **bounds)


@pytest.fixture
def log(database_url: str) -> Iterator[Log]:
    found = open_log(database_url)
    yield found
    found.close()


@pytest.fixture
def gate(log: Log) -> Gate:
    return Gate(log.recorder)


@pytest.fixture
def callers() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(CALLERS + 2) as threads:
        yield threads


def stored(stream: str, version: int = 1, body: Any = b"{}") -> StoredEvent:
    return StoredEvent(
        originator_id=stream, originator_version=version, topic="match.match_closed.1", state=body
    )


def held_up(
    writer: Writer,
    gate: Gate,
    callers: ThreadPoolExecutor,
    appends: Sequence[Sequence[StoredEvent]],
) -> list[Future[Sequence[int]]]:
    """Let appends gather behind the first one, which is being saved; then open the gate."""
    gate.is_open.clear()
    futures = []
    for number, events in enumerate(appends):
        futures.append(callers.submit(writer.insert_events, events))
        until(lambda number=number: len(writer._waiting) == number + 1 and bool(gate.sizes))
    gate.is_open.set()
    return futures


def until(condition: Any) -> None:
    deadline = time.monotonic() + WAIT_S
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.001)


def test_who_waits_shares_a_transaction(log: Log, gate: Gate, callers: ThreadPoolExecutor) -> None:
    appends = [[stored(f"s{number}", 1), stored(f"s{number}", 2)] for number in range(CALLERS)]
    saved = held_up(Writer(gate), gate, callers, appends)
    assert [list(one.result(WAIT_S)) for one in saved] == [
        [2 * number + 1, 2 * number + 2] for number in range(CALLERS)
    ]
    assert gate.sizes == [2, 2 * (CALLERS - 1)]
    rows = log.rows("SELECT stream FROM events ORDER BY position")
    assert [stream for (stream,) in rows] == [f"s{n}" for n in range(CALLERS) for _ in range(2)]


def test_a_caller_alone_is_saved_at_once(log: Log, gate: Gate) -> None:
    writer = Writer(gate)
    for version in range(1, 4):
        writer.insert_events([stored("s", version)])
    assert gate.sizes == [1, 1, 1]
    assert log.version_of("s") == 3


def test_only_the_loser_of_a_batch_loses(log: Log, gate: Gate, callers: ThreadPoolExecutor) -> None:
    appends = [[stored("first")], [stored("a")], [stored("b")], [stored("a")], [stored("c")]]
    first, *saved, last = held_up(Writer(gate), gate, callers, appends)
    winners = [first, saved[0], saved[1], last]
    assert all(len(one.result(WAIT_S)) == 1 for one in winners)
    with pytest.raises(IntegrityError):
        saved[2].result(WAIT_S)
    assert gate.sizes == [1, 4, 1, 1, 1, 1]
    assert [log.version_of(stream) for stream in ("first", "a", "b", "c")] == [1, 1, 1, 1]


def test_what_is_attached_to_a_loser_is_not_saved(
    log: Log, gate: Gate, callers: ThreadPoolExecutor
) -> None:
    writer = Writer(gate)
    writer.insert_events([stored("a")])
    gate.is_open.clear()
    first = callers.submit(writer.insert_events, [stored("first")])
    until(lambda: len(gate.sizes) == 2)
    texts = [NAME]
    commands = [Command(id=name, body_digest="d") for name in ("lost", "won")]
    lost, won = (
        callers.submit(
            writer.insert_events,
            [stored(stream)],
            attached=Attached(command=command, texts=texts if stream == "a" else ()),
        )
        for stream, command in zip(("a", "b"), commands, strict=True)
    )
    until(lambda: len(writer._waiting) == 3)
    gate.is_open.set()
    assert first.result(WAIT_S)
    assert won.result(WAIT_S)
    with pytest.raises(IntegrityError):
        lost.result(WAIT_S)
    assert log.rows("SELECT command_id, stream, version FROM commands") == [("won", "b", 1)]
    assert log.text(NAME.digest) is None


def test_what_is_wrong_with_one_append_reaches_its_caller_alone(
    log: Log, gate: Gate, callers: ThreadPoolExecutor
) -> None:
    appends = [[stored("first")], [stored("a")], [stored("lone \ud800")], [stored("b")]]
    first, a, wrong, b = held_up(Writer(gate), gate, callers, appends)
    assert all(one.result(WAIT_S) for one in (first, a, b))
    with pytest.raises(UnicodeEncodeError):
        wrong.result(WAIT_S)
    assert log.last_position() == max(one.result()[0] for one in (first, a, b))


def test_an_outage_reaches_all_who_wait(gate: Gate, callers: ThreadPoolExecutor) -> None:
    class Down(Gate):
        def insert_events(self, stored_events: Sequence[StoredEvent], **more: Any) -> Any:
            self.sizes.append(len(stored_events))
            assert self.is_open.wait(WAIT_S)
            raise OperationalError("no database")

    down = Down(gate)
    saved = held_up(Writer(down), down, callers, [[stored(name)] for name in "abc"])
    for one in saved:
        with pytest.raises(OperationalError):
            one.result(WAIT_S)
    assert down.sizes == [1, 2]


def test_a_batch_is_bounded(log: Log, gate: Gate, callers: ThreadPoolExecutor) -> None:
    half = BATCH_EVENTS_MAX // 2 + 1
    appends = [[stored(name, version) for version in range(1, half + 1)] for name in "abc"]
    saved = held_up(Writer(gate), gate, callers, [[stored("first")], *appends])
    assert all(one.result(WAIT_S) for one in saved)
    assert gate.sizes == [1, half, half, half]


def test_one_append_may_be_larger_than_a_batch(log: Log) -> None:
    count = 2 * BATCH_EVENTS_MAX
    positions = Writer(log.recorder).insert_events(
        [stored("s", version) for version in range(1, count + 1)]
    )
    assert list(positions) == list(range(1, count + 1))


def test_closing_saves_what_waits_and_takes_nothing_more(
    log: Log, gate: Gate, callers: ThreadPoolExecutor
) -> None:
    writer = Writer(gate)
    gate.is_open.clear()
    saved = [callers.submit(writer.insert_events, [stored(f"s{n}")]) for n in range(CALLERS)]
    until(lambda: len(writer._waiting) == CALLERS)
    closing = callers.submit(writer.close)
    until(lambda: len(writer._waiting) == CALLERS + 1)
    with pytest.raises(WriterClosed):
        writer.insert_events([stored("late")])
    gate.is_open.set()
    closing.result(WAIT_S)
    assert log.last_position() == CALLERS
    assert all(one.result(WAIT_S) for one in saved)
    writer.close()
