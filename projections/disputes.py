"""The lists of disputes and of rulings, and which rules the rulings cite."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import msgspec

from projections import matches
from projections.runner import Page, Projection
from projections.tables import Tables
from service.aggregates.disputes.events import Cited, DisputeEvent, DisputeOpened, DisputeRuled
from service.aggregates.disputes.state import Dispute, State, evolve, ruling_id

NAME = "disputes_1"
RULINGS = f"{NAME}_rulings"
CITED = f"{NAME}_cited"
STREAM = "dispute/"


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


class Reach(msgspec.Struct, frozen=True, kw_only=True):
    """Whose disputes a caller may know of besides those that are public.

    person: those of matches in which he takes part; None: nobody's. is_official: all where he is
    asking, but for tournaments in which he plays. everything: all of them, from the shell.
    """

    person: str | None = None
    is_official: bool = False
    everything: bool = False


ALL = Reach(everything=True)


class WantedDisputes(msgspec.Struct, frozen=True, kw_only=True):
    """Which disputes or rulings a list holds; see `matches.Wanted`. now: UTC.

    state: of disputes; rule: one that rulings cite.
    """

    game: str | None = None
    match: str | None = None
    tournament: str | None = None
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


def known_to(reach: Reach, now: str) -> tuple[str, list[Any]]:
    """Return the condition that a dispute `d` is one that a caller may know of.

    Public are those of matches that are listed and have ended for everybody.
    """
    if reach.everything:
        return "TRUE", []
    texts = [
        f"d.match_id IN (SELECT id FROM {matches.NAME} "
        "WHERE visibility = 'listed' AND state = 'closed' AND whole_at <= ?)"
    ]
    parameters: list[Any] = [now]
    if reach.person is not None:
        texts.append(f"d.match_id IN (SELECT match_id FROM {matches.PERSONS} WHERE person = ?)")
        parameters.append(reach.person)
        if reach.is_official:
            texts.append(
                "d.tournament IS NULL OR d.tournament NOT IN "
                f"(SELECT tournament FROM {matches.NAME} JOIN {matches.PERSONS} ON id = match_id "
                "WHERE person = ? AND tournament IS NOT NULL)"
            )
            parameters.append(reach.person)
    return f"({' OR '.join(texts)})", parameters


def dispute_list(tables: Tables, wanted: WantedDisputes, reach: Reach) -> list[DisputeRow]:
    """Return disputes, the last opened first, from before a place in the log."""
    where, parameters = _conditions(wanted, reach, "d.place")
    rows = tables.rows(
        f"SELECT d.place, d.body FROM {NAME} AS d WHERE {where} ORDER BY d.place DESC LIMIT ?",
        *parameters,
        wanted.limit,
    )
    return [row_of(msgspec.json.decode(body, type=Dispute), int(place)) for place, body in rows]


def ruling_list(tables: Tables, wanted: WantedDisputes, reach: Reach) -> list[RulingRow]:
    """Return rulings, the last given first, from before a place in the log."""
    where, parameters = _conditions(wanted, reach, "r.place")
    rows = tables.rows(
        f"SELECT r.body FROM {RULINGS} AS r JOIN {NAME} AS d ON d.id = r.dispute WHERE {where} "
        "ORDER BY r.place DESC LIMIT ?",
        *parameters,
        wanted.limit,
    )
    return [msgspec.json.decode(body, type=RulingRow) for (body,) in rows]


def _conditions(wanted: WantedDisputes, reach: Reach, place: str) -> tuple[str, list[Any]]:
    asked: list[tuple[str, Any]] = [
        (f"{place} < ?", wanted.before),
        ("d.game = ?", wanted.game),
        ("d.match_id = ?", wanted.match),
        ("d.tournament = ?", wanted.tournament),
        ("d.state = ?", wanted.state),
        (f"r.id IN (SELECT ruling FROM {CITED} WHERE rule = ?)", wanted.rule),
    ]
    given = [(text, value) for text, value in asked if value is not None]
    known, parameters = known_to(reach, wanted.now)
    texts = [known, *(text for text, _ in given)]
    return " AND ".join(texts), [*parameters, *(value for _, value in given)]
