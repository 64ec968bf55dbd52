"""Long runs: many matches of every game and mode, each verified as every viewer holds it."""

from __future__ import annotations

import pytest

from service.catalogue import LoadedGame
from service.cli.simulating import simulated_match
from service.engine.values import JUDGE, SPECTATOR
from service.exchange import export_lines
from service.installation import Installation
from service.offline import verify_lines
from tests.conftest import CATALOGUE
from tests.contract.walks import options_of

MATCHES = 200


def games_and_modes() -> list[object]:
    return [
        pytest.param(name, options, id=" ".join(map(str, (name, *options.values()))))
        for name in CATALOGUE.names()
        for options in options_of(CATALOGUE.game(name).sample.ruleset)
    ]


def verify_everywhere(installation: Installation, game: LoadedGame, match_id: str) -> None:
    seats = installation.log.match(match_id).seats
    judge = verify_lines(CATALOGUE, export_lines(installation, match_id, JUDGE))
    assert (judge.overall, judge.checks["fair"].verdict) == ("exact", "joint"), judge.summary
    for viewer in (SPECTATOR, *seats):
        report = verify_lines(CATALOGUE, export_lines(installation, match_id, viewer))
        assert (report.overall, report.first_bad) == ("partial", None), report.summary


@pytest.mark.soak
@pytest.mark.parametrize(("name", "options"), games_and_modes())
def test_every_simulated_match_verifies(
    installation: Installation, name: str, options: dict[str, object]
) -> None:
    game = CATALOGUE.game(name)
    for number in range(MATCHES):
        match = simulated_match(installation, game.sample, 5, number, options, "sample")
        verify_everywhere(installation, game, match.id)


@pytest.mark.parametrize(("name", "options"), games_and_modes())
def test_a_simulated_match_of_every_mode_verifies(
    installation: Installation, name: str, options: dict[str, object]
) -> None:
    game = CATALOGUE.game(name)
    match = simulated_match(installation, game.sample, 6, 0, options, "sample")
    verify_everywhere(installation, game, match.id)
