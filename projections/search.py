"""Finding texts: who finds what is decided inside the query, as numbers tell, too (rulings 5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from projections.parties import Reach, within
from projections.search_entries import COLUMNS, NAME, WORDS, Entry, Kind
from projections.search_language import headword_rank, holding, score
from projections.tables import SQLITE, Part, Tables, joined
from service.engine.bigrams import Query

COUNT_MAX = 1_000
PAGE_MAX = 500
LAST = 2**62
TEXTS = "texts"
OPEN = Part(f"{NAME}.is_open = 1")


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """What is looked for.

    lang: only texts in this language, or of which nobody said the language. after: how many of the
    best rules are passed over; the id of an entry behind which older ones come. now: UTC.
    """

    query: Query
    kind: Kind
    game: str | None = None
    lang: str | None = None
    reach: Reach = Reach()
    after: int | None = None
    limit: int
    now: str


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """Entries with their texts. count: of all, at most 1,000; capped: there are more."""

    entries: list[Entry]
    count: int
    capped: bool


def found(tables: Tables, wanted: Wanted) -> Found:
    """Return a page of what somebody finds, and how much there is."""
    count = count_of(tables, wanted)
    is_many = count > COUNT_MAX
    if wanted.kind == "rules":
        entries = best(tables, wanted)
    else:
        entries = newest(tables, wanted, is_many=is_many)
    return Found(entries=entries, count=min(count, COUNT_MAX), capped=is_many)


def _entries(rows: Sequence[tuple[Any, ...]]) -> list[Entry]:
    return [Entry(**dict(zip(COLUMNS, row, strict=True))) for row in rows]


def _fitting(tables: Tables, wanted: Wanted, *, is_walk: bool = False) -> Part:
    """Return what stands behind FROM for all entries that somebody finds."""
    conditions = [holding(tables.dialect, wanted.query, wanted.kind, is_walk=is_walk)]
    if wanted.game is not None:
        conditions.append(Part(f"{NAME}.game = ?", (wanted.game,)))
    if wanted.lang is not None:
        conditions.append(Part(f"({NAME}.lang = ? OR {NAME}.lang IS NULL)", (wanted.lang,)))
    if wanted.kind != "rules":
        conditions.append(Part(f"EXISTS (SELECT 1 FROM {TEXTS} WHERE digest = {NAME}.digest)"))
        conditions.append(within(wanted.reach, wanted.now, of=NAME, public=OPEN))
    return joined(conditions, " AND ")


def count_of(tables: Tables, wanted: Wanted) -> int:
    """Return how much there is, or one more than is told; a rule counts once."""
    fitting = _fitting(tables, wanted)
    what = f"DISTINCT {NAME}.ref" if wanted.kind == "rules" else "1"
    ((count,),) = tables.rows(
        f"SELECT COUNT(*) FROM (SELECT {what} {fitting.text} LIMIT ?) AS counted",
        *fitting.parameters,
        COUNT_MAX + 1,
    )
    return int(count)


def newest(tables: Tables, wanted: Wanted, *, is_many: bool) -> list[Entry]:
    """Return a page of entries with the texts that people wrote, the newest first.

    Where there are many, going through them from the end soon meets enough; where there are few,
    PostgreSQL has to collect them first, though it would not by itself.
    """
    is_walk = is_many or tables.dialect is SQLITE
    fitting = _fitting(tables, wanted, is_walk=is_walk)
    shown = ", ".join(_with_text(name) for name in COLUMNS)
    if is_walk:
        key, text = f"{WORDS}.rowid", f"SELECT {shown} {fitting.text} AND"
    else:
        key = "few.id"
        text = (
            f"WITH few AS MATERIALIZED (SELECT {NAME}.id {fitting.text}) "
            f"SELECT {shown} FROM few JOIN {NAME} ON {NAME}.id = few.id WHERE"
        )
    rows = tables.rows(
        f"{text} {key} < ? ORDER BY {key} DESC LIMIT ?",
        *fitting.parameters,
        LAST if wanted.after is None else wanted.after,
        wanted.limit,
    )
    return _entries(rows)


def _with_text(name: str) -> str:
    if name != "body":
        return f"{NAME}.{name}"
    return f"(SELECT body FROM {TEXTS} WHERE digest = {NAME}.digest) AS body"


def best(tables: Tables, wanted: Wanted) -> list[Entry]:
    """Return a page of rules, each once in the language in which it fits best, the best first."""
    fitting = _fitting(tables, wanted)
    rank, otherwise = headword_rank(wanted.query), score(tables.dialect, wanted.query)
    shown = ", ".join(f"{NAME}.{name}" for name in COLUMNS)
    rows = tables.rows(
        f"WITH fitting AS MATERIALIZED (SELECT {NAME}.id, {NAME}.ref, {rank.text} AS fit, "
        f"{otherwise.text} AS score {fitting.text}), "
        "ranked AS (SELECT id, fit, score, "
        "ROW_NUMBER() OVER (PARTITION BY ref ORDER BY fit, score, id) AS place FROM fitting) "
        f"SELECT {shown} FROM ranked JOIN {NAME} ON {NAME}.id = ranked.id WHERE place = 1 "
        "ORDER BY fit, score, ranked.id LIMIT ? OFFSET ?",
        *rank.parameters,
        *otherwise.parameters,
        *fitting.parameters,
        wanted.limit,
        wanted.after or 0,
    )
    return _entries(rows)
