"""What a whole table costs: every criterion exact, players ranked, and one player's reasons.

Processor time, because nothing here waits: so it says the same on a busy machine.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from random import Random

from service.standings.profiles import PROFILES
from service.standings.reasons import why
from service.standings.records import FIRST, SECOND, Event, Phase, Player, Result, Round, Side
from service.standings.tables import table_of
from tests.bench.timing import milliseconds

TITLE = "Standings, every value an exact fraction, processor time"
HEADINGS = ("profile", "100 players, 15 rounds", "10,000 players, 15 rounds", "why, 100 players")
SIZES = (100, 10_000)
ROUNDS = 15
NAMES = ("mtr-2024", "pokemon-tom", "ygo-kts", "buchholz-cut1", "sonneborn-berger", "head-to-head")
SCORES = ((2, 0, 0), (2, 1, 0), (1, 1, 1), (1, 2, 0), (0, 2, 0))
REPEATS = {100: 30, 10_000: 5}


def rows() -> list[list[str]]:
    """Return a row for each kind of profile."""
    small, large = (_event(size) for size in SIZES)
    return [
        [name, _time(small, name), _time(large, name), _time_of_why(small, name)] for name in NAMES
    ]


def _time(event: Event, name: str) -> str:
    profile = PROFILES[name]
    repeats = REPEATS[len(event.players)]
    return milliseconds(_median_of_processor(lambda: table_of(event, profile), repeats))


def _time_of_why(event: Event, name: str) -> str:
    profile, player = PROFILES[name], event.players[0].id
    repeats = REPEATS[len(event.players)]
    return milliseconds(_median_of_processor(lambda: why(event, profile, player), repeats))


def _median_of_processor(task: Callable[[], object], repeats: int) -> float:
    """Return the median of the processor time of several runs in seconds."""
    found = []
    for _ in range(repeats):
        begun = time.process_time()
        task()
        found.append(time.process_time() - begun)
    return statistics.median(found)


def _event(size: int) -> Event:
    """Return an event in which everybody plays every round, against anybody."""
    random = Random(size)
    ids = [f"p{number:05}" for number in range(size)]
    rounds = []
    for number in range(1, ROUNDS + 1):
        order = random.sample(ids, size)
        pairs = zip(order[::2], order[1::2], strict=True)
        results = tuple(_result(random, first, second) for first, second in pairs)
        rounds.append(Round(number=number, name=f"Round {number}", results=results))
    return Event(
        name="made up",
        players=tuple(Player(id=name, name=name) for name in ids),
        phases=(Phase(kind="swiss", rounds=tuple(rounds)),),
    )


def _result(random: Random, first: str, second: str) -> Result:
    won, lost, drawn = random.choice(SCORES)
    winner: Side | None = FIRST if won > lost else SECOND if lost > won else None
    return Result(first=first, second=second, winner=winner, games=(won, lost, drawn))
