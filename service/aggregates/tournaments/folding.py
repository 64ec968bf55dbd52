"""How events change a tournament. Nothing is decided or paired here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from service.aggregates.tournaments.events import (
    CutMade,
    DeckRegistered,
    MatchLinked,
    PenaltyGiven,
    PlayerDropped,
    PlayerEntered,
    PlayerReentered,
    ResultAmended,
    ResultConfirmed,
    ResultReported,
    RoundClosed,
    RoundDrafted,
    RoundPublished,
    RoundRepaired,
    Table,
    TimeExtended,
    TournamentClosed,
    TournamentEvent,
    TournamentOpened,
)
from service.aggregates.tournaments.state import (
    Absence,
    Amendment,
    Draft,
    Entry,
    RoundState,
    TableResult,
    TableState,
    Tournament,
)


def evolve(
    tournament: Tournament | None, event: TournamentEvent, *, tournament_id: str, head: str = ""
) -> Tournament:
    """Return the state after one event, whose hash is `head`; no rules, only folding."""
    if isinstance(event, TournamentOpened):
        return Tournament(id=tournament_id, version=1, opened=event, head=head, time=event.time)
    assert tournament is not None, f"{tournament_id} does not begin with tournament_opened"
    fold: Callable[[Tournament, Any], Tournament] = FOLDS[type(event)]
    version = tournament.version + 1
    return fold(replace(tournament, version=version, head=head, time=event.time), event)


def on_player_entered(tournament: Tournament, event: PlayerEntered) -> Tournament:
    """Keep a player."""
    entry = Entry(
        player=event.player,
        person=event.person,
        name=event.name,
        from_round=event.from_round,
        byes=tuple(event.byes),
    )
    return _with_entry(tournament, entry)


def on_deck_registered(tournament: Tournament, event: DeckRegistered) -> Tournament:
    """Keep a player's deck."""
    entry = tournament.entries[event.player]
    return _with_entry(tournament, replace(entry, deck=event.deck))


def on_player_dropped(tournament: Tournament, event: PlayerDropped) -> Tournament:
    """Let a player be away."""
    entry = tournament.entries[event.player]
    away = Absence(after_round=event.after_round)
    return _with_entry(tournament, replace(entry, absences=(*entry.absences, away)))


def on_player_reentered(tournament: Tournament, event: PlayerReentered) -> Tournament:
    """End a player's absence."""
    entry = tournament.entries[event.player]
    last = replace(entry.absences[-1], until=event.from_round, byes=tuple(event.byes))
    return _with_entry(tournament, replace(entry, absences=(*entry.absences[:-1], last)))


def on_round_drafted(tournament: Tournament, event: RoundDrafted) -> Tournament:
    """Keep a draft in place of the one before."""
    return replace(tournament, draft=Draft(drafted=event, seq=tournament.version))


def on_round_published(tournament: Tournament, event: RoundPublished) -> Tournament:
    """Make the draft the round that is played."""
    draft = tournament.draft
    assert draft is not None, "what is published was drafted"
    drafted = draft.drafted
    one = RoundState(
        number=event.round,
        phase=drafted.phase,
        tables={table.table: TableState(table=table) for table in drafted.tables},
        without=tuple(drafted.without),
        why=drafted.why,
        seed=drafted.seed,
        input=drafted.input,
        drafted=draft.seq,
        minutes=event.minutes,
        started_at=event.time,
    )
    return replace(tournament, rounds={**tournament.rounds, event.round: one}, draft=None)


def on_round_repaired(tournament: Tournament, event: RoundRepaired) -> Tournament:
    """Put the new tables in; those that are there already go on."""
    before = tournament.rounds[event.round]
    if not event.tables and not event.without:
        rounds = {number: one for number, one in tournament.rounds.items() if one is not before}
        return replace(tournament, rounds=rounds)
    after = replace(
        before,
        tables={table.table: _going_on(before, table) for table in event.tables},
        without=tuple(event.without),
        why=event.why,
        seed=event.seed,
        input=event.input,
        drafted=tournament.version,
        closed=None,
    )
    return _with_round(tournament, after)


def on_match_linked(tournament: Tournament, event: MatchLinked) -> Tournament:
    """Let a log count for a table."""
    table = tournament.rounds[event.round].tables[event.table]
    return _with_table(tournament, event.round, table.with_link(event))


