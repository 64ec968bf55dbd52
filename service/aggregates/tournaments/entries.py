"""Who plays: entering, decks, leaving and coming back."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

from service.aggregates.tournaments.brackets import TableKey, has_begun
from service.aggregates.tournaments.deciding import Given, TournamentCommand, check_open, entry_in
from service.aggregates.tournaments.events import (
    DeckRegistered,
    PlayerDropped,
    PlayerEntered,
    PlayerReentered,
    TournamentEvent,
)
from service.aggregates.tournaments.folding import evolve
from service.aggregates.tournaments.repairing import RepairRound, repair
from service.aggregates.tournaments.results import reported, wins_of, won_by
from service.aggregates.tournaments.state import Entry, RoundState, TableState, Tournament
from service.aggregates.world import Conflict, Invalid, Refused
from service.pairing.bracket_play import BYE

PLAYERS_MAX = 10_000


class EnterPlayer(TournamentCommand, frozen=True, kw_only=True):
    """Ask to be in. player: a new id; person: None for a name without an account; name: digest.

    from_round: None for the next; the open round of a Swiss phase if it is then paired again. byes:
    rounds for which the player has a bye beforehand.
    """

    player: str
    person: str | None
    name: str
    from_round: int | None = None
    byes: tuple[int, ...] = ()
    by: str


class RegisterDeck(TournamentCommand, frozen=True, kw_only=True):
    """Ask to play a deck. deck: digest of its text; is_late: although rounds have been played."""

    player: str
    deck: str
    is_late: bool = False
    by: str


class DropPlayer(TournamentCommand, frozen=True, kw_only=True):
    """Ask to leave. reason: digest of a text.

    opponent: what the opponent at an open table without a result gets, a win by forfeit or, in a
    Swiss round, another opponent; then seed and begun are as in `RepairRound`.
    """

    player: str
    opponent: Literal["forfeit", "repair"] = "forfeit"
    seed: str = ""
    begun: Collection[TableKey] = ()
    by: str
    reason: str


class ReenterPlayer(TournamentCommand, frozen=True, kw_only=True):
    """Ask to come back. from_round: as in `EnterPlayer`. byes: missed rounds that staff awards."""

    player: str
    from_round: int | None = None
    byes: tuple[int, ...] = ()
    by: str


def enter(tournament: Tournament, command: EnterPlayer, given: Given) -> list[TournamentEvent]:
    """Take a player in; nothing happens if the person is in already.

    Raises `Conflict` for an id that somebody else has, `Refused` when nobody can enter any more or
    for a person who has left; `Invalid`, `Closed`.
    """
    check_open(tournament)
    known = None if command.person is None else tournament.entry_of_person(command.person)
    known = known or tournament.entries.get(command.player)
    if known is not None:
        return _entered_before(tournament, known, command)
    if command.player in ("", BYE):
        raise Invalid({"player": ["no id of a player"]})
    _check_enterable(tournament)
    first = _first_round(tournament, command.from_round)
    last = tournament.phase_of(1).rounds or 0
    if any(not first <= number <= last for number in command.byes):
        raise Invalid({"byes": [f"Swiss rounds from {first} to {last}"]})
    return [
        PlayerEntered(
            player=command.player,
            person=command.person,
            name=command.name,
            from_round=first,
            byes=sorted(set(command.byes)),
            by=command.by,
            time=given.now,
        )
    ]


def register_deck(
    tournament: Tournament, command: RegisterDeck, given: Given
) -> list[TournamentEvent]:
    """Keep the deck of a player; nothing happens if it is the one that he has.

    Raises `Refused` once he can have played, unless `is_late`; `NotFound`, `Closed`.
    """
    check_open(tournament)
    entry = entry_in(tournament, command.player)
    if entry.deck == command.deck:
        return []
    if tournament.last_round >= entry.from_round and not command.is_late:
        raise Refused(f"round {entry.from_round} is published: decks are as they were")
    return [DeckRegistered(player=command.player, deck=command.deck, by=command.by, time=given.now)]


def drop(tournament: Tournament, command: DropPlayer, given: Given) -> list[TournamentEvent]:
    """Let a player go; nothing happens if he has left. A result that is there stays.

    The opponent at an open table gets what the command says. Raises `NotFound`, `Closed` and what
    `repair` raises.
    """
    check_open(tournament)
    entry = entry_in(tournament, command.player)
    if entry.dropped_after is not None:
        return []
    at = waiting_table(tournament, command.player)
    is_repaired = at is not None and command.opponent == "repair"
    dropped = PlayerDropped(
        player=command.player,
        after_round=tournament.last_round - is_repaired,
        by=command.by,
        reason=command.reason,
        time=given.now,
    )
    if at is None:
        return [dropped]
    if not is_repaired:
        return [dropped, _forfeit(tournament, at, command.player, given)]
    if has_begun(at[1]) or (at[0].number, at[1].table.table) in command.begun:
        raise Refused("the table has begun: the opponent can only win by forfeit")
    again = RepairRound(
        tournament_id=tournament.id,
        round=at[0].number,
        seed=command.seed,
        begun=command.begun,
        by=command.by,
        reason=command.reason,
    )
    after = evolve(tournament, dropped, tournament_id=tournament.id)
    return [dropped, *repair(after, again, given)]


def reenter(tournament: Tournament, command: ReenterPlayer, given: Given) -> list[TournamentEvent]:
    """Let a player come back; nothing happens if he is there. Missed rounds are lost.

    Raises `Refused` for who was disqualified or when nobody can enter any more, `Invalid` for byes
    in rounds that he has not missed; `NotFound`, `Closed`.
    """
    check_open(tournament)
    entry = entry_in(tournament, command.player)
    if entry.dropped_after is None:
        return []
    if entry.disqualified:
        raise Refused(f"{command.player} is disqualified")
    first = max(_first_round(tournament, command.from_round), entry.dropped_after + 1)
    missed = range(max(entry.dropped_after + 1, entry.from_round), first)
    swiss = [
        number
        for number in missed
        if number in tournament.rounds
        and tournament.phase_of(tournament.rounds[number].phase).format == "swiss"
    ]
    if not set(command.byes) <= set(swiss):
        raise Invalid({"byes": ["Swiss rounds that the player has missed"]})
    return [
        PlayerReentered(
            player=command.player,
            from_round=first,
            byes=sorted(set(command.byes)),
            by=command.by,
            time=given.now,
        )
    ]


def waiting_table(tournament: Tournament, player: str) -> tuple[RoundState, TableState] | None:
    """Return the table of an open round at which a player sits without a result, or None."""
    for one in tournament.rounds.values():
        table = None if one.closed is not None else one.table_of(player)
        if table is not None and table.result is None:
            return one, table
    return None


def _forfeit(
    tournament: Tournament, at: tuple[RoundState, TableState], player: str, given: Given
) -> TournamentEvent:
    """Return the result of a table that a player leaves; none wins if the other has left too."""
    one, table = at
    other = table.opponent_of(player)
    winner = other if tournament.entries[other].dropped_after is None else None
    result = won_by(table, winner, wins_of(tournament, one.number), "forfeit")
    return reported(one.number, table, result, given, side=None, by=None)


def _entered_before(
    tournament: Tournament, known: Entry, command: EnterPlayer
) -> list[TournamentEvent]:
    if known.person != command.person:
        raise Conflict(f"{command.player} is somebody else", version=tournament.version)
    if known.dropped_after is not None:
        raise Refused(f"{known.player} has left and can come back")
    return []


def _check_enterable(tournament: Tournament) -> None:
    if tournament.cuts:
        raise Refused("the players are seeded: nobody can enter any more")
    first = tournament.phase_of(1)
    if first.format == "swiss" and tournament.last_round >= (first.rounds or 0):
        raise Refused("the last round is published: nobody can enter any more")
    if len(tournament.entries) >= PLAYERS_MAX:
        raise Refused(f"{PLAYERS_MAX} players have entered, which is the most there may be")


def _first_round(tournament: Tournament, asked: int | None) -> int:
    """Return the first round that somebody who comes can play; raises `Invalid`."""
    last = tournament.last_round
    one = tournament.rounds.get(last)
    is_open = one is not None and one.closed is None
    is_swiss = tournament.phase_of(tournament.phase).format == "swiss"
    able = [last + 1, last] if is_open and is_swiss else [last + 1]
    if asked is not None and asked not in able:
        raise Invalid({"from_round": [f"one of {', '.join(map(str, sorted(able)))}"]})
    return able[0] if asked is None else asked
