"""Parts of texts around what was found, marked in the original wording (rulings 5)."""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

from service.engine.bigrams import Phrase, Query, Token, normalised, tokens_of

SNIPPET_LENGTH_MAX = 160
BEFORE_MAX = 40
HIGHLIGHTS_MAX = 50
CLUSTER_LENGTH_MAX = 32


class Span(NamedTuple):
    """A part of a text: start and end in characters (code points)."""

    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Snippet:
    """A part of a text. highlights: what was found in it, in order and apart from each other.

    cut_before, cut_after: whether the text goes on there.
    """

    text: str
    highlights: tuple[Span, ...]
    cut_before: bool
    cut_after: bool


@dataclass(frozen=True, slots=True)
class _Form:
    """The normal form of a text. starts, ends: of the part from which each character came."""

    text: str
    starts: Sequence[int]
    ends: Sequence[int]

    def original(self, span: Span) -> Span:
        """Return the part of the text from which a part of the normal form came."""
        return Span(self.starts[span.start], self.ends[span.end - 1])

    def untorn(self, place: int) -> int:
        """Return the last place in the text up to this one that is inside of no such part."""
        number = bisect_right(self.starts, place) - 1
        return place if self.ends[number] <= place else self.starts[number]


def snippet_of(text: str, query: Query, length_max: int = SNIPPET_LENGTH_MAX) -> Snippet:
    """Return the part of a text around the first thing found in it, else its beginning."""
    form = _form_of(text)
    found = _merged(form.original(span) for span in _found(form.text, query))
    start, end = 0, len(text)
    if len(text) > length_max:
        first = found[0].start if found else 0
        start = form.untorn(min(max(0, first - BEFORE_MAX), len(text) - length_max))
        end = form.untorn(start + length_max)
    shown = [span for span in found if start <= span.start and span.end <= end]
    return Snippet(
        text=text[start:end],
        highlights=tuple(Span(one.start - start, one.end - start) for one in shown),
        cut_before=start > 0,
        cut_after=end < len(text),
    )


def _found(text: str, query: Query) -> Iterator[Span]:
    """Yield where the phrases of a query occur in a normal form."""
    tokens = tokens_of(text)
    places: dict[str, list[int]] = {}
    for place, token in enumerate(tokens):
        places.setdefault(token.text, []).append(place)
    for phrase in query.phrases:
        yield from _occurrences(phrase, tokens, places)


def _occurrences(
    phrase: Phrase, tokens: Sequence[Token], places: dict[str, list[int]]
) -> Iterator[Span]:
    *exact, last = phrase.tokens
    begun = places.get(exact[0], []) if exact else range(len(tokens))
    for place in begun:
        part = tokens[place : place + len(phrase.tokens)]
        if len(part) < len(phrase.tokens) or [one.text for one in part[:-1]] != exact:
            continue
        ends_well = part[-1].text.startswith(last) if phrase.is_open else part[-1].text == last
        if ends_well:
            yield Span(part[0].start, part[-1].start + len(last))


def _merged(spans: Iterator[Span]) -> list[Span]:
    """Return spans in order, those that touch as one."""
    found: list[Span] = []
    for span in sorted(set(spans)):
        if found and span.start <= found[-1].end:
            found[-1] = Span(found[-1].start, max(found[-1].end, span.end))
        else:
            found.append(span)
    return found[:HIGHLIGHTS_MAX]


def _form_of(text: str) -> _Form:
    whole = normalised(text)
    if unicodedata.is_normalized("NFKC", text) and len(whole) == len(text):
        return _Form(whole, range(len(text)), range(1, len(text) + 1))
    clusters = list(_clusters(text))
    ends = list(accumulate(map(len, clusters)))
    parts = [normalised(cluster) for cluster in clusters]
    starts = [end - len(cluster) for end, cluster in zip(ends, clusters, strict=True)]
    return _Form(
        "".join(parts),
        [start for start, part in zip(starts, parts, strict=True) for _ in part],
        [end for end, part in zip(ends, parts, strict=True) for _ in part],
    )


def _clusters(text: str) -> Iterator[str]:
    """Yield the parts of a text whose normal forms make up that of the whole."""
    cluster = ""
    for char in text:
        if cluster and (len(cluster) >= CLUSTER_LENGTH_MAX or _is_apart(cluster, char)):
            yield cluster
            cluster = ""
        cluster += char
    if cluster:
        yield cluster


def _is_apart(cluster: str, char: str) -> bool:
    """Tell whether a character begins a cluster of its own: it neither joins nor changes one."""
    alone, joined = (unicodedata.normalize("NFKC", one) for one in (char, cluster + char))
    return not unicodedata.combining(alone[0]) and joined == (
        unicodedata.normalize("NFKC", cluster) + alone
    )
