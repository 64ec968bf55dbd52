"""What the API says of faults, in Japanese as well: those that people meet in forms."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

FILE = Path(__file__).parent / "faults.ja.json"
FIELD = re.compile(r"\{(\w+)\}")


@cache
def templates() -> Mapping[str, str]:
    """Return the texts: as the API says them in English, with `{fields}` → in Japanese."""
    found: dict[str, str] = json.loads(FILE.read_text("utf-8"))
    return found


def in_japanese(text: str) -> str | None:
    """Return what the API says of a fault in Japanese, None for what is said in English alone."""
    known = templates()
    if text in known:
        return known[text]
    for pattern, told in _patterns():
        if found := pattern.fullmatch(text):
            return told.format_map(found.groupdict())
    return None


@cache
def _patterns() -> list[tuple[re.Pattern[str], str]]:
    """Return the templates with fields, those with the most fixed words first."""
    with_fields = [(text, told) for text, told in templates().items() if FIELD.search(text)]
    with_fields.sort(key=lambda one: -len(FIELD.sub("", one[0])))
    return [(_pattern(text), told) for text, told in with_fields]


def _pattern(text: str) -> re.Pattern[str]:
    parts = FIELD.split(text)
    literals, names = parts[::2], parts[1::2]
    fields = [f"(?P<{name}>.+?)" for name in names]
    return re.compile(
        "".join(
            re.escape(literal) + field
            for literal, field in zip(literals, [*fields, ""], strict=True)
        ),
        re.DOTALL,
    )
