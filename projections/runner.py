"""Feeding projections from the log: a page at a time, rows and place in one transaction.

Those that stand at one place share the page and the transaction. A page that fails is applied to
each alone, and there event by event, so that a fault parks one stream of one of them (`parking`). A
projection may have a second generation, which is written beside the one that is read
(`generations`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from projections import places
from projections.naming import generation_name
from projections.parking import apply_each, is_outage, parked_streams, unpark
from projections.tables import Database, Tables
from service.integrity.logged import Logged

PAGE_SIZE, PAGE_SIZE_MAX = 500, 4_000
QUICK_S, SLOW_S = 0.1, 0.4

Page: TypeAlias = Sequence[Logged]
"""Events in the order of the log."""


class EventLog(Protocol):
    """The log as projections see it."""

    def page(self, after: int, limit: int = PAGE_SIZE) -> list[Logged]:
        """Return the events behind a position."""
        ...

    def logged_of(self, stream: str, after: int, limit: int = PAGE_SIZE) -> list[Logged]:
        """Return the events of a stream behind a version."""
        ...

    def last_position(self) -> int:
        """Return the position of the last event, 0 in an empty log."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Projection:
    """A read model. name: with its version, its tables carry it; apply: write a page of events.

    tables, create: every table and every index begins with the name, so that another generation
    has tables of its own. The same events on the same rows must give the same rows.
    """

    name: str
    tables: Sequence[str]
    create: Sequence[str]
    apply: Callable[[Tables, Page], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Generation:
    """A projection in tables of its own. number: 0 for those that have its plain name."""

    projection: Projection
    number: int = 0

    @property
    def name(self) -> str:
        """What its tables carry, and under what its place is noted."""
        return generation_name(self.projection.name, self.number)

    def tables_in(self, tables: Tables) -> Tables:
        """Return a transaction on its tables."""
        return tables.of_generation(self.projection.name, self.name)

    def apply(self, tables: Tables, page: Page) -> None:
        """Write a page of events."""
        self.projection.apply(self.tables_in(tables), page)


class Pages:
    """Pages of the log: longer ones while the work on them is quick.

    Where it takes long they grow shorter again, as nobody else writes into the tables meanwhile.
    """

    def __init__(self, log: EventLog) -> None:
        """Begin with pages of the usual size."""
        self._log = log
        self._size = PAGE_SIZE
        self._is_full = False

    def behind(self, position: int) -> Page:
        """Return the events behind a position of the log."""
        page = self._log.page(position, self._size)
        self._is_full = len(page) >= self._size
        return page

    def took(self, seconds: float) -> None:
        """Learn how long the work on the last page took."""
        if seconds < QUICK_S and self._is_full:
            self._size = min(self._size * 2, PAGE_SIZE_MAX)
        elif seconds > SLOW_S:
            self._size = max(self._size // 2, PAGE_SIZE)


def catch_up(database: Database, log: EventLog, projections: Sequence[Projection]) -> int:
    """Apply what the projections have not seen, each event once; return the number of events."""
    return sum(feed(database, log, live_generations(database, projections)))


def live_generations(database: Database, projections: Sequence[Projection]) -> list[Generation]:
    """Return the generations that are read; their tables are made if they are not there."""
    with database.reading() as tables:
        numbers, reached = tables.live_numbers(), places.positions(tables)
    found = [Generation(projection=one, number=numbers.get(one.name, 0)) for one in projections]
    for generation in found:
        if generation.name not in reached:
            begin(database, generation)
    return found


def begin(database: Database, generation: Generation) -> None:
    """Make the tables of a generation, which begins at 0, unless they are there."""
    # The books are there for all before anybody looks into them.
    with database.transaction() as tables:
        places.create_books(tables)
    with database.transaction() as tables:
        tables.lock(generation.name)
        if places.position_of(tables, generation.name) is None:
            for statement in generation.projection.create:
                generation.tables_in(tables).execute(statement)
            places.move(tables, [generation.name], 0)


def feed(database: Database, log: EventLog, generations: Sequence[Generation]) -> Iterator[int]:
    """Apply what generations have not seen; yield the number of events after each page.

    One that is dropped meanwhile is left alone.
    """
    pages = Pages(log)
    while behind := _behind(database, log, generations):
        for position, together in behind.items():
            begun = time.perf_counter()
            yield apply_page(database, together, position, pages.behind(position))
            pages.took(time.perf_counter() - begun)


def _behind(
    database: Database, log: EventLog, generations: Sequence[Generation]
) -> dict[int, list[Generation]]:
    """Return those that have not seen all, by the position at which they stand.

    It is looked without a lock: most of the time there is nothing to do.
    """
    with database.reading() as tables:
        reached = places.positions(tables)
    last = log.last_position()
    found: dict[int, list[Generation]] = {}
    for one in generations:
        position = reached.get(one.name, last)
        if position < last:
            found.setdefault(position, []).append(one)
    return found


def apply_page(
    database: Database, generations: Sequence[Generation], position: int, page: Page
) -> int:
    """Apply the page behind a position to those that stand there; return the number of events."""
    try:
        return _write(database, generations, position, page, _together)
    # Whatever it was, it is found out whose event fails in which of them, and whether any does.
    except Exception as fault:
        if is_outage(database, fault):
            raise
    if len(generations) > 1:
        return sum(apply_page(database, [one], position, page) for one in generations)
    return _write(database, generations, position, page, _one_by_one)


def _write(
    database: Database,
    generations: Sequence[Generation],
    position: int,
    page: Page,
    write: Callable[[Tables, Generation, Page], None],
) -> int:
    if not page:
        return 0
    with database.transaction() as tables:
        # One runner at a time: who comes second finds the work done. All lock in the same order.
        for name in sorted(one.name for one in generations):
            tables.lock(name)
        reached = places.positions(tables)
        there = [one for one in generations if reached.get(one.name) == position]
        for generation in there:
            write(tables, generation, page)
        places.move(tables, [one.name for one in there], page[-1].place)
    return len(page) * len(there)


def _together(tables: Tables, generation: Generation, page: Page) -> None:
    parked = parked_streams(tables, [generation.name])
    rest = [one for one in page if one.stream not in parked] if parked else page
    if rest:
        generation.apply(tables, rest)


def _one_by_one(tables: Tables, generation: Generation, page: Page) -> None:
    apply_each(tables, generation.name, page, lambda one: generation.apply(tables, one))


def retry(database: Database, log: EventLog, generation: Generation, stream: str) -> bool:
    """Apply a parked stream from where it stopped; tell whether it is parked no more."""
    with database.transaction() as tables:
        tables.lock(generation.name)
        stopped = unpark(tables, generation.name, stream)
        reached = places.position_of(tables, generation.name)
        if stopped is None or reached is None:
            return True
        after = stopped.version - 1
        while page := [one for one in log.logged_of(stream, after) if one.place <= reached]:
            _one_by_one(tables, generation, page)
            after = page[-1].version
        return stream not in parked_streams(tables, [generation.name])


def drop(database: Database, projection: Projection) -> None:
    """Drop the tables that are read; the next `catch_up` rebuilds them from the log."""
    (live,) = live_generations(database, [projection])
    with database.transaction() as tables:
        tables.lock(live.name)
        for name in projection.tables:
            live.tables_in(tables).execute(f"DROP TABLE IF EXISTS {name}")
        places.forget(tables, live.name)
