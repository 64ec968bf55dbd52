"""Rebuilding a projection beside the one that is read, then reading the new one.

The next generation is written from the beginning of the log into tables of its own; everybody goes
on with the present one. To switch is to note another number. Nothing but tables is written: what
the service does of itself follows the log in the worker and is not done again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress

from projections import places
from projections.naming import GENERATIONS, generation_name, generation_of_table, parted_name
from projections.runner import EventLog, Generation, Projection, begin, feed, live_generations
from projections.tables import Database, InUse, Tables
from service.aggregates.world import NotFound, Refused

SWITCH_LAG_MAX = 10_000
"""How many events `switch` catches up with by itself."""
ATTEMPTS_MAX = 50


def rebuild(
    database: Database, log: EventLog, projections: Sequence[Projection]
) -> tuple[int, Iterator[int]]:
    """Write the next generations, or go on with them.

    Return the number of events to be applied, and the work: it yields how many each page had.
    """
    found = [_next(live) for live in live_generations(database, projections)]
    for generation in found:
        begin(database, generation)
    with database.reading() as tables:
        reached = places.positions(tables)
    last = log.last_position()
    total = sum(last - reached.get(one.name, last) for one in found)
    return total, feed(database, log, found)


def switch(
    database: Database, log: EventLog, projection: Projection, *, lag_max: int = SWITCH_LAG_MAX
) -> int:
    """Have the next generation read from now on; return its number.

    Raises `Refused` if there is none, or if it is more than `lag_max` events behind.
    """
    (live,) = live_generations(database, [projection])
    built = _next(live)
    with database.reading() as tables:
        reached = places.position_of(tables, built.name)
    if reached is None:
        raise Refused(f"{projection.name} has no next generation: rebuild it first")
    lag = log.last_position() - reached
    if lag > lag_max:
        raise Refused(
            f"{built.name} is {lag:,} events behind, more than {lag_max:,}: rebuild goes on with it"
        )
    for _ in range(ATTEMPTS_MAX):
        sum(feed(database, log, [built]))
        if _switched(database, live, built):
            return built.number
    raise Refused(f"{built.name} does not catch up with what is read: try again")


def _next(live: Generation) -> Generation:
    return Generation(projection=live.projection, number=live.number + 1)


def _switched(database: Database, live: Generation, built: Generation) -> bool:
    """Switch, unless what is read has seen more; tell whether it was done."""
    with database.transaction() as tables:
        for one in (live, built):
            tables.lock(one.name)
        if tables.live_numbers().get(live.projection.name, 0) != live.number:
            raise Refused(f"somebody else has switched {live.projection.name}")
        positions = [places.position_of(tables, one.name) for one in (live, built)]
        present, reached = (-1 if one is None else one for one in positions)
        if reached < present:
            return False
        places.read_from(tables, live.projection.name, built.number)
    return True


def drop_unread(database: Database, name: str, known: Collection[str]) -> list[str]:
    """Drop the generations of a projection that are not read, and return their names.

    Of a projection that is not among the known ones, as an older program had it, all are dropped.
    Raises `NotFound` for a name without tables, `Refused` if there is nothing but what is read.
    """
    with database.reading() as tables:
        live = generation_name(name, tables.live_numbers().get(name, 0))
        there = [one for one in places.positions(tables) if parted_name(one)[0] == name]
    unread = sorted(one for one in there if name not in known or one != live)
    if not unread:
        if name not in known:
            raise NotFound(f"no projection {name}")
        raise Refused(f"{name}: nothing is there but what is read")
    for generation in unread:
        _drop(database, generation, is_known=name in known)
    return unread


def _drop(database: Database, generation: str, *, is_known: bool) -> None:
    """Drop a generation when nobody reads it, unless it is read by now."""
    for _ in range(ATTEMPTS_MAX):
        with suppress(InUse), database.transaction() as tables:
            tables.lock(generation)
            # Who reads has looked there which generation it is to read.
            tables.use_alone(GENERATIONS)
            _drop_tables(tables, generation, is_known=is_known)
            return
    raise Refused(f"{generation} is in use all the time: try again")


def _drop_tables(tables: Tables, generation: str, *, is_known: bool) -> None:
    name, number = parted_name(generation)
    if is_known and tables.live_numbers().get(name, 0) == number:
        raise Refused(f"{generation} is read")
    here = tables.of_generation(name, generation)
    for table in tables.names():
        # Tables that SQLite made for a virtual one vanish with it.
        if generation_of_table(table) == generation:
            here.use_alone(table)
            here.execute(f"DROP TABLE IF EXISTS {table}")
    places.forget(tables, generation)
