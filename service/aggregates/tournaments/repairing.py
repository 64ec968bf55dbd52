"""A published Swiss round paired again in one event: all of it, or as few tables as can be."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import count, islice
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from service.aggregates.tournaments.brackets import TableKey, has_begun
from service.aggregates.tournaments.deciding import (
    Given,
    TournamentCommand,
    check_open,
    check_seed,
    numbers_of,
    open_round_in,
)
from service.aggregates.tournaments.drafts import check_parity, sitting_of
from service.aggregates.tournaments.drawing import (
    ASSIGNED,
    Field,
    field_of,
    meetings,
    present_in,
    told,
    too_few,
    without_of,
)
from service.aggregates.tournaments.events import (
    RoundRepaired,
    Sitting,
    Table,
    TournamentEvent,
    Unpaired,
)
from service.aggregates.tournaments.state import RoundState, Tournament
from service.aggregates.world import Refused
from service.engine.values import Json
from service.pairing.fields import PLAYERS_MIN, Pairing, Unpairable, Why
from service.pairing.repairing import pair_again
from service.pairing.swiss import pair

Seated: TypeAlias = tuple[Table, Json]
"""A table and why its players meet."""


class RepairRound(TournamentCommand, frozen=True, kw_only=True):
    """Ask to pair a published round again. seed, sitting, extra_bye: as in `DraftRound`.

    Who sits out by decision goes on doing so, unless he is to be paired: `paired`. minimal: as few
    tables as can be are new, and none that has begun; else all are, and none may have begun.
    begun: tables, as round and table, of which games have been opened. reason: digest of a text.
    """

    round: int
    seed: str
    minimal: bool = True
    sitting: Mapping[str, Unpaired] = {}
    paired: Collection[str] = ()
    extra_bye: bool = False
    begun: Collection[TableKey] = ()
    by: str
    reason: str


class Again(Struct, frozen=True, kw_only=True):
    """A round to be paired again. settled: numbers of the tables that stay whatever happens."""

    one: RoundState
    settled: tuple[int, ...]
    field: Field


def repair(tournament: Tournament, command: RepairRound, given: Given) -> list[TournamentEvent]:
    """Pair a round again; nothing happens if every table stays as it is.

    Raises `Refused` in another format, where tables have begun that would be paired anew, with
    fewer than two players, or where byes leave an odd number; `NotFound`, `Invalid`, `Closed`.
    """
    check_open(tournament)
    check_seed(command.seed)
    one = open_round_in(tournament, command.round)
    if tournament.phase_of(one.phase).format != "swiss":
        raise Refused("only a Swiss round is paired again")
    settled = [
        number
        for number, table in one.tables.items()
        if has_begun(table) or (one.number, number) in command.begun
    ]
    if settled and not command.minimal:
        raise Refused(f"tables {numbers_of(settled)} have begun")
    again = Again(one=one, settled=tuple(settled), field=_field(tournament, command, settled))
    pairing = _paired_again(again, is_minimal=command.minimal)
    seated = _numbered(tournament, again, pairing)
    tables = [table for table, _ in seated.values()]
    without = without_of(pairing, again.field)
    before = [table.table for table in one.tables.values()]
    if tables == before and _by_player(without) == _by_player(one.without):
        return []
    return [
        RoundRepaired(
            round=command.round,
            tables=tables,
            without=without,
            why={**told(pairing.why), "tables": [reason for _, reason in seated.values()]},
            minimal=command.minimal,
            seed=command.seed,
            input=again.field.digest,
            by=command.by,
            reason=command.reason,
            time=given.now,
        )
    ]


def _field(tournament: Tournament, command: RepairRound, settled: Sequence[int]) -> Field:
    """Return who is paired again: all who are there but do not sit at a settled table."""
    one = tournament.rounds[command.round]
    at_settled = {player for number in settled for player in one.tables[number].players}
    there = set(present_in(tournament, one.number)) - at_settled
    before = {
        sits.player: sits.kind
        for sits in one.without
        if sits.kind != ASSIGNED and sits.player in there and sits.player not in command.paired
    }
    asked = {player: kind for player, kind in command.sitting.items() if player in there}
    if len(asked) != len(command.sitting):
        raise Refused("who sits at a table that has begun, or is not there, cannot sit out")
    beforehand = sitting_of(tournament, one.number, asked)
    sitting = {
        player: kind
        for player, kind in {**before, **beforehand}.items()
        if player in there and player not in command.paired
    }
    check_parity(len(there) - len(sitting), command.sitting.values(), allowed=command.extra_bye)
    return field_of(tournament, one.number, command.seed, sitting, only=there)


def _paired_again(again: Again, *, is_minimal: bool) -> Pairing:
    field, one = again.field, again.one
    to_pair = len(field.players) - len(field.options.byes_given)
    if to_pair < PLAYERS_MIN and again.settled:
        # Everybody else has begun: who is left over cannot have an opponent.
        byes = tuple(player.id for player in field.players)
        return Pairing(tables=(), byes=byes, why=Why(tables=(), byes=()))
    if is_minimal:
        repaired = pair_again(_published(again), field.players, field.options)
        found = repaired if isinstance(repaired, Unpairable) else repaired.pairing
    else:
        found = pair(field.players, field.options)
    if isinstance(found, Unpairable):
        raise too_few(one.number, found)
    return found


def _published(again: Again) -> Pairing:
    """Return the part of the round that is paired again as it was published."""
    one = again.one
    return Pairing(
        tables=tuple(
            table.players for number, table in one.tables.items() if number not in again.settled
        ),
        byes=tuple(sits.player for sits in one.without if sits.kind == ASSIGNED),
        why=Why(tables=(), byes=()),
    )


def _numbered(tournament: Tournament, again: Again, pairing: Pairing) -> dict[int, Seated]:
    """Return the tables: those that stay under their numbers, new ones under what is free."""
    one = again.one
    met = meetings(tournament, one.number)
    numbers = {frozenset(table.players): number for number, table in one.tables.items()}
    reasons = dict(zip(one.tables, one.why["tables"], strict=True))
    found = {number: (one.tables[number].table, reasons[number]) for number in again.settled}
    new: list[Seated] = []
    for players, reason in zip(pairing.tables, told(pairing.why)["tables"], strict=True):
        both = frozenset(players)
        table = Table(table=0, players=list(players), rematch=both in met)
        if both in numbers:
            number = numbers[both]
            found[number] = (one.tables[number].table, reason)
        else:
            new.append((table, reason))
    free = (number for number in count(1) if number not in found)
    for number, (table, reason) in zip(islice(free, len(new)), new, strict=True):
        found[number] = (replace(table, table=number), reason)
    return dict(sorted(found.items()))


def _by_player(without: Sequence[Sitting]) -> list[tuple[str, str]]:
    return sorted((sits.player, sits.kind) for sits in without)
