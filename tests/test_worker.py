"""The background work: snapshots and verdicts follow the log, chores are done, faults are told."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from projections.generations import rebuild, switch
from projections.matches import Wanted
from projections.runner import drop
from projections.verdicts import PROJECTION
from schemas.plain_logs import read_lines
from service.accounts.tokens import NewToken
from service.aggregates.access import INSTALLATION, RoleGranted, SignInsFailed
from service.aggregates.world import NotFound
from service.api.requests import configure_log
from service.commands.access import grant_role
from service.engine.values import Json
from service.installation import Installation, clock
from service.settings import Settings
from service.store.snapshots import EVERY
from service.times import moved
from service.worker import (
    AFTER_FAILURE_S,
    DAY_S,
    DEADLINES_S,
    HOUR_S,
    KEPT_DAYS,
    MINUTE_S,
    WAIT_S,
    Rounds,
    follow,
)
from tests.api.tables import hall_of
from tests.conftest import CATALOGUE, SEEDS, import_log, log_of, opened
from tests.long_match import store_long_match

DATABASES = ("sqlite", "postgresql")


@pytest.fixture(autouse=True)
def log_on_standard_error() -> None:
    configure_log()


def test_closed_matches_are_verified_once(installation: Installation) -> None:
    ids = [import_log(installation, log_of(name)) for name in CATALOGUE.names()]
    assert installation.matches(Wanted(verdict="exact")) == []
    reached = (0, set[str]())
    while reached != (following := follow(installation, reached[0])):
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


def test_rebuilt_verdicts_are_made_again(installation: Installation) -> None:
    match_id = import_log(installation, log_of("hagmi", 6))
    rounds = Rounds(installation)
    rounds_done(rounds, clock())
    before = installation.match_row(match_id)[1]
    assert before is not None
    for _ in rebuild(installation.database, installation.log, [PROJECTION])[1]:
        pass
    assert installation.match_row(match_id)[1] == before
    switch(installation.database, installation.log, PROJECTION)
    assert installation.match_row(match_id)[1] is None
    rounds_done(rounds, clock())
    after = installation.match_row(match_id)[1]
    assert after is not None
    assert (after.overall, after.events) == (before.overall, before.events)


def rounds_done(rounds: Rounds, now: str) -> float:
    """Do rounds until one has nothing more to do; return how long it would wait."""
    while not (wait_s := rounds.go(now)):
        pass
    return wait_s


def faults_in(error: str) -> list[Json]:
    lines = [json.loads(line) for line in error.splitlines()]
    return [line for line in lines if line["event"] == "chore failed"]


@dataclass(frozen=True, kw_only=True)
class Damage:
    """Matches of which some were opened with cards that are missing. Their ids."""

    closed: str
    closed_without_cards: str
    late: str
    late_without_cards: str
    document: tuple[str, bytes]


def damaged(settings: Settings, folder: Path) -> Damage:
    """Store matches with the sample and with cards of one's own, then lose the latter."""
    path = folder / "own.yaml"
    path.write_text((SEEDS / "hi-story" / "cards.yaml").read_text().replace('"Blank"', '"Own"'))
    here = opened(settings, {"own": path})
    hall = hall_of(here)
    one, two = hall.person("One"), hall.person("Two")
    seats = {"P1": one.person, "P2": two.person}
    pool = here.named_pool("hi-story", "own")
    with log_of("hi-story", 2).open("rb") as file:
        _, closed_without_cards = here.import_lines(list(read_lines(file)), pool=pool)
    assert closed_without_cards is not None
    found = Damage(
        closed_without_cards=closed_without_cards,
        closed=import_log(here, log_of("hi-story", 1)),
        late_without_cards=hall.open(one, seats, cards="own"),
        late=hall.open(one, seats),
        document=(pool.digest, pool.body),
    )
    with here.database.transaction() as tables:
        tables.execute("DELETE FROM documents WHERE digest = ?", pool.digest)
    here.close()
    return found


