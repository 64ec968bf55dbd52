"""What whoever runs an installation looks at: how much there is, and what verification refused."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from projections import matches, tournaments, verdicts
from projections.tables import Tables
from projections.verdicts import Verdict

REFUSED = ("diverged", "tampered")
"""The verdicts after which somebody must look at a match."""


class Failure(msgspec.Struct, frozen=True, kw_only=True):
    """A match that its last verification refused."""

    match: str
    verdict: Verdict


class Tally(msgspec.Struct, frozen=True, kw_only=True):
    """How many matches and tournaments there are in each state, and matches with each verdict."""

    matches: Mapping[str, int]
    tournaments: Mapping[str, int]
    verdicts: Mapping[str, int]


def tally(tables: Tables) -> Tally:
    """Count what there is."""
    return Tally(
        matches=_counts(tables, matches.NAME, "state"),
        tournaments=_counts(tables, tournaments.NAME, "state"),
        verdicts=_counts(tables, verdicts.NAME, "overall"),
    )


def failures(tables: Tables, most: int) -> list[Failure]:
    """Return the matches that verification refused, the last verified first."""
    rows = tables.rows_among(f"SELECT id, body FROM {verdicts.NAME} WHERE overall IN", REFUSED)
    found = [
        Failure(match=str(match), verdict=msgspec.json.decode(body, type=Verdict))
        for match, body in rows
    ]
    return sorted(found, key=lambda one: one.verdict.at, reverse=True)[:most]


def _counts(tables: Tables, table: str, column: str) -> dict[str, int]:
    rows = tables.rows(f"SELECT {column}, COUNT(*) FROM {table} GROUP BY {column} ORDER BY 1")
    return {str(value): int(count) for value, count in rows}
