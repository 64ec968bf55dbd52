"""Folding the events of a foreign tournament: each must fit what was there before it.

Its standings are computed again wherever an event states them: at cuts and at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import ValidationError

from service.aggregates.tournaments.brackets import matches_of
from service.aggregates.tournaments.cuts import entered, seeding_of
from service.aggregates.tournaments.deciding import SEED, Given, is_elimination
from service.aggregates.tournaments.entries import PLAYERS_MAX
from service.aggregates.tournaments.events import (
    CutMade,
    MatchLinked,
    Placed,
    PlayerDropped,
    PlayerEntered,
    PlayerReentered,
    ResultAmended,
    ResultConfirmed,
    ResultReported,
    RoundDrafted,
    RoundPublished,
    RoundRepaired,
    TournamentClosed,
    TournamentEvent,
    TournamentOpened,
)
from service.aggregates.tournaments.folding import evolve
from service.aggregates.tournaments.opening import OpenTournament, open_tournament
from service.aggregates.tournaments.placing import final_placing
from service.aggregates.tournaments.records import record_of
from service.aggregates.tournaments.results import GAMES_PARTS
from service.aggregates.tournaments.scoring import profile_of
from service.aggregates.tournaments.state import Tournament
from service.aggregates.world import Invalid
from service.pairing.brackets import SIZE_MAX
from service.standings.records import laws

SEATS = 2


class Unfit(ValueError):
    """An event that does not fit those before it. seq: its number."""

    def __init__(self, seq: int, text: str) -> None:
        """Say what is wrong with event `seq`."""
        super().__init__(text)
        self.seq = seq


class OtherStandings(Unfit):
    """An event that states other standings than the results give."""


def folded(
    tournament_id: str, events: Iterable[TournamentEvent], heads: Sequence[str]
) -> Tournament:
    """Return the state after events that come from elsewhere; raises `Unfit`, `OtherStandings`.

    heads: the hash of each. There must be one at least. Pairings are taken as they are.
    """
    state: Tournament | None = None
    for seq, (event, head) in enumerate(zip(events, heads, strict=True), start=1):
        fault = _fault(state, event, tournament_id)
        if fault is not None:
            raise Unfit(seq, fault)
        if state is not None and isinstance(event, CutMade | TournamentClosed):
            _check_standings(state, event)
        state = evolve(state, event, tournament_id=tournament_id, head=head)
    assert state is not None, "a file without events is refused before"
    _check_laws(state)
    return state


def _check_standings(state: Tournament, event: CutMade | TournamentClosed) -> None:
    _check_laws(state)
    other = _other_standings(state, event)
    if other is not None:
        raise OtherStandings(state.version + 1, other)


def _check_laws(state: Tournament) -> None:
    fault = laws(record_of(state))
    if fault is not None:
        raise Unfit(state.version, fault)


def _fault(state: Tournament | None, event: TournamentEvent, tournament_id: str) -> str | None:
    """Return why an event does not fit, or None. What it names must be there."""
    if isinstance(event, TournamentOpened):
        return (
            "it is opened twice" if state is not None else _fault_of_opening(event, tournament_id)
        )
    if state is None:
        return "the record does not begin with tournament_opened"
    if state.closed is not None:
        return "it goes on behind its end"
    return next(_faults(state, event), None)


def _fault_of_opening(event: TournamentOpened, tournament_id: str) -> str | None:
    state = Tournament(id=tournament_id, version=1, opened=event)
    try:
        command = OpenTournament(
            tournament_id=tournament_id,
            name=event.name,
            game=event.game,
            cards=event.cards,
            setup=event.setup,
            phases=event.phases,
            profile=profile_of(state),
            late=event.late,
            by=event.by,
        )
        decided = open_tournament(command, Given(now=event.time))
    except (Invalid, ValidationError, ValueError, ArithmeticError) as fault:
        return f"it cannot be opened like this: {fault}"
    return None if decided == [event] else "it is not opened as the rules of tournaments say"


def _faults(state: Tournament, event: TournamentEvent) -> Iterator[str]:
    """Yield what an event names that is not there, and what its own kind asks for."""
    player = getattr(event, "player", None)
    if player is not None and (player in state.entries) == isinstance(event, PlayerEntered):
        yield f"player {player!r} is not there, or twice"
    number, table = getattr(event, "round", None), getattr(event, "table", None)
    if number is not None and not isinstance(event, RoundDrafted | RoundPublished):
        if number not in state.rounds:
            yield f"there is no round {number}"
        elif table is not None and table not in state.rounds[number].tables:
            yield f"round {number} has no table {table}"
    of_kind = FAULTS.get(type(event))
    if of_kind is not None:
        yield from of_kind(state, event)


def _faults_of_presence(state: Tournament, event: PlayerDropped | PlayerReentered) -> Iterator[str]:
    has_left = state.entries[event.player].dropped_after is not None
    if has_left != isinstance(event, PlayerReentered):
        yield f"player {event.player!r} has left already, or is there already"


def _faults_of_draft(state: Tournament, event: RoundDrafted) -> Iterator[str]:
    if event.phase != state.phase or event.round != state.last_round + 1:
        yield "it is not the next round"
    if state.phase_of(state.phase).format != "swiss" and state.phase not in state.cuts:
        yield "its players are not seeded"
    if not event.tables and not event.without:
        yield "a round has tables"
    yield from _faults_of_tables(state, event.phase, event)


def _faults_of_publishing(state: Tournament, event: RoundPublished) -> Iterator[str]:
    if state.draft is None or state.draft.drafted.round != event.round:
        yield f"round {event.round} has no draft"


def _faults_of_repair(state: Tournament, event: RoundRepaired) -> Iterator[str]:
    if event.tables or event.without:
        yield from _faults_of_tables(state, state.rounds[event.round].phase, event)


def _faults_of_tables(
    state: Tournament, phase: int, event: RoundDrafted | RoundRepaired
) -> Iterator[str]:
    seated = [player for table in event.tables for player in table.players]
    seated += [sitting.player for sitting in event.without]
    if len(set(seated)) != len(seated) or not state.entries.keys() >= set(seated):
        yield "a player is not there, or twice"
    if any(len(table.players) != SEATS for table in event.tables):
        yield "a table has two players"
    if len({table.table for table in event.tables}) != len(event.tables):
        yield "a table is there twice"
    if is_elimination(state, phase):
        slots = [table.slot for table in event.tables]
        if not slots or not set(slots) <= set(matches_of(state, phase)):
            yield "a table is none of the bracket"


def _faults_of_result(state: Tournament, event: ResultReported | ResultAmended) -> Iterator[str]:
    players = state.rounds[event.round].tables[event.table].players
    if event.winner not in (None, *players):
        yield f"{event.winner!r} does not sit at the table"
    if len(event.games) != GAMES_PARTS or min(event.games) < 0:
        yield "the games are three numbers"
    if isinstance(event, ResultAmended) and not all(_is_table(state, key) for key in event.rewind):
        yield "a match is undone that is not there"


def _is_table(state: Tournament, key: Sequence[int]) -> bool:
    if len(key) != SEATS:
        return False
    number, table = key
    return number in state.rounds and table in state.rounds[number].tables


def _faults_of_confirmation(state: Tournament, event: ResultConfirmed) -> Iterator[str]:
    result = state.rounds[event.round].tables[event.table].result
    if result is None or result.seq != event.reported:
        yield "another result is confirmed than the one that is there"


def _faults_of_link(state: Tournament, event: MatchLinked) -> Iterator[str]:
    players = state.rounds[event.round].tables[event.table].players
    if sorted(event.seats.values()) != sorted(players) or event.winner not in (None, *players):
        yield "the seats of the log are not the players of the table"
    known = next((link for link in state.links() if link.match == event.match), None)
    if known is not None and (_place(known) != _place(event) or known.winner == event.winner):
        yield f"match {event.match} is linked already"


def _place(link: MatchLinked) -> tuple[int, int, int, dict[str, str]]:
    return link.round, link.table, link.game, link.seats


def _faults_of_cut(state: Tournament, event: CutMade) -> Iterator[str]:
    is_next = event.phase == state.phase + 1 and event.phase <= len(state.opened.phases)
    is_first = event.phase == 1 and not state.cuts and state.phase_of(1).format != "swiss"
    if not (is_next or is_first) or event.phase in state.cuts:
        yield "it is not the next phase"
    most = SIZE_MAX if is_elimination(state, event.phase) else PLAYERS_MAX
    if not SEATS <= len(event.seeds) <= most:
        yield "too few players, or too many"
    if SEED.fullmatch(event.seed) is None:
        yield "the seed is not 32 bytes in hexadecimal"
    named = {*event.seeds, *(placed.player for placed in event.ranking)}
    if len(set(event.seeds)) != len(event.seeds) or not named <= state.entries.keys():
        yield "a player is not there, or twice"


FAULTS: Mapping[type[TournamentEvent], Callable[[Tournament, Any], Iterator[str]]] = {
    PlayerDropped: _faults_of_presence,
    PlayerReentered: _faults_of_presence,
    RoundDrafted: _faults_of_draft,
    RoundPublished: _faults_of_publishing,
    RoundRepaired: _faults_of_repair,
    ResultReported: _faults_of_result,
    ResultAmended: _faults_of_result,
    ResultConfirmed: _faults_of_confirmation,
    MatchLinked: _faults_of_link,
    CutMade: _faults_of_cut,
}


def _other_standings(state: Tournament, event: CutMade | TournamentClosed) -> str | None:
    """Return how an event states other standings than the results before it give, or None."""
    if isinstance(event, TournamentClosed):
        found = final_placing(state, lots=event.seed)
        return _difference("final placing", event.placing, found)
    if event.phase == 1:
        there = entered(state, event.seed, ()).seeds
        is_same = sorted(there) == sorted(event.seeds)
        return None if is_same else "the players who are seeded are not those who entered"
    seeding = seeding_of(state, event.phase, event.seed, ())
    tied = set(seeding.undecided)
    above = [player for player in seeding.seeds if player not in tied]
    rest = event.seeds[len(above) :]
    if event.seeds[: len(above)] != above or len(event.seeds) != len(seeding.seeds):
        return f"the cut has other seeds: {', '.join(seeding.seeds)}"
    if not (tied >= set(rest) if tied else rest == []):
        return "the cut has players whom the standings do not put there"
    return _difference("standings at the cut", event.ranking, seeding.ranking)


def _difference(what: str, stated: Sequence[Placed], found: Sequence[Placed]) -> str | None:
    if list(stated) == list(found):
        return None
    for told, computed in zip(stated, found, strict=False):
        if told != computed:
            return (
                f"{what}: {told.player} is stated at {told.rank}, "
                f"computed is {computed.player} at {computed.rank}"
            )
    return f"{what}: {len(stated)} players are stated, computed are {len(found)}"
