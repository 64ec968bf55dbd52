"""A poison event parks its stream only; an outage parks nothing; retrying heals."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

import psycopg
import pytest

from projections.matches import NAME as MATCHES
from projections.matches import PROJECTION as MATCH_ROWS
from projections.matches import Wanted
from projections.parking import ParkedStream, parked_in
from projections.runner import Generation, catch_up, retry
from projections.tables import SQLITE, Tables
from service.aggregates.world import Parked
from service.installation import Installation
from service.integrity.sealing import UnknownTag
from tests.conftest import import_log, log_of
from tests.projections.feeding import fed, grant, rows_of
from tests.projections.poisoned import NAME, SECRET, Poisoned
from tests.store.streams import append, noted, open_match

DATABASES = ("sqlite", "postgresql")

GOOD, BAD = "good", "bad"
BAD_AT = 3


def told_in_turn(installation: Installation, versions: range) -> None:
    """Let both matches go on, one event after the other."""
    for version in versions:
        for stream in (GOOD, BAD):
            if version == 1:
                open_match(installation.log, stream)
            else:
                append(installation.log, stream, noted(version))


def parked(installation: Installation, name: str = NAME) -> list[ParkedStream]:
    with installation.database.reading() as tables:
        return parked_in(tables, name)


def versions(installation: Installation, poisoned: Poisoned) -> dict[object, object]:
    live = Generation(projection=poisoned.projection)
    return {stream: seen for stream, seen in rows_of(installation.database, live)[NAME]}


def test_a_poison_event_parks_its_stream_alone(installation: Installation) -> None:
    poisoned = Poisoned(bad={(BAD, BAD_AT)})
    told_in_turn(installation, range(1, 6))
    feed = (installation.database, installation.log, [poisoned.projection])
    count = catch_up(*feed)
    assert count == 10
    assert versions(installation, poisoned) == {GOOD: " 1 2 3 4 5", BAD: " 1 2"}
    (one,) = parked(installation)
    assert (one.stream, one.version, one.place) == (BAD, BAD_AT, 6)
    assert one.fault.startswith("tests.projections.poisoned.Poison in tests.projections.poisoned:")
    assert SECRET not in one.fault
    told_in_turn(installation, range(6, 8))
    assert catch_up(*feed) == 4
    assert versions(installation, poisoned) == {GOOD: " 1 2 3 4 5 6 7", BAD: " 1 2"}


def test_other_projections_of_the_page_go_on(installation: Installation) -> None:
    poisoned = Poisoned(bad={(BAD, BAD_AT)})
    told_in_turn(installation, range(1, 5))
    both = [poisoned.projection, MATCH_ROWS]
    assert catch_up(installation.database, installation.log, both) == 2 * 8
    assert versions(installation, poisoned)[BAD] == " 1 2"
    assert parked(installation, MATCHES) == []
    whole = fed(installation, MATCH_ROWS, 1)
    live = Generation(projection=MATCH_ROWS)
    assert rows_of(installation.database, live) == rows_of(installation.database, whole)


def test_retrying_goes_on_in_order_where_it_stopped(installation: Installation) -> None:
    poisoned = Poisoned(bad={(BAD, BAD_AT), (BAD, 5)})
    live = Generation(projection=poisoned.projection)
    told_in_turn(installation, range(1, 8))
    catch_up(installation.database, installation.log, [poisoned.projection])
    again = (installation.database, installation.log, live, BAD)
    assert not retry(*again)
    assert [one.version for one in parked(installation)] == [BAD_AT]
    poisoned.bad.remove((BAD, BAD_AT))
    assert not retry(*again)
    assert [one.version for one in parked(installation)] == [5]
    assert versions(installation, poisoned)[BAD] == " 1 2 3 4"
    poisoned.bad.clear()
    assert retry(*again)
    assert parked(installation) == []
    undisturbed = fed(installation, poisoned.projection, 1)
    assert rows_of(installation.database, live) == rows_of(installation.database, undisturbed)
    assert retry(*again)
    assert versions(installation, poisoned)[BAD] == " 1 2 3 4 5 6 7"


def away(tables: Tables) -> None:
    if tables.dialect is SQLITE:
        raise sqlite3.OperationalError("database is locked")
    raise psycopg.OperationalError("the connection is lost")


def full(tables: Tables) -> None:
    raise OSError("no space left on device")


def too_old(tables: Tables) -> None:
    raise UnknownTag("match.something.9")


def really_gone(tables: Tables) -> None:
    """Lose the connection, or fill the file."""
    if tables.dialect is SQLITE:
        tables.execute("PRAGMA max_page_count = 1")
        tables.execute(f"INSERT INTO {NAME} VALUES ('x', zeroblob(10000000))")
    else:
        tables.execute("SELECT pg_terminate_backend(pg_backend_pid())")


def without_table(tables: Tables) -> None:
    tables.execute("SELECT * FROM nothing")


@pytest.mark.parametrize("outage", [away, full, too_old, really_gone, without_table])
def test_an_outage_parks_nothing(
    installation: Installation, outage: Callable[[Tables], None]
) -> None:
    poisoned = Poisoned(bad={(BAD, BAD_AT)}, fail=outage)
    told_in_turn(installation, range(1, 5))
    feed = (installation.database, installation.log, [poisoned.projection])
    with pytest.raises((sqlite3.Error, psycopg.Error, OSError, UnknownTag)):
        catch_up(*feed)
    assert parked(installation) == []
    assert versions(installation, poisoned) == {}
    poisoned.bad.clear()
    assert catch_up(*feed) == 8
    assert versions(installation, poisoned) == {GOOD: " 1 2 3 4", BAD: " 1 2 3 4"}


def test_rows_that_do_not_fit_are_poison(installation: Installation) -> None:
    def null(tables: Tables) -> None:
        tables.execute(f"INSERT INTO {NAME} VALUES ('x', NULL)")

    poisoned = Poisoned(bad={(BAD, BAD_AT)}, fail=null)
    told_in_turn(installation, range(1, 5))
    catch_up(installation.database, installation.log, [poisoned.projection])
    assert versions(installation, poisoned) == {GOOD: " 1 2 3 4", BAD: " 1 2"}
    assert [(one.stream, one.version) for one in parked(installation)] == [(BAD, BAD_AT)]


def test_a_damaged_event_keeps_no_other_match_from_being_read(installation: Installation) -> None:
    ids = [import_log(installation, log_of("hagmi", number)) for number in (4, 6)]
    whole, broken = ids
    version = installation.log.version_of(broken)
    place = (broken, version)
    ((body,),) = installation.log.rows(
        "SELECT body FROM events WHERE stream = ? AND version = ?", *place
    )
    set_body = "UPDATE events SET body = ? WHERE stream = ? AND version = ?"
    with installation.database.transaction() as tables:
        tables.execute(set_body, b"{}", *place)
    assert [row.id for row, _ in installation.matches(Wanted(limit=1))] == [whole]
    assert installation.match_row(whole)[0].state == "closed"
    with pytest.raises(Parked):
        installation.match_row(broken)
    assert [one.version for one in parked(installation, MATCHES)] == [version]
    grant(installation, "later")
    with installation.database.transaction() as tables:
        tables.execute(set_body, body, *place)
    live = Generation(projection=MATCH_ROWS)
    assert retry(installation.database, installation.log, live, broken)
    assert [row.id for row, _ in installation.matches(Wanted())] == ids[::-1]
    undisturbed = fed(installation, MATCH_ROWS, 1)
    assert rows_of(installation.database, live) == rows_of(installation.database, undisturbed)
