"""Following a match live: from the append to the receipt, for many spectators on this machine.

The servers are processes of their own; this one plays, and reads all the streams in one loop.
"""

from __future__ import annotations

import asyncio
import os
import re
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from service.settings import Settings
from tests.api.streams import free_port
from tests.api.tables import Caller, Hall, hall_of
from tests.conftest import opened, settings_in
from tests.servers import started_redis

KIFU = Path(sys.executable).parent / "kifu"
EVENTS = 40
PAUSE_S = 0.5
SETTLE_S = 3
READ_S = 60
JOINING = 100
"""How many spectators come at once."""
BUFFER = 2**16
ID = re.compile(rb"^id: (\d+)$", re.MULTILINE)
TITLE = f"Following a match live: {EVENTS} actions, one each half second, Redis, SQLite"
HEADINGS = ("server", "spectators", "received", "p50", "p99", "worst", "memory", "of one")
NOTE = """
From when the append returned to when the spectator had the event, at one more process that reads
all streams on the same cores. Memory: of the server with all spectators; of one: what each adds.
"""


@dataclass(slots=True, kw_only=True)
class Receipts:
    """When events were saved, and when the spectators had them. Times in seconds."""

    saved: dict[int, float] = field(default_factory=dict)
    had: list[tuple[int, float]] = field(default_factory=list)

    def delays(self) -> list[float]:
        """Return how long each spectator waited for each event, in order of length."""
        return sorted(max(0.0, at - self.saved[seq]) for seq, at in self.had if seq in self.saved)


def rows(folder: Path) -> list[list[str]]:
    """Return what was measured for a web process and for `kifu live`."""
    return [measured(folder, "serve", 500, "--no-work"), measured(folder, "live", 2_000)]


def measured(folder: Path, command: str, spectators: int, *options: str) -> list[str]:
    """Return the row of a server with so many spectators."""
    allow_files()
    place = folder / command
    place.mkdir(parents=True)
    redis = started_redis()
    settings = replace(settings_in(place), redis_url=redis.connection_url)
    installation = opened(settings)
    hall = hall_of(installation)
    players = [hall.person("One"), hall.person("Two")]
    match_id = hall.begin("hi-story", players)
    with running(command, settings, spectators, options) as (port, process):
        before = memory(process.pid)
        receipts = asyncio.run(watched(port, match_id, spectators, hall, players))
        after = memory(process.pid)
    installation.close()
    redis.stop()
    delays = receipts.delays()
    expected = spectators * len(receipts.saved)
    return [
        f"`kifu {command}`",
        f"{spectators:,}",
        f"{len(delays):,} of {expected:,}",
        f"{statistics.median(delays) * 1000:.0f} ms",
        f"{delays[int(len(delays) * 0.99)] * 1000:.0f} ms",
        f"{delays[-1] * 1000:.0f} ms",
        f"{after / 2**20:.0f} MiB",
        f"{(after - before) / spectators / 2**10:.0f} KiB",
    ]


@contextmanager
def running(
    command: str, settings: Settings, spectators: int, options: tuple[str, ...]
) -> Iterator[tuple[int, subprocess.Popen[str]]]:
    """Run a server with room for so many; lend its port and the process that serves."""
    port = free_port()
    environment = {
        **os.environ,
        "KIFU_DATABASE_URL": settings.database_url,
        "KIFU_REDIS_URL": settings.redis_url or "",
        "KIFU_RATE_LIMIT": "1000000 per minute",
        "KIFU_LIVE_STREAMS": str(spectators),
        "KIFU_LIVE_SPECTATORS": str(spectators),
        "KIFU_LIVE_PER_CALLER": str(spectators),
    }
    process = subprocess.Popen(
        [KIFU, command, "--port", str(port), *options],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout is not None
    assert str(port) in process.stdout.readline()
    try:
        yield port, process
    finally:
        process.terminate()
        process.wait()


def memory(pid: int) -> int:
    """Return the memory of a process and its children that nobody else has, in bytes."""
    total = 0
    for one in [pid, *children(pid)]:
        for line in Path(f"/proc/{one}/smaps_rollup").read_text().splitlines():
            if line.startswith(("Private_Clean", "Private_Dirty")):
                total += int(line.split()[1]) * 2**10
    return total


def children(pid: int) -> list[int]:
    """Return the processes that a process has started."""
    return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


async def watched(
    port: int, match_id: str, spectators: int, hall: Hall, players: list[Caller]
) -> Receipts:
    """Let spectators come, play, and wait until they have it all."""
    receipts = Receipts()
    start = hall.installation.log.version_of(match_id)
    reading: list[asyncio.Task[None]] = []
    for number in range(0, spectators, JOINING):
        came = [
            asyncio.create_task(joined(port, match_id, start))
            for _ in range(min(JOINING, spectators - number))
        ]
        for reader, writer in await asyncio.gather(*came):
            reading.append(asyncio.create_task(read(reader, writer, receipts)))
    await asyncio.sleep(SETTLE_S)
    await asyncio.to_thread(play, hall, players, match_id, receipts)
    for _ in range(READ_S):
        if len(receipts.had) >= spectators * len(receipts.saved):
            break
        await asyncio.sleep(1)
    for task in reading:
        task.cancel()
    return receipts


async def joined(
    port: int, match_id: str, start: int
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Return a connection on which a stream has begun."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    path = f"/api/v1/matches/{match_id}/live?from={start}"
    writer.write(f"GET {path} HTTP/1.1\r\nHost: bench\r\n\r\n".encode())
    head = await reader.readuntil(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200"), head
    return reader, writer


async def read(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, receipts: Receipts
) -> None:
    """Note when events come, and hang up at the end."""
    with suppress(asyncio.CancelledError), closing(writer):
        while text := await reader.read(BUFFER):
            at = time.monotonic()
            receipts.had += [(int(found), at) for found in ID.findall(text)]


def play(hall: Hall, players: list[Caller], match_id: str, receipts: Receipts) -> None:
    """Play, and note when what was played was saved."""
    log = hall.installation.log
    for _ in range(EVENTS):
        before = log.version_of(match_id)
        if not hall.play_one(players, match_id):
            return
        at = time.monotonic()
        receipts.saved |= dict.fromkeys(range(before + 1, log.version_of(match_id) + 1), at)
        time.sleep(PAUSE_S)


def allow_files() -> None:
    """Let this process have as many connections as the system lets it have."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
