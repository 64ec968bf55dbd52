"""Searching a million texts: the newest 20, and how many there are, against a scan with LIKE.

The texts are made of sentences of the rulebooks and random kanji, in disputes of 2,000 matches.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path
from random import Random

from projections import matches
from projections.parties import WHOLE, Reach
from projections.search import COUNT_MAX, Wanted, count_of, newest
from projections.search_entries import CREATE, KINDS, NAME, WORDS, Entry, Indexed, Kind, write
from projections.tables import SQLITE, Tables
from service.engine.bigrams import read_query
from service.installation import Installation, open_installation
from service.store.databases import migrate
from tests.bench.timing import median_seconds, milliseconds
from tests.conftest import CATALOGUE, import_log, log_of, settings_in
from tests.servers import empty_schema

TEXTS = 1_000_000
MATCHES = 2_000
AT_ONCE = 10_000
SENTENCES_MAX = 3
RARE = "龍鳳凰"
QUERIES = (
    *(
        ("カード", WHOLE),
        ("プレイヤー", WHOLE),
        ("攻撃", WHOLE),
        ("札", WHOLE),
        ("山札 手札", WHOLE),
    ),
    *(("card", WHOLE), (RARE, WHOLE), ("カード", Reach()), ("攻撃", Reach()), (RARE, Reach())),
)
"""What is looked for, by a judge of all matches or by anybody; of one in 50,000 texts the rare."""

TITLE = f"Searching {TEXTS:,} texts of disputes, a third of them in matches open to everybody"
HEADINGS = ("database, asker, query", "found", "capped count", "newest 20", "LIKE", "LIKE / both")
NOTE = """
Both together are what a search costs. LIKE: the same count, capped alike, by a scan of the texts
as they were written, without asking who may see them.
"""


def rows(folder: Path, texts: int = TEXTS) -> list[list[str]]:
    """Return the rows of both databases."""
    folder.mkdir(exist_ok=True)
    plain = settings_in(folder)
    found = []
    for name, place in (
        ("SQLite", nullcontext(plain.database_url)),
        ("PostgreSQL", empty_schema()),
    ):
        with place as url:
            migrate(url)
            here = open_installation(dataclasses.replace(plain, database_url=url))
            fill(here, texts)
            found += [_row(here, name, text, reach) for text, reach in QUERIES]
            here.close()
    return found


def _row(here: Installation, database: str, text: str, reach: Reach) -> list[str]:
    kind: Kind = "comments"
    wanted = Wanted(query=read_query(text), kind=kind, reach=reach, limit=20, now=matches.NEVER)
    with here.database.reading() as tables:
        count = count_of(tables, wanted)
        counting = median_seconds(lambda: count_of(tables, wanted))
        listing = median_seconds(lambda: newest(tables, wanted, is_many=count > COUNT_MAX))
        scanning = median_seconds(lambda: _scan(tables, kind, text), runs=3)
    asker = "judge" if reach.everything else "anybody"
    return [
        f"{database}, {asker}, {text}",
        f"{COUNT_MAX:,}+" if count > COUNT_MAX else f"{count:,}",
        *(milliseconds(one) for one in (counting, listing, scanning)),
        f"{scanning / (counting + listing):.1f}",
    ]


def _scan(tables: Tables, kind: Kind, text: str) -> None:
    terms = [f"%{term}%" for term in text.split()]
    tables.rows(
        f"SELECT COUNT(*) FROM (SELECT 1 FROM {NAME} JOIN texts ON texts.digest = {NAME}.digest "
        f"WHERE kind = ? {'AND texts.body LIKE ? ' * len(terms)}LIMIT {COUNT_MAX + 1}) AS counted",
        kind,
        *terms,
    )


def fill(here: Installation, texts: int) -> None:
    """Write entries and their texts as the read model would from the log."""
    import_log(here, log_of("hi-story"))
    here.catch_up()
    with here.database.transaction() as tables:
        _copy_match(tables)
        if tables.dialect is not SQLITE:
            for kind in KINDS:
                tables.execute(f"DROP INDEX {WORDS}_{kind}")
    made = _texts(Random(7))
    for first in range(0, texts, AT_ONCE):
        bodies = [next(made) for _ in range(min(AT_ONCE, texts - first))]
        with here.database.transaction() as tables:
            _write(tables, first, bodies)
    if tables.dialect is not SQLITE:
        with here.database.transaction() as tables:
            # An index over rows that are there is made faster than row by row.
            for statement in CREATE[-len(KINDS) :]:
                tables.execute(statement)
            for table in (NAME, WORDS, matches.NAME, "texts"):
                tables.execute(f"ANALYZE {table}")


def _copy_match(tables: Tables) -> None:
    """Write the row of the imported match again and again; a third of them stays open to all."""
    ((_, place, *rest),) = tables.rows(f"SELECT * FROM {matches.NAME}")
    marks = ", ".join("?" * (len(rest) + 2))
    for number in range(MATCHES):
        tables.execute(
            f"INSERT INTO {matches.NAME} VALUES ({marks})",
            *(f"match-{number}", int(place) + number + 1, *rest),
        )
    tables.execute(f"UPDATE {matches.NAME} SET visibility = 'participants' WHERE place % 3 <> 0")


def _write(tables: Tables, first: int, bodies: Sequence[str]) -> None:
    numbers = range(first, first + len(bodies))
    tables.upsert(
        "texts",
        ("digest", "salt", "body"),
        [(f"{number:064}", b"", body) for number, body in zip(numbers, bodies, strict=True)],
    )
    made = (
        Indexed(entry=_entry(number), text=body)
        for number, body in zip(numbers, bodies, strict=True)
    )
    write(tables, list(made))


def _entry(number: int) -> Entry:
    kinds: tuple[Kind, ...] = ("rulings", "disputes", *(("comments",) * 18))
    return Entry(
        id=10**9 + number,
        kind=kinds[number % len(kinds)],
        ref=f"dispute-{number // len(kinds)}",
        number=number % len(kinds) + 1,
        game="hi-story",
        match_id=f"match-{number // len(kinds) % MATCHES}",
        time="2026-01-02T03:04:05.000006Z",
        digest=f"{number:064}",
    )


def _texts(random: Random) -> Iterator[str]:
    """Yield texts without end."""
    sentences = [
        sentence
        for name in CATALOGUE.names()
        for rule in CATALOGUE.game(name).rules.values()
        for sentence in (*rule["text_ja"].split("。"), rule["text_en"].partition(". ")[0])
        if sentence
    ]
    while True:
        parts = random.choices(sentences, k=random.randint(1, SENTENCES_MAX))
        kanji = "".join(chr(random.randint(0x4E00, 0x9FCC)) for _ in range(8))
        yield "。".join([*parts, kanji, *([RARE] if not random.randrange(50_000) else [])])
