"""A connection lost after the commit: what was saved is answered, not taken for somebody else's."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from service.aggregates.attachments import Attached, Command
from service.aggregates.world import Conflict
from service.store.databases import migrate
from service.store.log import Log
from tests.servers import empty_schema
from tests.store.cutting import Wire, wire_to
from tests.store.streams import append, noted, open_log, open_match

CALLERS = 6
ATTACHED = Attached(command=Command(id="c1", body_digest="d"))


@pytest.fixture
def wired() -> Iterator[tuple[Log, Wire]]:
    with empty_schema() as url, wire_to(url) as (far_url, wire):
        migrate(url)
        log = open_log(far_url)
        yield log, wire
        log.close()


def test_a_command_whose_answer_was_lost_is_answered(wired: tuple[Log, Wire]) -> None:
    log, wire = wired
    open_match(log, "m")
    wire.is_armed.set()
    saved = append(log, "m", noted(1), noted(2), attached=ATTACHED)
    assert (saved.since, saved.version) == (1, 3)
    assert wire.cuts == 1
    assert [one.version for one in log.page(0)] == [1, 2, 3]
    assert append(log, "m", noted(3)).version == 4


def test_events_whose_answer_was_lost_are_told_by_their_hash(wired: tuple[Log, Wire]) -> None:
    log, wire = wired
    open_match(log, "m")
    before = log.match("m")
    wire.is_armed.set()
    assert append(log, "m", noted(1)).version == 2
    assert wire.cuts == 1
    with pytest.raises(Conflict):
        log.append("m", before, [noted(2)])
    assert log.version_of("m") == 2


def test_callers_of_a_batch_whose_answer_was_lost_are_all_answered(
    wired: tuple[Log, Wire],
) -> None:
    log, wire = wired
    names = [f"m{number}" for number in range(CALLERS)]
    for name in names:
        open_match(log, name)
    wire.is_armed.set()
    with ThreadPoolExecutor(CALLERS) as callers:
        saved = list(callers.map(lambda name: append(log, name, noted(1)), names))
    assert wire.cuts == 1
    assert [one.stream for one in saved] == names
    assert sorted(one.stream for one in log.page(0)[CALLERS:]) == names


def test_a_connection_lost_while_reading_is_replaced(wired: tuple[Log, Wire]) -> None:
    log, _ = wired
    open_match(log, "m")
    ((before,),) = log.rows("SELECT pg_backend_pid()")
    log.rows("SELECT pg_terminate_backend(?)", before)
    after = {pid for _ in range(10) for (pid,) in log.rows("SELECT pg_backend_pid()")}
    assert before not in after
    assert log.version_of("m") == 1
