"""The list of tournaments."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, Literal, TypeAlias

import msgspec
from msgspec.structs import replace

from projections.runner import Page, Projection
from projections.tables import Tables
from service.aggregates.tournaments.events import (
    PlayerEntered,
    RoundPublished,
    TournamentClosed,
    TournamentOpened,
)
from service.integrity.sealing import Event

NAME = "tournaments_1"
STREAM = "tournament/"

State: TypeAlias = Literal["open", "running", "closed"]
"""open: no round is published."""


class TournamentRow(msgspec.Struct, frozen=True, kw_only=True):
    """A tournament in the list. name: digest of a text; place: log position of its opening."""

    id: str
    place: int
    name: str
    game: str
    state: State = "open"
    players: int = 0
    opened_at: str


def on_player_entered(row: TournamentRow, event: PlayerEntered) -> TournamentRow:
    """Count a player."""
    return replace(row, players=row.players + 1)


def on_round_published(row: TournamentRow, event: RoundPublished) -> TournamentRow:
    """Note that it is played."""
    return replace(row, state="running")


def on_tournament_closed(row: TournamentRow, event: TournamentClosed) -> TournamentRow:
    """Note the end."""
    return replace(row, state="closed")


ON: Mapping[type[Event], Callable[[TournamentRow, Any], TournamentRow]] = {
    PlayerEntered: on_player_entered,
    RoundPublished: on_round_published,
    TournamentClosed: on_tournament_closed,
}


def apply(tables: Tables, page: Page) -> None:
    """Write a page of events: the rows concerned are read once and written once."""
    streams = {one.stream for one in page if one.stream.startswith(STREAM)}
    rows = {row.id: row for row in _rows_of(tables, {_id_of(stream) for stream in streams})}
    for one in page:
        found = _id_of(one.stream)
        if one.kind is TournamentOpened:
            event = one.event
            assert isinstance(event, TournamentOpened)
            rows[found] = TournamentRow(
                id=found,
                place=one.place,
                name=event.name,
                game=event.game,
                opened_at=event.time,
            )
        elif one.kind in ON:
            rows[found] = ON[one.kind](rows[found], one.event)
    tables.upsert(
        NAME, ("id", "place", "game", "state", "body"), [_columns(row) for row in rows.values()]
    )


def _id_of(stream: str) -> str:
    return stream.removeprefix(STREAM)


def _columns(row: TournamentRow) -> tuple[Any, ...]:
    return row.id, row.place, row.game, row.state, msgspec.json.encode(row).decode()


def _rows_of(tables: Tables, ids: Collection[str]) -> list[TournamentRow]:
    return [
        _row(body) for (body,) in tables.rows_among(f"SELECT body FROM {NAME} WHERE id IN", ids)
    ]


def _row(body: str) -> TournamentRow:
    return msgspec.json.decode(body, type=TournamentRow)


PROJECTION = Projection(
    name=NAME,
    tables=(NAME,),
    create=(
        f"CREATE TABLE {NAME} (id TEXT PRIMARY KEY, place BIGINT NOT NULL, game TEXT NOT NULL, "
        "state TEXT NOT NULL, body TEXT NOT NULL)",
        f"CREATE INDEX {NAME}_place ON {NAME} (place)",
    ),
    apply=apply,
)


def tournament_list(
    tables: Tables,
    *,
    game: str | None,
    state: State | None,
    before: int | None,
    limit: int,
) -> list[TournamentRow]:
    """Return tournaments, the last opened first, from before a place in the log."""
    asked = {"place < ?": before, "game = ?": game, "state = ?": state}
    conditions = {text: value for text, value in asked.items() if value is not None}
    where = f"WHERE {' AND '.join(conditions)} " if conditions else ""
    rows = tables.rows(
        f"SELECT body FROM {NAME} {where}ORDER BY place DESC LIMIT ?",
        *conditions.values(),
        limit,
    )
    return [_row(body) for (body,) in rows]
