"""`kifu search`: rules and texts of disputes on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from service.installation import open_installation
from tests.cli.conftest import Run, objects
from tests.conftest import import_log, log_of, settings_in
from tests.projections.disputed import Disputed


def test_rules_are_found_in_a_new_installation(run: Run) -> None:
    result = run("search", "トゲトゲ", "--game", "formation", "--limit", 2, "--json")
    assert result.exit_code == 0
    found = objects(result)
    assert [one["id"] for one in found][:1] == ["FM-601"]
    assert len(found) == 2
    told = run("search", "ﾄｹﾞﾄｹﾞ", "--limit", 1)
    assert told.stdout.splitlines()[0] == "FM-601  トゲトゲ"
    assert "found" in told.stderr
    assert "thorns" in told.stderr


def test_synonyms_are_looked_for_when_asked(run: Run) -> None:
    plain = objects(run("search", "捨て札", "--game", "hagmi", "--json"))
    wide = objects(run("search", "捨て札", "--game", "hagmi", "--synonyms", "--json"))
    assert len(plain) < len(wide)


def test_whoever_has_the_shell_finds_everything(run: Run, tmp_path: Path) -> None:
    run("migrate")
    here = open_installation(settings_in(tmp_path))
    one = Disputed(here=here, dispute="d", match_id=import_log(here, log_of("hi-story")))
    one.open("秘密の主張").comment("秘密の意見").rule("秘密の裁定")
    Disputed(here=here, dispute="e", match_id="running").open("秘密の主張")
    here.close()
    for kind, ids in (("disputes", ["e", "d"]), ("comments", ["d/2"]), ("rulings", ["d.1"])):
        result = run("search", "秘密", "--in", kind, "--json")
        assert [found["id"] for found in objects(result)] == ids
        assert ids[0] in run("search", "秘密", "--in", kind).stdout


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("存在しない言葉",), 1),
        (("トゲ", "--in", "rulings"), 1),
        (("・",), 2),
        (("",), 2),
        (("x" * 10_000,), 2),
        (("トゲ", "--in", "matches"), 2),
        (("トゲ", "--limit", "0"), 2),
        ((), 2),
    ],
)
def test_exit_codes(run: Run, arguments: tuple[str, ...], code: int) -> None:
    result = run("search", *arguments)
    assert result.exit_code == code
    assert result.stdout == ""
    assert ("Error: " in result.stderr) == (code == 2)
