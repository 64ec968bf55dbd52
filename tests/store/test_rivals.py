"""Many processes on one log: one winner for each version, and a reader who misses nothing."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from service.store.log import Log
from tests.store.rivals import MATCH, THREADS
from tests.store.streams import open_log, open_match

DATABASES = ("sqlite", "postgresql")

PROCESSES = 4
WANTED = 3
WRITERS = PROCESSES * THREADS
EVENTS = 1 + WRITERS + 2 * WRITERS * WANTED
DEADLINE_S = 60


@contextmanager
def rivals(url: str, number: int) -> Iterator[subprocess.Popen[str]]:
    """Start a process of rivals."""
    arguments = [sys.executable, "-m", "tests.store.rivals", url, str(number), str(WANTED)]
    pipe = subprocess.PIPE
    with subprocess.Popen(arguments, stdin=pipe, stdout=pipe, text=True) as process:
        yield process


def read_along(log: Log) -> list[tuple[int, str, int]]:
    """Follow the log page by page until all events have come; never look back."""
    seen: list[tuple[int, str, int]] = []
    until = time.monotonic() + DEADLINE_S
    while len(seen) < EVENTS and time.monotonic() < until:
        after = seen[-1][0] if seen else 0
        seen += [(one.place, one.stream, one.version) for one in log.page(after, 20)]
    return seen


def test_sixteen_writers_and_a_reader(database_url: str) -> None:
    log = open_log(database_url)
    open_match(log, MATCH)
    with ExitStack() as stack:
        started = [stack.enter_context(rivals(database_url, n)) for n in range(PROCESSES)]
        for process in started:
            assert process.stdout is not None
            assert json.loads(process.stdout.readline()) == "ready"
        for process in started:
            assert process.stdin is not None
            process.stdin.write("\n")
            process.stdin.flush()
        seen = read_along(log)
        results = [json.loads(line) for process in started for line in (process.stdout or "")]
    assert all(process.returncode == 0 for process in started)
    assert len(results) == WRITERS

    won = sorted(version for result in results for version in result["won"])
    assert won == list(range(2, 2 + WRITERS * WANTED))
    lost = [one for result in results for one in result["lost"]]
    assert lost
    assert all(wanted <= present for wanted, present in lost)
    assert {wanted for wanted, _ in lost} <= set(won)

    assert [place for place, _, _ in seen] == sorted({place for place, _, _ in seen})
    assert [version for _, stream, version in seen if stream == MATCH] == [1, *won]
    assert len(seen) == EVENTS == len(log.page(0, EVENTS + 1))
    assert log.match(MATCH).version == won[-1]
    log.close()
