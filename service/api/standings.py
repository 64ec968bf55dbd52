"""Where everybody in a tournament stands and why, and the final placing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import msgspec
from msgspec.structs import replace

from schemas.standings import (
    PlacingBody,
    StandingsBody,
    StandingsQuery,
    StandingWhyBody,
    TableQuery,
)
from service.aggregates.tournaments.deciding import entry_in, is_elimination, round_in
from service.aggregates.tournaments.levels import Level, level_counts
from service.aggregates.tournaments.placing import final_placing, placing_table
from service.aggregates.tournaments.records import record_of
from service.aggregates.tournaments.scoring import profile_of
from service.aggregates.tournaments.state import Tournament
from service.aggregates.world import NotFound
from service.api.cursors import cursor_of, place_of
from service.api.routing import noun, route
from service.api.seeing_tournaments import SeenTournament
from service.api.tournament_answers import names_of
from service.api.tournaments import named_profile
from service.engine.values import Json
from service.standings.profiles import Profile
from service.standings.reasons import why
from service.standings.tables import Row, Table, table_of

STANDINGS = noun("standings", prefix="/api/v1/tournaments")
PLACE = "/<tournament_id>/standings"
DECIMALS = 9


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A table that is asked for. tournament: as it was after the round.

    lots: seed of the draws, None before any was made.
    """

    tournament: Tournament
    phase: int
    round: int
    profile: Profile
    lots: str | None

    @property
    def table(self) -> Table:
        """The table; of a bracket by how far each came."""
        if is_elimination(self.tournament, self.phase):
            return placing_table(self.tournament, self.phase, lots=self.lots)
        event = record_of(self.tournament)
        return table_of(event, self.profile, phase=self.phase - 1, lots=self.lots)


def asked_in(seen: SeenTournament, query: dict[str, Any]) -> Asked:
    """Return which table a query asks for: the last one that is no bracket's, unless it says.

    Raises `NotFound`, `Invalid`.
    """
    found, number = seen.tournament, query.get("round")
    phase = query.get("phase") or (
        _default_phase(found) if number is None else round_in(found, number).phase
    )
    if phase > found.phase:
        raise NotFound(f"phase {phase} has not begun")
    rounds = found.rounds_of(phase)
    last = number if number is not None else max((one.number for one in rounds), default=0)
    if number is not None and number not in {one.number for one in rounds}:
        raise NotFound(f"phase {phase} has no round {number}")
    shown = {at: one for at, one in found.rounds.items() if at <= last}
    at_round = replace(found, rounds=shown)
    profile = named_profile(query["profile"]) if "profile" in query else profile_of(found)
    return Asked(
        tournament=at_round,
        phase=phase,
        round=last,
        profile=profile,
        lots=_lots(found, phase),
    )


def _default_phase(tournament: Tournament) -> int:
    phases = [
        number
        for number in range(1, tournament.phase + 1)
        if not is_elimination(tournament, number)
    ]
    return phases[-1] if phases else tournament.phase


def _lots(tournament: Tournament, phase: int) -> str | None:
    """Return the seed of the draws of a phase: of the cut behind it, or of the end."""
    cut, closed = tournament.cuts.get(phase + 1), tournament.closed
    if cut is not None:
        return cut.seed
    return None if closed is None else closed.seed


@route(STANDINGS, PLACE, action="read_tournament", answer=StandingsBody, query=StandingsQuery)
def list_standings(query: dict[str, Any], seen: SeenTournament) -> dict[str, Json]:
    """List the standings after a round, exactly and rounded, also by another profile."""
    asked, limit = asked_in(seen, query), query["limit"]
    table, of = asked.table, f"standings/{seen.tournament.id}"
    start = place_of(query["after"], of=of) if "after" in query else 0
    page = list(islice(table.rows, start, start + limit + 1))
    return {
        "phase": asked.phase,
        "round": asked.round,
        "profile": asked.profile.name,
        "provisional": table.provisional or _goes_on(asked),
        "items": rows_of(asked, seen, page[:limit]),
        "next": cursor_of(start + limit, of=of) if len(page) > limit else None,
    }


def _goes_on(asked: Asked) -> bool:
    """Tell whether the last round that counts is open."""
    one = asked.tournament.rounds.get(asked.round)
    return one is not None and one.closed is None


def rows_of(asked: Asked, seen: SeenTournament, rows: Sequence[Row]) -> list[dict[str, Json]]:
    """Return rows of a table as the API tells them."""
    names = names_of(seen.tournament, [row.player for row in rows])
    levels = level_counts(asked.tournament, asked.phase)
    cut = seen.tournament.cuts.get(asked.phase + 1)
    frozen = {} if cut is None else {one.player: one.rank for one in cut.ranking}
    return [
        {
            "rank": row.rank,
            "player": row.player,
            "name": names[row.player],
            "points": str(row.points),
            "values": {label: round(float(one), DECIMALS) for label, one in row.values.items()},
            "exact": {label: str(one) for label, one in row.values.items()},
            "tied": row.tied,
            "levels": _named(levels.get(row.player, {})),
            "frozen_rank": frozen.get(row.player),
        }
        for row in rows
    ]


def _named(levels: dict[Level, int]) -> dict[str, int]:
    return {str(level): count for level, count in levels.items()}


@route(
    STANDINGS,
    f"{PLACE}/<player>/why",
    action="read_tournament",
    answer=StandingWhyBody,
    query=TableQuery,
)
def explain_standing(query: dict[str, Any], seen: SeenTournament, player: str) -> dict[str, Json]:
    """Tell why a player stands where he stands: each value as a sum, with the opponents."""
    entry_in(seen.tournament, player)
    asked = asked_in(seen, query)
    if is_elimination(asked.tournament, asked.phase):
        raise NotFound(f"phase {asked.phase} is a bracket: it has no values")
    event = record_of(asked.tournament)
    found = why(event, asked.profile, player, phase=asked.phase - 1, lots=asked.lots)
    if found is None:
        raise NotFound(f"{player} is not in this table")
    return {
        "phase": asked.phase,
        "round": asked.round,
        "profile": asked.profile.name,
        "row": rows_of(asked, seen, [found.row])[0],
        "reasons": msgspec.to_builtins(found.reasons, enc_hook=str),
    }


@route(STANDINGS, "/<tournament_id>/placing", action="read_tournament", answer=PlacingBody)
def show_placing(query: dict[str, Any], seen: SeenTournament) -> dict[str, Json]:
    """Show who is where through all phases; final once the tournament has ended."""
    found = seen.tournament
    placing = final_placing(found) if found.closed is None else found.closed.placing
    names = names_of(found, [one.player for one in placing])
    return {
        "provisional": found.closed is None,
        "items": [
            {"rank": one.rank, "player": one.player, "name": names[one.player]} for one in placing
        ],
    }
