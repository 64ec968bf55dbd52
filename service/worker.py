"""The background work of an installation: read models and snapshots follow the log."""

from __future__ import annotations

from threading import Event, Thread

from service.aggregates.events import MatchClosed
from service.installation import Installation
from service.store.snapshots import EVERY

WAIT_S = 1.0


def work(installation: Installation, stopped: Event) -> None:
    """Follow the log until stopped; snapshots are a cache, so the place among them is not kept."""
    place = 0
    while not stopped.is_set():
        installation.catch_up()
        reached = follow(installation, place)
        if reached == place:
            stopped.wait(WAIT_S)
        place = reached


def follow(installation: Installation, place: int) -> int:
    """Take the snapshots that became due behind a place in the log; return the place reached."""
    page = installation.log.page(place)
    due = {
        stream
        for _, stream, version, event in page
        if version % EVERY == 0 or isinstance(event, MatchClosed)
    }
    for stream in sorted(due):
        installation.log.take_snapshots(stream)
    return page[-1][0] if page else place


def start_thread(installation: Installation) -> Event:
    """Work beside the web server of this process; set the event to stop."""
    stopped = Event()
    Thread(target=work, args=(installation, stopped), name="kifu-work", daemon=True).start()
    return stopped
