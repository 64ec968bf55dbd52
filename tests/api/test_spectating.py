"""The real processes side by side: `kifu serve`, `kifu live`, and another one that plays."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from service.engine.values import Json
from service.settings import Settings
from tests.api.streams import Spectator, free_port
from tests.api.tables import MATCHES, good, hall_of
from tests.conftest import opened
from tests.servers import redis_server

CONCEDE: dict[str, Json] = {"action": {"type": "concede"}}
KIFU = Path(sys.executable).parent / "kifu"
START_S = 60
STOP_S = 20
BESIDE = {"KIFU_LIVE_SPECTATORS": "3", "KIFU_LIVE_PER_CALLER": "2"}


@contextmanager
def running(command: str, settings: Settings, *options: str) -> Iterator[str]:
    """Run a command that serves until it says so; lend its address, then stop it in order."""
    port = free_port()
    environment = {
        **os.environ,
        "KIFU_DATABASE_URL": settings.database_url,
        "KIFU_REDIS_URL": settings.redis_url or "",
        **BESIDE,
    }
    process = subprocess.Popen(
        [KIFU, command, "--port", str(port), *options],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert process.stdout is not None
        assert str(port) in process.stdout.readline()
        yield f"http://127.0.0.1:{port}"
        began = time.monotonic()
        process.send_signal(signal.SIGTERM)
        process.wait(START_S)
        assert time.monotonic() - began < STOP_S, "streams keep no server from stopping"
    finally:
        process.kill()
        process.wait()


def get(url: str) -> Any:
    with urlopen(url) as answer:
        return json.loads(answer.read())


def test_a_match_is_followed_at_both_servers(settings: Settings) -> None:
    wired = replace(settings, redis_url=redis_server())
    installation = opened(wired)
    hall = hall_of(installation)
    players = [hall.person("One"), hall.person("Two")]
    match_id = hall.begin("hi-story", players, policy={"after_end": "all"})
    secret = hall.begin("hi-story", players, visibility="participants")
    late = hall.begin("hi-story", players, policy={"delay_events": 3})

    def version() -> int:
        return installation.log.version_of(match_id)

    with ExitStack() as stack:
        urls = [
            stack.enter_context(running("serve", wired, "--no-work")),
            stack.enter_context(running("live", wired)),
        ]
        streams = [Spectator(url=url, match_id=match_id) for url in urls]
        sent = [stream.frames(version()) for stream in streams]
        for _ in range(3):
            before = version()
            hall.play(players, match_id, 1)
            for frames, stream in zip(sent, streams, strict=True):
                frames += stream.frames(version() - before)
        assert sent == [list(range(1, version() + 1))] * 2
        check_what_spectators_may_not(urls[1], match_id, secret, players[0].headers)
        assert get(f"{urls[1]}/readyz")["live"] == "redis"
        assert get(f"{urls[1]}/healthz") == {"status": "alive"}
        with Spectator(url=urls[1], match_id=late) as behind:
            count = installation.log.version_of(late) - 3
            assert behind.frames(count) == list(range(1, count + 1))
        before = version()
        good(players[0].post(f"{MATCHES}/{match_id}/actions", CONCEDE))
        rest = [stream.rest() for stream in streams]
        assert rest[0] == rest[1], "both servers say the same"
        assert [event.id for event in rest[1]] == [*range(before + 1, version() + 1), None]
        with Spectator(
            url=urls[1], match_id=match_id, headers={"Last-Event-ID": str(before)}
        ) as again:
            assert [event.text for event in again.rest()] == [event.text for event in rest[1]]
        with Spectator(url=urls[1], match_id=match_id, query={"as": "P2"}) as opened_hand:
            assert opened_hand.rest()[-1].kind == "end", "the policy opened all"
        for url in urls:
            # They are open when the servers are told to stop.
            streams.append(Spectator(url=url, match_id=late))
    installation.close()


def check_what_spectators_may_not(
    url: str, match_id: str, secret: str, token: dict[str, str]
) -> None:
    """Ask `kifu live` for what it does not serve."""
    for asked, query, headers, status, code in (
        (secret, {}, {}, 404, "not-found"),
        ("nowhere", {}, {}, 404, "not-found"),
        (match_id, {"as": "P1"}, {}, 404, "not-found"),
        (match_id, {"as": "judge"}, {}, 404, "not-found"),
        (match_id, {"from": "x"}, {}, 422, "invalid"),
        (match_id, {"as": "P9"}, {}, 422, "invalid"),
        (match_id, {}, {"Last-Event-ID": "x"}, 422, "invalid"),
        (match_id, {}, token, 403, "forbidden"),
    ):
        with Spectator(url=url, match_id=asked, query=query, headers=headers) as stream:
            body = stream.problem()
            assert (stream.status, body["type"]) == (status, f"/problems/{code}"), (query, body)
            assert body["title"]
    with Spectator(url=url, match_id=match_id) as second:
        assert second.status == 200
        with Spectator(url=url, match_id=match_id) as third:
            assert (third.status, third.problem()["type"]) == (429, "/problems/too-many")
            assert int(third.answer.headers["Retry-After"]) > 0
