"""Words to search by: tokens, phrases, queries, and parts of texts in their original wording."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.engine.bigrams import (
    QUERY_LENGTH_MAX,
    TERMS_MAX,
    WORD_LENGTH_MAX,
    Phrase,
    Unsearchable,
    normalised,
    phrase_of,
    read_query,
    spelled,
    tokens_of,
    widened,
    widening,
    words_of,
)
from service.engine.snippets import Span, snippet_of

JOINING = "ﾄｹﾞｶﾟかが゙゚aAＡﬁ㌔각ᄀ\u1161\u11a8é\u0301\u0327ß \n・"
TEXTS = st.text(max_size=40) | st.text(JOINING, max_size=40)
GROUPS = (["廃棄", "捨て札", "墓地"], ["discard", "discard pile"])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("廃棄した", ["廃棄", "棄し", "した", "た"]),
        ("山", ["山"]),
        ("ﾄｹﾞﾄｹﾞ", ["トゲ", "ゲト", "トゲ", "ゲ"]),
        ("ＭＵＬＴＩ", ["multi"]),
        ("P1の山札を1枚", ["p1", "の山", "山札", "札を", "を", "1", "枚"]),
        ("人々・コーヒー", ["人々", "々", "コー", "ーヒ", "ヒー", "ー"]),
        ("don't stop_it", ["don", "t", "stop", "it"]),
        ("𠮷野家", ["𠮷野", "野家", "家"]),
        ("각하 Ёлка", ["각하", "ёлка"]),
        ("・、。 !?", []),
        ("x" * 100, ["x" * WORD_LENGTH_MAX, "x" * (100 - WORD_LENGTH_MAX)]),
    ],
)
def test_a_text_becomes_words(text: str, words: list[str]) -> None:
    assert words_of(text) == words


@pytest.mark.parametrize(
    ("text", "tokens", "is_open"),
    [
        ("廃", ["廃"], True),
        ("廃棄", ["廃棄"], False),
        ("廃棄し", ["廃棄", "棄し"], False),
        ("dis", ["dis"], True),
        ("P1の", ["p1", "の"], True),
        ("山札P", ["山札", "札", "p"], True),
        ("first-strike", ["first", "strike"], True),
    ],
)
def test_a_term_becomes_a_phrase(text: str, tokens: list[str], is_open: bool) -> None:
    assert phrase_of(text) == Phrase(tokens=tuple(tokens), is_open=is_open)


@given(TEXTS)
def test_tokens_have_their_places(text: str) -> None:
    form = normalised(text)
    for token in tokens_of(form):
        assert form[token.start : token.end] == token.text


@given(st.text(max_size=20))
def test_tokens_are_spelled_in_our_own_alphabet(text: str) -> None:
    for word in words_of(text):
        written = spelled(word)
        assert all(char.isalnum() or char == "\ue000" for char in written)
        for length in range(len(word)):
            assert written.startswith(spelled(word[:length])), "a beginning stays one"


def test_different_tokens_are_spelled_differently() -> None:
    assert spelled("가") == "\ue0000ac00" != spelled("0ac00")
    assert words_of("\ue0000ac00") == ["0ac00"], "nobody can write an escape"


# Queries.


def test_terms_stand_between_spaces() -> None:
    query = read_query("山札　P1 \t 手札")
    assert [term.phrases[0].tokens for term in query.terms] == [("山札",), ("p1",), ("手札",)]
    assert len(read_query("山札 ・ 手札").terms) == 2, "symbols beside other characters say nothing"


@pytest.mark.parametrize(
    "text",
    ["", " ", "・", '"', "*", "()", "^:-+", "\0", "\ud800", "゛", "🎴", "\ue000\ue001", "_"],
)
def test_symbols_alone_are_refused(text: str) -> None:
    with pytest.raises(Unsearchable, match="no letter"):
        read_query(text)


def test_queries_have_bounds() -> None:
    read_query("札" * QUERY_LENGTH_MAX)
    read_query(" ".join("札" * TERMS_MAX))
    for text in ("札" * (QUERY_LENGTH_MAX + 1), "x" * 10_000, "\ufdfa" * 20):
        with pytest.raises(Unsearchable, match="200 characters"):
            read_query(text)
    with pytest.raises(Unsearchable, match="20 terms"):
        read_query(" ".join("札" * (TERMS_MAX + 1)))


def test_synonyms_widen_a_term() -> None:
    query = read_query("捨て札 discard ｎｏｗ")
    assert widening(query, GROUPS) == ["廃棄", "墓地", "discard pile"]
    more = widened(query, GROUPS)
    assert [len(term.phrases) for term in more.terms] == [3, 2, 1]
    assert [term.phrases[0] for term in more.terms] == [term.phrases[0] for term in query.terms]
    assert widening(more, GROUPS) == []
    assert widening(read_query("捨て"), GROUPS) == [], "a part of a word is another word"


# Parts of texts.


def marked(text: str, query: str, length_max: int = 160) -> list[str]:
    """Return the parts of a text that are highlighted, from the original."""
    found = snippet_of(text, read_query(query), length_max)
    return [found.text[span.start : span.end] for span in found.highlights]


@pytest.mark.parametrize(
    ("text", "query", "parts"),
    [
        ("これはﾄｹﾞﾄｹﾞです", "トゲトゲ", ["ﾄｹﾞﾄｹﾞ"]),
        ("これはﾄｹﾞです", "ゲ", ["ｹﾞ"]),
        ("ＭＵＬＴＩ攻撃", "multi", ["ＭＵＬＴＩ"]),
        ("a multitude", "multi", ["multi"]),
        ("か\u3099くが", "がく", ["か\u3099く"]),
        ("廃棄を廃棄する", "廃棄", ["廃棄", "廃棄"]),
        ("山札を引く", "山札 札を引", ["山札を引"]),
        ("５㌔先", "キロ", ["㌔"]),
        ("Straße", "strasse", ["Straße"]),
        ("見出しだけ", "ほか", []),
    ],
)
def test_what_was_found_is_marked_in_the_original(text: str, query: str, parts: list[str]) -> None:
    assert marked(text, query) == parts


def test_a_long_text_is_cut_around_the_first_thing_found() -> None:
    found = snippet_of("あ" * 500 + "廃棄" + "い" * 500, read_query("廃棄"))
    assert (len(found.text), found.cut_before, found.cut_after) == (160, True, True)
    (span,) = found.highlights
    assert found.text[span.start : span.end] == "廃棄"
    start = snippet_of("あ" * 500, read_query("廃棄"))
    assert (start.highlights, start.cut_before, start.cut_after) == ((), False, True)
    end = snippet_of("あ" * 500 + "廃棄", read_query("廃棄"))
    assert (end.highlights, end.cut_after) == ((Span(158, 160),), False)


@given(TEXTS.filter(lambda text: len(unicodedata.normalize("NFKC", text)) <= 60))
def test_every_searchable_text_is_found_in_itself(text: str) -> None:
    try:
        query = read_query(text)
    except Unsearchable:
        return
    found = snippet_of(text, query)
    assert found.text == text
    assert found.highlights
    ends = 0
    for span in found.highlights:
        assert ends <= span.start < span.end <= len(text)
        ends = span.end + 1
