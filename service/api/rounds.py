"""Rounds of a tournament: drafted for staff, published, paired again, closed; who meets whom."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Any

from msgspec import to_builtins

from schemas.queries import PageQuery
from schemas.rounds import (
    DraftBody,
    DraftRequest,
    PairingBody,
    PairingsBody,
    PairingsQuery,
    PairingWhyBody,
    PublishRequest,
    ReasonsBody,
    RepairRequest,
    RoundBody,
    RoundClosingRequest,
)
from service.aggregates.tournaments.deciding import round_in, table_in
from service.aggregates.tournaments.drafts import is_fit
from service.aggregates.tournaments.drawing import ASSIGNED
from service.aggregates.tournaments.events import Sitting
from service.aggregates.tournaments.levels import difference_of, level_of
from service.aggregates.tournaments.previews import amended_since
from service.aggregates.tournaments.repairing import RepairRound
from service.aggregates.tournaments.rounds import (
    CloseRound,
    DraftRound,
    PublishRound,
    minutes_of,
)
from service.aggregates.tournaments.state import RoundState, TableState
from service.aggregates.world import NotFound
from service.api.commands import texts_of
from service.api.cursors import cursor_of, place_of
from service.api.persons import caller_id
from service.api.routing import noun, route
from service.api.seeing_tournaments import SeenTournament
from service.api.tournament_answers import (
    begun_in,
    done_in,
    done_route,
    names_of,
    new_seed,
    number_of,
    version_in,
)
from service.api.tournaments import round_head
from service.engine.values import Json

ROUNDS = noun("rounds", prefix="/api/v1/tournaments")
ROUND = "/<tournament_id>/rounds/<number>"
PAIRINGS = f"{ROUND}/pairings"
PAIRING = f"{PAIRINGS}/<table>"


@done_route(ROUNDS, "/<tournament_id>/rounds", action="run_tournament", takes=DraftRequest)
def draft(query: dict[str, Any], body: dict[str, Any], seen: SeenTournament) -> dict[str, Json]:
    """Pair the next round, for staff to look at; again changes nothing unless it is asked for."""
    command = DraftRound(
        tournament_id=seen.tournament.id,
        expected_version=version_in(body),
        round=body["round"],
        seed=new_seed(),
        sitting=body["sitting"],
        extra_bye=body["extra_bye"],
        again=body["again"],
        by=caller_id(),
    )
    return done_in(seen, body, command)


@route(ROUNDS, "/<tournament_id>/draft", action="read_draft", answer=DraftBody)
def show_draft(query: dict[str, Any], seen: SeenTournament) -> dict[str, Json]:
    """Show the draft of the next round to staff."""
    found = seen.tournament
    if found.draft is None:
        raise NotFound(f"nothing of this is in tournament {found.id}")
    drafted = found.draft.drafted
    why = drafted.why or {"tables": [None] * len(drafted.tables), "byes": []}
    players = [player for table in drafted.tables for player in table.players]
    names = names_of(found, [*players, *(sits.player for sits in drafted.without)])
    tables = zip(drafted.tables, why["tables"], strict=True)
    return {
        "round": drafted.round,
        "phase": drafted.phase,
        "tables": [
            {
                **to_builtins(table),
                "names": [names[player] for player in table.players],
                "why": reason,
            }
            for table, reason in tables
        ],
        "without": [_sitting(one, names, why) for one in drafted.without],
        "seed": drafted.seed,
        "input": drafted.input,
        "fits": is_fit(found, drafted),
    }


def _sitting(one: Sitting, names: Mapping[str, str], why: Json) -> dict[str, Json]:
    """Return who sits out. why: the reasons of the round, None where nothing was drawn."""
    reasons = {} if why is None else {bye["player"]: bye for bye in why["byes"]}
    return {
        "player": one.player,
        "name": names[one.player],
        "kind": one.kind,
        "why": reasons.get(one.player) if one.kind == ASSIGNED else None,
    }


@done_route(ROUNDS, f"{ROUND}/publication", action="run_tournament", takes=PublishRequest)
def publish(
    query: dict[str, Any], body: dict[str, Any], seen: SeenTournament, number: str
) -> dict[str, Json]:
    """Let the draft of a round be played; again changes nothing."""
    command = PublishRound(
        tournament_id=seen.tournament.id,
        expected_version=version_in(body),
        round=number_of(number),
        minutes=body["minutes"],
        by=caller_id(),
    )
    return done_in(seen, body, command)


@done_route(ROUNDS, f"{ROUND}/repair", action="run_tournament", takes=RepairRequest)
def repair(
    query: dict[str, Any], body: dict[str, Any], seen: SeenTournament, number: str
) -> dict[str, Json]:
    """Pair a published round again, in one event."""
    found, one = seen.tournament, round_in(seen.tournament, number_of(number))
    reason = texts_of(body)
    command = RepairRound(
        tournament_id=found.id,
        expected_version=version_in(body),
        round=one.number,
        seed=new_seed(),
        minimal=body["minimal"],
        sitting=body["sitting"],
        paired=body["paired"],
        extra_bye=body["extra_bye"],
        begun=begun_in(found, [one]),
        by=caller_id(),
        reason=reason.digest,
    )
    return done_in(seen, body, command, texts=[reason])


@done_route(ROUNDS, f"{ROUND}/closing", action="run_tournament", takes=RoundClosingRequest)
def close_round(
    query: dict[str, Any], body: dict[str, Any], seen: SeenTournament, number: str
) -> dict[str, Json]:
    """Close a round; results that are missing have to be listed. Again changes nothing."""
    command = CloseRound(
        tournament_id=seen.tournament.id,
        expected_version=version_in(body),
        round=number_of(number),
        missing=tuple(body["missing"]),
        by=caller_id(),
    )
    return done_in(seen, body, command)


@route(ROUNDS, ROUND, action="read_tournament", answer=RoundBody)
def show_round(query: dict[str, Any], seen: SeenTournament, number: str) -> dict[str, Json]:
    """Show a published round: who sits out and why, and what was amended since it was paired."""
    found, one = seen.tournament, round_in(seen.tournament, number_of(number))
    names = names_of(found, [sits.player for sits in one.without])
    return {
        **round_head(found, one),
        "without": [_sitting(sits, names, one.why) for sits in one.without],
        "seed": one.seed,
        "input": one.input,
        "amended": to_builtins(amended_since(found, one.number)),
    }


@route(ROUNDS, PAIRINGS, action="read_tournament", answer=PairingsBody, query=PairingsQuery)
def list_pairings(query: dict[str, Any], seen: SeenTournament, number: str) -> dict[str, Json]:
    """List the tables of a published round."""
    found, one = seen.tournament, round_in(seen.tournament, number_of(number))
    limit, of = query["limit"], f"pairings/{found.id}/{one.number}"
    start = place_of(query["after"], of=of) if "after" in query else 0
    tables = (
        table for table in one.tables.values() if query.get("player") in (None, *table.players)
    )
    page = list(islice(tables, start, start + limit + 1))
    return {
        "items": [pairing_body(seen, one, table) for table in page[:limit]],
        "next": cursor_of(start + limit, of=of) if len(page) > limit else None,
    }


@route(ROUNDS, PAIRING, action="read_tournament", answer=PairingBody)
def show_pairing(
    query: dict[str, Any], seen: SeenTournament, number: str, table: str
) -> dict[str, Json]:
    """Show a table of a published round."""
    found = table_in(seen.tournament, number_of(number), number_of(table))
    return pairing_body(seen, round_in(seen.tournament, number_of(number)), found)


@route(ROUNDS, f"{PAIRING}/why", action="read_tournament", answer=PairingWhyBody)
def explain_pairing(
    query: dict[str, Any], seen: SeenTournament, number: str, table: str
) -> dict[str, Json]:
    """Tell why two players meet."""
    one = round_in(seen.tournament, number_of(number))
    found = table_in(seen.tournament, one.number, number_of(table))
    return {"round": one.number, **_reason(found, _reasons(one))}


@route(ROUNDS, f"{ROUND}/reasons", action="read_tournament", answer=ReasonsBody, query=PageQuery)
def explain_round(query: dict[str, Any], seen: SeenTournament, number: str) -> dict[str, Json]:
    """Tell of each table of a published round why its players meet."""
    found, one = seen.tournament, round_in(seen.tournament, number_of(number))
    limit, of = query["limit"], f"reasons/{found.id}/{one.number}"
    start = place_of(query["after"], of=of) if "after" in query else 0
    page, reasons = list(islice(one.tables.values(), start, start + limit + 1)), _reasons(one)
    return {
        "items": [_reason(table, reasons) for table in page[:limit]],
        "next": cursor_of(start + limit, of=of) if len(page) > limit else None,
    }


def _reasons(one: RoundState) -> dict[int, Json]:
    """Return the reason of each table of a round; none where nothing was drawn."""
    return {} if one.why is None else dict(zip(one.tables, one.why["tables"], strict=True))


def _reason(found: TableState, reasons: Mapping[int, Json]) -> dict[str, Json]:
    number = found.table.table
    return {"table": number, "players": found.table.players, "why": reasons.get(number)}


def pairing_body(seen: SeenTournament, one: RoundState, table: TableState) -> dict[str, Json]:
    """Return a table as the API tells it; a difference is told to staff and who sits there."""
    names, result = names_of(seen.tournament, table.players), table.result
    is_told = seen.is_staff or (seen.entry is not None and seen.entry.player in table.players)
    return {
        **to_builtins(table.table),
        "names": [names[player] for player in table.players],
        "result": None if result is None else to_builtins(result),
        "level": level_of(table),
        "links": [to_builtins(link) for link in table.links],
        "minutes": minutes_of(one, table.table.table),
        "difference": to_builtins(difference_of(table)) if is_told else None,
    }
