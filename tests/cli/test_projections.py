"""Read models on the command line: status, rebuild, switch, drop, retry."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from projections.matches import NAME as MATCHES
from projections.runner import PAGE_SIZE
from service.installation import PROJECTIONS
from tests.cli.conftest import Run, objects
from tests.conftest import log_of

LAST = "events WHERE position = (SELECT MAX(position) FROM events)"
SET_LAST = "UPDATE events SET body = ? WHERE position = (SELECT MAX(position) FROM events)"


@pytest.fixture
def match_id(run: Run) -> str:
    (body,) = objects(run("import", log_of("hagmi", 6), "--json"))
    run("matches")
    return str(body["match"])


def standing(run: Run, name: str = MATCHES) -> list[tuple[int, str]]:
    result = run("projections", "status", "--json")
    assert result.exit_code == 0
    return [
        (one["generation"], one["state"]) for one in objects(result) if one["projection"] == name
    ]


def test_the_status_names_every_projection(run: Run, match_id: str) -> None:
    found = objects(run("projections", "status", "--json"))
    assert {one["projection"] for one in found} == {one.name for one in PROJECTIONS}
    assert {(one["state"], one["lag"], one["lag_s"]) for one in found} == {("live", 0, 0)}
    assert all(0 < one["position"] < PAGE_SIZE for one in found)
    shown = run("projections", "status")
    assert (shown.exit_code, MATCHES in shown.stdout) == (0, True)


def test_rebuild_switch_and_drop(run: Run, match_id: str) -> None:
    before = run("matches", "--json").stdout
    assert run("projections", "rebuild", MATCHES).exit_code == 0
    assert standing(run) == [(0, "live"), (1, "next")]
    assert run("projections", "switch", MATCHES).exit_code == 0
    assert standing(run) == [(0, "former"), (1, "live")]
    assert run("matches", "--json").stdout == before
    assert run("projections", "drop", MATCHES).exit_code == 0
    assert standing(run) == [(1, "live")]
    assert run("projections", "rebuild", "--all").stdout.count("is built") == len(PROJECTIONS)


def test_the_answer_may_be_no(run: Run, match_id: str) -> None:
    assert run("projections", "switch", MATCHES).exit_code == 1
    assert run("projections", "drop", MATCHES).exit_code == 1
    for wrong in (
        *(("rebuild",), ("rebuild", "nothing_1"), ("rebuild", MATCHES, "--all")),
        *(("switch", "nothing_1"), ("drop", "nothing_1"), ("retry", "nothing_1")),
    ):
        assert run("projections", *wrong).exit_code == 2, wrong
    assert standing(run) == [(0, "live")]


def test_what_is_parked_is_told_and_retried(run: Run, tmp_path: Path) -> None:
    assert run("projections", "retry").stdout == "nothing is parked\n"
    (imported,) = objects(run("import", log_of("hagmi", 6), "--json"))
    with closing(sqlite3.connect(tmp_path / "kifu.sqlite")) as file:
        ((body,),) = file.execute(f"SELECT body FROM {LAST}")
        file.execute(SET_LAST, (b"{}",))
        file.commit()
        assert objects(run("matches", "--json")) == []
        shown = run("projections", "status").stdout
        assert f"{MATCHES}: {imported['match']} stopped at event" in shown
        assert run("projections", "retry", MATCHES, str(imported["match"])).exit_code == 1
        file.execute(SET_LAST, (body,))
        file.commit()
    assert run("projections", "retry").exit_code == 0
    assert [one["id"] for one in objects(run("matches", "--json"))] == [imported["match"]]
