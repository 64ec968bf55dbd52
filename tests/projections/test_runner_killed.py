"""kill -9 in the middle of a page: nothing is lost and nothing is applied twice."""

from __future__ import annotations

import subprocess
import sys

from service.installation import PROJECTIONS, Installation
from tests.conftest import SEEDS
from tests.projections.feeding import fed, fill, rows_of
from tests.projections.killed import GENERATION

DATABASES = ("sqlite", "postgresql")

UNDISTURBED = 2
PAGES_MAX = 10_000


def kill_after(url: str, pages: int, wait_at: int) -> int:
    """Feed in another process and kill it after so many pages, or inside the one at a place.

    Return the last place that it told.
    """
    command = [sys.executable, "-m", "tests.projections.killed", url, str(SEEDS), str(wait_at)]
    place = 0
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=SEEDS.parent) as child:
        assert child.stdout is not None
        for _ in range(pages):
            place = int(child.stdout.readline() or wait_at)
            if place >= wait_at:
                break
        child.kill()
    return place


def check(installation: Installation) -> None:
    """Feed to the end and compare with generations that nobody disturbed."""
    for one in PROJECTIONS:
        resumed, whole = fed(installation, one, GENERATION), fed(installation, one, UNDISTURBED)
        assert rows_of(installation.database, resumed) == rows_of(installation.database, whole)


def test_killed_between_rows_and_place(installation: Installation, database_url: str) -> None:
    fill(installation)
    middle = installation.log.last_position() // 2
    assert kill_after(database_url, PAGES_MAX, middle) >= middle
    check(installation)
