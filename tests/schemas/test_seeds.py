"""Broken rule and display files are refused, naming the entry and the fault."""

from __future__ import annotations

import copy
from collections.abc import Callable

import pytest

from schemas.seeds import display_faults, rule_faults
from schemas.strict import read_yaml
from service.engine.values import Json
from tests.conftest import CATALOGUE

GAME = CATALOGUE.game("hi-story")
RULES = read_yaml((GAME.folder / "rules.yaml").read_bytes())


def broken(value: Json, change: Callable[[Json], None]) -> Json:
    copied = copy.deepcopy(value)
    change(copied)
    return copied


def set_in(*path: object, value: Json) -> Callable[[Json], None]:
    def change(whole: Json) -> None:
        for key in path[:-1]:
            whole = whole[key]
        whole[path[-1]] = value

    return change


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (set_in(0, "kind", value="law"), "HS-001.kind"),
        (set_in(0, "colour", value="red"), "HS-001.colour"),
        (set_in(0, "see", value=["HS-999"]), "HS-001.see"),
        (set_in(0, "text_en", value=3), "HS-001.text_en"),
        (set_in(0, "term_ja", value=""), "HS-001.term_ja"),
        (set_in(0, "id", value="X1"), "X1.id"),
        (set_in(1, "id", value="HS-001"), "HS-001"),
        (set_in(0, "answer", value="only for assumptions"), "HS-001.answer"),
        (set_in(0, "source", value={"seed": "a"}), "HS-001.source.heading"),
        (set_in(3, value="no object"), "entry 3"),
        (lambda rules: rules[0].pop("kind"), "HS-001.kind"),
    ],
)
def test_rules(change: Callable[[Json], None], place: str) -> None:
    assert place in [found for found, _ in rule_faults(broken(RULES, change))]


def test_rules_are_a_list() -> None:
    assert rule_faults({"rules": []})


def faults(display: Json) -> list[str]:
    return [
        place
        for place, _ in display_faults(
            display,
            facts=GAME.game.facts,
            actions=GAME.game.actions,
            rules=frozenset(GAME.rules),
        )
    ]


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (set_in("facts", "no_such_fact", value={"ja": "あ", "en": "a"}), "facts.no_such_fact"),
        (lambda display: display["facts"].pop("deck_accepted"), "facts"),
        (set_in("facts", "deck_accepted", "ja", value="{player"), "facts.deck_accepted.ja"),
        (set_in("facts", "deck_accepted", value={"ja": "あ"}), "facts.deck_accepted.en"),
        (set_in("reasons", "HS-999", value={"ja": "あ", "en": "a"}), "reasons.HS-999"),
        (lambda display: display["reasons"].pop("default"), "reasons"),
        (set_in("board", "side", 0, "shown", value="heap"), "board.side.0.shown"),
        (set_in("board", "side", 0, "zone", value="attic"), "board.side.0"),
        (set_in("board", "side", 0, "tile", value="brick"), "board.side.0"),
        (set_in("sounds", value={}), "sounds"),
        (set_in("zones", value=3), "zones"),
    ],
)
def test_display(change: Callable[[Json], None], place: str) -> None:
    assert place in faults(broken(dict(GAME.display), change))


def test_the_files_of_the_checkout_are_good() -> None:
    assert rule_faults(RULES) == []
    assert faults(GAME.display) == []
