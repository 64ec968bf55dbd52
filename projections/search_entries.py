"""The entries of the search: texts that can be found, and the tokens by which they are.

Tokens stand in a table of their own, which either database searches in its way. What people wrote
stays in the store's table of texts alone, so that a text that is erased there is found no more.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Any, Literal, TypeAlias, get_args

import msgspec

from projections.tables import Spelled, Tables
from service.engine.bigrams import spelled, words_of

NAME = "search_1"
WORDS = f"{NAME}_words"
ROWS_AT_ONCE = 200
RULE_TEXTS_KEPT = 4_096
KIND_MARK = "\ue001"

Kind: TypeAlias = Literal["rules", "rulings", "disputes", "comments"]
KINDS: Sequence[Kind] = get_args(Kind)


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """A text that can be found.

    id: grows with the log. ref: id of the rule or dispute. number: of the edition, the ruling, or
    the event of a comment. lang: None where nobody said. title, body: of a rule; digest: of any
    other text, which lies in the store. is_open: 1 if everybody may find it once its match is
    closed and shown whole to all.
    """

    id: int
    kind: Kind
    ref: str
    number: int
    game: str
    match_id: str | None = None
    tournament: str | None = None
    lang: str | None = None
    time: str
    title: str = ""
    body: str = ""
    digest: str | None = None
    is_open: int = 1


COLUMNS: tuple[str, ...] = Entry.__struct_fields__


class Indexed(msgspec.Struct, frozen=True, kw_only=True):
    """An entry with what it is found by. text: None if it was erased; rules: ids."""

    entry: Entry
    text: str | None
    rules: tuple[str, ...] = ()


def kind_word(kind: Kind) -> str:
    """Return the token that every entry of a kind has and nobody can ask for."""
    return f"{KIND_MARK}{kind}"


def known_claims(tables: Tables, disputes: Collection[str]) -> dict[str, Entry]:
    """Return the entries of claims that are indexed, by their disputes."""
    rows = tables.rows_among(
        f"SELECT {', '.join(COLUMNS)} FROM {NAME} WHERE kind = 'disputes' AND ref IN", disputes
    )
    found = (Entry(**dict(zip(COLUMNS, row, strict=True))) for row in rows)
    return {entry.ref: entry for entry in found}


def write(tables: Tables, made: Sequence[Indexed]) -> None:
    """Write entries and their tokens; a text that was erased has none."""
    rows = [tuple(getattr(one.entry, name) for name in COLUMNS) for one in made]
    tables.upsert(NAME, COLUMNS, rows)
    for start in range(0, len(made), ROWS_AT_ONCE):
        part = made[start : start + ROWS_AT_ONCE]
        ids, words = [one.entry.id for one in part], [_words(one) for one in part]
        tables.execute(f"DELETE FROM {WORDS} WHERE rowid IN ({_marks(ids)})", *ids)
        rows = [row for one, row in zip(part, words, strict=True) if one.text is not None]
        if rows:
            tables.execute(
                f"INSERT INTO {WORDS} (rowid, kind, heading, body, also) VALUES "
                + ", ".join(["(?, ?, ?, ?, ?)"] * len(rows)),
                *(value for row in rows for value in row),
            )


@lru_cache(RULE_TEXTS_KEPT)
def _kept_words_of(text: str) -> list[str]:
    """Return the tokens of a text of a rule: every installation of a process indexes the same."""
    return words_of(text)


def _words(one: Indexed) -> tuple[int, str, str, str, str]:
    """Return the tokens of an entry, each between spaces."""
    entry = one.entry
    of_text = _kept_words_of if entry.kind == "rules" else words_of
    marks = [kind_word(entry.kind), *(word for rule in one.rules for word in words_of(rule))]
    parts = (of_text(entry.title), of_text(one.text or ""), marks)
    heading, body, also = (f" {' '.join(map(spelled, part))} " for part in parts)
    return entry.id, entry.kind, heading, body, also


def _marks(values: Sequence[Any]) -> str:
    return ", ".join("?" * len(values))


def remove(tables: Tables, condition: str, value: str) -> None:
    """Remove the entries for which a condition on one value holds."""
    tables.execute(
        f"DELETE FROM {WORDS} WHERE rowid IN (SELECT id FROM {NAME} WHERE {condition})", value
    )
    tables.execute(f"DELETE FROM {NAME} WHERE {condition}", value)


def forget_erased(tables: Tables) -> None:
    """Remove the tokens of texts that were erased, which are found no more in any case."""
    tables.execute(
        f"DELETE FROM {WORDS} WHERE rowid IN (SELECT id FROM {NAME} WHERE digest IS NOT NULL "
        f"AND NOT EXISTS (SELECT 1 FROM texts WHERE texts.digest = {NAME}.digest))"
    )


def _entries_table(number: str) -> str:
    """Return the statement that makes the table of entries. number: the type of its key."""
    return (
        f"CREATE TABLE {NAME} (id {number} PRIMARY KEY, kind TEXT NOT NULL, ref TEXT NOT NULL, "
        "number BIGINT NOT NULL, game TEXT NOT NULL, match_id TEXT, tournament TEXT, lang TEXT, "
        "time TEXT NOT NULL, title TEXT NOT NULL, body TEXT NOT NULL, digest TEXT, "
        "is_open BIGINT NOT NULL)"
    )


def _words_table() -> str:
    """Return the statement that makes the table of tokens in PostgreSQL.

    There are no places in it: a token keeps only 255 of them, and none behind 16,383.
    """
    return (
        f"CREATE TABLE {WORDS} (rowid BIGINT PRIMARY KEY, kind TEXT NOT NULL, "
        "heading TEXT NOT NULL, body TEXT NOT NULL, also TEXT NOT NULL, "
        "words TSVECTOR GENERATED ALWAYS AS (array_to_tsvector(array_remove("
        "string_to_array(heading || body || also, ' '), ''))) STORED)"
    )


def _words_index(kind: Kind) -> Spelled:
    """Return the statement that makes the index of the tokens of a kind; FTS5 is one by itself.

    It has no list of pending rows, through which every search would have to go.
    """
    return Spelled(
        "SELECT 1",
        postgresql=f"CREATE INDEX {WORDS}_{kind} ON {WORDS} USING gin (words) "
        f"WITH (fastupdate = off) WHERE kind = '{kind}'",
    )


CREATE: Sequence[str] = (
    Spelled(_entries_table("INTEGER"), postgresql=_entries_table("BIGINT")),
    f"CREATE INDEX {NAME}_kind ON {NAME} (kind, game, id)",
    f"CREATE INDEX {NAME}_ref ON {NAME} (ref)",
    Spelled(
        f"CREATE VIRTUAL TABLE {WORDS} USING fts5(kind UNINDEXED, heading, body, also, "
        "tokenize='unicode61 remove_diacritics 0', prefix='1')",
        postgresql=_words_table(),
    ),
    Spelled(
        f"INSERT INTO {WORDS} ({WORDS}, rank) VALUES ('rank', 'bm25(0.0, 10.0, 1.0, 0.0)')",
        postgresql=f"CREATE INDEX {WORDS}_newest ON {WORDS} (kind, rowid)",
    ),
    *map(_words_index, KINDS),
)
"""Statements that make both tables."""
