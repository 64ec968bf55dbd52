"""The background work of an installation: read models, snapshots and verdicts follow the log."""

from __future__ import annotations

from contextlib import suppress
from threading import Event, Thread

from service.aggregates.events import MatchClosed
from service.aggregates.matches import State
from service.aggregates.world import Conflict
from service.commands.deadlines import abandon_idle, meet_ready_deadline
from service.engine.values import JUDGE
from service.exchange import report_on
from service.installation import Installation, clock, moved
from service.store.snapshots import EVERY

WAIT_S = 1.0
BEGINNING: tuple[State, ...] = ("beginning",)
UNDER_WAY: tuple[State, ...] = ("running", "held")
MINUTE_S = 60
DAY_S = 24 * 60 * 60


def work(installation: Installation, stopped: Event) -> None:
    """Follow the log until stopped; what was done before is recognised, so no place is kept."""
    place = 0
    while not stopped.is_set():
        installation.catch_up()
        meet_deadlines(installation, clock())
        reached = follow(installation, place)
        if reached == place:
            stopped.wait(WAIT_S)
        place = reached


def follow(installation: Installation, place: int) -> int:
    """Do what became due behind a place in the log; return the place reached."""
    page = installation.log.page(place)
    closed = {stream for _, stream, _, event in page if isinstance(event, MatchClosed)}
    long = {stream for _, stream, version, _ in page if version % EVERY == 0}
    for match_id in sorted(closed | long):
        installation.log.take_snapshots(match_id)
    for match_id in sorted(closed):
        verify_stored(installation, match_id)
    return page[-1][0] if page else place


def verify_stored(installation: Installation, match_id: str) -> None:
    """Verify a stored match and keep the verdict, if it has none."""
    _, verdict = installation.match_row(match_id)
    if verdict is None:
        match = installation.log.match(match_id)
        installation.record_verdict(match_id, report_on(installation, match, JUDGE))


def meet_deadlines(installation: Installation, now: str) -> None:
    """Go on with matches in which nothing has happened for too long, or end them."""
    log, limits = installation.log, installation.match_limits
    late = moved(now, -limits.ready_minutes * MINUTE_S)
    idle = moved(now, -limits.abandon_days * DAY_S)
    # Somebody who is faster than the deadline has met it; the next round looks again.
    with suppress(Conflict):
        for match_id in installation.waiting_since(BEGINNING, late):
            meet_ready_deadline(log, match_id, before=late, now=now)
        for match_id in installation.waiting_since(UNDER_WAY, idle):
            abandon_idle(log, match_id, before=idle, now=now)


def start_thread(installation: Installation) -> Event:
    """Work beside the web server of this process; set the event to stop."""
    stopped = Event()
    Thread(target=work, args=(installation, stopped), name="kifu-work", daemon=True).start()
    return stopped
