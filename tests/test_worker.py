"""The background work: snapshots and verdicts follow the log."""

from __future__ import annotations

from projections.matches import Wanted
from projections.runner import drop
from projections.verdicts import PROJECTION
from service.installation import Installation
from service.worker import follow
from tests.conftest import CATALOGUE, import_log, log_of
from tests.long_match import store_long_match


def test_closed_matches_are_verified_once(installation: Installation) -> None:
    ids = [import_log(installation, log_of(name)) for name in CATALOGUE.names()]
    assert installation.matches(Wanted(verdict="exact")) == []
    reached = follow(installation, 0)
    while reached != (following := follow(installation, reached)):
        reached = following
    found = {row.id: verdict for row, verdict in installation.matches(Wanted(verdict="exact"))}
    assert set(found) == set(ids)
    assert all(verdict is not None and verdict.fair == "supplied" for verdict in found.values())
    follow(installation, 0)
    again = {row.id: verdict for row, verdict in installation.matches(Wanted(verdict="exact"))}
    assert again == found
    assert installation.matches(Wanted(verdict="tampered")) == []


def test_a_running_match_has_no_verdict(installation: Installation) -> None:
    match_id = store_long_match(installation, CATALOGUE.game("hi-story"), 120)
    follow(installation, 0)
    row, verdict = installation.match_row(match_id)
    assert (row.closed_at, verdict) == (None, None)


def test_verdicts_may_vanish(installation: Installation) -> None:
    match_id = import_log(installation, log_of("hi-story"))
    follow(installation, 0)
    before = installation.match_row(match_id)[1]
    drop(installation.database, PROJECTION)
    assert installation.match_row(match_id)[1] is None
    follow(installation, 0)
    after = installation.match_row(match_id)[1]
    assert before is not None
    assert after is not None
    assert (after.overall, after.events) == (before.overall, before.events)
