"""Queries in the languages of both databases (rulings 5).

What somebody typed reaches neither: expressions are built from tokens of our own alphabet, see
`service.engine.bigrams.spelled`.
"""

from __future__ import annotations

from collections.abc import Iterator

from projections.search_entries import NAME, WORDS, Kind, kind_word
from projections.tables import SQLITE, Dialect, Part, joined
from service.engine.bigrams import Phrase, Query, spelled


def holding(dialect: Dialect, query: Query, kind: Kind, *, is_walk: bool = False) -> Part:
    """Return what stands behind FROM for the entries of a kind that hold a query.

    `{NAME}` and `{WORDS}` are joined; conditions may follow, begun with AND. is_walk: the entries
    are gone through in their order until enough are met.
    """
    if dialect is SQLITE:
        return Part(
            # The index gives the rows, newest last or first; a planner that knows no sizes might
            # look into it for every entry.
            f"FROM {WORDS} CROSS JOIN {NAME} ON {NAME}.id = {WORDS}.rowid WHERE {WORDS} MATCH ?",
            (match_expression(query, kind),),
        )
    holds = Part(f"{WORDS}.words @@ ?::tsquery", (tsquery(query),))
    if is_walk:
        # PostgreSQL thinks that words occur independently of each other, so it expects to meet
        # far too few and would rather collect and sort them all: this it cannot estimate.
        holds = Part(f"CASE WHEN {holds.text} THEN TRUE ELSE FALSE END", holds.parameters)
    # The kind stands there as it is, so that the index of its entries alone can be used.
    found = joined([Part(f"{WORDS}.kind = '{kind}'"), holds, *_ordered(query)], " AND ")
    return Part(
        f"FROM {WORDS} JOIN {NAME} ON {NAME}.id = {WORDS}.rowid WHERE {found.text}",
        found.parameters,
    )


def match_expression(query: Query, kind: Kind) -> str:
    """Return the expression of FTS5 for the entries of a kind that hold a query."""
    terms = (" OR ".join(map(_quoted_phrase, term.phrases)) for term in query.terms)
    return " AND ".join([f'"{spelled(kind_word(kind))}"', *(f"({term})" for term in terms)])


def _quoted_phrase(phrase: Phrase) -> str:
    return f'"{" ".join(map(spelled, phrase.tokens))}"' + (" *" if phrase.is_open else "")


def tsquery(query: Query) -> str:
    """Return the tsquery for entries that hold all tokens of a query, anywhere."""
    terms = (" | ".join(map(_quoted_tokens, term.phrases)) for term in query.terms)
    return " & ".join(f"({term})" for term in terms)


def _quoted_tokens(phrase: Phrase) -> str:
    quoted = " & ".join(f"'{spelled(token)}'" for token in phrase.tokens)
    return f"({quoted}{':*' if phrase.is_open else ''})"


def _ordered(query: Query) -> Iterator[Part]:
    """Yield the conditions that the tokens of phrases follow each other."""
    for term in query.terms:
        if any(len(phrase.tokens) > 1 for phrase in term.phrases):
            text = f"strpos({WORDS}.heading || '|' || {WORDS}.body || '|' || {WORDS}.also, ?) > 0"
            one = joined([Part(text, (spaced(phrase),)) for phrase in term.phrases], " OR ")
            yield Part(f"({one.text})", one.parameters)


def spaced(phrase: Phrase) -> str:
    """Return how a phrase stands among the tokens of an entry, between spaces."""
    return f" {' '.join(map(spelled, phrase.tokens))}" + ("" if phrase.is_open else " ")


def headword_rank(query: Query) -> Part:
    """Return what tells how well a heading fits: 0 equal, 1 begins so, 2 holds it, 3 none of it.

    A rule that is asked for by its id fits like one whose heading is equal.
    """
    whole = f" {' '.join(map(spelled, query.headword))} "
    begun = spaced(query.opening)
    heading = f"{WORDS}.heading"
    return Part(
        f"CASE WHEN {heading} = ? OR replace({WORDS}.also, ?, '') <> {WORDS}.also THEN 0 "
        f"WHEN substr({heading}, 1, ?) = ? THEN 1 "
        f"WHEN replace({heading}, ?, '') <> {heading} THEN 2 ELSE 3 END",
        (whole, whole, len(begun), begun, begun),
    )


def score(dialect: Dialect, query: Query) -> Part:
    """Return what tells how well an entry fits otherwise: the less the better."""
    if dialect is SQLITE:
        return Part(f"{WORDS}.rank")
    return Part(f"-ts_rank({WORDS}.words, ?::tsquery)", (tsquery(query),))
