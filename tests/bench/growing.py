"""Engine time per action must not grow with the length of a match, nor faster than a line."""

from __future__ import annotations

import statistics

from service.catalogue import LoadedGame
from service.engine.draws import Draws, RecordedSource
from service.engine.play import perform
from tests.bench.timing import median_seconds, milliseconds, seconds
from tests.contract.walks import Played, walk

SEEDS = range(6)
UNIT = "back_sniper"


def length_row(game: LoadedGame) -> list[str]:
    """Return the median time of an action in the first and in the last third of long matches."""
    early: list[float] = []
    late: list[float] = []
    for seed in SEEDS:
        played = list(walk(game.sample, seed, {}))
        third = len(played) // 3
        early += [_again(game, one) for one in played[5:third]]
        late += [_again(game, one) for one in played[-third:]]
    first, last = statistics.median(early), statistics.median(late)
    return [
        game.edition.game,
        milliseconds(first),
        milliseconds(last),
        f"{last / first:.2f}",
    ]


def _again(game: LoadedGame, played: Played) -> float:
    record = played.record

    def decide() -> None:
        draws = Draws(RecordedSource(list(record.draws)))
        perform(game.sample.ruleset, record.before, record.actor, record.action, draws)

    return seconds(decide)


def battle_rows(game: LoadedGame) -> list[list[str]]:
    """Return the time of a battle turn between lines of 2 to 10 units of Summoner's Pieces."""
    return [_battle_row(game, units) for units in (2, 4, 6, 8, 10)]


def _battle_row(game: LoadedGame, units: int) -> list[str]:
    ruleset = game.sample.ruleset
    position = ruleset.normalise(battle(units))
    turn = {"type": "battle_turn"}
    took = median_seconds(
        lambda: perform(ruleset, position, "system", turn, Draws(RecordedSource([]))), runs=21
    )
    return [str(units), milliseconds(took), milliseconds(took / units)]


def battle(units: int) -> dict[str, object]:
    """Return a position in battle with lines of this length."""
    return {
        player: {"line": [{"id": f"{letter}{n}", "card": UNIT} for n in range(1, units + 1)]}
        for player, letter in (("P1", "a"), ("P2", "b"))
    }
