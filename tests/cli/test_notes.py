"""Notes on the command line: public ones go along with a match, verification counts them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from schemas.notes import AUDIENCES
from service.store.databases import migrate
from tests.api.tables import MATCHES, Hall, good, hall_of
from tests.cli.conftest import Run, objects
from tests.conftest import opened, settings_in


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    settings = settings_in(tmp_path)
    migrate(settings.database_url)
    found = hall_of(opened(settings))
    yield found
    found.installation.close()


@pytest.fixture
def match_id(hall: Hall) -> str:
    """A running match on whose first event somebody noted something for every audience."""
    one, two = hall.person("One"), hall.person("Two")
    match_id = hall.begin("hi-story", [one, two])
    for audience in AUDIENCES:
        body = {"seq": 1, "audience": audience, "body": f"planted {audience}"}
        good(one.post(f"{MATCHES}/{match_id}/notes", body))
    return match_id


def test_public_notes_go_along_when_the_match_has_closed(
    run: Run, hall: Hall, match_id: str, tmp_path: Path
) -> None:
    path = tmp_path / "match.kifu.jsonl"
    assert "planted" not in run("export", match_id).stdout
    judge = hall.person("Judge", "judge")
    end = {"cause": "time", "winner": None, "reason": "because"}
    good(judge.post(f"{MATCHES}/{match_id}/closing", end))
    assert run("export", match_id, "-o", path).exit_code == 0
    *record, last = path.read_bytes().splitlines(keepends=True)
    assert last.startswith(b'{"note":{"audience":"public","author":"One","body":"planted public"')
    assert b"planted" not in b"".join(record)
    assert "planted" not in run("export", match_id, "--plain").stdout
    told = run("verify", path).stdout
    assert "  notes     1: not part of the verdict\n" in told
    path.write_bytes(b"".join([*record, last, last.replace(b"1", b"x")]))
    told = run("verify", path).stdout
    assert "  notes     2, of which 1 damaged: not part of the verdict\n" in told
    (report,) = objects(run("verify", path, "--json"))
    assert (report["overall"], report["notes"]) == ("exact", {"count": 2, "damaged": 1})
    path.write_bytes(b"".join(record))
    assert "notes" not in run("verify", path).stdout


def test_who_is_erased_takes_his_notes_along(run: Run, hall: Hall, match_id: str) -> None:
    person = hall.installation.log.match(match_id).seated["P1"].person
    assert run("persons", "erase", person, "--yes").exit_code == 0
    with hall.installation.database.reading() as tables:
        assert tables.rows("SELECT COUNT(*) FROM notes") == [(0,)]
