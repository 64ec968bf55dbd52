"""Display names of persons."""

from __future__ import annotations

import unicodedata

from service.aggregates.world import Invalid

NAME_LENGTH_MAX = 80
REFUSED_CATEGORIES = ("Cc", "Cs", "Cn", "Zl", "Zp")
REFUSED_CHARACTERS = frozenset("\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e") | frozenset(
    "\u2066\u2067\u2068\u2069"
)
"""They turn the direction of what stands beside a name."""


def display_name(text: str) -> str:
    """Return a name as it is kept: NFC, no space around it; raises `Invalid` at `name`."""
    name = unicodedata.normalize("NFC", text).strip()
    if not 1 <= len(name) <= NAME_LENGTH_MAX:
        raise Invalid({"name": [f"a name has 1 to {NAME_LENGTH_MAX} characters"]})
    for character in name:
        if character in REFUSED_CHARACTERS or (
            unicodedata.category(character) in REFUSED_CATEGORIES
        ):
            raise Invalid({"name": ["a name has no control characters"]})
    return name
