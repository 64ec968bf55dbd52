"""Rulebooks: terms are linked longest first and never in a card's name; editions are compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.engine.editions import EditionName, edition_name
from service.engine.linking import Link, Linker, card_names
from service.engine.rulebook import Rulebook, compared, has_changed, is_same, worded_as
from service.engine.texts import LANGUAGES, Language
from service.engine.values import Json
from tests.conftest import CATALOGUE


def book_of(game: str) -> Rulebook:
    loaded = CATALOGUE.game(game)
    return Rulebook(edition=loaded.edition, rules=loaded.rules, words=loaded.sample.words)


BOOKS = {game: book_of(game) for game in CATALOGUE.names()}


@pytest.mark.parametrize("game", CATALOGUE.names())
@pytest.mark.parametrize("language", LANGUAGES)
def test_links_of_every_rule(game: str, language: Language) -> None:
    book = BOOKS[game]
    names = card_names(book.words, language)
    again = Linker(book.rules, sorted(names, reverse=True), language)
    count = 0
    for rule, entry in book.rules.items():
        text, links = entry[f"text_{language}"], book.links(rule, language)
        if count % 5 == 0:
            assert links == again.links(text, rule), "the same whatever the order of the cards"
        present = [name for name in names if name in text]
        ends = [0, *(link.end for link in links)]
        assert all(end <= link.start < link.end for end, link in zip(ends, links, strict=False))
        assert ends[-1] <= len(text)
        for link in links:
            part = text[link.start : link.end].lower()
            term = book.rules[link.rule][f"term_{language}"].lower()
            words = part.removesuffix("s").split()
            named = part == link.rule.lower() or all(word in term for word in words)
            assert link.rule != rule, "no rule leads to itself"
            assert named, (part, term)
            assert not any(lies_in(link, text, name) for name in present), part
        count += len(links)
    assert count > len(book.rules) / 2, "rules name each other"


def lies_in(link: Link, text: str, name: str) -> bool:
    """Tell whether a link lies inside one of the places where a card's name stands."""
    at = text.find(name)
    while at >= 0:
        if at <= link.start and link.end <= at + len(name):
            return True
        at = text.find(name, at + 1)
    return False


def rules_named(*terms: str, language: Language = "ja") -> dict[str, Json]:
    """Return rules T-1, T-2 … with these terms."""
    return {f"T-{number}": {f"term_{language}": term} for number, term in enumerate(terms, 1)}


def linked(
    text: str,
    *terms: str,
    cards: Sequence[str] = (),
    own: str = "T-0",
    language: Language = "ja",
) -> list[tuple[str, str]]:
    linker = Linker(rules_named(*terms, language=language), cards, language)
    return [(text[one.start : one.end], one.rule) for one in linker.links(text, own)]


def test_the_longest_term_comes_first() -> None:
    assert linked("召喚酔いと召喚", "召喚", "召喚酔い") == [("召喚酔い", "T-2"), ("召喚", "T-1")]
    assert linked("召喚酔いと召喚", "召喚", "召喚酔い", own="T-2") == [("召喚", "T-1")]
    assert linked("Turn order", "Turn", "Turn order", language="en") == [("Turn order", "T-2")]


def test_a_card_is_no_term() -> None:
    assert linked("王の召喚士が召喚する", "召喚", cards=["召喚士"]) == [("召喚", "T-1")]
    assert linked("Guard Captain", "Guard", cards=["Guard Captain"], language="en") == []
    assert linked("プレイする", "プレイ", cards=["レイ"]) == [("プレイ", "T-1")]
    assert linked("守り", "守り", cards=["守り"]) == []


def test_a_term_is_a_word_of_its_own() -> None:
    assert linked("場合により場に登場する", "場") == [("場", "T-1")]
    assert linked("パスワードとパス", "パス") == [("パス", "T-1")]
    assert linked("攻撃対象", "攻撃") == [("攻撃", "T-1")]
    assert linked("Ranked ranks, RANK", "Rank", language="en") == [
        ("ranks", "T-1"),
        ("RANK", "T-1"),
    ]


def test_what_a_term_explains_in_brackets_is_left_out() -> None:
    assert linked("a normal attack", "normal (melee) attack", language="en") == [
        ("normal attack", "T-1")
    ]
    assert linked("廃棄の上から", "廃棄の上から（取り除く）") == [("廃棄の上から", "T-1")]


def test_of_rules_with_one_term_the_first_is_meant() -> None:
    assert linked("山札", "山札", "山札") == [("山札", "T-1")]
    assert linked("山札", "山札", "山札", own="T-2") == []


def test_ids_are_linked() -> None:
    assert linked("時期はT-2による（T-1）", "場所", "時期") == [
        ("時期", "T-2"),
        ("T-2", "T-2"),
        ("T-1", "T-1"),
    ]


