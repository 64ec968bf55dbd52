"""The access log by days: rebuilt equals incremental, and applying twice changes nothing."""

from __future__ import annotations

from projections.access_log import PROJECTION, Entry, entries_of
from projections.runner import catch_up, drop
from service.aggregates.access import INSTALLATION, ROLES, RoleGranted
from service.commands.access import grant_role
from service.installation import Installation
from tests.conftest import import_log, log_of

DATABASES = ("sqlite", "postgresql")
DAY, NEXT_DAY = "2026-01-02", "2026-01-03"


def give(installation: Installation, day: str) -> None:
    for role in ROLES:
        event = RoleGranted(
            person=f"judy of {day}",
            role=role,
            place=INSTALLATION,
            by=None,
            time=f"{day}T03:04:05.000006Z",
        )
        grant_role(installation.access, event)


def entries(installation: Installation, day: str, *, after: int = 0, limit: int = 9) -> list[Entry]:
    catch_up(installation.database, installation.log, [PROJECTION])
    with installation.database.reading() as tables:
        return entries_of(tables, day, after=after, limit=limit)


def test_a_rebuilt_log_equals_the_one_that_grew(installation: Installation) -> None:
    give(installation, DAY)
    first = entries(installation, DAY)
    import_log(installation, log_of("hi-story"))
    give(installation, NEXT_DAY)
    grown = [entries(installation, day) for day in (DAY, NEXT_DAY)]
    assert grown[0] == first
    drop(installation.database, PROJECTION)
    assert [entries(installation, day) for day in (DAY, NEXT_DAY)] == grown
    assert [[one.fields["role"] for one in day] for day in grown] == [list(ROLES)] * 2


def test_each_event_is_applied_once(installation: Installation) -> None:
    give(installation, DAY)
    before = entries(installation, DAY)
    assert catch_up(installation.database, installation.log, [PROJECTION]) == 0
    assert entries(installation, DAY) == before


def test_a_day_is_paged(installation: Installation) -> None:
    give(installation, DAY)
    first = entries(installation, DAY, limit=2)
    rest = entries(installation, DAY, after=first[-1].place)
    assert [*first, *rest] == entries(installation, DAY)
    assert {one.kind for one in rest} == {"role_granted"}
