"""Long runs on event files: real events where a folder with them is named, and many damaged ones.

The folder of `KIFU_TEST_EVENTS` holds `.json`, `.tdf` and `.trf` files. Their published tables must
come out under one of the profiles of their platform.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from schemas.strict import Unreadable
from service.event_files.differences import differences
from service.event_files.own import written_event_csv, written_event_json
from service.event_files.reading import read_event
from service.standings.profiles import PROFILES
from service.standings.reasons import why
from service.standings.records import laws
from service.standings.tables import table_of
from tests.event_files.test_hostile import FILES, damaged, use
from tests.standings.events import shuffled

DAMAGED = 20_000
SUFFIXES = (".json", ".tdf", ".trf")
PROFILES_OF = {
    "melee": ("melee-floor", "melee-raw"),
    "topdeck": ("topdeck",),
    "tom": ("pokemon-tom",),
    "trf": ("sonneborn-berger", "sonneborn-berger-virtual", "sonneborn-berger-played"),
}


def real_files() -> list[Path]:
    folder = os.environ.get("KIFU_TEST_EVENTS")
    if folder is None:
        return []
    return sorted(path for path in Path(folder).iterdir() if path.suffix in SUFFIXES)


@pytest.mark.soak
def test_the_tables_of_real_events_come_out() -> None:
    for path in real_files():
        read = read_event(path.read_bytes())
        assert laws(read.event) is None
        found = [differences(read, PROFILES[name]) for name in PROFILES_OF[read.format]]
        assert all(_is_of_who_left(one.player, path) for one in min(found, key=len)), path.name


def _is_of_who_left(player: str, path: Path) -> bool:
    """Tell whether TOM placed somebody who had left, or somebody next to him, in its own way.

    TOM puts some who left without points elsewhere than its criteria say; this moves the others
    without points by one place.
    """
    read = read_event(path.read_bytes())
    rows = {row.player: row for row in table_of(read.event, PROFILES["pokemon-tom"]).rows}
    return read.format == "tom" and rows[player].points == 0


@pytest.mark.soak
def test_real_events_keep_the_laws_of_all_events() -> None:
    for path in real_files():
        event = read_event(path.read_bytes()).event
        assert read_event(written_event_json(event)).event == event
        assert read_event(written_event_csv(event).encode()).event == event
        for profile in PROFILES.values():
            table = table_of(event, profile)
            assert table_of(shuffled(event, 7), profile).rows == table.rows
            for row in table.rows[:5]:
                found = why(event, profile, row.player)
                assert found is not None
                assert {one.criterion: one.value for one in found.reasons}.items() <= (
                    row.values.items()
                )


@pytest.mark.soak
@pytest.mark.parametrize("name", FILES)
def test_many_damaged_files(name: str) -> None:
    for seed in range(10**6, 10**6 + DAMAGED):
        use(damaged(FILES[name], seed))


@pytest.mark.soak
def test_a_file_of_too_many_elements_is_refused() -> None:
    body = b"<tournament>" + b"<a/>" * 4_000_001 + b"</tournament>"
    with pytest.raises(Unreadable, match="elements"):
        read_event(body)
