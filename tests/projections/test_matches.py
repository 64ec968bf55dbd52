"""The list of matches: rebuilt equals incremental, and applying twice changes nothing."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from projections.matches import PROJECTION, Wanted
from projections.runner import catch_up, drop
from service.installation import Installation
from tests.conftest import import_log, log_of

DATABASES = ("sqlite", "postgresql")

RUNNERS = 6


def listed(installation: Installation) -> list[object]:
    return list(installation.matches(Wanted()))


def test_a_rebuilt_list_equals_the_one_that_grew(installation: Installation) -> None:
    for number in (1, 9, 10):
        import_log(installation, log_of("hi-story", number))
        grown = listed(installation)
    drop(installation.database, PROJECTION)
    assert listed(installation) == grown
    assert len(grown) == 3


def test_each_event_is_applied_once(installation: Installation) -> None:
    import_log(installation, log_of("hi-story"))
    before = listed(installation)
    assert catch_up(installation.database, installation.log, [PROJECTION]) == 0
    assert listed(installation) == before


def test_runners_at_once_apply_each_event_once(installation: Installation) -> None:
    import_log(installation, log_of("hi-story"))
    with ThreadPoolExecutor(RUNNERS) as runners:
        counts = [
            runners.submit(catch_up, installation.database, installation.log, [PROJECTION])
            for _ in range(RUNNERS)
        ]
    assert sum(count.result() for count in counts) == len(installation.log.page(0))
    ((row, _),) = installation.matches(Wanted())
    assert row.events == installation.log.match(row.id).version


def test_the_list_pages_and_filters(installation: Installation) -> None:
    ids = [import_log(installation, log_of("hi-story", number)) for number in (1, 2, 3)]
    first = installation.matches(Wanted(limit=2))
    rest = installation.matches(Wanted(limit=2, before=first[-1][0].place))
    assert [row.id for row, _ in [*first, *rest]] == ids[::-1]
    assert installation.matches(Wanted(game="formation")) == []


def test_a_row_tells_the_result(installation: Installation) -> None:
    match_id = import_log(installation, log_of("hi-story"))
    row, _ = installation.match_row(match_id)
    match = installation.log.match(match_id)
    assert match.closed is not None
    assert (row.events, row.actions) == (match.version, match.actions)
    assert row.outcome == match.closed.outcome
    assert installation.names(row.seats) == {"P1": "Player One", "P2": "Player Two"}
