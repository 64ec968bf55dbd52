"""What the pairer is given for a round, and what it makes of it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import msgspec
from msgspec import Struct

from service.aggregates.tournaments.brackets import bracket_of, next_tables
from service.aggregates.tournaments.deciding import is_elimination
from service.aggregates.tournaments.events import Sitting, Table, Unpaired
from service.aggregates.tournaments.records import NOTHING, Replaced, members, record_of
from service.aggregates.tournaments.scoring import profile_of
from service.aggregates.tournaments.state import Tournament
from service.aggregates.world import Refused
from service.engine.hashes import tagged_hash
from service.engine.values import Json
from service.pairing.fields import Options, Pairing, Player, Unpairable, Why, input_digest
from service.pairing.round_robin import RobinRound, round_robin
from service.pairing.swiss import pair
from service.standings.records import Event, Result, Round, rounds_of
from service.standings.tallies import sheet_of

FULL_BYES = ("bye", "awarded_bye")
ASSIGNED: Unpaired = "bye"
AWARDED: Unpaired = "pre_awarded"


class Drawn(Struct, frozen=True, kw_only=True):
    """A round that was made. The fields are those of `RoundDrafted`."""

    tables: list[Table]
    without: list[Sitting]
    why: Json
    seed: str | None
    input: str


class Field(Struct, frozen=True, kw_only=True):
    """What a Swiss round is made of. sitting: player → what he gets, for those not paired."""

    players: tuple[Player, ...]
    options: Options
    sitting: dict[str, Unpaired]

    @property
    def digest(self) -> str:
        """The digest of everything that the round depends on."""
        return input_digest(self.players, self.options)


def drawn(tournament: Tournament, number: int, seed: str, sitting: Mapping[str, Unpaired]) -> Drawn:
    """Make the next round. sitting: players whom staff does not let be paired.

    Raises `Refused` with the reason where it cannot be made.
    """
    phase = tournament.phase
    if is_elimination(tournament, phase):
        tables, without = next_tables(tournament, phase)
        assert tables, "a bracket that is decided has no next round"
        return _fixed(tables, without, fixed_digest(tournament))
    if tournament.phase_of(phase).format == "round_robin":
        return _robin_drawn(tournament, number)
    field = field_of(tournament, number, seed, sitting)
    return swiss_drawn(tournament, number, field)


def swiss_drawn(tournament: Tournament, number: int, field: Field) -> Drawn:
    """Pair a Swiss round; raises `Refused` with fewer than two players."""
    found = pair(field.players, field.options)
    if isinstance(found, Unpairable):
        raise too_few(number, found)
    met = meetings(tournament, number)
    tables = [
        Table(table=place, players=list(players), rematch=frozenset(players) in met)
        for place, players in enumerate(found.tables, start=1)
    ]
    return Drawn(
        tables=tables,
        without=without_of(found, field),
        why=told(found.why),
        seed=field.options.seed.hex(),
        input=field.digest,
    )


def told(why: Why) -> Json:
    """Return reasons as JSON values."""
    return msgspec.json.decode(msgspec.json.encode(why))


def without_of(found: Pairing, field: Field) -> list[Sitting]:
    """Return who sits out a round: with a bye of the pairer, or as was decided beforehand."""
    byes = [
        Sitting(player=player, kind=ASSIGNED)
        for player in found.byes
        if player not in field.sitting
    ]
    return byes + [Sitting(player=player, kind=kind) for player, kind in field.sitting.items()]


def too_few(number: int, found: Unpairable) -> Refused:
    """Return the refusal of a round with 0 or 1 players."""
    return Refused(f"round {number} cannot be paired with {found.active} active players")


def field_of(
    tournament: Tournament,
    number: int,
    seed: str,
    sitting: Mapping[str, Unpaired],
    *,
    replaced: Replaced = NOTHING,
    only: Collection[str] | None = None,
) -> Field:
    """Return the players of a Swiss round with all that counts before it.

    replaced: results looked at as if they were there. only: who is looked at, None for everybody
    who is there in this round.
    """
    event = record_of(tournament, to_round=number - 1, replaced=replaced)
    there = tournament.rounds.get(number)
    phase = event.phases[(tournament.phase if there is None else there.phase) - 1]
    points = _points(tournament, event, phase.rounds)
    met, byes = _histories(event)
    last = phase.rounds[-1].results if phase.rounds else ()
    floated = _floated(last, _points(tournament, event, phase.rounds[:-1]))
    present = present_in(tournament, number) if only is None else only
    full = tuple(sorted(player for player in sitting if sitting[player] == AWARDED))
    away = {player for player in sitting if player not in full}
    return Field(
        players=tuple(
            Player(
                id=player,
                points=points.get(player, 0),
                met=tuple(met.get(player, ())),
                byes=byes.get(player, 0),
                floated=player in floated,
            )
            for player in sorted(present)
            if player not in away
        ),
        options=Options(seed=bytes.fromhex(seed), byes_given=full),
        sitting=dict(sitting),
    )


def present_in(tournament: Tournament, number: int) -> list[str]:
    """Return who can be paired in a round of the phase that is on."""
    return [
        entry.player
        for entry in members(tournament, tournament.phase)
        if entry.is_there(number) and not entry.disqualified
    ]


def _points(tournament: Tournament, event: Event, rounds: Sequence[Round]) -> dict[str, int]:
    """Return the points of some rounds, in the smallest part that the profile gives."""
    sheet = sheet_of(event.players, rounds, profile_of(tournament))
    return {
        player.id: tally.points for player, tally in zip(sheet.players, sheet.tallies, strict=True)
    }


def _histories(event: Event) -> tuple[dict[str, list[str]], dict[str, int]]:
    """Return whom each player has met, and how many full byes he has had."""
    met: dict[str, list[str]] = {}
    byes: dict[str, int] = {}
    for one in rounds_of(event):
        for result in one.results:
            if result.second is not None:
                met.setdefault(result.first, []).append(result.second)
                met.setdefault(result.second, []).append(result.first)
            elif result.kind in FULL_BYES:
                byes[result.first] = byes.get(result.first, 0) + 1
    return met, byes


def _floated(results: Collection[Result], before: Mapping[str, int]) -> set[str]:
    floated: set[str] = set()
    for result in results:
        other = result.second
        if other is not None and before.get(result.first, 0) != before.get(other, 0):
            floated |= {result.first, other}
    return floated


def meetings(tournament: Tournament, number: int) -> set[frozenset[str]]:
    """Return the pairs that were at one table before a round."""
    return {
        frozenset(table.players)
        for one in tournament.rounds.values()
        if one.number < number
        for table in one.tables.values()
    }


def _fixed(tables: list[Table], without: list[Sitting], digest: str) -> Drawn:
    return Drawn(tables=tables, without=without, why=None, seed=None, input=digest)


def bracket_digest(tournament: Tournament, phase: int) -> str:
    """Return the digest of the seeds and winners of a bracket."""
    bracket = bracket_of(tournament, phase)
    parts = [msgspec.json.encode(bracket.players), msgspec.json.encode(bracket.winners)]
    return tagged_hash("kifu/bracket", *parts).hex()


def fixed_digest(tournament: Tournament) -> str:
    """Return the digest of what the next round of a bracket or round robin depends on."""
    phase = tournament.phase
    if is_elimination(tournament, phase):
        return bracket_digest(tournament, phase)
    seeds = msgspec.json.encode(tournament.cuts[phase].seeds)
    without = msgspec.json.encode(_robin_byes(tournament))
    return tagged_hash("kifu/round-robin", seeds, without).hex()


def robin_rounds(tournament: Tournament, phase: int) -> tuple[RobinRound, ...]:
    """Return all rounds of a round robin that has begun."""
    found = round_robin(tournament.cuts[phase].seeds)
    assert not isinstance(found, Unpairable), "a cut has two players or more"
    return found


def _robin_next(tournament: Tournament) -> RobinRound:
    phase = tournament.phase
    return robin_rounds(tournament, phase)[len(tournament.rounds_of(phase))]


def _robin_byes(tournament: Tournament) -> list[Sitting]:
    """Return who is without opponent; a player who has left has no bye."""
    bye = _robin_next(tournament).bye
    if bye is None:
        return []
    has_left = tournament.entries[bye].dropped_after is not None
    return [Sitting(player=bye, kind="loss" if has_left else ASSIGNED)]


def _robin_drawn(tournament: Tournament, number: int) -> Drawn:
    met = meetings(tournament, number)
    tables = [
        Table(table=place, players=list(players), rematch=frozenset(players) in met)
        for place, players in enumerate(_robin_next(tournament).tables, start=1)
    ]
    return _fixed(tables, _robin_byes(tournament), fixed_digest(tournament))
