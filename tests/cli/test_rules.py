"""`kifu rules`: what two editions say differently, and `kifu editions`, which lists them."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from click.testing import CliRunner, Result

from service.catalogue import Catalogue
from service.cli import main
from tests.cli.conftest import Run, objects
from tests.conftest import log_of
from tests.later_seeds import (
    CHANGED,
    GONE,
    NEW,
    REWORDED,
    later_seeds,
    with_other_meaning,
    with_other_words,
)


def run_with(games: Catalogue, folder: Path, *arguments: object) -> Result:
    """Run a command on the database of the test with other data of the games."""
    command = ["--database-url", f"sqlite:///{folder / 'kifu.sqlite'}", *map(str, arguments)]
    return CliRunner().invoke(main, command, obj=games)


def test_two_editions_are_compared(run: Run, tmp_path: Path) -> None:
    (imported,) = objects(run("import", log_of("hi-story"), "--json"))
    for name, change in (("words", with_other_words), ("meaning", with_other_meaning)):
        later = Catalogue(later_seeds(tmp_path / name, change))
        run = partial(run_with, later, tmp_path)
        assert run("migrate").exit_code == 0

    english = run("rules", "hi-story", "--diff", "1", "2", "--text", "en")
    assert english.exit_code == 0, english.output
    for text in (
        f"{NEW}  Whose turn it is  (added)",
        f"{GONE}  About the game: purpose and places of sale  (removed)",
        f"{CHANGED}  Summon  (another meaning)",
        f"{REWORDED}  Whose turn it is  (other words)",
        "  + Summon as you like.",
        "matches that cite a changed rule: 1",
        imported["match"],
    ):
        assert text in english.stdout
    assert "（意味の変更）" not in english.stdout
    (body,) = objects(run("rules", "hi-story", "--diff", "hi-story@1", "1.1", "--json"))
    assert (body["wording"], body["meaning"], body["count"]) == ([REWORDED], [], 0)
    same = run("rules", "hi-story", "--diff", "2", "2", "--text", "en")
    assert same.stdout == "hi-story@2 → hi-story@2: no difference\n"
    assert run("rules", "hi-story", "--diff", "1", "hagmi@1").exit_code == 2
    assert run("rules", "hi-story", CHANGED, "--diff", "1", "2").exit_code == 2

    listed = run("editions", "list", "hi-story").stdout.splitlines()
    assert [line.split()[0] for line in listed] == ["hi-story@1", "hi-story@1.1", "hi-story@2"]
    (shown,) = objects(run("editions", "show", "hi-story@1"))
    assert [one["edition"] for one in shown["revisions"]] == ["hi-story@1.1"]
