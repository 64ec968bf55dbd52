"""Every projection by contract: rebuilt equals incremental, each event is applied once."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from projections.matches import Wanted
from projections.naming import GENERATIONS
from projections.places import PARKED
from projections.runner import (
    PAGE_SIZE,
    PAGE_SIZE_MAX,
    QUICK_S,
    SLOW_S,
    Generation,
    Pages,
    Projection,
    apply_page,
    begin,
    catch_up,
    feed,
)
from service.installation import PROJECTIONS, Installation, open_installation
from service.integrity.logged import Logged
from service.store.databases import migrate
from tests.conftest import settings_in
from tests.projections.feeding import Sliced, fed, fill, rows_of
from tests.servers import empty_schema

RUNNERS = 4
SINGLE, FEW = 1, 7
WHOLE, IN_PARTS, AT_ONCE = 1, 2, 3
"""Generations: fed with long pages, event by event, by several runners."""


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def filled(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Installation]:
    """An installation with a log that no test of this module adds to."""
    if request.param == "sqlite":
        yield from _filled(settings_in(tmp_path_factory.mktemp("runner")).database_url)
    else:
        with empty_schema() as url:
            yield from _filled(url)


def _filled(url: str) -> Iterator[Installation]:
    migrate(url)
    found = open_installation(replace(settings_in(Path()), database_url=url))
    fill(found)
    yield found
    found.close()


@pytest.fixture(params=PROJECTIONS, ids=lambda one: one.name)
def projection(request: pytest.FixtureRequest) -> Projection:
    found: Projection = request.param
    return found


def test_pages_of_any_size_give_the_same_rows(filled: Installation, projection: Projection) -> None:
    whole, in_parts = fed(filled, projection, WHOLE), fed(filled, projection, IN_PARTS, SINGLE)
    assert rows_of(filled.database, in_parts) == rows_of(filled.database, whole)


def test_a_page_that_comes_again_changes_nothing(
    filled: Installation, projection: Projection
) -> None:
    generation = fed(filled, projection, WHOLE)
    before = rows_of(filled.database, generation)
    assert apply_page(filled.database, [generation], 0, filled.log.page(0)) == 0
    assert list(feed(filled.database, filled.log, [generation])) == []
    assert rows_of(filled.database, generation) == before


def test_a_projection_names_its_tables_after_itself(projection: Projection) -> None:
    assert all(table.startswith(projection.name) for table in projection.tables)
    assert len(set(projection.tables)) == len(projection.tables)


def test_runners_at_once_apply_each_event_once(filled: Installation) -> None:
    generations = [Generation(projection=one, number=AT_ONCE) for one in PROJECTIONS]
    for generation in generations:
        begin(filled.database, generation)
    log = Sliced(log=filled.log, size=FEW)
    with ThreadPoolExecutor(RUNNERS) as runners:
        counts = runners.map(lambda _: sum(feed(filled.database, log, generations)), range(RUNNERS))
    assert sum(counts) == len(filled.log.page(0)) * len(PROJECTIONS)
    for one in generations:
        whole = fed(filled, one.projection, WHOLE)
        assert rows_of(filled.database, one) == rows_of(filled.database, whole)


@dataclass(frozen=True, kw_only=True)
class Asked(Sliced):
    """A log that tells behind which positions it was asked for pages."""

    after: list[int] = field(default_factory=list)

    def page(self, after: int, limit: int = PAGE_SIZE) -> list[Logged]:
        self.after.append(after)
        return super().page(after, limit)


def test_projections_at_one_place_share_a_page(filled: Installation) -> None:
    log = Asked(log=filled.log, size=FEW)
    catch_up(filled.database, log, PROJECTIONS)
    assert len(log.after) == len(set(log.after)) > 1


class Endless(Sliced):
    """A log that has events for pages of any size."""

    def page(self, after: int, limit: int = PAGE_SIZE) -> list[Logged]:
        return self.log.page(0, 1) * min(limit, self.size)


def test_pages_grow_while_work_is_quick(filled: Installation) -> None:
    pages = Pages(Endless(log=filled.log, size=2 * PAGE_SIZE_MAX))

    def sizes(seconds: float) -> list[int]:
        found = []
        for _ in range(9):
            found.append(len(pages.behind(0)))
            pages.took(seconds)
        return found

    grown, shrunk = sizes(QUICK_S / 2), sizes(SLOW_S * 2)
    assert grown[:3] == [PAGE_SIZE, 2 * PAGE_SIZE, 4 * PAGE_SIZE]
    assert grown[-1] == shrunk[0] == PAGE_SIZE_MAX
    assert shrunk == sorted(shrunk, reverse=True)
    assert shrunk[-1] == PAGE_SIZE
    short = Pages(Endless(log=filled.log, size=FEW))
    for _ in range(3):
        assert len(short.behind(0)) == FEW
        short.took(0)
    assert set(sizes((QUICK_S + SLOW_S) / 2)) == {PAGE_SIZE}


def test_the_books_of_an_older_program_are_gone_on_with(tmp_path: Path) -> None:
    url = settings_in(tmp_path).database_url
    migrate(url)
    older = open_installation(replace(settings_in(Path()), database_url=url))
    fill(older)
    older.catch_up()
    before = older.matches(Wanted())
    with older.database.transaction() as tables:
        for name in (PARKED, GENERATIONS):
            tables.execute(f"DROP TABLE {name}")
    older.close()
    present = open_installation(replace(settings_in(Path()), database_url=url))
    assert present.catch_up() == 0
    assert present.matches(Wanted()) == before
    present.close()
