"""An edition that is changed later alters no old position, form or verdict."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from service.catalogue import Catalogue
from service.commands.editions import editions_of
from service.engine.values import Json
from service.exchange import export_lines
from service.installation import Installation, open_installation
from service.offline import verify_lines
from tests.conftest import SEEDS, import_log, log_of, settings_in


@pytest.fixture
def changed_seeds(tmp_path: Path) -> Path:
    """The data of a later edition: a stronger card, another rule."""
    seeds = tmp_path / "seeds"
    shutil.copytree(SEEDS, seeds)
    cards = seeds / "hi-story" / "cards.yaml"
    cards.write_text(cards.read_text().replace("power: 1000", "power: 1500"))
    rules = seeds / "hi-story" / "rules.yaml"
    enforced = "  enforced_by: engine"
    rules.write_text(rules.read_text().replace(enforced, f"  meaning: 2\n{enforced}", 1))
    return seeds


def seen(installation: Installation, match_id: str) -> list[Json]:
    """Return everything that viewers get of a match."""
    found: list[Json] = []
    for viewer in ("P1", "P2", "spectator", "judge"):
        replay = installation.replay(installation.log.match(match_id), viewer, "ja")
        last = replay.match.version
        found.append([replay.position(index) for index in range(last + 1)])
        found.append(replay.events(0, last))
    return found


def test_old_matches_stay_on_their_edition(changed_seeds: Path, tmp_path: Path) -> None:
    settings = settings_in(tmp_path)
    first = open_installation(settings)
    match_id = import_log(first, log_of("hi-story"))
    before, lines = seen(first, match_id), export_lines(first, first.log.match(match_id), "judge")
    first.close()

    later = open_installation(replace(settings, seeds=changed_seeds))
    assert seen(later, match_id) == before
    assert export_lines(later, later.log.match(match_id), "judge")[:-1] == lines[:-1]
    assert verify_lines(later.catalogue, lines).overall == "exact"
    assert later.log.match(match_id).opened.edition == "hi-story@1"
    later.register_editions()
    numbers = [one.number for one in editions_of(later.log, "hi-story").registered]
    assert numbers == [1, 2]
    later.close()


def test_an_engine_that_went_on_still_decides_the_old_ones(tmp_path: Path) -> None:
    first = open_installation(settings_in(tmp_path))
    lines = export_lines(first, first.log.match(import_log(first, log_of("hi-story"))), "judge")
    first.close()

    class Later(Catalogue):
        """Games whose engine number was raised; what engine 1 decided is still here."""

        def game(self, name: str):  # type: ignore[no-untyped-def]  # as the base
            loaded = super().game(name)
            return replace(loaded, edition=replace(loaded.edition, engine=2))

    assert verify_lines(Later(SEEDS), lines).overall == "exact"
