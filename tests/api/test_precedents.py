"""Precedents: a ruling holds until the meaning of a rule that it cites changes."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from service.installation import Installation, open_installation
from service.settings import Settings
from tests.api.tables import good, hall_of
from tests.api.test_judging import court_of, last_action
from tests.conftest import SEEDS, opened

RULE, OTHER = "HS-312", "HS-310"
ENFORCED = "  enforced_by: engine"


def ruled(installation: Installation, *rules: str) -> str:
    """Rule on a match that is over afterwards; return the id of the ruling."""
    installation.register_editions()
    court = court_of(installation, "hi-story")
    dispute = court.dispute(court.players[1], last_action(court)["seq"])
    good(court.rule(court.head, dispute, kind="no_action", rules=list(rules)))
    good(court.players[0].post(f"{court.path}/actions", {"action": {"type": "concede"}}))
    return f"{dispute}.1"


def later(settings: Settings, folder: Path, change: Callable[[str], str]) -> Installation:
    """Open the same installation with another text of the entry of the rule."""
    seeds = folder / "seeds"
    shutil.copytree(SEEDS, seeds)
    path = seeds / "hi-story" / "rules.yaml"
    before, mark, entry = path.read_text().partition(f"- id: {RULE}\n")
    path.write_text(before + mark + change(entry))
    found = open_installation(replace(settings, seeds=seeds))
    found.register_editions()
    return found


@pytest.mark.parametrize(
    ("change", "standing"),
    [
        (lambda entry: entry.replace(ENFORCED, f"  meaning: 2\n{ENFORCED}", 1), "needs_review"),
        (lambda entry: entry.replace("term_en: ", "term_en: The ", 1), "in_force"),
    ],
    ids=["meaning", "wording"],
)
def test_a_precedent_is_looked_at_again_when_its_rule_changes(
    settings: Settings, tmp_path: Path, change: Callable[[str], str], standing: str
) -> None:
    first = opened(settings)
    ruling, other = ruled(first, RULE, OTHER), ruled(first, OTHER)
    anybody = hall_of(first).anybody
    assert good(anybody.get(f"/api/v1/rulings/{ruling}"), 200)["standing"] == "in_force"
    first.close()
    second = later(settings, tmp_path, change)
    anybody = hall_of(second).anybody
    shown = good(anybody.get(f"/api/v1/rulings/{ruling}"), 200)
    assert (shown["standing"], shown["rules"][0]["edition"]) == (standing, "hi-story@1")
    assert good(anybody.get(f"/api/v1/rulings/{other}"), 200)["standing"] == "in_force"
    cited = good(anybody.get("/api/v1/rulings", rule=RULE), 200)["items"]
    assert [one["id"] for one in cited] == [ruling]
    waiting = good(anybody.get("/api/v1/rulings", standing="needs_review"), 200)["items"]
    assert [one["id"] for one in waiting] == ([ruling] if standing == "needs_review" else [])
    text = good(anybody.get(shown["rules"][0]["url"]), 200)
    assert text["id"] == RULE
    second.close()
