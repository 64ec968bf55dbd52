"""Deciding again when somebody else was faster."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import TypeVar

from service.aggregates.world import Conflict

JITTER_S = 0.02

Done = TypeVar("Done")


def decided(
    decide: Callable[[], Callable[[], Done]], *, tries: int, is_final: bool = False
) -> Done:
    """Decide, save what was decided, and decide again where saving meets a `Conflict`.

    decide: loads, decides, and returns what saves the outcome; what it raises itself is final.
    is_final: the caller named the version that he saw, so he is told of a conflict at once.
    """
    for attempt in range(1, tries + 1):
        save = decide()
        try:
            return save()
        except Conflict:
            if is_final or attempt == tries:
                raise
            time.sleep(random.uniform(0, JITTER_S * attempt))
    raise AssertionError("the last attempt returns or raises")
