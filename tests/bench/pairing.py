"""Pairing round 9, beside exact matching and other libraries on the same histories.

`swisspair` and `cardarena-tournament-core` are measured where they can be imported.
"""

from __future__ import annotations

import importlib
import importlib.util
import random
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import rustworkx

from service.pairing.fields import Options, Pairing, Player
from service.pairing.swiss import pair
from tests.bench.timing import RUNS, milliseconds
from tests.pairing.histories import Tournament, seed_of
from tests.pairing.oracle import packed, score_of, table_score

TITLE = (
    "Pairing round 9 of a Swiss event, one core; other libraries where they can be imported,"
    " all on the same histories"
)
NOTE = """
The tournaments were paired by Kifu up to there. Rematches and sums are those of all histories of a
row. In the field of 2,048 exact matching is given only the next 16 players of each whom he may
meet; for 10,000 even that takes minutes and is left out, as `swisspair` is beyond 64. Kifu's time
includes the draw of each score group and the reasons. `swisspair` and `cardarena-tournament-core`
are no dependencies: they are measured if `PYTHONPATH` names a folder in which they are installed.
"""
HEADINGS = ("players", "pairer", "processor time", "of Kifu", "rematches", "sum of squares")
ROUNDS = 8
HISTORIES = {64: 15, 512: 3, 2048: 3, 10_000: 3}
FULL_MAX = 512
"""Larger fields give exact matching only the next `WINDOW` players of each whom he may meet."""
WINDOW = 16
RUSTWORKX_MAX = 2048
"""Even with the window it takes minutes beyond."""
SWISSPAIR_MAX = 64
"""It takes minutes beyond."""
DRAW_SHARE = 0.05
SLOW = 0.2
"""What takes more seconds is run once, the rest several times."""

Tables = Sequence[tuple[str, str]]
Pairer = Callable[[Tournament], Callable[[], Tables]]
"""Makes ready outside of the measurement what is then measured."""


@dataclass(kw_only=True)
class Measured:
    times: list[float] = field(default_factory=list)
    rematches: int = 0
    squares: int = 0


def rows() -> list[list[str]]:
    """Return a row for each size and pairer."""
    found = []
    for size, count in HISTORIES.items():
        events = [_history(size, seed) for seed in range(count)]
        measured = {name: _measured(make, events) for name, make in _pairers(size)}
        own = statistics.median(measured["Kifu"].times)
        for name, values in measured.items():
            median = statistics.median(values.times)
            found.append(
                [
                    f"{size:,}",
                    name,
                    milliseconds(median),
                    f"{median / own:.1f}",
                    str(values.rematches),
                    str(values.squares),
                ]
            )
    return found


def _history(size: int, seed: int) -> Tournament:
    event = Tournament(dice=random.Random(seed), draw_share=DRAW_SHARE)
    event.enter(size)
    for _ in range(ROUNDS):
        found = pair(event.players(), Options(seed=seed_of(event.dice)))
        assert isinstance(found, Pairing)
        event.play(found.tables, found.byes)
    return event


def _measured(make: Pairer, events: Sequence[Tournament]) -> Measured:
    measured = Measured()
    for event in events:
        task = make(event)
        taken, tables = _timed(task)
        times = [taken] if taken > SLOW else [_timed(task)[0] for _ in range(RUNS)]
        measured.times.append(statistics.median(times))
        rematches, _, squares, _ = score_of(tables, event.players())
        measured.rematches += rematches
        measured.squares += squares
    return measured


def _timed(task: Callable[[], Tables]) -> tuple[float, Tables]:
    """Return the processor's time, which neighbours on the machine do not lengthen much."""
    begun = time.process_time()
    tables = task()
    return time.process_time() - begun, tables


def _pairers(size: int) -> Iterator[tuple[str, Pairer]]:
    yield "Kifu", _kifu
    name = "full graph" if size <= FULL_MAX else f"window of {WINDOW}"
    if size <= RUSTWORKX_MAX:
        yield f"rustworkx, {name}", _rustworkx
    if importlib.util.find_spec("swisspair") and size <= SWISSPAIR_MAX:
        yield "swisspair", _swisspair
    if importlib.util.find_spec("cardarena_tournament_core"):
        yield "cardarena-tournament-core", _cardarena


def _kifu(event: Tournament) -> Callable[[], Tables]:
    players, options = event.players(), Options(seed=seed_of(event.dice))

    def task() -> Tables:
        found = pair(players, options)
        assert isinstance(found, Pairing)
        return found.tables

    return task


def _rustworkx(event: Tournament) -> Callable[[], Tables]:
    players = event.players()
    reach = len(players) if len(players) <= FULL_MAX else WINDOW

    def task() -> Tables:
        order = sorted(players, key=lambda player: -player.points)
        edges = list(_edges(order, reach))
        dearest = max(cost for *_, cost in edges)
        graph = rustworkx.PyGraph(multigraph=False)
        graph.add_nodes_from(range(len(order)))
        graph.add_edges_from([(one, other, dearest - cost) for one, other, cost in edges])
        found = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
        return [(order[one].id, order[other].id) for one, other in found]

    return task


def _edges(order: Sequence[Player], reach: int) -> Iterator[tuple[int, int, int]]:
    for one, player in enumerate(order):
        left = reach
        for other in range(one + 1, len(order)):
            if reach < len(order) and order[other].id in player.met:
                continue
            yield one, other, packed(table_score(player, order[other]))
            left -= 1
            if not left:
                break


def _swisspair(event: Tournament) -> Callable[[], Tables]:
    swisspair = importlib.import_module("swisspair")
    order = sorted(event.players(), key=lambda player: -player.points)
    players = [
        swisspair.Player(
            id=player.id,
            points=player.points,
            rank=rank,
            cannot_be_paired_against_ids=set(player.met),
        )
        for rank, player in enumerate(order, start=1)
    ]

    def task() -> Tables:
        return [(match.p1.id, match.p2.id) for match in swisspair.create_matches(players)]

    return task


def _cardarena(event: Tournament) -> Callable[[], Tables]:
    models = importlib.import_module("cardarena_tournament_core.common.models")
    swiss = importlib.import_module("cardarena_tournament_core.pairings.swiss")
    players = {name: models.Player(id=name, name=name) for name in event.entries}
    pairing = swiss.Swiss(list(players.values()))
    for number, tables in enumerate(event.played, start=1):
        matchups = []
        for one, other, winner in tables:
            matchup = models.Matchup(player1=players[one], player2=players[other])
            outcomes = {one: "player1_wins", other: "player2_wins", None: "draw"}
            matchup.outcome = models.MatchupOutcome(outcomes[winner])
            matchups.append(matchup)
        pairing.submit_results(models.Round(round_number=number, matchups=matchups))

    def task() -> Tables:
        return [(match.player1.id, match.player2.id) for match in pairing.pair().matchups]

    return task
