"""What all tests share: the games of the checkout, installations in a temporary folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from schemas.plain_logs import read_lines
from service.catalogue import Catalogue
from service.installation import Installation, open_installation
from service.settings import Settings

SEEDS = Path(__file__).parent.parent / "seeds"
CATALOGUE = Catalogue(SEEDS)


@pytest.fixture(scope="session")
def catalogue() -> Catalogue:
    return CATALOGUE


def settings_in(folder: Path) -> Settings:
    return Settings(
        database_url=f"sqlite:///{folder / 'kifu.sqlite'}", seeds=SEEDS, host="127.0.0.1", port=0
    )


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return settings_in(tmp_path)


@pytest.fixture
def installation(settings: Settings) -> Iterator[Installation]:
    found = open_installation(settings)
    yield found
    found.log.close()


def import_log(installation: Installation, path: Path) -> str:
    """Import a good log; return the id of the match."""
    with path.open("rb") as file:
        _, match_id = installation.import_lines(list(read_lines(file)))
    assert match_id is not None
    return match_id


def log_of(game: str, number: int = 1) -> Path:
    """Return a recorded log of a game by its number."""
    return next((SEEDS / game / "logs").glob(f"{number:02}-*.plain.jsonl"))
