"""The moment of a position is public: every viewer sees the round, turn, phase and step it has."""

from __future__ import annotations

from projections.overview import phase_of, turn_of
from service.catalogue import LoadedGame
from service.engine.examples import viewers_of
from tests.contract.walks import options_of, walk

EVERY = 7


def test_every_viewer_sees_the_moment(game: LoadedGame) -> None:
    ruleset = game.sample.ruleset
    seen = set()
    for options in options_of(ruleset):
        for played in list(walk(game.sample, 1, options))[::EVERY]:
            position = played.record.after
            for viewer in viewers_of(ruleset, position):
                view = ruleset.view(position, viewer)
                assert turn_of(view) == turn_of(position)
                assert phase_of(view) == phase_of(position)
            seen.add(tuple(turn_of(position).values()))
    assert len(seen) > 1
