"""Texts in parts: what links to a rule, what was looked for, what another text says differently."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher

from service.engine.values import Json

WORD = re.compile(r"[A-Za-z0-9]+|.", re.DOTALL)
"""What is compared as a whole: a Latin word or a single other character."""
ALIKE_MIN = 0.5
"""How much of two texts must be the same for their differences to be shown inside them."""


def cut(text: str, spans: Sequence[Mapping[str, Json]]) -> list[tuple[str, Mapping[str, Json]]]:
    """Return a text in its parts, each with the span that covers it, or an empty one.

    spans: `start` and `end` in characters, in order and without overlap.
    """
    parts: list[tuple[str, Mapping[str, Json]]] = []
    place = 0
    for span in spans:
        parts += [(text[place : span["start"]], {}), (text[span["start"] : span["end"]], span)]
        place = span["end"]
    return [(part, span) for part, span in (*parts, (text[place:], {})) if part]


def differences(before: str, after: str) -> list[tuple[str, str]]:
    """Return two texts as one: parts that are `same`, in the old one (`del`) or the new (`ins`).

    Texts that have little in common are not mixed.
    """
    old, new = WORD.findall(before), WORD.findall(after)
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    parts: list[tuple[str, str]] = []
    if matcher.ratio() < ALIKE_MIN:
        parts = [("del", before), ("ins", after)]
    else:
        for kind, start, end, new_start, new_end in matcher.get_opcodes():
            kept, come = "".join(old[start:end]), "".join(new[new_start:new_end])
            parts += [("same", kept)] if kind == "equal" else [("del", kept), ("ins", come)]
    return [(kind, part) for kind, part in parts if part]
