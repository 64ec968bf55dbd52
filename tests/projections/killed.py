"""A process that is killed while it feeds projections: it tells of each page that it has written.

It says so before the page is kept, and waits there for its end once it has come to a place.
"""

from __future__ import annotations

import sys
import time
from dataclasses import replace
from pathlib import Path

from projections.runner import Generation, Page, Projection, begin, feed
from projections.tables import Tables
from service.installation import PROJECTIONS, open_installation
from service.settings import Settings
from tests.projections.feeding import Sliced

GENERATION = 1
SIZE = 5
WAIT_S = 60


def telling(projection: Projection, wait_at: int) -> Projection:
    """Return a projection that tells of its pages."""

    def apply(tables: Tables, page: Page) -> None:
        projection.apply(tables, page)
        sys.stdout.write(f"{page[-1].place}\n")
        sys.stdout.flush()
        if page[-1].place >= wait_at:
            time.sleep(WAIT_S)

    return replace(projection, apply=apply)


def main() -> None:
    """Feed until killed."""
    url, seeds, wait_at = sys.argv[1:]
    found = open_installation(
        Settings(database_url=url, seeds=Path(seeds), host="127.0.0.1", port=0)
    )
    generations = [
        Generation(projection=telling(one, int(wait_at)), number=GENERATION) for one in PROJECTIONS
    ]
    for generation in generations:
        begin(found.database, generation)
    for _ in feed(found.database, Sliced(log=found.log, size=SIZE), generations):
        pass


if __name__ == "__main__":
    main()