WORDS = st.text(alphabet="山札攻撃", min_size=2, max_size=4)


@given(
    terms=st.lists(WORDS, min_size=1, max_size=5, unique=True),
    cards=st.lists(WORDS, max_size=3, unique=True),
    text=st.text(alphabet="山札攻撃の", max_size=24),
)
def test_linking_takes_the_longest_name_that_is_left(
    terms: list[str], cards: list[str], text: str
) -> None:
    names = sorted({*terms, *cards}, key=lambda name: (-len(name), name not in cards, name))
    taken: dict[int, str] = {}
    expected = []
    for name in names:
        for start in range(len(text)):
            places = range(start, start + len(name))
            if text[start : start + len(name)] == name and not taken.keys() & set(places):
                taken |= dict.fromkeys(places, name)
                if name not in cards:
                    expected.append((start, name))
    found = Linker(rules_named(*terms), cards, "ja").links(text, "T-0")
    assert [(link.start, text[link.start : link.end]) for link in found] == sorted(expected)


# Comparing.


def changed(book: Rulebook, rule: str, **fields: Json) -> Rulebook:
    return replace(book, rules={**book.rules, rule: {**book.rules[rule], **fields}})


def without(rules: Mapping[str, Json], rule: str) -> dict[str, Json]:
    return {key: entry for key, entry in rules.items() if key != rule}


@pytest.mark.parametrize(
    ("fields", "means_other"),
    [
        ({"kind": "visibility"}, True),
        ({"enforced_by": "card"}, True),
        ({"meaning": 2}, True),
        ({"meaning": 1}, False),
        ({"text_ja": "別の文"}, False),
        ({"term_en": "Other"}, False),
        ({"see": []}, False),
    ],
)
def test_what_changes_a_rule(fields: dict[str, Json], means_other: bool) -> None:
    book, rule = BOOKS["hi-story"], "HS-312"
    other = changed(book, rule, **fields)
    assert has_changed(rule, book.rules, other.rules) == means_other
    assert not is_same(rule, book, other)
    found = compared(book, other)
    assert (found.meaning, found.wording) == (((rule,), ()) if means_other else ((), (rule,)))
    assert (found.added, found.removed, found.is_worded_anew) == ((), (), False)


def test_rules_come_and_go() -> None:
    book, rule = BOOKS["hi-story"], "HS-312"
    less = replace(book, rules=without(book.rules, rule))
    assert compared(book, less).removed == compared(less, book).added == (rule,)
    assert has_changed(rule, book.rules, less.rules)
    assert has_changed(rule, less.rules, book.rules)
    assert not has_changed("HS-000", book.rules, less.rules)
    same = compared(book, book)
    assert [*same.added, *same.removed, *same.meaning, *same.wording] == []


@pytest.mark.parametrize("game", CATALOGUE.names())
def test_back_links_are_the_links_turned_around(game: str) -> None:
    book = BOOKS[game]
    forth = {(rule, other) for rule, entry in book.rules.items() for other in entry["see"]}
    back = {(rule, other) for other, seen in book.seen_by.items() for rule in seen}
    assert forth == back


def test_what_only_the_later_display_words_is_said_as_it_says_it() -> None:
    earlier = {"facts": {"a": 1, "b": 2}, "words": {"reason": {"x": 1}, "gone": {"y": 2}}}
    later = {"facts": {"b": 3, "c": 4}, "words": {"reason": {"x": 5, "z": 6}, "new": {"v": 7}}}
    assert worded_as(earlier, later | {"more": {"w": 8}}) == {
        "facts": {"a": 1, "b": 2, "c": 4},
        "words": {"reason": {"x": 1, "z": 6}, "gone": {"y": 2}, "new": {"v": 7}},
        "more": {"w": 8},
    }


# Names of editions.


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("3", EditionName(game=None, number=3, revision=0)),
        ("3.2", EditionName(game=None, number=3, revision=2)),
        ("hi-story@3", EditionName(game="hi-story", number=3, revision=0)),
        ("hi-story@3.2", EditionName(game="hi-story", number=3, revision=2)),
        ("hi-story@3+0a1b2c3d4e5f", EditionName(game="hi-story", number=3, revision=0)),
        *((text, None) for text in ("", "0", "-1", "3.", "x@", "@3", "３", "3\n", "9" * 5_000)),
    ],
)
def test_names_of_editions(text: str, name: EditionName | None) -> None:
    assert edition_name(text) == name


@given(st.text(max_size=30) | st.from_regex(r"[a-z@.+0-9]{0,20}"))
def test_any_text_is_a_name_or_none(text: str) -> None:
    found = edition_name(text)
    assert found is None or found.number >= 1
