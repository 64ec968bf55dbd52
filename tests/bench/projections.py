"""Rebuilding read models from a long log, against reading its rows in the same run."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path

from projections.generations import rebuild
from projections.runner import PAGE_SIZE_MAX, Projection
from service.cli.base import progress
from service.installation import PROJECTIONS, Installation, open_installation
from service.store.databases import migrate
from tests.bench.timing import seconds
from tests.conftest import CATALOGUE, import_log, log_of, settings_in
from tests.servers import empty_schema

TITLE = "Rebuilding read models, {events:,} events, {together} matches at a time"
HEADINGS = ("database", "read model", "raw rows/s", "events/s", "of raw rows")
EVENTS = 200_000
TOGETHER = 64
ROWS = (
    "SELECT position, stream, version, tag, body FROM events "
    "WHERE position > ? ORDER BY position LIMIT ?"
)
NOTE = """
The log holds copies of a recorded match of every game. Raw rows: the same pages are read and not
looked at. Each projection is built alone.
"""


def title(events: int = EVENTS) -> str:
    """Return the heading of the table."""
    return TITLE.format(events=events, together=TOGETHER)


def rows(folder: Path, events: int = EVENTS) -> list[list[str]]:
    """Return the rates of reading raw rows and of building each projection."""
    folder.mkdir()
    found = []
    for name, place in (
        ("SQLite", nullcontext(settings_in(folder).database_url)),
        ("PostgreSQL", empty_schema()),
    ):
        with place as url, _installation(url, folder) as here:
            fill(here, events)
            found += _rows_of(name, here)
    return found


@contextmanager
def _installation(url: str, folder: Path) -> Iterator[Installation]:
    migrate(url)
    here = open_installation(replace(settings_in(folder), database_url=url))
    try:
        yield here
    finally:
        here.close()


def fill(here: Installation, events: int) -> None:
    """Store at least so many events; they are real ones in other streams, and verify no more."""
    ids = [import_log(here, log_of(name)) for name in CATALOGUE.names()]
    whole = [here.log.logged_of(one, 0, events) for one in ids]
    count = sum(map(len, whole)) * TOGETHER
    for number in progress(range(-(-events // count)), "fill the log"):
        copies = [
            (f"{number:06}-{copy:02}-{one.stream}", one.version, one.tag, one.body)
            for match in whole
            for one in match
            for copy in range(TOGETHER)
        ]
        with here.database.transaction() as tables:
            tables.upsert("events", ("stream", "version", "tag", "body"), copies, keys=2)


def _rows_of(database: str, here: Installation) -> list[list[str]]:
    return [_row(database, here, projection) for projection in PROJECTIONS]


def _row(database: str, here: Installation, projection: Projection) -> list[str]:
    count = here.log.rows("SELECT COUNT(*) FROM events")[0][0]
    # One after the other, so that a slow moment of the machine meets both.
    raw = count / seconds(lambda: _read(here))
    built = count / seconds(lambda: _build(here, projection))
    return [database, projection.name, f"{raw:,.0f}", f"{built:,.0f}", f"{built / raw:.2f}"]


def _read(here: Installation) -> None:
    place = 0
    while page := here.log.rows(ROWS, place, PAGE_SIZE_MAX):
        place = page[-1][0]


def _build(here: Installation, projection: Projection) -> None:
    total, work = rebuild(here.database, here.log, [projection])
    for _ in progress(work, projection.name, total=total // PAGE_SIZE_MAX):
        pass
