"""The texts and scripts of the pages, as far as they can be checked without a browser."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

from service.integrity.report import CheckName, CheckVerdict, Overall
from service.web.texts import FOLDER, SCRIPT, text, texts
from service.web.verdicts import CHECKS, TONES, UNKNOWN

SCRIPTS = sorted((FOLDER / "static").glob("*.js"))
FIELDS = re.compile(r"\{(\w+)\}")
BUILT = (
    *(
        "kind",
        "cause",
        "reason",
        "standing",
        "print.without",
        "step",
        "help",
        "theme",
        "check",
        "proves",
    ),
    *("script.rule", "script.board", "script.viewer", "script.verdict", "script.state"),
    *("script.meaning", "script.said", "script.maker"),
    *("match.do", "match.sign", "script.match.dispute"),
    *("notes.choice", "script.notes.audience"),
    *("rulebook.enforced_by", "rulebook.standing", "rulebook.authority", "rulebook.change"),
    *("rulebook.differs", "search.in", "search.one", "script.course"),
    *("tournament.state", "tournament.format", "tournament.credit", "tournament.criterion"),
    *("tournament.level", "tournament.level_means", "tournament.kind", "tournament.outcome"),
    *("tournament.round", "tournament.sits", "tournament.bye", "tournament.passed"),
    *("tournament.side", "tournament.penalty"),
    *("dispute.state", "dispute.standing", "dispute.outcome", "dispute.outcome_means"),
    *("dispute.kind", "dispute.penalty", "dispute.authority", "dispute.winner", "dispute.step"),
    *("dispute.entry", "dispute.audience", "dispute.age", "script.dispute.cost"),
    *("script.dispute.fix.field", "script.tournament.link", "script.tournament.link.audit"),
    *("random.root", "script.random", "script.random.outcome"),
    *("operation.state", "operation.job", "operation.entry", "operation.role"),
    *("docs.step", "docs.step_text", "docs.manner", "docs.manner_text", "docs.relation"),
    *("docs.in", "docs.noun"),
    *("recheck.rung", "recheck.proves", "script.recheck.overall", "script.recheck.outcome"),
    *("script.recheck.good", "script.recheck.bad"),
)
OUTSIDE = re.compile(r"https?://(?!www\.w3\.org/)")


def test_both_languages_have_the_same_keys_and_fields() -> None:
    ja, en = texts("ja"), texts("en")
    assert list(ja) == list(en)
    different = [
        key
        for key in ja
        if key != "day" and set(FIELDS.findall(ja[key])) != set(FIELDS.findall(en[key]))
    ]
    assert different == []


def test_every_text_is_used() -> None:
    templates = "".join(path.read_text() for path in (FOLDER / "templates").glob("*.html"))
    pages = "".join(path.read_text() for path in FOLDER.glob("*.py")) + templates
    scripts = "".join(path.read_text() for path in SCRIPTS)
    unused = [
        key
        for key in texts("ja")
        if f'"{key}"' not in pages
        and f"'{key}'" not in pages
        and f'"{key.removeprefix(SCRIPT)}"' not in scripts
        and key.rpartition(".")[0] not in BUILT
        and key.rpartition(".")[0] != "script.events"
    ]
    assert unused == []


def test_every_verdict_has_a_tone_and_words() -> None:
    overall, verdicts, checks = get_args(Overall), get_args(CheckVerdict), get_args(CheckName)
    assert checks == CHECKS
    assert set(TONES) == {*overall, *verdicts, UNKNOWN}
    said = {*verdicts, *checks} - {"failed"}
    keys = {
        *(f"script.{group}.{name}" for group in ("verdict", "meaning") for name in overall),
        *(f"script.state.{verdict}" for verdict in verdicts),
        *(f"script.said.{name}" for name in said),
        *(f"{group}.{check}" for group in ("check", "proves") for check in checks),
    }
    assert sorted(keys - set(texts("ja"))) == []


def test_a_text_that_is_missing_is_a_bug() -> None:
    with pytest.raises(KeyError):
        text("ja", "nothing")


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_scripts_say_what_they_are_for_and_make_no_markup(path: Path) -> None:
    source = path.read_text()
    assert source.startswith("// ")
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write", source)
    assert len(source.splitlines()) <= 300


@pytest.mark.parametrize(
    "path",
    [path for path in FOLDER.rglob("*") if path.suffix in (".js", ".css", ".html", ".svg")],
    ids=lambda path: path.name,
)
def test_nothing_comes_from_outside(path: Path) -> None:
    assert not OUTSIDE.search(path.read_text())
