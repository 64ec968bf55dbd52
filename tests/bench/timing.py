"""Timing: the median of several runs."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterable

RUNS = 7


def seconds(task: Callable[[], object]) -> float:
    """Return how long a task takes."""
    begun = time.perf_counter()
    task()
    return time.perf_counter() - begun


def median_seconds(task: Callable[[], object], runs: int = RUNS) -> float:
    """Return the median of several runs."""
    return statistics.median(seconds(task) for _ in range(runs))


def median_of(tasks: Iterable[Callable[[], object]]) -> float:
    """Return the median over several tasks, one run each."""
    return statistics.median(map(seconds, tasks))


def milliseconds(value: float) -> str:
    """Return a time for a table."""
    return f"{value * 1000:.2f} ms"
