"""What a reference stands for in a view: ids, places, definitions (spec 14.1)."""

from __future__ import annotations

import pytest

from service.engine.contract import Ruleset
from service.engine.values import Json, View

POSITION: Json = {
    "phase": "effect",
    "players": {
        "P1": {"fields": {"2": "a7=edison"}},
        "P2": {"fields": {"3": {"cards": ["b6=kotaro", "b7=aesop"], "set": True}}},
    },
}


@pytest.fixture
def seen_by_p1(ruleset: Ruleset) -> View:
    return ruleset.view(ruleset.normalise(POSITION), "P1")


@pytest.mark.parametrize(
    ("reference", "definition"),
    [
        ("a7", "edison"),
        ("P1.2", "edison"),
        ({"card": "a7"}, "edison"),
        ("P2.3.1", "kotaro"),
        ("P2.3", None),
        ("b7", None),
        ("P2.4", None),
        ("=edison", "edison"),
        ("edison", "edison"),
        ("nobody", None),
        (None, None),
        ({}, None),
    ],
)
def test_a_reference_is_what_the_view_shows(
    ruleset: Ruleset, seen_by_p1: View, reference: Json, definition: str | None
) -> None:
    assert ruleset.definition_of(seen_by_p1, reference) == definition


def test_what_lies_at_a_place_counts_not_what_is_written_behind_it(
    ruleset: Ruleset, seen_by_p1: View
) -> None:
    for written in ("P2.3=edison", "P2.3=aesop"):
        assert ruleset.definition_of(seen_by_p1, written) is None
    assert ruleset.definition_of(seen_by_p1, "P1.2=aesop") == "edison"
    shown = {"cards": {}, "players": {"P2": {"hand": ["?", "=okuni"], "fields": {}}}}
    assert ruleset.definition_of(shown, "P2.hand.2") == "okuni"
    assert ruleset.definition_of(shown, "P2.hand.2=aesop") == "okuni"
    assert ruleset.definition_of(shown, "P2.hand.1=okuni") is None


def test_a_place_is_told_from_an_id(ruleset: Ruleset) -> None:
    places: list[Json] = ["P2.3", "P2.3.1", "P1.hand.2", "P2.hand.2=okuni", {"card": "P1.4"}]
    others: list[Json] = ["a7", "b10", "=okuni", "okuni", "P1", "P2.6", "P1.aside.1", None, {}]
    assert all(ruleset.is_place(place) for place in places)
    assert not any(ruleset.is_place(other) for other in others)
