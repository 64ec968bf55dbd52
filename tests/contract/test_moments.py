"""Moment and total are public: every viewer sees the round, turn, phase, step and counts."""

from __future__ import annotations

from projections.overview import phase_of, total_at, total_paths, turn_of
from service.catalogue import LoadedGame
from service.engine.examples import viewers_of
from tests.contract.walks import options_of, walk

EVERY = 7


def test_every_viewer_sees_the_moment(game: LoadedGame) -> None:
    ruleset, board = game.sample.ruleset, game.display["board"]
    seen = set()
    for options in options_of(ruleset):
        walked = list(walk(game.sample, 1, options))
        for played in (*walked[::EVERY], walked[-1]):
            position = played.record.after
            paths = total_paths(board, ruleset.seats(position))
            for viewer in viewers_of(ruleset, position):
                view = ruleset.view(position, viewer)
                assert turn_of(view) == turn_of(position)
                assert phase_of(view) == phase_of(position)
                for path in paths.values():
                    assert total_at(view, path) == total_at(position, path)
            totals = [total_at(position, path) for path in paths.values()]
            seen.add((*turn_of(position).values(), *phase_of(position).values(), *totals))
    assert len(seen) > 1
