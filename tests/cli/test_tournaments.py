"""Tournaments on the command line."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from service.aggregates.tournaments.rounds import DraftRound, PublishRound
from service.cli import main
from service.cli.holding import Holding, hold
from service.commands.tournaments import carry_out
from service.installation import Installation, clock
from tests.cli.conftest import Run, objects
from tests.cli.small_demo import SMALL, signing_installation
from tests.conftest import opened, settings_in

ID = SMALL.tournament_id
NAMES = {player.id: player.name for player in SMALL.players}
SWISS, FINAL = 3, 4


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("held")
    installation, _ = signing_installation(found)
    hold(installation, SMALL)
    installation.close()
    return found


@pytest.fixture
def kifu(folder: Path) -> Callable[..., Result]:
    def invoke(*arguments: object) -> Result:
        url = settings_in(folder).database_url
        command = ["--database-url", url, "tournament", *map(str, arguments)]
        return CliRunner().invoke(main, command)

    return invoke


@pytest.fixture
def whole(kifu: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file of the tournament, signed."""
    monkeypatch.setenv("KIFU_LOG_KEY", str(folder / "log.key"))
    path = folder / "whole.event.jsonl"
    if not path.exists():
        assert kifu("export", ID, "-o", path).exit_code == 0
    return path


def test_they_are_listed(kifu: Run, run: Run) -> None:
    (row,) = objects(kifu("list", "--json"))
    assert row | {"opened_at": ""} == {
        "tournament": ID,
        "name": SMALL.name,
        "game": "formation",
        "state": "closed",
        "players": 5,
        "opened_at": "",
    }
    assert ID in kifu("list").stdout
    assert objects(kifu("list", "--game", "hagmi", "--json")) == []
    assert run("tournament", "list").stdout == "no tournaments\n"


def test_one_is_shown(kifu: Run) -> None:
    (body,) = objects(kifu("show", ID, "--json"))
    assert [one["tables"] for one in body["rounds"]] == [2, 2, 2, 1]
    assert [one["without"] for one in body["rounds"]] == [[], ["eve"], [], []]
    assert body["closed"]
    assert {player["player"]: player["name"] for player in body["players"]} == NAMES
    text = kifu("show", ID).stdout
    assert text.startswith(f"{SMALL.name}: formation, swiss, then single elimination\n5 players")
    missing = kifu("show", "nothing")
    assert (missing.exit_code, "no tournament nothing" in missing.stderr) == (2, True)


def test_standings_are_exact_and_say_what_they_rest_on(kifu: Run) -> None:
    rows = objects(kifu("standings", ID, "--json"))
    assert {row["player"]: row["name"] for row in rows} == NAMES
    for row in rows:
        for label, text in row["exact"].items():
            assert row[label] == float(Fraction(text))
    levels: Counter[str] = Counter()
    for row in rows:
        levels.update(row["levels"])
    assert levels == {"witnessed": 8, "amended": 2, "disputed": 2}
    assert "1 amended" in kifu("standings", ID).stdout


def test_also_earlier_and_by_another_profile(kifu: Run) -> None:
    earlier = objects(kifu("standings", ID, "--round", 1, "--json"))
    assert sum(row["points"] for row in earlier) == 2 * 3
    other = objects(kifu("standings", ID, "--profile", "buchholz", "--json"))
    assert {"rank", "points", "bh"} <= other[0].keys()
    bracket = objects(kifu("standings", ID, "--phase", 2, "--json"))
    assert [row["rank"] for row in bracket] == [1, 2]
    assert kifu("standings", ID, "--phase", 3).exit_code == 2
    assert kifu("standings", ID, "--round", 9).exit_code == 2


def test_the_final_placing_has_everybody(kifu: Run) -> None:
    placing = objects(kifu("standings", ID, "--final", "--json"))
    assert [row["rank"] for row in placing] == [1, 2, 3, 4, 5]
    (final,) = objects(kifu("pairings", ID, "--round", FINAL, "--json"))
    assert final["winner"] == placing[0]["player"]


def test_pairings_show_what_came_of_each_table(kifu: Run) -> None:
    first, second, without = objects(kifu("pairings", ID, "--round", 2, "--json"))
    assert (first["level"], second["level"]) == ("disputed", "witnessed")
    assert first["names"] == [NAMES[player] for player in first["players"]]
    assert [len(one["matches"]) for one in (first, second)] == [1, 1]
    assert (without["players"], without["result"]) == (["eve"], "bye")
    assert NAMES["eve"] in kifu("pairings", ID, "--round", 2).stdout
    assert kifu("pairings", ID, "--round", 9).exit_code == 2


