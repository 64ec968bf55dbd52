"""Cuts and brackets: seeds, byes, corrections that stop where play has begun, final placing."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from service.aggregates.tournaments.amending import AmendResult
from service.aggregates.tournaments.cuts import MakeCut
from service.aggregates.tournaments.entries import DropPlayer
from service.aggregates.tournaments.events import Cut, Phase, ResultAmended, RoundRepaired
from service.aggregates.tournaments.opening import CloseTournament
from service.aggregates.tournaments.penalties import GivePenalty
from service.aggregates.tournaments.placing import final_placing, standings_of
from service.aggregates.tournaments.previews import preview
from service.aggregates.tournaments.records import record_of
from service.aggregates.tournaments.rounds import CloseRound, DraftRound, PublishRound
from service.aggregates.tournaments.state import TableResult
from service.aggregates.world import Conflict, Invalid, Refused
from service.standings import cuts as published_cuts
from tests.aggregates.tournament_play import (
    DOUBLE,
    NAMES,
    REASON,
    SINGLE,
    SWISS,
    Play,
    seed,
    top,
)


def seeded(phase: Phase, players: int) -> Play:
    """A bracket whose seeds are in the order of the names."""
    play = Play(phase, players=players)
    play.do(MakeCut, phase=1, seed=seed(1), order=tuple(NAMES[:players]))
    return play


def favourites_win(play: Play) -> None:
    """Play a round in which the better seed wins everywhere."""
    play.begin()
    for number, (first, second) in enumerate(play.pairs(), start=1):
        play.report(number, min(first, second))
    play.do(CloseRound, round=play.state.last_round)


def amend(play: Play, number: int, table: int, winner: str, **fields: Any) -> list[Any]:
    one = play.round(number).tables[table]
    assert one.result is not None
    first, second = one.players
    return play.do(
        AmendResult,
        round=number,
        table=table,
        winner=winner,
        games=(int(winner == first), int(winner == second), 0),
        supersedes=one.result.seq,
        reason=REASON,
        **fields,
    )


def placing(play: Play) -> dict[str, int]:
    return {one.player: one.rank for one in final_placing(play.state)}


def test_eight_seeds_meet_as_everywhere() -> None:
    play = seeded(SINGLE, 8)
    play.begin()
    assert play.pairs() == [("ann", "hal"), ("dan", "eve"), ("cid", "fay"), ("bob", "gus")]
    assert [one.table.slot for one in play.round().tables.values()] == [
        "W1-1",
        "W1-2",
        "W1-3",
        "W1-4",
    ]
    play.end_round()
    favourites_win(play)
    favourites_win(play)
    with pytest.raises(Refused):
        play.begin()
    names = [one.name for one in record_of(play.state).phases[0].rounds]
    assert names == ["Top 8", "Top 4", "Final"]


@pytest.mark.parametrize("players", range(2, 14))
def test_top_seeds_have_the_byes_of_the_first_round(players: int) -> None:
    play = seeded(SINGLE, players)
    favourites_win(play)
    byes = (1 << (players - 1).bit_length()) - players
    assert play.without() == dict.fromkeys(NAMES[:byes], "bye")
    while len(play.state.rounds) < (players - 1).bit_length():
        favourites_win(play)
        assert play.without() == {}
    play.do(CloseTournament)
    assert play.state.closed is not None
    assert [one.player for one in play.state.closed.placing[:2]] == ["ann", "bob"]


def test_a_round_of_a_bracket_needs_all_its_results() -> None:
    play = seeded(SINGLE, 4)
    play.begin()
    play.report(1, "ann")
    with pytest.raises(Refused):
        play.do(CloseRound, round=1, missing=(2,))


@pytest.mark.parametrize(("reset", "rounds"), [(True, 6), (False, 6)])
def test_a_double_elimination_ends_with_the_second_loss(reset: bool, rounds: int) -> None:
    play = seeded(replace(DOUBLE, reset=reset), 8)
    for _ in range(rounds):
        favourites_win(play)
    with pytest.raises(Refused):
        play.begin()
    assert [one.player for one in final_placing(play.state)][:3] == ["ann", "bob", "cid"]
    assert placing(play) == {
        "ann": 1, "bob": 2, "cid": 3, "dan": 4, "eve": 5, "fay": 5, "gus": 7, "hal": 7,
    }  # fmt: skip


def test_a_grand_final_is_played_again_when_the_upper_side_loses() -> None:
    play = seeded(DOUBLE, 4)
    for _ in range(3):
        favourites_win(play)
    play.begin()
    assert play.pairs() == [("ann", "bob")]
    assert play.round().tables[1].table.rematch
    play.report(1, "bob")
    play.do(CloseRound, round=4)
    favourites_win(play)
    assert play.round().tables[1].table.slot == "F2-1"
    assert placing(play) == {"ann": 1, "bob": 2, "cid": 3, "dan": 4}


def test_another_winner_takes_the_place_while_the_next_match_has_not_begun() -> None:
    play = seeded(SINGLE, 8)
    favourites_win(play)
    (event,) = amend(play, 1, 1, "hal")
    assert isinstance(event, ResultAmended)
    play.begin()
    assert play.pairs() == [("hal", "dan"), ("cid", "bob")]
    events = amend(play, 1, 2, "eve")
    assert [type(event) for event in events] == [ResultAmended, RoundRepaired]
    assert play.pairs() == [("hal", "eve"), ("cid", "bob")]
    seq = play.round(1).tables[2].result
    assert seq is not None
    with pytest.raises(Conflict):
        play.do(
            AmendResult,
            round=1,
            table=2,
            winner="dan",
            games=(1, 0, 0),
            supersedes=seq.seq - 1,
            reason=REASON,
        )


def test_a_draft_of_a_bracket_follows_an_amendment() -> None:
    play = seeded(SINGLE, 4)
    favourites_win(play)
    play.do(DraftRound, round=2, seed=seed(1))
    amend(play, 1, 1, "dan")
    with pytest.raises(Refused):
        play.do(PublishRound, round=2)
    assert play.do(DraftRound, round=2, seed=seed(1)) != []
    play.do(PublishRound, round=2)
    assert play.pairs() == [("dan", "bob")]


def test_a_match_that_has_begun_is_only_undone_by_a_rewind() -> None:
    play = seeded(SINGLE, 8)
    favourites_win(play)
    favourites_win(play)
    play.begin()
    with pytest.raises(Refused, match="round 2, table 1"):
        amend(play, 1, 2, "eve")
    found = preview(play.state, 1, 2, TableResult(kind="played", winner="eve", games=(0, 1, 0)))
    assert found.bracket is not None
    assert found.bracket.undone == ((2, 1),)
    assert list(found.bracket.repaired) == [2, 3]
    events = amend(play, 1, 2, "eve", rewind=True)
    assert [type(event) for event in events] == [ResultAmended, RoundRepaired, RoundRepaired]
    assert events[0].rewind == [[2, 1]]
    assert list(play.state.rounds) == [1, 2]
    assert play.round(2).closed is None
    assert play.pairs(2) == [("ann", "eve"), ("cid", "bob")]
    assert play.round(2).missing == [1]
    play.report(1, "eve", round=2)
    play.do(CloseRound, round=2)
    play.begin()
    assert play.pairs() == [("eve", "bob")]


def test_a_bracket_stays_as_it_was_once_a_phase_behind_it_has_begun() -> None:
    play = Play(SINGLE, Phase(format="swiss", rounds=2, cut=top(4)), players=6)
    play.do(MakeCut, phase=1, seed=seed(1))
    play.play_phase()
    play.cut()
    for number in (1, 2):
        table = play.round(number).tables[1]
        assert table.result is not None
        with pytest.raises(Refused):
            amend(play, number, 1, table.opponent_of(table.result.winner or ""), rewind=True)
    final = play.round(3).tables[1]
    assert final.result is not None
    events = amend(play, 3, 1, final.opponent_of(final.result.winner or ""))
    assert [type(event) for event in events] == [ResultAmended]


def test_a_game_that_was_opened_has_begun() -> None:
    play = seeded(SINGLE, 4)
    favourites_win(play)
    play.begin()
    with pytest.raises(Refused):
        amend(play, 1, 1, "dan", begun=[(2, 1)])
    amend(play, 1, 1, "dan", begun=[(2, 1)], rewind=True)
    assert play.pairs() == [("dan", "bob")]


def test_other_games_with_the_same_winner_undo_nothing() -> None:
    play = seeded(Phase(format="single_elimination", best_of=3), 4)
    play.begin()
    play.report_rest()
    play.do(CloseRound, round=1)
    play.play_round()
    result = play.round(1).tables[1].result
    assert result is not None
    first = result.winner == play.round(1).tables[1].players[0]
    events = play.do(
        AmendResult,
        round=1,
        table=1,
        winner=result.winner,
        games=(2, 1, 0) if first else (1, 2, 0),
        supersedes=result.seq,
        reason=REASON,
    )
    assert [type(event) for event in events] == [ResultAmended]


def test_a_match_loss_in_a_bracket_is_an_amendment() -> None:
    play = seeded(SINGLE, 4)
    favourites_win(play)
    favourites_win(play)
    penalty = {"player": "ann", "kind": "match_loss", "round": 1, "reason": REASON}
    with pytest.raises(Refused):
        play.do(GivePenalty, **penalty)
    play.do(GivePenalty, rewind=True, **penalty)
    assert play.pairs(2) == [("dan", "bob")]


def test_who_leaves_a_bracket_loses_by_forfeit() -> None:
    play = seeded(SINGLE, 4)
    favourites_win(play)
    play.do(DropPlayer, player="ann", reason=REASON)
    play.begin()
    result = play.round().tables[1].result
    assert result is not None
    assert (result.kind, result.winner, result.games) == ("forfeit", "bob", (0, 1, 0))
    play.do(CloseRound, round=2)
    play.do(CloseTournament)
    assert placing(play) == {"bob": 1, "ann": 2, "cid": 3, "dan": 3}


def test_nobody_goes_on_from_a_match_that_both_have_left() -> None:
    play = seeded(DOUBLE, 4)
    for player in ("ann", "dan"):
        play.do(DropPlayer, player=player, reason=REASON)
    play.play_phase()
    play.do(CloseTournament)
    assert placing(play)["bob"] + placing(play)["cid"] == 3
    assert {placing(play)["ann"], placing(play)["dan"]} == {3}


def with_cut(cut: Cut, players: int = 8, rounds: int = 3) -> Play:
    play = Play(
        Phase(format="swiss", rounds=rounds),
        Phase(format="single_elimination", cut=cut),
        players=players,
    )
    play.play_phase()
    return play


def test_seeds_are_the_order_of_the_standings() -> None:
    for size in (2, 4, 8):
        play = with_cut(top(size))
        play.cut()
        cut = play.state.cuts[2]
        ranks = {one.player: one.rank for one in cut.ranking}
        assert [ranks[player] for player in cut.seeds] == sorted(ranks.values())[:size]
        assert len(cut.ranking) == 8


def test_a_cut_by_points() -> None:
    play = with_cut(Cut(points=6))
    play.do(MakeCut, phase=2, seed=seed(1))
    points = {row.player: row.points for row in standings_of(play.state, 1).rows}
    assert {*play.state.cuts[2].seeds} == {player for player in points if points[player] >= 6}


def test_a_cut_by_points_that_one_reaches_is_none() -> None:
    with pytest.raises(Refused, match="2 players"):
        with_cut(Cut(points=9), players=8).do(MakeCut, phase=2, seed=seed(1))


def tied_at_the_line() -> Play:
    """Everything was drawn, so that all four have one rank."""
    play = Play(
        Phase(format="swiss", rounds=1), Phase(format="single_elimination", cut=top(2)), players=4
    )
    play.begin()
    for number in (1, 2):
        play.report(number, None)
    play.do(CloseRound, round=1)
    return play


def test_a_tie_through_the_line_is_for_staff_to_decide() -> None:
    play = tied_at_the_line()
    with pytest.raises(Refused) as fault:
        play.do(MakeCut, phase=2, seed=seed(1))
    assert sorted(str(fault.value).split("order of ")[1].split(", ")) == NAMES[:4]
    with pytest.raises(Invalid):
        play.do(MakeCut, phase=2, seed=seed(1), order=("cid", "ann"))
    play.do(MakeCut, phase=2, seed=seed(1), order=("cid", "ann", "dan", "bob"))
    assert play.state.cuts[2].seeds == ["cid", "ann"]
    assert {one.rank for one in play.state.cuts[2].ranking} == {1}


def test_who_has_left_makes_no_cut() -> None:
    play = with_cut(top(2))
    best = standings_of(play.state, 1).rows[0].player
    play.do(DropPlayer, player=best, reason=REASON)
    play.cut()
    assert best not in play.state.cuts[2].seeds
    assert best in {one.player for one in play.state.cuts[2].ranking}


def test_standings_are_frozen_at_the_cut() -> None:
    play = with_cut(top(4))
    play.cut()
    cut = play.state.cuts[2]
    table = play.round(1).tables[1]
    assert table.result is not None
    other = table.opponent_of(table.result.winner or table.players[0])
    amend(play, 1, 1, other)
    play.play_phase()
    assert play.state.cuts[2] == cut
    play.do(CloseTournament)
    assert play.state.closed is not None
    behind = [one.player for one in play.state.closed.placing[4:]]
    assert behind == [one.player for one in cut.ranking if one.player not in cut.seeds]


def test_the_final_placing_is_that_of_the_record() -> None:
    for number in range(12):
        play = Play(
            Phase(format="swiss", rounds=4),
            Phase(format="single_elimination", cut=top(3 + number % 6)),
            players=9 + number,
            chance=number,
        )
        play.play_phase()
        play.cut()
        frozen = standings_of(play.state, 1)
        play.play_phase()
        found = published_cuts.final_placing(record_of(play.state), frozen, bracket=1)
        assert placing(play) == {one.player: one.place for one in found}


def test_phases_are_chained_freely() -> None:
    for first in (Phase(format="swiss", rounds=3), Phase(format="round_robin"), SINGLE, DOUBLE):
        for second in (Phase(format="swiss", rounds=2), Phase(format="round_robin"), SINGLE):
            play = Play(
                first,
                replace(second, cut=top(4)),
                replace(DOUBLE, cut=top(3)),
                players=7,
            )
            if first.format != "swiss":
                play.do(MakeCut, phase=1, seed=seed(1))
            play.play_phase()
            for phase in (2, 3):
                play.cut(phase)
                assert len(play.state.cuts[phase].seeds) == {2: 4, 3: 3}[phase]
                play.play_phase()
            play.do(CloseTournament)
            assert play.state.closed is not None
            assert sorted(one.player for one in play.state.closed.placing) == NAMES[:7]


def test_a_swiss_tournament_ends_with_its_standings() -> None:
    play = Play(SWISS, players=6)
    play.play_phase()
    play.do(CloseTournament)
    assert play.state.closed is not None
    rows = standings_of(play.state, 1).rows
    assert [(one.rank, one.player) for one in play.state.closed.placing] == [
        (row.rank, row.player) for row in rows
    ]
