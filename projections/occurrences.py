"""Which events of matches cite a rule, as every spectator sees them.

Only the form that was sealed for the spectator is read: what is hidden from him shows through no
rule.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, TypeAlias

import msgspec

from projections import matches
from projections.matches import MatchRow
from projections.runner import Page, Projection
from projections.tables import Tables
from service.aggregates.events import ActionPlayed, Corrected, MatchOpened
from service.engine.values import SPECTATOR, Json
from service.integrity.chain import form_for

NAME = "occurrences_1"
PLAYED = f"{NAME}_played"
RULE = re.compile(r"[A-Z]{2}-[0-9]{3}")
CITING = frozenset({"rules", "rule"})
"""Fields of a fact, at any depth, in which rules stand."""
ROWS_AT_ONCE = 500
PLACE_MAX = 2**62

Row: TypeAlias = tuple[str, str, int, int, str]
"""Rule, match, place at which the match was opened, last number, numbers of events."""


def apply(tables: Tables, page: Page) -> None:
    """Write a page of events: the numbers of those that cite a rule."""
    opened = [
        (one.stream, one.place, _without_pool(one.sealed.header.edition))
        for one in page
        if one.kind is MatchOpened
    ]
    if opened:
        tables.upsert(PLAYED, ("match_id", "place", "edition"), opened)
    cited: dict[tuple[str, str], list[int]] = {}
    for one in page:
        if one.kind in (ActionPlayed, Corrected):
            for rule in _rules_in(form_for(one.sealed, SPECTATOR)["facts"]):
                cited.setdefault((rule, one.stream), []).append(one.version)
    places = dict(
        tables.rows_among(
            f"SELECT match_id, place FROM {PLAYED} WHERE match_id IN",
            {match_id for _, match_id in cited},
        )
    )
    _append(
        tables,
        [
            (rule, match_id, places[match_id], seqs[-1], ",".join(map(str, seqs)))
            for (rule, match_id), seqs in sorted(cited.items())
        ],
    )


def _append(tables: Tables, rows: Sequence[Row]) -> None:
    """Put numbers behind those that are there; what was put there before is passed over."""
    for start in range(0, len(rows), ROWS_AT_ONCE):
        part = rows[start : start + ROWS_AT_ONCE]
        marks = ", ".join(["(?, ?, ?, ?, ?)"] * len(part))
        tables.execute(
            f"INSERT INTO {NAME} (rule, match_id, place, seq_last, seqs) VALUES {marks} "
            f"ON CONFLICT (rule, match_id) DO UPDATE SET seq_last = excluded.seq_last, "
            f"seqs = {NAME}.seqs || ',' || excluded.seqs WHERE {NAME}.seq_last < excluded.seq_last",
            *(value for row in part for value in row),
        )


def _rules_in(facts: Sequence[Json]) -> list[str]:
    """Return the rules that facts cite, at any depth, each once; a hidden place holds none."""
    found: set[str] = set()
    _gather(facts, found)
    return [rule for rule in sorted(found) if RULE.fullmatch(rule)]


def _gather(whole: Json, found: set[str]) -> None:
    """Add the texts that stand where rules are cited in an object or a list."""
    if isinstance(whole, dict):
        for key, part in whole.items():
            if key in CITING:
                named = part if isinstance(part, list) else [part]
                found.update([one for one in named if isinstance(one, str)])
            elif isinstance(part, dict | list):
                _gather(part, found)
        return
    for part in whole:
        if isinstance(part, dict | list):
            _gather(part, found)


def _without_pool(edition: str) -> str:
    return edition.partition("+")[0]


PROJECTION = Projection(
    name=NAME,
    tables=(NAME, PLAYED),
    create=(
        f"CREATE TABLE {NAME} (rule TEXT NOT NULL, match_id TEXT NOT NULL, place BIGINT NOT NULL, "
        "seq_last BIGINT NOT NULL, seqs TEXT NOT NULL, PRIMARY KEY (rule, match_id))",
        f"CREATE INDEX {NAME}_place ON {NAME} (rule, place)",
        f"CREATE TABLE {PLAYED} "
        "(match_id TEXT PRIMARY KEY, place BIGINT NOT NULL, edition TEXT NOT NULL)",
    ),
    apply=apply,
)


class Cited(msgspec.Struct, frozen=True, kw_only=True):
    """Which matches are asked for: those with an event that cites one of the rules.

    edition: only those played under it, with whatever cards, as `hi-story@3`. known_to,
    everything, before: as in `projections.matches.Wanted`. whole_by: only those that are shown
    whole to all by this time; behind_at: only the others.
    """

    rules: tuple[str, ...]
    edition: str | None = None
    known_to: str | None = None
    everything: bool = False
    before: int | None = None
    whole_by: str | None = None
    behind_at: str | None = None


class Citing(msgspec.Struct, frozen=True, kw_only=True):
    """A match and the numbers of its events that cite rules, rule → numbers in order."""

    row: MatchRow
    seqs: dict[str, list[int]]


def citing(tables: Tables, wanted: Cited, limit: int) -> list[Citing]:
    """Return matches, the last opened first, from before a place in the log."""
    if not wanted.rules:
        return []
    chosen, parameters = _chosen(wanted, "c.match_id, c.place")
    places = dict(tables.rows(f"{chosen} ORDER BY c.place DESC LIMIT ?", *parameters, limit))
    bodies = tables.rows_among(f"SELECT body FROM {matches.NAME} WHERE id IN", list(places))
    rows = [msgspec.json.decode(body, type=MatchRow) for (body,) in bodies]
    seqs = _seqs_of(tables, wanted.rules, list(places))
    return [
        Citing(row=row, seqs=seqs[row.id])
        for row in sorted(rows, key=lambda row: row.place, reverse=True)
    ]


def citing_count(tables: Tables, wanted: Cited, most: int) -> int:
    """Return how many matches there are, or `most`, if there are so many."""
    if not wanted.rules:
        return 0
    chosen, parameters = _chosen(wanted, "c.match_id")
    ((count,),) = tables.rows(
        f"SELECT COUNT(*) FROM ({chosen} LIMIT ?) AS found", *parameters, most
    )
    return int(count)


def _chosen(wanted: Cited, columns: str) -> tuple[str, list[Any]]:
    """Return the query for the matches that are asked for, and its parameters."""
    marks = ", ".join("?" * len(wanted.rules))
    played = f"SELECT 1 FROM {PLAYED} AS p WHERE p.match_id = c.match_id AND p.edition = ?"
    texts = [f"c.rule IN ({marks})", "c.place < ?"]
    parameters: list[Any] = [*wanted.rules]
    parameters.append(PLACE_MAX if wanted.before is None else wanted.before)
    asked: list[tuple[str, str | None]] = [
        (f"EXISTS ({played})", wanted.edition),
        ("m.whole_at <= ?", wanted.whole_by),
        ("m.whole_at > ?", wanted.behind_at),
    ]
    for text, value in asked:
        if value is not None:
            texts.append(text)
            parameters.append(value)
    if not wanted.everything:
        taking_part = f"SELECT 1 FROM {matches.PERSONS} AS s WHERE s.match_id = m.id"
        texts.append(f"(m.visibility = 'listed' OR EXISTS ({taking_part} AND s.person = ?))")
        parameters.append(wanted.known_to or "")
    # A match that cites one rule is in the table once.
    distinct = "DISTINCT " if len(wanted.rules) > 1 else ""
    return (
        f"SELECT {distinct}{columns} FROM {NAME} AS c "
        f"JOIN {matches.NAME} AS m ON m.id = c.match_id WHERE {' AND '.join(texts)}",
        parameters,
    )


def _seqs_of(
    tables: Tables, rules: Sequence[str], match_ids: Sequence[str]
) -> dict[str, dict[str, list[int]]]:
    """Return match → rule → numbers of events."""
    found: dict[str, dict[str, list[int]]] = {}
    marks = ", ".join("?" * len(rules))
    if match_ids:
        rows = tables.rows(
            f"SELECT match_id, rule, seqs FROM {NAME} WHERE rule IN ({marks}) "
            f"AND match_id IN ({', '.join('?' * len(match_ids))}) ORDER BY rule",
            *rules,
            *match_ids,
        )
        for match_id, rule, seqs in rows:
            found.setdefault(match_id, {})[rule] = [int(seq) for seq in seqs.split(",")]
    return found
