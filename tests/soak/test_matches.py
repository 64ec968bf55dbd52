"""Long runs: many matches of every game and mode, each verified as every viewer holds it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

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


def verify_for(installation: Installation, match_id: str, seats: Sequence[str]) -> None:
    judge = verify_lines(
        CATALOGUE, export_lines(installation, installation.log.match(match_id), JUDGE)
    )
    assert (judge.overall, judge.checks["fair"].verdict) == ("exact", "joint"), judge.summary
    for viewer in (SPECTATOR, *seats):
        report = verify_lines(
            CATALOGUE, export_lines(installation, installation.log.match(match_id), viewer)
        )
        assert (report.overall, report.first_bad) == ("partial", None), report.summary


@pytest.mark.soak
@pytest.mark.parametrize(("name", "options"), games_and_modes())
def test_every_simulated_match_verifies(
    installation: Installation, name: str, options: dict[str, object]
) -> None:
    game = CATALOGUE.game(name)
    for number in range(MATCHES):
        match = simulated_match(installation, game.sample, 5, number, options, "sample")
        verify_for(installation, match.id, match.seats)


@pytest.mark.parametrize(("name", "options"), games_and_modes())
def test_a_simulated_match_of_every_mode_verifies(
    installation: Installation, name: str, options: dict[str, object]
) -> None:
    game = CATALOGUE.game(name)
    match = simulated_match(installation, game.sample, 6, 0, options, "sample")
    verify_for(installation, match.id, match.seats[-1:])
