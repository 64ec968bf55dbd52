"""The background work of an installation: read models, snapshots and verdicts follow the log."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from threading import Event, Thread

import structlog

from projections import verdicts
from service.accounts.sign_ins import hand_over
from service.aggregates.events import MatchClosed, MatchEvent, ResultAmended
from service.aggregates.matches import State
from service.aggregates.world import Conflict
from service.api.requests import configure_log, traced
from service.commands.deadlines import abandon_idle, meet_ready_deadline
from service.engine.values import JUDGE
from service.exchange import report_on
from service.installation import Installation, clock
from service.job_runner import give_up, run
from service.store.snapshots import EVERY
from service.table_links import link_played
from service.times import moved

WAIT_S = 1.0
AFTER_FAILURE_S = 10.0
MINUTE_S = 60
HOUR_S = 60 * MINUTE_S
DAY_S = 24 * HOUR_S
DEADLINES_S = 15
KEPT_DAYS = 90
BEGINNING: tuple[State, ...] = ("beginning",)
UNDER_WAY: tuple[State, ...] = ("running", "held")


@dataclass(slots=True, kw_only=True)
class Chore:
    """Something that is done again and again.

    do: is given the time. every_s: how long after it went well it is due again. due: since when.
    """

    name: str
    do: Callable[[str], None]
    every_s: int
    due: str = ""


class Rounds:
    """Rounds of the background work: what fails is logged and tried again, the rest goes on.

    What was done before is recognised, so it is kept nowhere how far the work has come.
    """

    def __init__(self, installation: Installation) -> None:
        """Begin at the start of the log, with every chore due."""
        self._installation = installation
        self._place = 0
        self._verdicts = 0
        self._failed: set[str] = set()
        self._again = ""
        self._chores = (
            Chore(name="follow", do=self._follow, every_s=0),
            Chore(name="jobs", do=partial(do_jobs, installation), every_s=0),
            Chore(name="deadlines", do=partial(meet_deadlines, installation), every_s=DEADLINES_S),
            Chore(name="sign_ins", do=partial(tell_sign_ins, installation), every_s=HOUR_S),
            Chore(name="forget", do=partial(forget, installation), every_s=DAY_S),
        )

    def go(self, now: str) -> float:
        """Do what is due; return after how many seconds the next round should come."""
        begun, are_good = self._place, True
        for chore in self._chores:
            if chore.due > now:
                continue
            if attempt(chore.name, partial(chore.do, now)):
                chore.due = moved(now, chore.every_s)
            else:
                are_good = False
        if not are_good:
            return AFTER_FAILURE_S
        return WAIT_S if self._place == begun else 0

    def _follow(self, now: str) -> None:
        """Go on in the log; a match for which it failed is looked after again each minute."""
        self._installation.catch_up()
        self._begin_again()
        if self._again <= now:
            self._failed = {one for one in self._failed if not look_after(self._installation, one)}
            self._again = moved(now, MINUTE_S)
        self._place, failed = follow(self._installation, self._place)
        self._failed |= failed

    def _begin_again(self) -> None:
        """Begin at the start of the log if the verdicts were rebuilt: they are made here."""
        with self._installation.database.reading() as tables:
            number = tables.live_numbers().get(verdicts.NAME, 0)
        if number != self._verdicts:
            self._place, self._verdicts = 0, number


def work(installation: Installation, stopped: Event) -> None:
    """Do the background work until stopped."""
    configure_log()
    rounds = Rounds(installation)
    while not stopped.is_set():
        stopped.wait(rounds.go(clock()))


def attempt(chore: str, do: Callable[[], None], **about: str) -> bool:
    """Do a chore and tell whether it went well; what goes wrong is logged. about: ids.

    Like that of a bug in a request, the line holds no text of the fault, as it may quote a secret.
    """
    try:
        do()
    # Whatever it was, it must not keep the other chores from being done.
    except Exception as fault:
        structlog.get_logger().error("chore failed", chore=chore, **traced(fault), **about)
        return False
    return True


def follow(installation: Installation, place: int) -> tuple[int, set[str]]:
    """Look after the matches for which it became due behind a place in the log.

    Return the place reached, and the matches for which it failed.
    """
    page = installation.log.page(place)
    due = {
        one.stream
        for one in page
        if issubclass(one.kind, MatchClosed | ResultAmended)
        or (issubclass(one.kind, MatchEvent) and one.version % EVERY == 0)
    }
    failed = {match_id for match_id in sorted(due) if not look_after(installation, match_id)}
    return page[-1].place if page else place, failed


def look_after(installation: Installation, match_id: str) -> bool:
    """Take the snapshots of a match and verify it if it is closed; tell whether that went well."""

    def look() -> None:
        installation.log.take_snapshots(match_id)
        if installation.match_row(match_id)[0].state == "closed":
            verify_stored(installation, match_id)
            link_played(installation, match_id)

    return attempt("look_after", look, match=match_id)


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

    def meet(command: Callable[..., object], match_id: str, before: str) -> None:
        # Somebody who is faster than the deadline has met it; else it is met next time.
        with suppress(Conflict):
            command(log, match_id, before=before, now=now)

    for match_id in installation.waiting_since(BEGINNING, late):
        attempt("deadline", partial(meet, meet_ready_deadline, match_id, late), match=match_id)
    for match_id in installation.waiting_since(UNDER_WAY, idle):
        attempt("deadline", partial(meet, abandon_idle, match_id, idle), match=match_id)


def do_jobs(installation: Installation, now: str) -> None:
    """Do the jobs that wait; one that fails is answered with that, so that it stops no other."""
    while (job := installation.jobs.next()) is not None:
        if not attempt("job", partial(run, installation, job), job=job.id):
            give_up(installation, job)


def tell_sign_ins(installation: Installation, now: str) -> None:
    """Put the failed sign-ins of the hours that are over into the access log."""
    hand_over(installation.sign_ins, installation.access, now=now)


def forget(installation: Installation, now: str) -> None:
    """Delete what is older than 90 days: sessions, refusals, jobs; and words of erased texts."""
    before = moved(now, -KEPT_DAYS * DAY_S)
    installation.persons.forget_sessions(before)
    installation.refusals.forget(before)
    installation.jobs.forget(before)
    installation.forget_erased()


def start_thread(installation: Installation) -> Event:
    """Work beside the web server of this process; set the event to stop."""
    stopped = Event()
    Thread(target=work, args=(installation, stopped), name="kifu-work", daemon=True).start()
    return stopped
