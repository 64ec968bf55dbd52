"""kill -9 during a stream of actions: nothing accepted is missing, nothing is there twice."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from service.exchange import export_lines
from service.offline import verify_lines
from service.settings import Settings
from tests.conftest import CATALOGUE, SEEDS, opened, settings_in
from tests.store.killed import play

KILLS = 3
DATABASES = ("sqlite", "postgresql")


def accepted_until_killed(url: str, count: int) -> dict[str, int]:
    """Return the last version of each match that a process was told of before it was killed."""
    command = [sys.executable, "-m", "tests.store.killed", url, str(SEEDS)]
    told: dict[str, int] = {}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=SEEDS.parent) as child:
        assert child.stdout is not None
        for _ in range(count):
            match_id, version = child.stdout.readline().split()
            told[match_id] = int(version)
        child.kill()
    return told


def check(settings: Settings, tmp_path: Path, count: int) -> None:
    for _ in range(KILLS):
        told = accepted_until_killed(settings.database_url, count // KILLS)
        installation = opened(settings)
        for match_id, version in told.items():
            assert installation.log.version_of(match_id) >= version
            report = verify_lines(
                CATALOGUE, export_lines(installation, installation.log.match(match_id), "judge")
            )
            assert report.overall in ("exact", "partial")
            assert report.first_bad is None
        installation.close()
    apart = tmp_path / "undisturbed"
    apart.mkdir()
    resumed, undisturbed = opened(settings), opened(settings_in(apart))
    match_id = play(resumed, 0)
    assert play(undisturbed, 0) == match_id
    assert resumed.log.match(match_id).position == undisturbed.log.match(match_id).position
    for one in (resumed, undisturbed):
        one.close()


def test_killed_while_playing(settings: Settings, tmp_path: Path) -> None:
    check(settings, tmp_path, 150)


@pytest.mark.soak
def test_killed_while_playing_long(settings: Settings, tmp_path: Path) -> None:
    check(settings, tmp_path, 1_000)
