"""The house style, as far as a machine can see it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.catalogue import LoadedGame
from service.cli import main
from service.integrity.sealing import EVENTS, UPCASTS
from tests.conftest import CATALOGUE

ROOT = Path(__file__).parent.parent.parent
PACKAGES = ("service", "projections", "schemas", "tests")
MODULE_LINES_MAX = 500
FUNCTION_LINES_MAX = 70
BANNED_NAMES = re.compile(r"util|helper|manager|misc|common|data2|\bprocess\b|\bhandle\b")
REMINDERS = re.compile(r"\b(TO" r"DO|FIX" r"ME|X" r"XX|HA" r"CK)\b")
RULE = re.compile(r"\b[A-Z]{2}-[0-9]{3}\b")


def modules() -> list[Path]:
    return [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]


def sources() -> Iterator[Path]:
    yield from (path for path in modules() if path.relative_to(ROOT).parts[0] != "tests")


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", modules(), ids=name_of)
def test_modules_and_functions_are_small(path: Path) -> None:
    text = path.read_text()
    assert len(text.splitlines()) <= MODULE_LINES_MAX
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or 0) - node.lineno + 1
            assert lines <= FUNCTION_LINES_MAX, f"{node.name} has {lines} lines"


def test_modules_say_what_they_are_for() -> None:
    missing = [
        name_of(path) for path in sources() if not ast.get_docstring(ast.parse(path.read_text()))
    ]
    assert missing == []


def test_names() -> None:
    banned = [
        f"{name_of(path)}: {node.name}"
        for path in sources()
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
        and BANNED_NAMES.search(node.name.lower())
    ]
    assert banned == []
    assert [name_of(path) for path in sources() if BANNED_NAMES.search(path.stem)] == []


def test_nothing_is_left_for_later() -> None:
    files = [*modules(), *(ROOT / "service" / "web").rglob("*.js")]
    assert [name_of(path) for path in files if REMINDERS.search(path.read_text())] == []


def test_tests_have_no_mocks_and_no_skips() -> None:
    banned = re.compile(
        r"unittest\.mo" r"ck|monkeypatch\.seta" r"ttr|mark\.sk" r"ip|mark\.xf" r"ail"
    )
    assert [name_of(path) for path in modules() if banned.search(path.read_text())] == []


@pytest.fixture(params=CATALOGUE.names())
def game(request: pytest.FixtureRequest) -> LoadedGame:
    return CATALOGUE.game(request.param)


def test_rules_cited_in_code_exist(game: LoadedGame) -> None:
    prefix = next(iter(game.rules)).partition("-")[0]
    folder = ROOT / "service" / "rulesets" / game.edition.game.replace("-", "_")
    cited = {
        rule
        for path in folder.rglob("*.py")
        for rule in RULE.findall(path.read_text())
        if rule.startswith(prefix)
    }
    assert sorted(cited - set(game.rules)) == []


def test_settings_are_documented() -> None:
    settings = re.findall(r'"(KIFU_[A-Z_]+)"', (ROOT / "service" / "settings.py").read_text())
    readme = (ROOT / "README.md").read_text()
    assert settings
    assert [name for name in settings if name not in readme] == []


def test_commands_are_documented() -> None:
    readme = (ROOT / "README.md").read_text()
    assert [name for name in main.commands if f"kifu {name}" not in readme] == []


def test_events_are_documented_and_have_a_golden_sample() -> None:
    readme = (ROOT / "service" / "README.md").read_text()
    for tag in (*EVENTS, *UPCASTS):
        assert f"`{tag}`" in readme
        assert (ROOT / "tests" / "golden" / "events" / f"{tag}.json").is_file()


def test_no_path_of_a_machine_and_no_registry() -> None:
    banned = re.compile(r"(^|[^A-Za-z0-9_.])/(wo" r"rk|ro" r"ot)/|index-u" r"rl|find-li" r"nks")
    files = [*modules(), *(ROOT / name for name in ("Makefile", "README.md", "pyproject.toml"))]
    assert [name_of(path) for path in files if banned.search(path.read_text())] == []