def test_why_two_meet(kifu: Run) -> None:
    (body,) = objects(kifu("why", ID, "--table", 1, "--round", SWISS, "--json"))
    assert body["why"]["meetings"] == 0
    assert "points" in kifu("why", ID, "--table", 1, "--round", SWISS).stdout
    assert "follows from the format" in kifu("why", ID, "--table", 1).stdout
    assert kifu("why", ID, "--table", 9).exit_code == 2


def test_why_somebody_stands_there(kifu: Run) -> None:
    (body,) = objects(kifu("why", ID, "--player", "ann", "--json"))
    rows = {row["player"]: row for row in objects(kifu("standings", ID, "--json"))}
    values = {one["criterion"]: one["value"] for one in body["reasons"]}
    assert values == rows["ann"]["exact"]
    assert NAMES["bob"] in kifu("why", ID, "--player", "ann").stdout
    for refused in (["--player", "zoe"], [], ["--player", "ann", "--round", FINAL]):
        assert kifu("why", ID, *refused).exit_code == 2


def test_a_running_one_is_provisional(run: Run, tmp_path: Path) -> None:
    installation = opened(settings_in(tmp_path))
    begun(installation)
    installation.close()
    shown = run("tournament", "standings", ID)
    assert "provisional" in shown.stderr
    (row, *_) = objects(run("tournament", "pairings", ID, "--json"))
    assert (row["result"], row["level"]) == (None, None)


def begun(installation: Installation) -> None:
    """Publish the first round of the tournament."""
    Holding(installation, SMALL).begin_phase(1)
    draft = DraftRound(tournament_id=ID, round=1, seed=SMALL.drawn("round/1"), by="olga")
    for command in (draft, PublishRound(tournament_id=ID, round=1, by="olga")):
        carry_out(installation.tournaments, command, now=clock())


def test_a_file_is_verified_without_a_database(run: Run, whole: Path, folder: Path) -> None:
    public = run("keys", "show", folder / "log.key").stdout.strip()
    (report,) = objects(run("tournament", "verify", whole, "--trust", public, "--json"))
    assert (report["overall"], report["genuine"]) == ("exact", True)
    assert "7 exact" in run("tournament", "verify", whole).stdout
    other = run("keys", "new", "-o", folder / "other.key").stdout.strip()
    assert run("tournament", "verify", whole, "--trust", other).exit_code == 1


def test_what_is_wrong_with_it_is_named(run: Run, whole: Path, tmp_path: Path) -> None:
    path = tmp_path / "changed.event.jsonl"
    path.write_bytes(whole.read_bytes().replace(b'"games":[1,0,0]', b'"games":[0,1,0]', 1))
    wrong = run("tournament", "verify", path)
    assert (wrong.exit_code, "tampered" in wrong.stdout) == (1, True)
    assert "expected" in wrong.stdout
    path.write_bytes(b"{}\n")
    assert run("tournament", "verify", path).exit_code == 2


def test_imported_it_is_the_same(run: Run, kifu: Run, whole: Path) -> None:
    (body,) = objects(run("tournament", "import", whole, "--json"))
    assert (body["overall"], len(body["imported"])) == ("exact", 7)
    for asked in (["standings"], ["standings", "--final"], ["pairings", "--round", "2"], ["show"]):
        command, *options = asked
        here = run("tournament", command, ID, *options, "--json").stdout
        assert here == kifu(command, ID, *options, "--json").stdout
    (match_id, *_) = body["imported"].values()
    assert json.loads(run("show", match_id, "--json").stdout)["match"] == match_id
    path = whole.with_name("bad.event.jsonl")
    path.write_bytes(b"".join(whole.read_bytes().splitlines(keepends=True)[:-3]) + b"{}\n")
    assert run("tournament", "import", path).exit_code == 2


def test_an_export_may_do_without_matches_and_tell_more(
    kifu: Run, whole: Path, tmp_path: Path
) -> None:
    path = tmp_path / "small.event.jsonl"
    assert kifu("export", ID, "--no-files", "--all-texts", "-o", path).exit_code == 0
    assert path.stat().st_size < whole.stat().st_size / 10
    assert "a train" in path.read_text()
    assert "a train" not in whole.read_text()
    assert kifu("export", "nothing", "-o", path).exit_code == 2
