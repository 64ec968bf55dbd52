"""Facts in words (FORMAT 9)."""

from __future__ import annotations

from typing import Literal

import pytest

from service.engine.contract import Rejection
from service.engine.texts import Scene, Words
from service.engine.values import Json

Language = Literal["ja", "en"]

DISPLAY: dict[str, Json] = {
    "facts": {
        "drawn": {
            "ja": "{player:player}が{cards:card}を引く（{reason}）。",
            "en": "{player:player} draws {cards:card} ({reason}).",
            "hidden": {
                "ja": "{player:player}が{cards:number}枚引く（{reason}）。",
                "en": "{player:player} draws (cards: {cards:number}).",
            },
        },
        "struck": {
            "ja": "{target.card:card}が攻撃される。",
            "en": "{target.card:card} is attacked.",
            "cases": [
                {
                    "when": {"target": {"deck": True}},
                    "ja": "山札が攻撃される。",
                    "en": "the deck is.",
                },
                {"when": {"card": None}, "ja": "なにもない。", "en": "nothing."},
            ],
            "quiet": True,
        },
        "flagged": {"ja": "{on}", "en": "{on}, {zone:zone}, {list}"},
    },
    "actions": {"pass": {"ja": "{actor:player}がパスする。", "en": "{actor:player} passes."}},
    "reasons": {
        "default": {"ja": "規則{rule}「{term}」", "en": "Rule {rule}, “{term}”"},
        "HS-1": {"ja": "上限{most}", "en": "at most {most}"},
    },
    "draws": {
        "{player}.deck": {"ja": "{player:player}の山札", "en": "{player:player}'s deck"},
        "die": {"ja": "目は{die:number}", "en": "die: {die:number}"},
    },
    "zones": {"deck": {"ja": "山札", "en": "deck"}},
    "counters": {},
    "keywords": {},
    "words": {
        "list": {"empty": {"ja": "なし", "en": "none"}},
        "card": {"hidden": {"ja": "非公開", "en": "a hidden card"}},
        "player": {"system": {"ja": "進行", "en": "the system"}},
        "reason": {"turn": {"ja": "ターン", "en": "turn"}},
        "on": {"true": {"ja": "はい", "en": "yes"}},
    },
}
CARDS: dict[str, Json] = {
    "hero": {"title_ja": "勇気の", "name_ja": "ヒーロー", "title_en": "Brave", "name_en": "Hero"},
    "plain": {"name_ja": "ふつう", "name_en": ""},
}
WORDS = Words(DISPLAY, CARDS, {"HS-2": {"ja": "期限", "en": "Limit"}})
SCENE = Scene(
    names={"P1": "あや", "P2": "Bob"},
    definition_of=lambda reference: {"a1": "hero", "a2": "plain"}.get(str(reference)),
)


@pytest.mark.parametrize(
    ("fact", "language", "text"),
    [
        ({"cards": ["a1", "a2"]}, "ja", "あやが勇気のヒーロー、ふつうを引く（ターン）。"),
        ({"cards": ["a1", "a2"]}, "en", "あや draws Brave Hero, ふつう (turn)."),
        ({"cards": ["?", "?"]}, "ja", "あやが2枚引く（ターン）。"),
        ({"cards": [None]}, "en", "あや draws (cards: 1)."),
        ({"cards": {"hidden": 3}}, "en", "あや draws (cards: 3)."),
        ({"cards": {"hidden": 2, "shown": ["a1"]}}, "en", "あや draws (cards: 3)."),
        ({"cards": []}, "ja", "あやがなしを引く（ターン）。"),
        ({"cards": ["a9"]}, "ja", "あやが非公開を引く（ターン）。"),
        ({"cards": ["P2"]}, "en", "あや draws Bob (turn)."),
    ],
)
def test_lists_of_cards(fact: dict[str, Json], language: Language, text: str) -> None:
    whole = {"fact": "drawn", "player": "P1", "reason": "turn", **fact}
    assert WORDS.fact(whole, SCENE, language) == text


@pytest.mark.parametrize(
    ("fact", "text"),
    [
        ({"card": "a1", "target": {"deck": True}}, "The deck is."),
        ({"target": {"card": "a1"}}, "Nothing."),
        ({"card": "a2", "target": {"card": "a1"}}, "Brave Hero is attacked."),
    ],
)
def test_cases(fact: dict[str, Json], text: str) -> None:
    assert WORDS.fact({"fact": "struck", **fact}, SCENE, "en") == text
    assert WORDS.is_quiet({"fact": "struck"})


def test_words_of_values() -> None:
    fact = {"fact": "flagged", "on": True, "zone": "deck", "list": [1, "x"]}
    assert WORDS.fact(fact, SCENE, "ja") == "はい"
    assert WORDS.fact(fact, SCENE, "en") == "Yes, deck, 1, x"


def test_actions_reasons_and_draws() -> None:
    assert WORDS.action("system", {"type": "pass"}, SCENE, "en") == "The system passes."
    assert WORDS.reason(Rejection("HS-1", {"most": 3}), SCENE, "ja") == "上限3"
    assert WORDS.reason(Rejection("HS-2"), SCENE, "en") == "Rule HS-2, “Limit”"
    assert WORDS.draw({"shuffle": "P2.deck", "order": []}, SCENE, "en") == "Bob's deck"
    assert WORDS.draw({"die": 4, "sides": 6}, SCENE, "ja") == "目は4"
    assert WORDS.draw({"shuffle": "odd", "order": []}, SCENE, "ja") == "odd"
