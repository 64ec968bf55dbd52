"""The list of matches, and who takes part in them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, get_args

import msgspec
from msgspec.structs import replace

from projections import verdicts
from projections.runner import Page, Projection
from projections.tables import Tables
from service.aggregates.events import (
    ActionPlayed,
    BackedUp,
    MatchCancelled,
    MatchClosed,
    MatchEvent,
    MatchHeld,
    MatchOpened,
    MatchReleased,
    MatchReopened,
    Policy,
    ResultAmended,
    Seat,
    SeatTaken,
    Visibility,
    VisibilitySet,
)
from service.aggregates.matches import Match, State
from service.engine.contract import Outcome
from service.integrity.logged import Logged
from service.integrity.sealing import Event
from service.times import moved

NAME = "matches_4"
PERSONS = f"{NAME}_persons"
PAGE_MAX = 500
ENDED: tuple[State, ...] = ("closed", "cancelled")
NEVER = "9999"
COLUMNS = (
    *("id", "place", "game", "tournament", "state", "visibility"),
    *("updated_at", "whole_at", "body"),
)


class MatchRow(msgspec.Struct, frozen=True, kw_only=True):
    """A match in the list. place: log position at which it was opened; updated_at: its last event.

    state: as `Match.state`. policy: decides how much of it a caller may be told. lines: that were
    played; is_amended: whether a judge changed the outcome.
    """

    id: str
    place: int
    game: str
    edition: str
    cards: str
    kind: str
    seats: dict[str, Seat]
    opened_by: str | None
    tournament: str | None = None
    visibility: Visibility
    policy: Policy
    state: State = "beginning"
    events: int = 1
    actions: int = 0
    lines: int = 1
    opened_at: str
    updated_at: str
    cause: str | None = None
    outcome: Outcome | None = None
    is_amended: bool = False
    closed_at: str | None = None

    @property
    def persons(self) -> set[str]:
        """Those who take part: who opened it and who sits there."""
        seated = {one.person for one in self.seats.values()}
        return {person for person in (self.opened_by, *seated) if person is not None}

    @property
    def whole_at(self) -> str:
        """The time from which nobody is behind: every caller is shown the match as it is."""
        if not (self.policy.delay_events or self.policy.delay_s):
            return self.opened_at
        return NEVER if self.closed_at is None else moved(self.closed_at, self.policy.delay_s)


def row_of(match: Match, place: int) -> MatchRow:
    """Return the row of a match in any state, also an earlier one; place: as in the list."""
    opened, ended = match.opened, match.closed or match.cancelled
    return MatchRow(
        id=match.id,
        place=place,
        game=opened.game,
        edition=opened.edition,
        cards=opened.cards,
        kind=opened.kind,
        seats=match.seated,
        opened_by=opened.opened_by,
        tournament=_tournament_of(opened),
        visibility=match.visibility,
        policy=opened.policy,
        state=match.state,
        events=match.version,
        actions=match.actions,
        lines=len(match.lines) + 1,
        opened_at=opened.time,
        updated_at=match.time,
        cause=None if ended is None else ended.cause,
        outcome=match.outcome,
        is_amended=match.amended is not None,
        closed_at=None if ended is None else ended.time,
    )


def _tournament_of(opened: MatchOpened) -> str | None:
    return None if opened.table is None else opened.table.tournament


def on_match_opened(match_id: str, place: int, event: MatchOpened) -> MatchRow:
    """Begin a row."""
    return MatchRow(
        id=match_id,
        place=place,
        game=event.game,
        edition=event.edition,
        cards=event.cards,
        kind=event.kind,
        seats=event.seats,
        opened_by=event.opened_by,
        tournament=_tournament_of(event),
        visibility=event.visibility,
        policy=event.policy,
        opened_at=event.time,
        updated_at=event.time,
    )


def on_seat_taken(row: MatchRow, event: SeatTaken) -> MatchRow:
    """Note who sits there."""
    seat = Seat(person=event.person, name=event.name)
    return replace(row, seats={**row.seats, event.seat: seat})


def on_action_played(row: MatchRow) -> MatchRow:
    """Count an action."""
    return replace(row, actions=row.actions + 1, state="running")


def on_backed_up(row: MatchRow, event: BackedUp) -> MatchRow:
    """Count the actions and lines that there are then."""
    return replace(row, actions=event.actions, lines=row.lines + 1)


def on_match_held(row: MatchRow, event: MatchHeld) -> MatchRow:
    """Note that a judge stopped play."""
    return replace(row, state="held")


def on_match_released(row: MatchRow, event: MatchReleased) -> MatchRow:
    """Note that play goes on."""
    return replace(row, state="running" if row.actions else "beginning")


def on_visibility_set(row: MatchRow, event: VisibilitySet) -> MatchRow:
    """Note who may know of the match."""
    return replace(row, visibility=event.visibility)


def on_match_cancelled(row: MatchRow, event: MatchCancelled) -> MatchRow:
    """Note that it will not begin."""
    return replace(row, state="cancelled", cause=event.cause, closed_at=event.time)


def on_match_closed(row: MatchRow, event: MatchClosed) -> MatchRow:
    """Note the end."""
    return replace(
        row, state="closed", cause=event.cause, outcome=event.outcome, closed_at=event.time
    )


def on_result_amended(row: MatchRow, event: ResultAmended) -> MatchRow:
    """Note the other outcome."""
    return replace(row, outcome=event.to, is_amended=True)


def on_match_reopened(row: MatchRow, event: MatchReopened) -> MatchRow:
    """Note that it goes on."""
    return replace(row, state="running", cause=None, outcome=None, is_amended=False, closed_at=None)


KINDS: frozenset[type[Event]] = frozenset(get_args(MatchEvent))
ON: Mapping[type[Event], Callable[[MatchRow, Any], MatchRow]] = {
    SeatTaken: on_seat_taken,
    BackedUp: on_backed_up,
    MatchHeld: on_match_held,
    MatchReleased: on_match_released,
    VisibilitySet: on_visibility_set,
    MatchCancelled: on_match_cancelled,
    MatchClosed: on_match_closed,
    ResultAmended: on_result_amended,
    MatchReopened: on_match_reopened,
}


def apply(tables: Tables, page: Page) -> None:
    """Write a page of events: the rows concerned are read once and written once."""
    rows = {row.id: row for row in _rows_of(tables, {one.stream for one in page})}
    last = {one.stream: one for one in page if one.kind in KINDS}
    for one in page:
        if one.kind in KINDS:
            rows[one.stream] = _applied(rows.get(one.stream), one)
    for match_id, one in last.items():
        rows[match_id] = replace(rows[match_id], events=one.version, updated_at=one.time)
    tables.upsert(
        NAME,
        COLUMNS,
        [_columns(row) for row in rows.values()],
    )
    tables.upsert(
        PERSONS,
        ("match_id", "person"),
        [(row.id, person) for row in rows.values() for person in sorted(row.persons)],
        keys=2,
    )


def _applied(row: MatchRow | None, one: Logged) -> MatchRow:
    """Return the row after an event. Actions are counted; only what else changes a row is read."""
    if one.kind is MatchOpened:
        assert isinstance(one.event, MatchOpened)
        return on_match_opened(one.stream, one.place, one.event)
    assert row is not None, f"{one.stream} does not begin with match_opened"
    if one.kind is ActionPlayed:
        return on_action_played(row)
    on = ON.get(one.kind)
    return row if on is None else on(row, one.event)


def _columns(row: MatchRow) -> tuple[Any, ...]:
    body = msgspec.json.encode(row).decode()
    times = (row.updated_at, row.whole_at)
    return (row.id, row.place, row.game, row.tournament, row.state, row.visibility, *times, body)


def _rows_of(tables: Tables, ids: Collection[str]) -> list[MatchRow]:
    rows = tables.rows_among(f"SELECT body FROM {NAME} WHERE id IN", ids)
    return [_row(body) for (body,) in rows]


def _row(body: str) -> MatchRow:
    return msgspec.json.decode(body, type=MatchRow)


PROJECTION = Projection(
    name=NAME,
    tables=(NAME, PERSONS),
    create=(
        f"CREATE TABLE {NAME} (id TEXT PRIMARY KEY, place BIGINT NOT NULL, game TEXT NOT NULL, "
        "tournament TEXT, state TEXT NOT NULL, visibility TEXT NOT NULL, updated_at TEXT NOT NULL, "
        "whole_at TEXT NOT NULL, body TEXT NOT NULL)",
        f"CREATE INDEX {NAME}_place ON {NAME} (place)",
        f"CREATE INDEX {NAME}_waiting ON {NAME} (state, updated_at)",
        f"CREATE TABLE {PERSONS} "
        "(match_id TEXT NOT NULL, person TEXT NOT NULL, PRIMARY KEY (match_id, person))",
        f"CREATE INDEX {PERSONS}_person ON {PERSONS} (person)",
    ),
    apply=apply,
)


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """Which matches a list holds.

    verdict: the overall verdict; before: a place in the log. known_to: those that this person may
    know of besides the listed ones; None: listed ones only, `everything`: all. person: only those
    in which he takes part. now: UTC; of a match that is not shown whole to all by then, any state
    fits: the caller looks at what is shown.
    """

    game: str | None = None
    verdict: str | None = None
    state: State | None = None
    person: str | None = None
    known_to: str | None = None
    everything: bool = False
    before: int | None = None
    limit: int = PAGE_MAX
    now: str = NEVER


def match_list(tables: Tables, wanted: Wanted) -> list[MatchRow]:
    """Return matches, the last opened first, from before a place in the log."""
    taking_part = f"id IN (SELECT match_id FROM {PERSONS} WHERE person = ?)"
    conditions: list[tuple[str, Any]] = [
        ("place < ?", wanted.before if wanted.before is not None else 2**62),
        ("game = ?", wanted.game),
        (f"id IN (SELECT id FROM {verdicts.NAME} WHERE overall = ?)", wanted.verdict),
        (taking_part, wanted.person),
    ]
    asked = [(text, value) for text, value in conditions if value is not None]
    parameters = [value for _, value in asked]
    texts = [text for text, _ in asked]
    if wanted.state is not None:
        texts.append("(state = ? OR whole_at > ?)")
        parameters += [wanted.state, wanted.now]
    if not wanted.everything:
        texts.append(f"(visibility = 'listed' OR {taking_part})")
        parameters.append(wanted.known_to or "")
    rows = tables.rows(
        f"SELECT body FROM {NAME} WHERE {' AND '.join(texts)} ORDER BY place DESC LIMIT ?",
        *parameters,
        wanted.limit,
    )
    return [_row(body) for (body,) in rows]


def match_row(tables: Tables, match_id: str) -> MatchRow | None:
    """Return the row of a match, or None."""
    rows = _rows_of(tables, [match_id])
    return rows[0] if rows else None


def waiting_since(tables: Tables, states: Collection[State], before: str) -> list[str]:
    """Return the live matches in these states in which nothing has happened since a time."""
    marks = ", ".join("?" * len(states))
    rows = tables.rows(
        f"SELECT body FROM {NAME} WHERE state IN ({marks}) AND updated_at < ? ORDER BY updated_at",
        *states,
        before,
    )
    found = [_row(body) for (body,) in rows]
    return [row.id for row in found if row.kind == "live"]


def open_count(tables: Tables, person: str) -> int:
    """Return in how many matches that have not ended a person takes part."""
    ((count,),) = tables.rows(
        f"SELECT COUNT(*) FROM {NAME} JOIN {PERSONS} ON id = match_id "
        "WHERE person = ? AND state NOT IN (?, ?)",
        person,
        *ENDED,
    )
    return int(count)
