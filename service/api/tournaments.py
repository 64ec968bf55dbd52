"""Tournaments: opened, listed, shown, their phases begun, closed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import to_builtins

from projections.tournaments import TournamentRow
from schemas.strict import Unreadable, canonical
from schemas.tournaments import (
    DoneBody,
    OpenTournamentRequest,
    PhaseStartRequest,
    TournamentBody,
    TournamentClosingRequest,
    TournamentsBody,
    TournamentsQuery,
)
from service.accounts.names import display_name
from service.aggregates.attachments import Attached, Command, Saved, Text
from service.aggregates.tournaments.cuts import MakeCut
from service.aggregates.tournaments.events import Cut, Phase
from service.aggregates.tournaments.opening import CloseTournament, OpenTournament
from service.aggregates.tournaments.records import round_name
from service.aggregates.tournaments.state import RoundState, Tournament
from service.aggregates.world import Invalid
from service.api.commands import once
from service.api.cursors import cursor_of, place_of
from service.api.persons import caller_id
from service.api.routing import noun, route
from service.api.seats import pool_named, setup_of
from service.api.seeing_tournaments import SeenTournament
from service.api.tournament_answers import (
    done_body,
    done_in,
    done_route,
    new_id,
    new_seed,
    number_of,
    tournament_saved,
    version_in,
)
from service.api.wiring import installation
from service.commands.tournament_book import stream_of
from service.commands.tournaments import open_tournament
from service.engine.values import Json
from service.event_files.own import read_profile
from service.installation import clock
from service.standings.profiles import PROFILES, Profile

TOURNAMENTS = noun("tournaments", prefix="/api/v1/tournaments")
LIST = "tournaments"
SEATS = ("P1", "P2")
ALONE = "machine_beast"
"""The mode of a game in which there is nobody to win against."""


@route(
    TOURNAMENTS,
    "",
    method="POST",
    action="open_tournament",
    answer=DoneBody,
    takes=OpenTournamentRequest,
    status=201,
    idempotent=True,
)
def open_new_tournament(query: dict[str, Any], body: dict[str, Any]) -> dict[str, Json]:
    """Open a tournament."""
    here, name = installation(), installation().salted(display_name(body["name"]))
    command = _command_from(body, name)

    def carry(asked: Command | None) -> Saved:
        attached = Attached(command=asked, texts=[name])
        return open_tournament(here.tournaments, command, now=clock(), attached=attached)

    saved = tournament_saved(once(body, carry))
    return done_body(saved.stream.removeprefix(stream_of("")), saved)


def _command_from(body: Mapping[str, Any], name: Text) -> OpenTournament:
    pool = pool_named(body)
    sent = body["setup"]
    if isinstance(sent, dict) and sent.get("mode") == ALONE:
        raise Invalid({"setup.mode": [f"{ALONE} has no opponents"]})
    return OpenTournament(
        tournament_id=new_id(),
        name=name.digest,
        game=body["game"],
        cards=body["cards"],
        setup=setup_of(pool, sent, SEATS),
        phases=[_phase(one) for one in body["phases"]],
        profile=_profile(body["profile"]),
        late=body["late"],
        by=caller_id(),
    )


def _phase(sent: Mapping[str, Any]) -> Phase:
    cut = None if sent["cut"] is None else Cut(**sent["cut"])
    return Phase(**{**sent, "cut": cut})


def _profile(sent: Json) -> Profile:
    """Return the profile that was named or sent; raises `Invalid`."""
    if isinstance(sent, str):
        return named_profile(sent)
    try:
        return read_profile(canonical(sent))
    except Unreadable as fault:
        raise Invalid({"profile": [str(fault)]}) from fault


def named_profile(name: str) -> Profile:
    """Return a profile that everybody may use; raises `Invalid`."""
    if name not in PROFILES:
        raise Invalid({"profile": [f"one of {', '.join(PROFILES)}"]})
    return PROFILES[name]


@route(TOURNAMENTS, "", action="list_tournaments", answer=TournamentsBody, query=TournamentsQuery)
def list_tournaments(query: dict[str, Any]) -> dict[str, Json]:
    """List tournaments, the last opened first."""
    limit = query["limit"]
    rows = installation().tournament_rows(
        game=query.get("game"),
        state=query.get("state"),
        before=place_of(query["after"], of=LIST) if "after" in query else None,
        limit=limit + 1,
    )
    return {
        "items": [_listed(row) for row in rows[:limit]],
        "next": cursor_of(rows[limit - 1].place, of=LIST) if len(rows) > limit else None,
    }


def _listed(row: TournamentRow) -> dict[str, Json]:
    body: dict[str, Json] = to_builtins(row)
    del body["place"]
    return body | {"name": installation().log.text(row.name)}


@route(TOURNAMENTS, "/<tournament_id>", action="read_tournament", answer=TournamentBody)
def show_tournament(query: dict[str, Any], seen: SeenTournament) -> dict[str, Json]:
    """Show a tournament."""
    found, opened = seen.tournament, seen.tournament.opened
    return {
        "id": found.id,
        "version": found.version,
        "name": installation().log.text(opened.name),
        "game": opened.game,
        "cards": opened.cards,
        "setup": opened.setup,
        "profile": opened.profile,
        "late": opened.late,
        "state": state_of(found),
        "players": len(found.entries),
        "opened_at": opened.time,
        "phase": found.phase,
        "phases": [_phase_body(found, place) for place in range(1, len(opened.phases) + 1)],
        "rounds": [round_head(found, one) for one in found.rounds.values()],
        "player": None if seen.entry is None else seen.entry.player,
        "staff": seen.is_staff,
        "runs": seen.may("run_tournament"),
    }


def state_of(tournament: Tournament) -> str:
    """Return the state of a tournament as lists tell it."""
    if tournament.closed is not None:
        return "closed"
    return "running" if tournament.rounds else "open"


def _phase_body(tournament: Tournament, number: int) -> dict[str, Json]:
    one, cut = tournament.phase_of(number), tournament.cuts.get(number)
    body: dict[str, Json] = to_builtins(one)
    return body | {
        "number": number,
        "begun": cut is not None or bool(tournament.rounds_of(number)),
        "seeds": [] if cut is None else cut.seeds,
    }


def round_head(tournament: Tournament, one: RoundState) -> dict[str, Json]:
    """Return what lists tell of a published round."""
    return {
        "number": one.number,
        "phase": one.phase,
        "name": round_name(tournament, one),
        "tables": len(one.tables),
        "missing": one.missing,
        "minutes": one.minutes,
        "started_at": one.started_at,
        "closed": one.closed is not None,
    }


@done_route(
    TOURNAMENTS,
    "/<tournament_id>/phases/<number>",
    action="run_tournament",
    takes=PhaseStartRequest,
)
def begin_phase(
    query: dict[str, Any], body: dict[str, Any], seen: SeenTournament, number: str
) -> dict[str, Json]:
    """Begin a phase with those who make the cut, or seed a first bracket; again changes nothing."""
    command = MakeCut(
        tournament_id=seen.tournament.id,
        expected_version=version_in(body),
        phase=number_of(number),
        seed=new_seed(),
        order=tuple(body["order"]),
        early=body["early"],
        by=caller_id(),
    )
    return done_in(seen, body, command)


@done_route(
    TOURNAMENTS, "/<tournament_id>/closing", action="run_tournament", takes=TournamentClosingRequest
)
def close(query: dict[str, Any], body: dict[str, Any], seen: SeenTournament) -> dict[str, Json]:
    """End a tournament with its final placing; again changes nothing."""
    draws = any(one["kind"] == "lot" for one in seen.tournament.opened.profile["criteria"])
    command = CloseTournament(
        tournament_id=seen.tournament.id,
        expected_version=version_in(body),
        early=body["early"],
        seed=new_seed() if draws else None,
        by=caller_id(),
    )
    return done_in(seen, body, command)
