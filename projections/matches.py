"""The list of matches."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import msgspec
from msgspec.structs import asdict, replace

from projections import verdicts
from projections.runner import Page, Projection
from projections.tables import Tables
from service.aggregates.editions import EditionEvent
from service.aggregates.events import ActionPlayed, MatchClosed, MatchEvent, MatchOpened
from service.engine.contract import Outcome

NAME = "matches_1"
PAGE_MAX = 500


class MatchRow(msgspec.Struct, frozen=True, kw_only=True):
    """A match in the list. place: log position at which it was opened; seats: digests of names."""

    id: str
    place: int
    game: str
    edition: str
    cards: str
    kind: str
    seats: dict[str, str]
    events: int
    actions: int = 0
    opened_at: str
    cause: str | None = None
    outcome: Outcome | None = None
    closed_at: str | None = None


def on_match_opened(match_id: str, place: int, event: MatchOpened) -> MatchRow:
    """Begin a row."""
    return MatchRow(
        id=match_id,
        place=place,
        game=event.game,
        edition=event.edition,
        cards=event.cards,
        kind=event.kind,
        seats={seat: one.name for seat, one in event.seats.items()},
        events=1,
        opened_at=event.time,
    )


def on_action_played(row: MatchRow) -> MatchRow:
    """Count an action."""
    return replace(row, actions=row.actions + 1)


def on_match_closed(row: MatchRow, event: MatchClosed) -> MatchRow:
    """Note the end."""
    return replace(row, cause=event.cause, outcome=event.outcome, closed_at=event.time)


def apply(tables: Tables, page: Page) -> None:
    """Write a page of events: the rows concerned are read once and written once."""
    rows = {row.id: row for row in _rows_of(tables, {stream for _, stream, _, _ in page})}
    for place, stream, version, event in page:
        if isinstance(event, EditionEvent):
            continue
        row = _applied(rows.get(stream), stream, place, event)
        rows[stream] = replace(row, events=version)
    tables.upsert(
        NAME,
        ("id", "place", "game", "body"),
        [(row.id, row.place, row.game, msgspec.json.encode(row).decode()) for row in rows.values()],
    )


def _applied(row: MatchRow | None, stream: str, place: int, event: MatchEvent) -> MatchRow:
    if isinstance(event, MatchOpened):
        return on_match_opened(stream, place, event)
    assert row is not None, f"{stream} does not begin with match_opened"
    if isinstance(event, ActionPlayed):
        return on_action_played(row)
    return on_match_closed(row, event) if isinstance(event, MatchClosed) else row


def _rows_of(tables: Tables, ids: Collection[str]) -> list[MatchRow]:
    rows = tables.rows_among(f"SELECT body FROM {NAME} WHERE id IN", ids)
    return [_row(body) for (body,) in rows]


def _row(body: str) -> MatchRow:
    return msgspec.json.decode(body, type=MatchRow)


PROJECTION = Projection(
    name=NAME,
    create=(
        f"CREATE TABLE {NAME} "
        "(id TEXT PRIMARY KEY, place BIGINT NOT NULL, game TEXT NOT NULL, body TEXT NOT NULL)",
        f"CREATE INDEX {NAME}_place ON {NAME} (place)",
    ),
    apply=apply,
)


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """Which matches a list holds. verdict: the overall verdict; before: a place in the log."""

    game: str | None = None
    verdict: str | None = None
    before: int | None = None
    limit: int = PAGE_MAX


def match_list(tables: Tables, wanted: Wanted) -> list[MatchRow]:
    """Return matches, the last opened first, from before a place in the log."""
    conditions = ["place < ?"]
    parameters: list[Any] = [wanted.before if wanted.before is not None else 2**62]
    if wanted.game is not None:
        conditions.append("game = ?")
        parameters.append(wanted.game)
    if wanted.verdict is not None:
        conditions.append(f"id IN (SELECT id FROM {verdicts.NAME} WHERE overall = ?)")
        parameters.append(wanted.verdict)
    rows = tables.rows(
        f"SELECT body FROM {NAME} WHERE {' AND '.join(conditions)} ORDER BY place DESC LIMIT ?",
        *parameters,
        wanted.limit,
    )
    return [_row(body) for (body,) in rows]


def match_row(tables: Tables, match_id: str) -> MatchRow | None:
    """Return the row of a match, or None."""
    rows = _rows_of(tables, [match_id])
    return rows[0] if rows else None


def as_json(row: MatchRow) -> dict[str, Any]:
    """Return a row as plain JSON values."""
    return asdict(row)
