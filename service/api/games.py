"""The games of a table of a tournament: the matches in which they are played, and their logs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from msgspec import to_builtins

from schemas.rounds import (
    GameBody,
    GameRequest,
    LinkPreviewBody,
    LinkRequest,
)
from service.aggregates.attachments import Attached, Command, Saved
from service.aggregates.events import TableGame
from service.aggregates.matches import Match
from service.aggregates.tournaments.deciding import (
    check_open,
    open_round_in,
    table_in,
)
from service.aggregates.tournaments.linking import seats_of_game
from service.aggregates.tournaments.state import TableState, Tournament
from service.aggregates.world import Conflict, Invalid, Refused
from service.api.commands import once
from service.api.persons import caller_id
from service.api.rounds import PAIRING
from service.api.routing import noun, route
from service.api.seats import pool_named
from service.api.seeing import seen_match
from service.api.seeing_tournaments import SeenTournament
from service.api.tournament_answers import (
    done_body,
    done_route,
    game_ids,
    number_of,
    opened_game,
    tournament_saved,
    version_in,
)
from service.api.wiring import installation
from service.commands.matches import OpenMatch, Seated, open_match
from service.engine.values import Json
from service.installation import clock
from service.table_links import Place, foresee_link, link_match

GAMES = noun("games", prefix="/api/v1/tournaments")
GAMES_PER_WIN = 2


@route(
    GAMES,
    f"{PAIRING}/games",
    method="POST",
    action="serve_table",
    answer=GameBody,
    takes=GameRequest,
    status=201,
)
def open_game(
    query: dict[str, Any], body: dict[str, Any], seen: SeenTournament, number: str, table: str
) -> dict[str, Json]:
    """Open the match of a game, by a player of the table or staff; again it is the same match."""
    found, at = seen.tournament, number_of(number)
    state = table_in(found, at, number_of(table))
    seen.side(state)
    game = body["game"]
    opened = opened_game(found, at, state, game)
    if opened is None:
        check_open(found)
        open_round_in(found, at)
        _check_game(found, at, state, game)
        opened = _open(found, at, state, game)
    return {"match": opened, "game": game}


def _check_game(found: Tournament, number: int, table: TableState, game: int) -> None:
    """Raise `Invalid` or `Refused` unless this game comes next."""
    most = GAMES_PER_WIN * found.phase_of(found.rounds[number].phase).best_of
    if game > most:
        raise Invalid({"game": [f"from 1 to {most}"]})
    if table.result is not None:
        raise Refused(f"table {table.table.table} has a result")
    if game == 1 or any(link.game == game - 1 for link in table.links):
        return
    before = opened_game(found, number, table, game - 1)
    if before is None or installation().log.match(before).closed is None:
        raise Refused(f"game {game - 1} has not been played")


def _open(found: Tournament, number: int, table: TableState, game: int) -> str:
    here = installation()
    for match_id in game_ids(found, number, table, game):
        try:
            open_match(here.log, _command(found, number, table, game, match_id), now=clock())
        except Conflict:
            if here.log.match(match_id).cancelled is None:
                return match_id
            continue
        return match_id
    raise Refused(f"game {game} was cancelled too often")


def _command(
    found: Tournament, number: int, table: TableState, game: int, match_id: str
) -> OpenMatch:
    here, opened = installation(), found.opened
    command = here.open_command(
        match_id,
        pool_named({"game": opened.game, "cards": opened.cards}),
        cards=opened.cards,
        kind="live",
        seats={seat: _seated(found, player) for seat, player in seats_of_game(table, game).items()},
        secrets=here.fresh_secrets(),
    )
    return replace(
        command,
        setup=opened.setup,
        opened_by=caller_id(),
        table=TableGame(
            tournament=found.id,
            phase=found.rounds[number].phase,
            round=number,
            table=table.table.table,
            game=game,
        ),
    )


def _seated(found: Tournament, player: str) -> Seated:
    here, person = installation(), found.entries[player].person
    if person is None:
        raise Refused(f"{player} has no account to play with")
    return Seated(person=person, name=here.salted(here.persons.find(person).name))


@route(
    GAMES,
    f"{PAIRING}/links/preview",
    method="POST",
    action="serve_table",
    answer=LinkPreviewBody,
    takes=LinkRequest,
)
def preview_link(
    query: dict[str, Any], body: dict[str, Any], seen: SeenTournament, number: str, table: str
) -> dict[str, Json]:
    """Tell what the log of a match would be worth at a table; nothing is done."""
    match, place = _asked(body, seen, number, table)
    found = foresee_link(installation(), match, place)
    shown: dict[str, Json] = to_builtins(found)
    return shown | {"fault": found.link.difference}


@done_route(GAMES, f"{PAIRING}/links", action="serve_table", takes=LinkRequest)
def link(
    query: dict[str, Any], body: dict[str, Any], seen: SeenTournament, number: str, table: str
) -> dict[str, Json]:
    """Let the log of a match count for a table; again changes nothing."""
    match, place = _asked(body, seen, number, table)

    def carry(asked: Command | None) -> Saved:
        return link_match(
            installation(),
            match,
            place,
            by=caller_id(),
            expected_version=version_in(body),
            attached=Attached(command=asked),
        )

    return done_body(seen.tournament.id, tournament_saved(once(body, carry)))


def _asked(
    body: Mapping[str, Any], seen: SeenTournament, number: str, table: str
) -> tuple[Match, Place]:
    """Return a match that the caller may see, and the table that he may serve with it."""
    state = table_in(seen.tournament, number_of(number), number_of(table))
    seen.side(state)
    place = Place(
        tournament=seen.tournament.id,
        round=number_of(number),
        table=state.table.table,
        game=body["game"],
        seats=body.get("seats"),
    )
    return seen_match(body["match"], "read_match").match, place
