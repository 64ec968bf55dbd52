"""A process that is killed: plays simulated matches and tells each append that was accepted."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from service.aggregates.attachments import Saved
from service.catalogue import SAMPLE
from service.cli.simulating import simulated_match
from service.installation import Installation, open_installation
from service.settings import Settings

MATCHES = 1_000
SEED = 99


class Telling:
    """The log, telling what it accepted."""

    def __init__(self, log: Any) -> None:
        """Stand before a log."""
        self._log = log

    def append(self, match_id: str, before: Any, events: Any, **more: Any) -> Saved:
        """Append, then tell match and version."""
        saved: Saved = self._log.append(match_id, before, events, **more)
        version = (0 if before is None else before.version) + len(events)
        sys.stdout.write(f"{match_id} {version}\n")
        sys.stdout.flush()
        return saved

    def __getattr__(self, name: str) -> Any:
        return getattr(self._log, name)


def play(installation: Installation, number: int) -> str:
    """Play a simulated match to its end, or go on with it; return its id."""
    pool = installation.named_pool("hi-story", SAMPLE)
    return simulated_match(installation, pool, SEED, number, {}, SAMPLE).id


def main() -> None:
    """Play until killed."""
    url, seeds = sys.argv[1:]
    found = open_installation(
        Settings(database_url=url, seeds=Path(seeds), host="127.0.0.1", port=0)
    )
    telling = replace(found, log=Telling(found.log))  # type: ignore[arg-type]  # stands for it
    for number in range(MATCHES):
        play(telling, number)


if __name__ == "__main__":
    main()
