"""Data of the games as they may be later: the rules of Hi! story mean or say something else."""

from __future__ import annotations

import copy
import json
import shutil
from collections.abc import Callable
from pathlib import Path

from service.engine.values import Json
from tests.conftest import CATALOGUE, SEEDS

GONE, CHANGED, REWORDED, NEW = "HS-004", "HS-312", "HS-301", "HS-099"
Entries = list[dict[str, Json]]


def later_seeds(folder: Path, change: Callable[[Entries], None]) -> Path:
    """Write the data of the games with changed rules of Hi! story; return their folder."""
    shutil.copytree(SEEDS, folder, ignore=shutil.ignore_patterns("logs", "demo"))
    entries = copy.deepcopy(list(CATALOGUE.game("hi-story").rules.values()))
    change(entries)
    # JSON is YAML, and much faster to write.
    path = folder / "hi-story" / "rules.yaml"
    path.write_text(json.dumps(entries, ensure_ascii=False))
    return folder


def with_other_meaning(entries: Entries) -> None:
    """Take a rule away, change one, word one anew, add one."""
    by_id = {entry["id"]: entry for entry in entries}
    entries.remove(by_id[GONE])
    for entry in entries:
        entry["see"] = [other for other in entry["see"] if other != GONE]
    by_id[CHANGED] |= {"meaning": 2, "text_en": "Summon as you like."}
    by_id[REWORDED] |= {"term_en": "Whose turn it is"}
    entries.append(by_id[REWORDED] | {"id": NEW, "see": [CHANGED]})


def with_other_words(entries: Entries) -> None:
    """Word one rule anew."""
    by_id = {entry["id"]: entry for entry in entries}
    by_id[REWORDED] |= {"text_ja": "言いかえた文。"}
