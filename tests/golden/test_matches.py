"""Matches recorded by each release load, fold and verify for ever."""

from __future__ import annotations

from pathlib import Path

import pytest

from service.offline import verify_lines
from tests.conftest import CATALOGUE

FILES = sorted((Path(__file__).parent / "matches").glob("*.kifu.jsonl"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_recorded_match_is_exact(path: Path) -> None:
    with path.open("rb") as file:
        report = verify_lines(CATALOGUE, list(file))
    assert (report.overall, report.first_bad) == ("exact", None), report.summary
    assert report.checks["fair"].verdict == "joint"


def test_every_game_has_a_recorded_match_of_its_engine() -> None:
    names = {path.name for path in FILES}
    for name in CATALOGUE.names():
        edition = CATALOGUE.game(name).edition
        assert f"{name}-engine-{edition.engine}.kifu.jsonl" in names
