"""Faults in Japanese: every text is one that the API says, and the usual ones are there."""

from __future__ import annotations

import re
from pathlib import Path

import marshmallow
import pytest

from schemas.faults import FIELD, in_japanese, templates

ROOT = Path(__file__).parents[2]
SOURCES = [
    *(path for name in ("service", "schemas") for path in (ROOT / name).rglob("*.py")),
    *Path(marshmallow.__file__).parent.glob("*.py"),
]
PUT_TOGETHER = (
    "Must be greater than or equal to {least} and less than or equal to {most}.",
    "Must be less than or equal to {most}.",
    "round {number} is not closed; results are missing at tables {tables}",
    "illegal: {rule} refuses the action",
)
"""Texts that are made of parts, so that no source holds them in one piece."""

BROKEN = re.compile(r'"\s*\n?\s*f?"')
SPACE = re.compile(r"\s+")


@pytest.fixture(scope="module")
def source() -> str:
    """The sources in one line, with what was broken over lines in one piece."""
    whole = "\n".join(path.read_text() for path in SOURCES)
    return SPACE.sub(" ", BROKEN.sub("", whole).replace("'", "").replace('"', ""))


def test_every_text_is_one_that_is_said(source: str) -> None:
    gone = [
        text
        for text in templates()
        for part in FIELD.split(text)[::2]
        if text not in PUT_TOGETHER and SPACE.sub(" ", part.replace("'", "")).strip() not in source
    ]
    assert gone == []


def test_fields_are_the_same_in_both_languages_or_left_out() -> None:
    odd = {
        text: told
        for text, told in templates().items()
        if not set(FIELD.findall(told)) <= set(FIELD.findall(text))
    }
    assert odd == {}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Missing data for required field.", "記入されていません。"),
        ("Length must be between 1 and 200.", "長さは1から200までです。"),
        ("round 3 is not closed", "第3回戦が終わっていません。"),
        (
            "round 3 is not closed; results are missing at tables 1, 2",
            "第3回戦が終わっていません。結果待ちの卓：1, 2",
        ),
        ("game 2 of this table has a log already", "第2ゲームには棋譜が結びついています。"),
        ("nothing that is known", None),
    ],
)
def test_what_is_known_is_said_with_its_values(text: str, told: str | None) -> None:
    assert in_japanese(text) == told
