"""Rebuilding beside what is read, switching, dropping; also while events come in."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from threading import Event, Thread

import pytest

from projections import access_log, matches
from projections.generations import drop_unread, rebuild, switch
from projections.matches import match_row
from projections.naming import generation_of_table, in_generations
from projections.places import POSITIONS
from projections.runner import Generation
from projections.standing import standings
from service.aggregates.world import NotFound, Refused
from service.installation import PROJECTIONS, Installation, clock
from tests.conftest import import_log, log_of
from tests.projections.feeding import Sliced, fed, grant, rows_of
from tests.projections.test_access_log import DAY

DATABASES = ("sqlite", "postgresql")

GRANTS = 20
MATCHES, ACCESS = matches.PROJECTION, access_log.PROJECTION
KNOWN = {one.name for one in PROJECTIONS}


def built(installation: Installation, *projections: object) -> int:
    total, work = rebuild(installation.database, installation.log, projections)  # type: ignore[arg-type]
    assert sum(work) >= total
    return total


def states(installation: Installation, name: str) -> list[tuple[int, str]]:
    found = standings(installation.database, installation.log, PROJECTIONS, clock())
    return [(one.generation, one.state) for one in found if one.projection == name]


def tables_there(installation: Installation) -> list[str]:
    with installation.database.reading() as tables:
        return tables.names()


def test_a_projection_is_rebuilt_again_and_again(installation: Installation) -> None:
    match_id = import_log(installation, log_of("hagmi", 6))
    before = installation.match_row(match_id)
    for number in (1, 2):
        assert built(installation, MATCHES) > 0
        assert (number, "next") in states(installation, MATCHES.name)
        assert switch(installation.database, installation.log, MATCHES) == number
        assert installation.match_row(match_id) == before
    assert states(installation, MATCHES.name) == [(0, "former"), (1, "former"), (2, "live")]
    later = import_log(installation, log_of("formation", 4))
    assert installation.match_row(later)[0].state == "closed"
    whole = fed(installation, MATCHES, 3)
    live = Generation(projection=MATCHES, number=2)
    assert rows_of(installation.database, live) == rows_of(installation.database, whole)


def test_what_is_built_is_not_read(installation: Installation) -> None:
    match_id = import_log(installation, log_of("hagmi", 6))
    built(installation, MATCHES)
    with installation.database.transaction() as tables:
        tables.execute(f"DELETE FROM {MATCHES.name}__1")
    assert installation.match_row(match_id)[0].state == "closed"
    switch(installation.database, installation.log, MATCHES)
    with pytest.raises(NotFound):
        installation.match_row(match_id)


def test_a_rebuild_that_was_stopped_goes_on(installation: Installation) -> None:
    for number in range(9):
        grant(installation, str(number))
    few = Sliced(log=installation.log, size=2)
    total, work = rebuild(installation.database, few, [ACCESS])
    assert (total, next(work), next(work)) == (9, 2, 2)
    assert built(installation, ACCESS) == 5


@contextmanager
def events_coming_in(installation: Installation) -> Iterator[None]:
    """Grant and read in another thread, as fast as it can."""
    stopped = Event()

    def go_on() -> None:
        for number in range(GRANTS):
            grant(installation, f"person-{number}")
            installation.catch_up()
        stopped.set()

    thread = Thread(target=go_on)
    thread.start()
    yield
    thread.join()
    assert stopped.is_set()


def test_rebuilt_and_switched_while_events_come_in(installation: Installation) -> None:
    with events_coming_in(installation):
        for number in (1, 2, 3):
            sum(rebuild(installation.database, installation.log, [ACCESS])[1])
            assert switch(installation.database, installation.log, ACCESS) == number
            assert drop_unread(installation.database, ACCESS.name, KNOWN) != []
    installation.catch_up()
    live, whole = Generation(projection=ACCESS, number=3), fed(installation, ACCESS, 9)
    found = rows_of(installation.database, live)
    assert found == rows_of(installation.database, whole)
    assert len(found[ACCESS.name]) == GRANTS


def test_a_generation_that_is_far_behind_is_not_switched_to(installation: Installation) -> None:
    grant(installation, "first")
    with pytest.raises(Refused, match="rebuild it first"):
        switch(installation.database, installation.log, ACCESS)
    built(installation, ACCESS)
    for number in range(4):
        grant(installation, str(number))
    with pytest.raises(Refused, match="4 events behind"):
        switch(installation.database, installation.log, ACCESS, lag_max=3)
    assert states(installation, ACCESS.name) == [(0, "live"), (1, "next")]
    assert switch(installation.database, installation.log, ACCESS, lag_max=4) == 1
    with installation.database.reading() as tables:
        assert len(access_log.entries_of(tables, clock()[: len(DAY)], after=0, limit=9)) == 5


def test_only_one_of_two_who_switch_does(installation: Installation) -> None:
    grant(installation, "one")
    built(installation, ACCESS)

    def attempt(_: int) -> bool:
        try:
            return switch(installation.database, installation.log, ACCESS) == 1
        except Refused:
            return False

    with ThreadPoolExecutor(2) as both:
        assert sorted(both.map(attempt, range(2))) == [False, True]


def test_what_is_read_is_not_dropped(installation: Installation) -> None:
    installation.catch_up()
    with pytest.raises(Refused):
        drop_unread(installation.database, MATCHES.name, KNOWN)
    built(installation, MATCHES)
    switch(installation.database, installation.log, MATCHES)
    assert drop_unread(installation.database, MATCHES.name, KNOWN) == [MATCHES.name]
    assert states(installation, MATCHES.name) == [(1, "live")]
    with pytest.raises(Refused):
        drop_unread(installation.database, MATCHES.name, KNOWN)
    left = [one for one in tables_there(installation) if one.startswith(MATCHES.name)]
    assert left == [f"{MATCHES.name}__1", f"{MATCHES.name}__1_persons"]


def test_what_an_older_program_left_is_dropped(installation: Installation) -> None:
    installation.catch_up()
    with installation.database.transaction() as tables:
        for name in ("matches_1", "matches_1_persons", "matches_10", "rematches_1"):
            tables.execute(f"CREATE TABLE {name} (id TEXT)")
        tables.execute(f"INSERT INTO {POSITIONS} VALUES ('matches_1', 7)")
    assert states(installation, "matches_1") == [(0, "unknown")]
    assert drop_unread(installation.database, "matches_1", KNOWN) == ["matches_1"]
    left = tables_there(installation)
    assert {"matches_10", "rematches_1", MATCHES.name} <= set(left)
    assert not {"matches_1", "matches_1_persons"} & set(left)
    with pytest.raises(NotFound):
        drop_unread(installation.database, "matches_1", KNOWN)


def test_a_reader_keeps_what_he_began_with(installation: Installation) -> None:
    match_id = import_log(installation, log_of("hagmi", 6))
    installation.catch_up()
    built(installation, MATCHES)
    with ThreadPoolExecutor(1) as beside, installation.database.reading() as tables:
        before = match_row(tables, match_id)
        switch(installation.database, installation.log, MATCHES)
        dropping = beside.submit(drop_unread, installation.database, MATCHES.name, KNOWN)
        # SQLite goes on showing him what there was; PostgreSQL waits until he is done.
        wait([dropping], timeout=0.3)
        assert match_row(tables, match_id) == before is not None
        tables.execute("ROLLBACK")
        assert dropping.result() == [MATCHES.name]
    assert installation.match_row(match_id)[0] == before


def test_statements_name_generations_and_nothing_else() -> None:
    statement = "SELECT '?' FROM ab_1 JOIN ab_1_more ON ab_1.x = ab_11.x, ab_1__7, cab_1 -- ab_1x"
    assert in_generations(statement, {"ab_1": "ab_1__2"}) == (
        "SELECT '?' FROM ab_1__2 JOIN ab_1__2_more ON ab_1__2.x = ab_11.x, ab_1__7, cab_1 -- ab_1x"
    )
    assert in_generations(statement, {}) == statement
    tables = ("ab_1", "ab_1_more", "ab_1__2", "ab_1__2_more", "ab_11", "events")
    assert [generation_of_table(one) for one in tables] == [
        *("ab_1", "ab_1", "ab_1__2", "ab_1__2", "ab_11"),
        None,
    ]
