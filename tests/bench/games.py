"""Random games without the store: games and actions per second on one core."""

from __future__ import annotations

from service.catalogue import LoadedGame
from tests.bench.timing import seconds
from tests.contract.walks import options_of, walk

GAMES = 20


def rows(game: LoadedGame) -> list[list[str]]:
    """Return a row for each mode of a game: games, actions and facts per second."""
    return [_row(game, options) for options in options_of(game.sample.ruleset)]


def _row(game: LoadedGame, options: dict[str, object]) -> list[str]:
    actions = facts = 0

    def play() -> None:
        nonlocal actions, facts
        for seed in range(GAMES):
            for played in walk(game.sample, seed, options):
                actions += 1
                facts += len(played.record.steps)

    took = seconds(play)
    mode = " ".join(str(value) for value in options.values())
    return [
        f"{game.edition.game} {mode}".strip(),
        f"{GAMES / took:.1f}",
        f"{actions / took:.0f}",
        f"{facts / took:.0f}",
    ]