def on_result_reported(tournament: Tournament, event: ResultReported) -> Tournament:
    """Keep a result."""
    result = TableResult(
        kind=event.kind,
        winner=event.winner,
        games=_games(event.games),
        seq=tournament.version,
        side=event.side,
        by=event.by,
        matches=tuple(event.matches),
    )
    table = tournament.rounds[event.round].tables[event.table]
    return _with_table(tournament, event.round, replace(table, result=result))


def on_result_confirmed(tournament: Tournament, event: ResultConfirmed) -> Tournament:
    """Mark a result as confirmed."""
    table = tournament.rounds[event.round].tables[event.table]
    assert table.result is not None, "there is something to confirm"
    result = replace(table.result, confirmed=True)
    return _with_table(tournament, event.round, replace(table, result=result))


def on_result_amended(tournament: Tournament, event: ResultAmended) -> Tournament:
    """Replace a result; matches that are undone lose results and logs."""
    for number, undone in event.rewind:
        other = tournament.rounds[number].tables[undone]
        tournament = _with_table(tournament, number, replace(other, result=None, links=()))
    table = tournament.rounds[event.round].tables[event.table]
    result = TableResult(
        kind=event.kind,
        winner=event.winner,
        games=_games(event.games),
        seq=tournament.version,
        by=event.by,
        amended=True,
        matches=tuple(link.match for link in table.links),
    )
    done = Amendment(round=event.round, table=event.table, seq=tournament.version)
    tournament = replace(tournament, amendments=(*tournament.amendments, done))
    return _with_table(tournament, event.round, replace(table, result=result))


def on_penalty_given(tournament: Tournament, event: PenaltyGiven) -> Tournament:
    """Keep a penalty."""
    tournament = replace(tournament, penalties=(*tournament.penalties, event))
    entry = tournament.entries[event.player]
    is_out = entry.disqualified or event.kind == "disqualification"
    return _with_entry(tournament, replace(entry, disqualified=is_out))


def on_time_extended(tournament: Tournament, event: TimeExtended) -> Tournament:
    """Give a table more time."""
    table = tournament.rounds[event.round].tables[event.table]
    longer = replace(table, minutes=table.minutes + event.minutes)
    return _with_table(tournament, event.round, longer)


def on_round_closed(tournament: Tournament, event: RoundClosed) -> Tournament:
    """Close a round."""
    return _with_round(tournament, replace(tournament.rounds[event.round], closed=event))


def on_cut_made(tournament: Tournament, event: CutMade) -> Tournament:
    """Begin a phase."""
    return replace(tournament, cuts={**tournament.cuts, event.phase: event}, draft=None)


def on_tournament_closed(tournament: Tournament, event: TournamentClosed) -> Tournament:
    """End the tournament."""
    return replace(tournament, closed=event)


FOLDS: Mapping[type[TournamentEvent], Callable[[Tournament, Any], Tournament]] = {
    PlayerEntered: on_player_entered,
    DeckRegistered: on_deck_registered,
    PlayerDropped: on_player_dropped,
    PlayerReentered: on_player_reentered,
    RoundDrafted: on_round_drafted,
    RoundPublished: on_round_published,
    RoundRepaired: on_round_repaired,
    MatchLinked: on_match_linked,
    ResultReported: on_result_reported,
    ResultConfirmed: on_result_confirmed,
    ResultAmended: on_result_amended,
    PenaltyGiven: on_penalty_given,
    TimeExtended: on_time_extended,
    RoundClosed: on_round_closed,
    CutMade: on_cut_made,
    TournamentClosed: on_tournament_closed,
}


def _with_entry(tournament: Tournament, entry: Entry) -> Tournament:
    return replace(tournament, entries={**tournament.entries, entry.player: entry})


def _with_round(tournament: Tournament, one: RoundState) -> Tournament:
    return replace(tournament, rounds={**tournament.rounds, one.number: one})


def _with_table(tournament: Tournament, number: int, table: TableState) -> Tournament:
    one = tournament.rounds[number]
    tables = {**one.tables, table.table.table: table}
    return _with_round(tournament, replace(one, tables=tables))


def _going_on(before: RoundState, table: Table) -> TableState:
    old = before.tables.get(table.table)
    if old is None or old.table.players != table.players:
        return TableState(table=table)
    return replace(old, table=table)


def _games(games: list[int]) -> tuple[int, int, int]:
    first, second, drawn = games
    return first, second, drawn
