"""Opening a long match anywhere: against a short one, raw rows, and folding from zero."""

from __future__ import annotations

import random
from collections.abc import Callable

from projections.overview import stretch, stretches
from service.aggregates.matches import evolve
from service.catalogue import LoadedGame
from service.engine.values import SPECTATOR
from service.installation import Installation
from tests.bench.timing import median_of, median_seconds, milliseconds
from tests.long_match import store_long_match

LONG, SHORT = 10_000, 100
SEEKS = 30


def rows(installation: Installation, game: LoadedGame) -> list[list[str]]:
    """Return the medians of each way to reach a position, and their ratio to the short match."""
    long_id = store_long_match(installation, game, LONG)
    short_id = store_long_match(installation, game, SHORT)
    anywhere = random.Random(7)
    short = median_of(
        _seek(installation, short_id, anywhere.randint(1, SHORT)) for _ in range(SEEKS)
    )
    places = {
        "first": [1] * SEEKS,
        "middle": [LONG // 2] * SEEKS,
        "last": [LONG] * SEEKS,
        "random": [anywhere.randint(1, LONG) for _ in range(SEEKS)],
    }
    found = [[f"seek in a match of {SHORT} events", milliseconds(short), "1.0"]]
    for name, indexes in places.items():
        took = median_of(_seek(installation, long_id, index) for index in indexes)
        found.append([f"{name} of {LONG:,} events", milliseconds(took), f"{took / short:.1f}"])
    for name, task in (
        ("raw rows of the whole match", lambda: _raw(installation, long_id)),
        ("folding the whole match from zero", lambda: _fold(installation, game, long_id)),
        ("its overview, nothing kept", lambda: _overview(installation, long_id)),
    ):
        took = median_seconds(task, runs=3)
        found.append([name, milliseconds(took), f"{took / short:.1f}"])
    return found


def _seek(installation: Installation, match_id: str, index: int) -> Callable[[], object]:
    return lambda: installation.log.match(match_id, version=index)


def _raw(installation: Installation, match_id: str) -> None:
    installation.log.rows(
        "SELECT tag, body FROM events WHERE stream = ? ORDER BY version", match_id
    )


def _overview(installation: Installation, match_id: str) -> None:
    replay = installation.replay(installation.log.match(match_id), SPECTATOR, "en")
    for start, to in stretches(0, LONG):
        stretch(replay, start, to)


def _fold(installation: Installation, game: LoadedGame, match_id: str) -> None:
    state = None
    for event in installation.log.events_of(match_id, after=0, to=LONG):
        state = evolve(state, event, game.sample.ruleset, match_id=match_id)
