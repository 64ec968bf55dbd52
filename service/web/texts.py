"""The words of the pages, in Japanese and English."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from service.engine.texts import Language

FOLDER = Path(__file__).parent
SCRIPT = "script."


@cache
def texts(language: Language) -> Mapping[str, str]:
    """Return the texts of the pages, key → text with `{fields}`; each page has its own file."""
    found: dict[str, str] = {}
    for path in sorted((FOLDER / "words" / language).glob("*.json")):
        page: dict[str, str] = json.loads(path.read_text("utf-8"))
        assert found.keys().isdisjoint(page), f"{path.name} has a key that another page has"
        found |= page
    return found


def text(language: Language, key: str, **fields: Any) -> str:
    """Return a text with its fields filled in."""
    return texts(language)[key].format_map(fields)


def script_texts(language: Language) -> dict[str, str]:
    """Return what the scripts of a page say, without the prefix of their keys."""
    return {
        key.removeprefix(SCRIPT): value
        for key, value in texts(language).items()
        if key.startswith(SCRIPT)
    }
