"""Words to search by, in Japanese and English (rulings 5): character bigrams made of normal forms.

The normal form is NFKC and casefold. A run of kanji and kana becomes overlapping pairs of
characters and its last character alone; a run of other letters and digits stays a word.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple, TypeAlias

QUERY_LENGTH_MAX = 200
TERMS_MAX = 20
PHRASES_MAX = 50
PHRASES_KEPT = 4_096
WORD_LENGTH_MAX = 64

# Blocks that every Unicode table knows; rarer kanji are runs, too, but are spelled.
_COMMON = "々-〇〻ぁ-ゖゝ-ゟァ-ヺー-ヿㇰ-ㇿ㐀-䶵一-鿌"
_JAPANESE = _COMMON + "䶶-䶿鿍-鿿\uf900-\ufaff\U0001b000-\U0001b16f\U00020000-\U0003ffff"
# A word of any length becomes pieces: PostgreSQL takes no token of more than 2,046 bytes.
_PIECE = re.compile(f"([{_JAPANESE}]+)|(?:(?![{_JAPANESE}])[^\\W_]){{1,{WORD_LENGTH_MAX}}}")
_UNCOMMON = re.compile(f"[^0-9a-z{_COMMON}]")
_ESCAPE = "\ue000"


class Token(NamedTuple):
    """A word to search by, at its place in the normal form: start and end in characters."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrase:
    """Tokens that follow each other. is_open: the last one may go on."""

    tokens: tuple[str, ...]
    is_open: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """A part of a query: one of its phrases must occur; the first is what was asked for."""

    phrases: tuple[Phrase, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """What is looked for: all of the terms. headword: the whole query, as it stands in a heading.

    opening: the same as one phrase, for headings that begin with it.
    """

    terms: tuple[Term, ...]
    headword: tuple[str, ...]
    opening: Phrase

    @property
    def phrases(self) -> Iterator[Phrase]:
        """Every phrase of every term."""
        return (phrase for term in self.terms for phrase in term.phrases)


Synonyms: TypeAlias = Sequence[Sequence[str]]
"""Groups of words that stand for the same thing."""


class Unsearchable(ValueError):
    """A query that cannot be looked for; the text says why."""


def normalised(text: str) -> str:
    """Return the form in which texts are compared: widths and cases are alike."""
    return unicodedata.normalize("NFKC", text).casefold()


def tokens_of(text: str) -> list[Token]:
    """Return the tokens of a normal form, in order."""
    return [token for run in _runs(text) for token in (*_pairs(run), *_last(run))]


def words_of(text: str) -> list[str]:
    """Return the tokens of a text in any form, without their places."""
    return [token.text for token in tokens_of(normalised(text))]


def spelled(token: str) -> str:
    """Return a token in an alphabet that no tokenizer and no query language changes.

    What is no Latin letter, digit, kana or common kanji becomes an escape of six characters, so
    that a beginning stays a beginning.
    """
    return _UNCOMMON.sub(lambda found: f"{_ESCAPE}{ord(found[0]):05x}", token)


def _runs(text: str) -> Iterator[tuple[bool, Token]]:
    """Yield the runs of a normal form; the flag tells whether it is one of kanji and kana."""
    for found in _PIECE.finditer(text):
        yield found[1] is not None, Token(found[0], *found.span())


def _pairs(run: tuple[bool, Token]) -> Iterator[Token]:
    """Yield what surely stands in a text that holds this run: pairs, or a word."""
    is_japanese, (text, start, end) = run
    if not is_japanese:
        yield Token(text, start, end)
        return
    for place in range(len(text) - 1):
        yield Token(text[place : place + 2], start + place, start + place + 2)


def _last(run: tuple[bool, Token]) -> Iterator[Token]:
    """Yield the last character of a run of kanji and kana, which ends there."""
    is_japanese, (text, _, end) = run
    if is_japanese:
        yield Token(text[-1], end - 1, end)


@lru_cache(PHRASES_KEPT)
def phrase_of(text: str) -> Phrase | None:
    """Return the phrase that finds a text in others, or None if it holds symbols only.

    The text may go on behind its last character: a word there is a beginning, one character is the
    beginning of any pair, and pairs are exact.
    """
    runs = list(_runs(normalised(text)))
    if not runs:
        return None
    *before, last = runs
    tokens = [token.text for run in before for token in (*_pairs(run), *_last(run))]
    is_japanese, (run, _, _) = last
    tokens += [run] if len(run) == 1 else [token.text for token in _pairs(last)]
    return Phrase(tokens=tuple(tokens), is_open=not is_japanese or len(run) == 1)


def read_query(text: str) -> Query:
    """Return what somebody looks for; raises `Unsearchable`.

    Terms stand between spaces, also wide ones. Symbols beside other characters say nothing.
    """
    if len(text) > QUERY_LENGTH_MAX or len(normalised(text)) > QUERY_LENGTH_MAX:
        raise Unsearchable(f"a query has at most {QUERY_LENGTH_MAX} characters")
    found = [phrase for phrase in map(phrase_of, text.split()) if phrase is not None]
    opening = phrase_of(text)
    if not found or opening is None:
        raise Unsearchable("the query holds no letter, digit, kana or kanji to look for")
    if len(found) > TERMS_MAX:
        raise Unsearchable(f"a query has at most {TERMS_MAX} terms")
    return Query(
        terms=tuple(Term(phrases=(phrase,)) for phrase in found),
        headword=tuple(words_of(text)),
        opening=opening,
    )


def widening(query: Query, synonyms: Synonyms) -> list[str]:
    """Return the words that would be looked for besides, each once, in the order of the terms."""
    found = (word for term in query.terms for word in _others(term, synonyms))
    return list(dict.fromkeys(found))


def widened(query: Query, synonyms: Synonyms) -> Query:
    """Return a query in which each term may also be one of its synonyms."""
    return replace(query, terms=tuple(_widened(term, synonyms) for term in query.terms))


def _widened(term: Term, synonyms: Synonyms) -> Term:
    others = (phrase_of(word) for word in _others(term, synonyms))
    phrases = dict.fromkeys((*term.phrases, *(one for one in others if one is not None)))
    return Term(phrases=tuple(phrases)[:PHRASES_MAX])


def _others(term: Term, synonyms: Synonyms) -> Iterator[str]:
    for group in synonyms:
        if any(phrase_of(word) in term.phrases for word in group):
            yield from (word for word in group if phrase_of(word) not in term.phrases)
