"""Saving: the whole command path against one raw durable insert per action, in the same run."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from service.catalogue import LoadedGame
from service.cli.simulating import simulated_match
from service.installation import Installation
from tests.bench.timing import seconds

GAMES = 10


def rows(installation: Installation, game: LoadedGame, folder: Path) -> list[list[str]]:
    """Return the rates of both, and their ratio."""
    actions = 0

    def play() -> None:
        nonlocal actions
        for number in range(GAMES):
            actions += _simulated(installation, game, number)

    through_commands = seconds(play)
    raw = seconds(lambda: _insert_raw(folder / "raw.sqlite", actions))
    return [
        ["raw durable insert", f"{actions / raw:.0f}", "1.00"],
        [
            "simulated play: list, choose, decide, save",
            f"{actions / through_commands:.0f}",
            f"{raw / through_commands:.2f}",
        ],
    ]


def _simulated(installation: Installation, game: LoadedGame, number: int) -> int:
    return simulated_match(installation, game.sample, 1, number, {}, "sample").actions


def _insert_raw(path: Path, count: int) -> None:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("CREATE TABLE events (position INTEGER PRIMARY KEY, body BLOB)")
    body = b"x" * 400
    for _ in range(count):
        connection.execute("INSERT INTO events (body) VALUES (?)", (body,))
    connection.close()
