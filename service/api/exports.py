"""The event in forms for others: files of other programs, paper, one file that can be verified."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Response
from msgspec.structs import replace

from schemas.standings import EventFileBody, PrintableBody, TableQuery
from schemas.strict import Unreadable
from service.aggregates.tournaments.deciding import is_elimination, round_in
from service.aggregates.tournaments.events import CutMade, RoundDrafted, RoundPublished
from service.aggregates.tournaments.records import record_of
from service.aggregates.tournaments.state import RoundState, Tournament
from service.aggregates.world import Refused
from service.api.records import NDJSON
from service.api.routing import noun, route
from service.api.seeing_tournaments import SeenTournament
from service.api.standings import asked_in, rows_of
from service.api.tournament_answers import names_of, number_of
from service.api.wiring import installation
from service.engine.values import Json
from service.event_files.own import written_event_csv, written_event_json, written_table_csv
from service.event_files.trf import written_trf
from service.standings.records import Event
from service.tournament_exchange import export_tournament

EXPORTS = noun("exports", prefix="/api/v1/tournaments")
CSV, TEXT = "text/csv", "text/plain"


@route(EXPORTS, "/<tournament_id>/file", action="read_tournament", answer=NDJSON)
def export_file(query: dict[str, Any], seen: SeenTournament) -> Response:
    """Return the whole event as one file that anybody can verify; a draft is for staff alone."""
    found = seen.tournament if seen.may("read_draft") else _public_state(seen.tournament)
    lines = export_tournament(installation(), found)
    return _file(seen, b"".join(lines), NDJSON, "kifu.jsonl")


def _public_state(tournament: Tournament) -> Tournament:
    """Return the state before anything that was drafted and is not published."""
    version = _public_version(tournament)
    if version == tournament.version:
        return tournament
    return installation().tournaments.at_version(tournament.id, version)


def _public_version(tournament: Tournament) -> int:
    """Return how many events come before anything that was drafted and is not published."""
    events = installation().tournaments.events(tournament.id)[: tournament.version]
    waiting: int | None = None
    for before, event in enumerate(events):
        if isinstance(event, RoundDrafted) and waiting is None:
            waiting = before
        elif isinstance(event, RoundPublished | CutMade):
            waiting = None
    return tournament.version if waiting is None else waiting


@route(EXPORTS, "/<tournament_id>/event", action="read_tournament", answer=EventFileBody)
def export_event(query: dict[str, Any], seen: SeenTournament) -> dict[str, Json]:
    """Return the event in the form that `kifu standings` reads."""
    body: dict[str, Json] = msgspec.json.decode(written_event_json(_named_record(seen)))
    return body


@route(EXPORTS, "/<tournament_id>/event.csv", action="read_tournament", answer=CSV)
def export_event_csv(query: dict[str, Any], seen: SeenTournament) -> Response:
    """Return the event as CSV."""
    return _file(seen, written_event_csv(_named_record(seen)), CSV, "event.csv")


@route(EXPORTS, "/<tournament_id>/event.trf", action="read_tournament", answer=TEXT)
def export_event_trf(query: dict[str, Any], seen: SeenTournament) -> Response:
    """Return the event as TRF16, the report file of FIDE."""
    try:
        return _file(seen, written_trf(_named_record(seen)), TEXT, "trf")
    except Unreadable as fault:
        raise Refused(str(fault)) from fault


@route(
    EXPORTS,
    "/<tournament_id>/standings.csv",
    action="read_tournament",
    answer=CSV,
    query=TableQuery,
)
def export_standings_csv(query: dict[str, Any], seen: SeenTournament) -> Response:
    """Return a table as CSV."""
    asked = asked_in(seen, query)
    table = asked.table
    names = names_of(seen.tournament, [row.player for row in table.rows])
    rows = tuple(replace(row, name=names[row.player]) for row in table.rows)
    return _file(seen, written_table_csv(replace(table, rows=rows)), CSV, "standings.csv")


@route(
    EXPORTS,
    "/<tournament_id>/rounds/<number>/printable",
    action="read_tournament",
    answer=PrintableBody,
)
def show_printable(query: dict[str, Any], seen: SeenTournament, number: str) -> dict[str, Json]:
    """Return what is pinned to the wall for a round: tables, seats, the standings before it."""
    found, one = seen.tournament, round_in(seen.tournament, number_of(number))
    names = names_of(found, [player for player, _ in _seats(one)])
    before = [other for other in found.rounds_of(one.phase) if other.number < one.number]
    standings: list[dict[str, Json]] = []
    if before and not is_elimination(found, one.phase):
        asked = asked_in(seen, {"round": before[-1].number})
        standings = rows_of(asked, seen, asked.table.rows)
    seats = [
        {
            "name": names[player],
            "table": seat["table"],
            "opponent": names.get(seat["opponent"]),
            "kind": seat["kind"],
        }
        for player, seat in _seats(one)
    ]
    return {
        "name": installation().log.text(found.opened.name),
        "round": one.number,
        "tables": [
            {"table": table.table.table, "names": [names[player] for player in table.players]}
            for table in one.tables.values()
        ],
        "seats": sorted(seats, key=lambda seat: str(seat["name"])),
        "standings": standings,
    }


def _seats(one: RoundState) -> list[tuple[str, dict[str, Any]]]:
    """Return for each player of a round his table and opponent, or what he gets without one."""
    at_tables = [
        (player, {"table": number, "opponent": table.opponent_of(player), "kind": None})
        for number, table in one.tables.items()
        for player in table.players
    ]
    return at_tables + [
        (sits.player, {"table": None, "opponent": None, "kind": sits.kind}) for sits in one.without
    ]


def _named_record(seen: SeenTournament) -> Event:
    found = seen.tournament
    names = names_of(found, found.entries.keys())
    title = installation().log.text(found.opened.name)
    return record_of(found, names=names if title is None else {**names, found.id: title})


def _file(seen: SeenTournament, text: str | bytes, media_type: str, name: str) -> Response:
    answer = Response(text, content_type=media_type)
    answer.headers["Content-Disposition"] = f'attachment; filename="{seen.tournament.id}.{name}"'
    return answer
