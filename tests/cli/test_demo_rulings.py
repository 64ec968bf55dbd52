"""The disputes of the demo: each match is taken back, played on, and verifies."""

from __future__ import annotations

import pytest

from projections.disputes import WantedDisputes
from projections.parties import WHOLE
from service.cli.demo_rulings import DemoRuling, judge, read_rulings
from service.exchange import report_on
from service.installation import Installation, clock
from tests.conftest import CATALOGUE, SEEDS

RULINGS = read_rulings(SEEDS)


def test_every_game_has_a_dispute_about_rules_of_its_own() -> None:
    assert sorted(one.game for one in RULINGS) == CATALOGUE.names()
    for one in RULINGS:
        assert set(one.rules) <= set(CATALOGUE.game(one.game).rules)
        assert one.text.keys() == {"ja", "en"}


@pytest.mark.parametrize("demo", RULINGS, ids=lambda one: one.game)
def test_its_match_has_two_lines_and_verifies(installation: Installation, demo: DemoRuling) -> None:
    match = judge(installation, demo)
    assert (match.state, len(match.lines), match.reopened) == ("closed", 1, 1)
    assert judge(installation, demo) == match, "loading again changes nothing"
    assert report_on(installation, match, "judge").overall == "exact"
    wanted = WantedDisputes(limit=2, now=clock())
    (row,) = installation.dispute_rows(wanted, WHOLE)
    assert (row.id, row.state, row.rulings) == (demo.dispute_id, "final", 1)
