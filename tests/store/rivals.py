"""A process of rivals: threads that all want the next version of one match.

Called with the address of the database, the number of this process and the versions that each of
its threads wants to win; it begins when a line comes in, and prints what happened as JSON.
"""

from __future__ import annotations

import json
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from service.aggregates.world import Conflict
from service.store.log import Log
from tests.store.streams import append, noted, open_log, open_match

MATCH = "disputed"
THREADS = 4


def contend(log: Log, own: str, first: int, wanted: int) -> dict[str, list[Any]]:
    """Win versions of the disputed match, and append to a match of one's own in between.

    first: of numbers that nobody else uses, since the same event twice is no conflict.
    Returns the versions won, and of those lost also the present version that was told.
    """
    won: list[int] = []
    lost: list[tuple[int, int]] = []
    open_match(log, own)
    while len(won) < wanted:
        before = log.match(MATCH)
        try:
            log.append(MATCH, before, [noted(first + len(won))])
        except Conflict as fault:
            lost.append((before.version + 1, fault.version))
        else:
            won.append(before.version + 1)
            append(log, own, noted(len(won)))
    return {"won": won, "lost": lost}


def tell(value: object) -> None:
    """Print a value on a line of its own."""
    sys.stdout.write(json.dumps(value) + "\n")
    sys.stdout.flush()


def main() -> None:
    """Contend with all threads."""
    url, process, wanted = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    log = open_log(url)
    log.match(MATCH)
    tell("ready")
    sys.stdin.readline()
    with ThreadPoolExecutor(THREADS) as threads:
        numbers = [process * THREADS + thread for thread in range(THREADS)]
        for result in threads.map(
            lambda number: contend(log, f"own-{number}", number * wanted, wanted), numbers
        ):
            tell(result)
    log.close()


if __name__ == "__main__":
    main()
