"""What every command on a tournament has, and what every decision looks up and checks first."""

from __future__ import annotations

import re

from msgspec import Struct

from service.aggregates.tournaments.state import Entry, RoundState, TableState, Tournament
from service.aggregates.world import Closed, Conflict, Invalid, NotFound, Refused

ELIMINATIONS = ("single_elimination", "double_elimination")
SEED = re.compile(r"[0-9a-f]{64}")


class TournamentCommand(Struct, frozen=True, kw_only=True):
    """What all commands on a tournament have.

    expected_version: refuse if the tournament has gone on; None: never for that reason.
    """

    tournament_id: str
    expected_version: int | None = None


class Given(Struct, frozen=True, kw_only=True):
    """What a decision is given from outside. now: UTC, microseconds, `Z`."""

    now: str


def check_version(tournament: Tournament, command: TournamentCommand) -> None:
    """Raise `Conflict` if the tournament is not at the expected version."""
    if command.expected_version not in (None, tournament.version):
        text = f"tournament {tournament.id} has gone on"
        raise Conflict(text, version=tournament.version)


def check_open(tournament: Tournament) -> None:
    """Raise `Closed` unless the tournament can still go on."""
    if tournament.closed is not None:
        raise Closed(f"tournament {tournament.id} is closed")


def check_seed(seed: str) -> bytes:
    """Return the bytes of a seed; raises `Invalid`."""
    if SEED.fullmatch(seed) is None:
        raise Invalid({"seed": ["32 bytes in hexadecimal, in lower case"]})
    return bytes.fromhex(seed)


def entry_in(tournament: Tournament, player: str) -> Entry:
    """Return the entry of a player; raises `NotFound`."""
    entry = tournament.entries.get(player)
    if entry is None:
        raise NotFound(f"no player {player} in tournament {tournament.id}")
    return entry


def round_in(tournament: Tournament, number: int) -> RoundState:
    """Return a published round; raises `NotFound`."""
    one = tournament.rounds.get(number)
    if one is None:
        raise NotFound(f"round {number} is not published")
    return one


def table_in(tournament: Tournament, number: int, table: int) -> TableState:
    """Return a table of a published round; raises `NotFound`."""
    found = round_in(tournament, number).tables.get(table)
    if found is None:
        raise NotFound(f"round {number} has no table {table}")
    return found


def open_round_in(tournament: Tournament, number: int) -> RoundState:
    """Return a round that takes results; raises `NotFound`, `Refused` for one that is closed."""
    one = round_in(tournament, number)
    if one.closed is not None:
        raise Refused(f"round {number} is closed: its results can be amended")
    return one


def is_elimination(tournament: Tournament, phase: int) -> bool:
    """Tell whether a phase is a bracket."""
    return tournament.phase_of(phase).format in ELIMINATIONS


def wins_needed(tournament: Tournament, phase: int) -> int:
    """Return how many games win a match of a phase."""
    return tournament.phase_of(phase).best_of // 2 + 1


def numbers_of(tables: list[int]) -> str:
    """Return table numbers as words."""
    return ", ".join(map(str, tables))
