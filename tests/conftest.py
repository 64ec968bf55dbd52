"""What all tests share: the games of the checkout, installations in a temporary folder."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import hypothesis
import pytest

from schemas.plain_logs import read_lines
from service.catalogue import Catalogue
from service.installation import Installation, open_installation
from service.offline import Pools
from service.settings import Settings
from service.store.databases import migrate
from tests.servers import empty_schema

# `make test` draws the same examples each time; `make soak` searches with new ones.
hypothesis.settings.register_profile("same", deadline=None, derandomize=True)
hypothesis.settings.register_profile("search", deadline=None)
hypothesis.settings.load_profile("same")

SEEDS = Path(__file__).parent.parent / "seeds"
CATALOGUE = Catalogue(SEEDS)
GARBAGE = 20_000
"""How many objects more than before the collector waits for."""


@pytest.fixture(scope="session")
def catalogue() -> Catalogue:
    return CATALOGUE


def settings_in(folder: Path) -> Settings:
    return Settings(
        database_url=f"sqlite:///{folder / 'kifu.sqlite'}", seeds=SEEDS, host="127.0.0.1", port=0
    )


def pytest_collection_finish() -> None:
    """Spare the collector what stays until the end, tests and modules: a seventh of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(GARBAGE, *gc.get_threshold()[1:])


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run the tests of a module that says so on each of its `DATABASES`."""
    databases = getattr(metafunc.module, "DATABASES", ())
    if databases and "empty_database_url" in metafunc.fixturenames:
        metafunc.parametrize("empty_database_url", databases, indirect=True)


@pytest.fixture
def empty_database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of a database without tables: SQLite, unless the test asks for another."""
    if getattr(request, "param", "sqlite") == "sqlite":
        yield settings_in(tmp_path).database_url
    else:
        with empty_schema() as url:
            yield url


@pytest.fixture
def database_url(empty_database_url: str) -> str:
    migrate(empty_database_url)
    return empty_database_url


@pytest.fixture
def settings(tmp_path: Path, database_url: str) -> Settings:
    return replace(settings_in(tmp_path), database_url=database_url)


def opened(settings: Settings, pools: Pools | None = None) -> Installation:
    """Open an installation of the games of the checkout, whose data are read once for all.

    Its matches draw the same in every run: what fails once fails again.
    """
    assert settings.seeds == SEEDS
    return open_installation(settings, pools, CATALOGUE.without_pools(), Random(1).randbytes)


@pytest.fixture
def installation(settings: Settings) -> Iterator[Installation]:
    found = opened(settings)
    yield found
    found.close()


def opened_in(folder: Path) -> Installation:
    """Open an installation of its own in a folder, for more than one test."""
    settings = settings_in(folder)
    migrate(settings.database_url)
    return opened(settings)


def import_log(installation: Installation, path: Path) -> str:
    """Import a good log; return the id of the match."""
    with path.open("rb") as file:
        _, match_id = installation.import_lines(list(read_lines(file)))
    assert match_id is not None
    return match_id


def log_of(game: str, number: int = 1) -> Path:
    """Return a recorded log of a game by its number."""
    return next((SEEDS / game / "logs").glob(f"{number:02}-*.plain.jsonl"))