def test_what_fails_for_one_match_is_told_and_tried_again(
    settings: Settings, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    damage = damaged(settings, tmp_path)
    here, now = opened(settings), moved(clock(), HOUR_S)
    rounds = Rounds(here)
    assert rounds_done(rounds, now) == WAIT_S
    assert here.match_row(damage.closed)[1] is not None
    assert here.match_row(damage.closed_without_cards)[1] is None
    assert here.match_row(damage.late)[0].state == "cancelled"
    assert here.match_row(damage.late_without_cards)[0].state == "beginning"
    told = faults_in(capsys.readouterr().err)
    assert {(line["chore"], line["match"], line["kinds"][0]) for line in told} == {
        ("look_after", damage.closed_without_cards, "builtins.AssertionError"),
        ("deadline", damage.late_without_cards, "builtins.AssertionError"),
    }
    assert all("installation.py" in "".join(line["places"]) for line in told)
    assert all(damage.document[0] not in json.dumps(line) for line in told)

    with here.database.transaction() as tables:
        tables.execute("INSERT INTO documents (digest, body) VALUES (?,?)", *damage.document)
    assert rounds_done(rounds, moved(now, MINUTE_S)) == WAIT_S
    assert here.match_row(damage.closed_without_cards)[1] is not None
    assert here.match_row(damage.late_without_cards)[0].state == "cancelled"
    assert faults_in(capsys.readouterr().err) == []
    here.close()


@contextmanager
def table_away(installation: Installation, name: str) -> Iterator[None]:
    """Rename a table for a while, so that whatever needs it fails."""
    for old, new in ((name, f"{name}_away"), (f"{name}_away", name)):
        with installation.database.transaction() as tables:
            tables.execute(f"ALTER TABLE {old} RENAME TO {new}")
        if old == name:
            yield


def test_a_chore_that_fails_keeps_no_other_from_being_done(
    installation: Installation, capsys: pytest.CaptureFixture[str]
) -> None:
    now = clock()
    old = moved(now, -(KEPT_DAYS + 1) * DAY_S)
    installation.sign_ins.add("192.0.2.7", moved(now, -HOUR_S))
    installation.refusals.add("m", "P1", rule="HS-301", time=old)
    match_id = import_log(installation, log_of("hi-story"))
    rounds = Rounds(installation)
    with table_away(installation, "refusals"):
        assert rounds_done(rounds, now) == AFTER_FAILURE_S
        (told,) = {line["chore"] for line in faults_in(capsys.readouterr().err)}
    assert told == "forget"
    assert installation.sign_ins.past(now) == []
    assert rounds_done(rounds, moved(now, 1)) == WAIT_S
    assert installation.match_row(match_id)[1] is not None
    assert installation.refusals.counts("m") == {}
    assert faults_in(capsys.readouterr().err) == []


def test_failed_sign_ins_go_into_the_access_log_each_hour(installation: Installation) -> None:
    hours = [f"2026-11-29T{hour:02}:30:00.000000Z" for hour in (8, 9, 10)]
    rounds = Rounds(installation)
    for hour in hours[:2]:
        installation.sign_ins.add("192.0.2.7", hour)
    assert rounds_done(rounds, hours[1]) == WAIT_S
    assert [hour for _, hour, _ in installation.sign_ins.past(hours[2])] == ["2026-11-29T09"]
    rounds_done(rounds, moved(hours[1], HOUR_S - 1))
    assert installation.sign_ins.past(hours[2]) != []
    rounds_done(rounds, moved(hours[1], HOUR_S))
    assert installation.sign_ins.past(hours[2]) == []
    told = [
        (one.event.block, one.event.hour, one.event.count)
        for one in installation.log.page(0)
        if isinstance(one.event, SignInsFailed)
    ]
    assert told == [("192.0.2.0/24", hour[:13], 1) for hour in hours[:2]]


def test_old_sessions_and_refusals_are_forgotten_each_day(installation: Installation) -> None:
    now, here = clock(), installation.persons
    old, recent = moved(now, -(KEPT_DAYS + 1) * DAY_S), moved(now, -(KEPT_DAYS - 1) * DAY_S)
    person = here.create("One", old)
    wanted = NewToken(person=person.id, scopes=("seat",), days=365)
    token, text = here.create_token(wanted, None, old)
    sessions = [here.open_session(text, time)[0] for time in (old, recent)]
    for time in (old, recent):
        installation.refusals.add("m", "P1", rule="HS-301", time=time)
    rounds = Rounds(installation)
    rounds_done(rounds, now)
    with pytest.raises(NotFound):
        here.token(sessions[0].id)
    assert here.token(sessions[1].id) == sessions[1]
    assert here.token(token.id) == token
    assert installation.refusals.counts("m") == {"P1": 1}
    rounds_done(rounds, moved(now, DAY_S - DEADLINES_S))
    assert installation.refusals.counts("m") == {"P1": 1}
    rounds_done(rounds, moved(now, 2 * DAY_S))
    assert installation.refusals.counts("m") == {}


def test_long_streams_that_are_no_matches_are_passed_over(
    installation: Installation, capsys: pytest.CaptureFixture[str]
) -> None:
    for number in range(EVERY + 1):
        event = RoleGranted(
            person=f"person-{number}", role="judge", place=INSTALLATION, by=None, time=clock()
        )
        grant_role(installation.access, event)
    assert follow(installation, 0)[1] == set()
    assert faults_in(capsys.readouterr().err) == []
