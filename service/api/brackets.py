"""Brackets of tournaments: every match of one, who sits at it, and where he comes from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from schemas.brackets import BracketBody
from service.aggregates.tournaments.brackets import bracket_of
from service.aggregates.tournaments.deciding import is_elimination
from service.aggregates.tournaments.state import TableState, Tournament
from service.aggregates.world import NotFound
from service.api.routing import noun, route
from service.api.seeing_tournaments import SeenTournament
from service.api.tournament_answers import names_of, number_of
from service.engine.values import Json
from service.pairing.bracket_play import BYE, Seating, champion, seatings
from service.pairing.brackets import BracketMatch, Seed, Source, WinnerOf

BRACKETS = noun("brackets", prefix="/api/v1/tournaments")

Played: TypeAlias = Mapping[str, tuple[int, TableState]]
"""Slot of a match → the round in which it is played, and its table."""


@route(
    BRACKETS,
    "/<tournament_id>/phases/<number>/bracket",
    action="read_tournament",
    answer=BracketBody,
)
def show_bracket(query: dict[str, Any], seen: SeenTournament, number: str) -> dict[str, Json]:
    """Show the bracket of a phase that has begun, each match behind those its players come from."""
    found, phase = seen.tournament, number_of(number)
    if phase not in found.cuts or not is_elimination(found, phase):
        raise NotFound(f"phase {phase} is no bracket that has begun")
    bracket, played = bracket_of(found, phase), _played(found, phase)
    names, seated = names_of(found, bracket.players), seatings(bracket)
    seeds = {player: seed for seed, player in enumerate(bracket.players, start=1)}
    return {
        "phase": phase,
        "champion": champion(bracket),
        "matches": [
            {
                "slot": match.id,
                "side": match.side,
                "column": match.round,
                "seats": [
                    _seat(source, sitter, names, seeds)
                    for source, sitter in zip(match.seats, seated[match.id], strict=True)
                ],
                **_outcome(match, seated[match.id], played),
            }
            for match in bracket.layout.matches
        ],
    }


def _played(tournament: Tournament, phase: int) -> Played:
    return {
        str(table.table.slot): (one.number, table)
        for one in tournament.rounds_of(phase)
        for table in one.tables.values()
    }


def _seat(
    source: Source, sitter: str | None, names: Mapping[str, str], seeds: Mapping[str, int]
) -> dict[str, Json]:
    """Return who sits at a match: a player, nobody for ever (a bye), or nobody yet."""
    player = None if sitter == BYE else sitter
    return {
        "player": player,
        "name": None if player is None else names[player],
        "seed": None if player is None else seeds[player],
        "bye": sitter == BYE,
        "from_slot": None if isinstance(source, Seed) else source.match,
        "as_winner": None if isinstance(source, Seed) else isinstance(source, WinnerOf),
    }


def _outcome(match: BracketMatch, seated: Seating, played: Played) -> dict[str, Json]:
    """Return where a match is played and what came of it; games in the order of its seats."""
    if match.id not in played:
        return {"round": None, "table": None, "winner": None, "games": None, "decided": False}
    number, table = played[match.id]
    result = table.result
    games = None if result is None else list(result.games[:2])
    if games is not None and table.players[0] != seated[0]:
        games.reverse()
    return {
        "round": number,
        "table": table.table.table,
        "winner": None if result is None else result.winner,
        "games": games,
        "decided": result is not None,
    }
