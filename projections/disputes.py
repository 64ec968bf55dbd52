"""The lists of disputes and of rulings, and which rules the rulings cite."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import msgspec

from projections.parties import SEATS, Reach, within
from projections.runner import Page, Projection
from projections.tables import Part, Tables, joined
from service.aggregates.disputes.events import Cited, DisputeEvent, DisputeOpened, DisputeRuled
from service.aggregates.disputes.state import Dispute, State, evolve, ruling_id

NAME = "disputes_1"
RULINGS = f"{NAME}_rulings"
CITED = f"{NAME}_cited"
STREAM = "dispute/"
OF_PERSON = f"SELECT match_id FROM {SEATS} WHERE person = ?"


class DisputeRow(msgspec.Struct, frozen=True, kw_only=True):
    """A dispute in the list. place: log position of its opening; seq: the disputed event."""

    id: str
    place: int
    match: str
    seq: int
    game: str
    tournament: str | None
    state: State
    judge: str | None
    rules: list[Cited]
    opened_by: str
    seat: str | None
    claim: str
    rulings: int
    opened_at: str
    updated_at: str


class RulingRow(msgspec.Struct, frozen=True, kw_only=True):
    """A ruling in the list. place: log position; fields of `ruling`: those of the event."""

    id: str
    place: int
    dispute: str
    match: str
    seq: int
    game: str
    ruling: DisputeRuled


class WantedDisputes(msgspec.Struct, frozen=True, kw_only=True):
    """Which disputes or rulings a list holds; see `matches.Wanted`. now: UTC.

    person: who takes part in the match; state: of disputes; rule: one that rulings cite.
    """

    game: str | None = None
    match: str | None = None
    tournament: str | None = None
    person: str | None = None
    state: State | None = None
    rule: str | None = None
    before: int | None = None
    limit: int
    now: str


def apply(tables: Tables, page: Page) -> None:
    """Write a page of events: the disputes concerned are read once and written once."""
    concerned = [one for one in page if one.stream.startswith(STREAM)]
    states = _states_of(tables, {_id_of(one.stream) for one in concerned})
    places: dict[str, int] = {}
    rulings: list[RulingRow] = []
    for one in concerned:
        event, found = one.event, _id_of(one.stream)
        assert isinstance(event, DisputeEvent), "a dispute has no other events"
        if isinstance(event, DisputeOpened):
            places[found] = one.place
        states[found] = evolve(states.get(found), event, dispute_id=found)
        if isinstance(event, DisputeRuled):
            rulings.append(_ruling_row(states[found], event, one.place))
    _write_disputes(tables, states, places)
    _write_rulings(tables, rulings)


def _write_disputes(
    tables: Tables, states: Mapping[str, Dispute], places: Mapping[str, int]
) -> None:
    known = {
        found: int(place)
        for found, place in tables.rows_among(
            f"SELECT id, place FROM {NAME} WHERE id IN", states.keys()
        )
    }
    tables.upsert(
        NAME,
        ("id", "place", "game", "match_id", "tournament", "state", "body"),
        [
            (
                state.id,
                known.get(state.id) or places[state.id],
                state.opened.game,
                state.match,
                _tournament_of(state),
                state.state,
                msgspec.json.encode(state).decode(),
            )
            for state in states.values()
        ],
    )


def _write_rulings(tables: Tables, rulings: Sequence[RulingRow]) -> None:
    tables.upsert(
        RULINGS,
        ("id", "place", "dispute", "body"),
        [(row.id, row.place, row.dispute, msgspec.json.encode(row).decode()) for row in rulings],
    )
    tables.upsert(
        CITED,
        ("rule", "ruling"),
        [(rule, row.id) for row in rulings for rule in {one.rule for one in row.ruling.rules}],
        keys=2,
    )


def _ruling_row(state: Dispute, event: DisputeRuled, place: int) -> RulingRow:
    return RulingRow(
        id=ruling_id(state.id, event.number),
        place=place,
        dispute=state.id,
        match=state.match,
        seq=state.opened.event.seq,
        game=state.opened.game,
        ruling=event,
    )


def row_of(state: Dispute, place: int) -> DisputeRow:
    """Return the row of a dispute in a state. place: as in the list."""
    opened = state.opened
    return DisputeRow(
        id=state.id,
        place=place,
        match=state.match,
        seq=opened.event.seq,
        game=opened.game,
        tournament=_tournament_of(state),
        state=state.state,
        judge=state.judge,
        rules=opened.rules,
        opened_by=opened.by,
        seat=opened.seat,
        claim=opened.claim,
        rulings=len(state.rulings),
        opened_at=opened.time,
        updated_at=state.time,
    )


def _tournament_of(state: Dispute) -> str | None:
    return None if state.opened.table is None else state.opened.table.tournament


def _id_of(stream: str) -> str:
    return stream.removeprefix(STREAM)


def _states_of(tables: Tables, ids: Collection[str]) -> dict[str, Dispute]:
    rows = tables.rows_among(f"SELECT id, body FROM {NAME} WHERE id IN", ids)
    return {found: msgspec.json.decode(body, type=Dispute) for found, body in rows}


PROJECTION = Projection(
    name=NAME,
    tables=(NAME, RULINGS, CITED),
    create=(
        f"CREATE TABLE {NAME} (id TEXT PRIMARY KEY, place BIGINT NOT NULL, game TEXT NOT NULL, "
        "match_id TEXT NOT NULL, tournament TEXT, state TEXT NOT NULL, body TEXT NOT NULL)",
        f"CREATE INDEX {NAME}_place ON {NAME} (place)",
        f"CREATE INDEX {NAME}_match ON {NAME} (match_id)",
        f"CREATE TABLE {RULINGS} (id TEXT PRIMARY KEY, place BIGINT NOT NULL, "
        "dispute TEXT NOT NULL, body TEXT NOT NULL)",
        f"CREATE INDEX {RULINGS}_place ON {RULINGS} (place)",
        f"CREATE TABLE {CITED} "
        "(rule TEXT NOT NULL, ruling TEXT NOT NULL, PRIMARY KEY (rule, ruling))",
    ),
    apply=apply,
)


def dispute_list(tables: Tables, wanted: WantedDisputes, reach: Reach) -> list[DisputeRow]:
    """Return disputes, the last opened first, from before a place in the log."""
    fitting = _conditions(wanted, reach, "d.place")
    rows = tables.rows(
        f"SELECT d.place, d.body FROM {NAME} AS d WHERE {fitting.text} "
        "ORDER BY d.place DESC LIMIT ?",
        *fitting.parameters,
        wanted.limit,
    )
    return [row_of(msgspec.json.decode(body, type=Dispute), int(place)) for place, body in rows]


def ruling_list(tables: Tables, wanted: WantedDisputes, reach: Reach) -> list[RulingRow]:
    """Return rulings, the last given first, from before a place in the log."""
    fitting = _conditions(wanted, reach, "r.place")
    rows = tables.rows(
        f"SELECT r.body FROM {RULINGS} AS r JOIN {NAME} AS d ON d.id = r.dispute "
        f"WHERE {fitting.text} ORDER BY r.place DESC LIMIT ?",
        *fitting.parameters,
        wanted.limit,
    )
    return [msgspec.json.decode(body, type=RulingRow) for (body,) in rows]


def _conditions(wanted: WantedDisputes, reach: Reach, place: str) -> Part:
    asked: list[tuple[str, Any]] = [
        (f"{place} < ?", wanted.before),
        ("d.game = ?", wanted.game),
        ("d.match_id = ?", wanted.match),
        ("d.tournament = ?", wanted.tournament),
        (f"d.match_id IN ({OF_PERSON})", wanted.person),
        ("d.state = ?", wanted.state),
        (f"r.id IN (SELECT ruling FROM {CITED} WHERE rule = ?)", wanted.rule),
    ]
    given = [(text, value) for text, value in asked if value is not None]
    parts = [within(reach, wanted.now, of="d"), *(Part(text, (value,)) for text, value in given)]
    return joined(parts, " AND ")
