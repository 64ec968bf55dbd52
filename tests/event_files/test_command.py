"""`kifu standings`, as a person and as a program use it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from service.cli import main
from service.event_files.own import written_profile
from service.standings.profiles import PROFILES
from tests.event_files import made_up
from tests.standings.events import event

SMALL = event("A B C", "A-B 2-1, C bye", "A-C 1-2, B bye", bracket=["A-C 2-0"])
ROWS = made_up.rows(SMALL, PROFILES["melee-floor"].criteria[1].floor, raw=False)

SHOUTING = b'{"Rounds": [], "Standings": [{"Player": "\x7f\xc2\x9b", "OMWP": 2}]}'


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["standings", *map(str, arguments)])


def objects(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    found = tmp_path / "event.json"
    found.write_bytes(
        made_up.platform(SMALL, ROWS, lambda name: "Finals" if name == "Round 3" else name)
    )
    return found


def test_one_object_a_line_with_exact_values(path: Path) -> None:
    result = run(path, "--profile", "melee-floor", "--json")
    assert result.exit_code == 0
    first, second, _ = objects(result)
    assert first == {
        "rank": 1, "player": "C", "name": "C", "points": 6, "omw": 0.5, "gw": 0.8,
        "ogw": 0.5, "tied": 1,
        "exact": {"points": "6", "omw": "1/2", "gw": "4/5", "ogw": "1/2"},
    }  # fmt: skip
    assert (second["player"], second["exact"]["omw"]) == ("A", "3/4")


def test_a_table_for_people(path: Path) -> None:
    result = run(path)
    assert "melee-floor (2024)" in result.stdout
    assert "0.7500" in result.stdout
    assert "06500750" in run(path, "--profile", "ygo-kts").stdout
    assert objects(run(path, "--profile", "ygo-kts", "--json"))[0]["code"] == "06500750"


def test_final_placing_and_phases(path: Path) -> None:
    final = objects(run(path, "--final", "--json"))
    assert [(one["rank"], one["player"], one["table_rank"]) for one in final] == [
        (1, "A", 2), (2, "C", 1), (3, "B", 3)
    ]  # fmt: skip
    assert [one["reached"] for one in final] == ["Finals", "Finals", None]
    second = objects(run(path, "--phase", 2, "--json"))
    assert [one["player"] for one in second] == ["A", "C"]
    assert run(path, "--phase", 3).exit_code == 2


def test_without_a_bracket_the_table_is_the_final_placing(tmp_path: Path) -> None:
    path = tmp_path / "event.tdf"
    path.write_bytes(made_up.tdf(event("A B", "A-B 1-0")))
    result = run(path, "--final", "--json")
    assert [one["rank"] for one in objects(result)] == [1, 2]
    assert "no bracket" in result.stderr
    assert objects(result)[0]["wp"] == 1


def test_differences_are_told_by_the_exit_code(path: Path) -> None:
    good = run(path, "--differences")
    assert (good.exit_code, good.stdout) == (0, "0 differences\n")
    path.write_bytes(path.read_bytes().replace(b'"Points": 6', b'"Points": 7'))
    bad = run(path, "--differences")
    assert bad.exit_code == 1
    assert bad.stdout == "C: points 7, computed 6 (6)\n1 differences\n"
    assert objects(run(path, "--differences", "--json")) == [
        {"player": "C", "field": "points", "published": "7", "computed": "6 (6)"}
    ]


def test_an_own_profile_and_lots(path: Path, tmp_path: Path) -> None:
    own = tmp_path / "own.json"
    own.write_bytes(written_profile(PROFILES["game-difference"]))
    found = objects(run(path, "--profile", own, "--json"))
    assert [(one["player"], one["gd"]) for one in found] == [("C", 3), ("B", 1), ("A", 0)]
    tied = tmp_path / "tied.tdf"
    tied.write_bytes(made_up.tdf(event("A B C D", "A-B 0-0-1, C-D 0-0-1")))
    assert {one["tied"] for one in objects(run(tied, "--json"))} == {4}
    drawn = objects(run(tied, "--lots", "seed", "--json"))
    assert [one["rank"] for one in drawn] == [1, 2, 3, 4]
    assert drawn == objects(run(tied, "--lots", "seed", "--json"))
    assert "1=" in run(tied).stdout


def test_what_is_missing_is_said(tmp_path: Path) -> None:
    path = tmp_path / "event.tdf"
    path.write_bytes(made_up.tdf(event("A B C D", "A-B unreported, C-D 1-0")))
    result = run(path)
    assert "Round 1: 1 without result" in result.stderr
    assert "provisional" in result.stderr


@pytest.mark.parametrize(
    ("content", "arguments", "text"),
    [
        (b"{}", (), "JSON without"),
        (SHOUTING, (), "Standings, ??"),
        (made_up.tdf(SMALL), ("--profile", "nonsense"), "no profile 'nonsense'"),
        (made_up.tdf(SMALL), ("--profile", __file__), "JSON"),
        (made_up.tdf(SMALL), ("--division", "9"), "none with rounds in 9"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_said(
    tmp_path: Path, content: bytes, arguments: tuple[str, ...], text: str
) -> None:
    path = tmp_path / "event"
    path.write_bytes(content)
    result = run(path, *arguments)
    assert result.exit_code == 2
    assert text in result.stderr
