"""What a correction would change, told beforehand; what it changed, marked afterwards."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from service.aggregates.tournaments.amending import AmendResult
from service.aggregates.tournaments.cuts import MakeCut
from service.aggregates.tournaments.events import Phase
from service.aggregates.tournaments.placing import standings_of
from service.aggregates.tournaments.previews import LaterAmendment, amended_since, preview
from service.aggregates.tournaments.repairing import RepairRound
from service.aggregates.tournaments.rounds import CloseRound, DraftRound
from service.aggregates.tournaments.state import TableResult
from service.aggregates.world import Invalid, NotFound, Refused
from tests.aggregates.tournament_play import REASON, ROBIN, SINGLE, SWISS, Play, seed, top


def reversed_result(play: Play, number: int, table: int) -> dict[str, Any]:
    """What the result of a table would be the other way round."""
    one = play.round(number).tables[table]
    assert one.result is not None
    winner = one.opponent_of(one.result.winner or one.players[0])
    first, second = one.players
    return {"winner": winner, "games": (int(winner == first), int(winner == second), 0)}


def amend(play: Play, number: int, table: int) -> None:
    other = reversed_result(play, number, table)
    result = play.round(number).tables[table].result
    assert result is not None
    play.do(AmendResult, round=number, table=table, supersedes=result.seq, reason=REASON, **other)


def rows_of(play: Play, number: int) -> dict[str, Any]:
    rows = standings_of(play.state, 1, to_round=number).rows
    return {row.player: (row.rank, row.points, row.values) for row in rows}


@pytest.mark.parametrize("chance", range(6))
def test_a_preview_tells_what_the_amendment_then_does(chance: int) -> None:
    play = Play(Phase(format="swiss", rounds=4), players=11, chance=chance)
    play.play_phase()
    found = preview(play.state, 1, 2, TableResult(kind="played", **reversed_result(play, 1, 2)))
    assert found.bracket is None
    before = {number: rows_of(play, number) for number in play.state.rounds}
    amend(play, 1, 2)
    told = {(moved.round, moved.player): moved for moved in found.standings}
    for number in play.state.rounds:
        after = rows_of(play, number)
        for player, row in after.items():
            moved = told.get((number, player))
            assert (moved is not None) == (row != before[number][player])
            if moved is not None:
                standing = (moved.after.rank, moved.after.points, moved.after.values)
                assert standing == row
    assert set(play.round(1).tables[2].players) <= {player for _, player in told}


def test_nothing_changes_without_another_result() -> None:
    play = Play(SWISS, players=8)
    play.play_phase()
    result = play.round(2).tables[1].result
    assert result is not None
    found = preview(play.state, 2, 1, replace(result, amended=True))
    assert (found.standings, found.pairings, found.cuts) == ((), (), ())


def test_a_preview_pairs_later_rounds_with_the_seeds_they_had() -> None:
    play = Play(Phase(format="swiss", rounds=4), players=8)
    play.play_phase()
    found = preview(play.state, 1, 1, TableResult(kind="played", **reversed_result(play, 1, 1)))
    assert found.pairings[0].round == 2
    for one in found.pairings:
        published = {(min(pair), max(pair)) for pair in play.pairs(one.round)}
        assert set(one.gone) <= published
        assert not set(one.tables) & published
        assert len(one.gone) == len(one.tables)
    again = Play(Phase(format="swiss", rounds=4), players=8)
    again.play_round()
    amend(again, 1, 1)
    again.do(DraftRound, round=2, seed=play.round(2).seed)
    assert again.state.draft is not None
    drafted = {
        (min(table.players), max(table.players)) for table in again.state.draft.drafted.tables
    }
    assert set(found.pairings[0].tables) <= drafted


def test_a_round_robin_is_paired_the_same_whatever_the_results() -> None:
    play = Play(ROBIN, players=4)
    play.do(MakeCut, phase=1, seed=seed(1))
    play.play_phase()
    found = preview(play.state, 1, 1, TableResult(kind="played", **reversed_result(play, 1, 1)))
    assert found.pairings == ()
    assert found.standings != ()


def test_published_pairings_stay_and_are_marked() -> None:
    play = Play(Phase(format="swiss", rounds=4), players=8)
    for _ in range(3):
        play.play_round()
    before = [play.pairs(number) for number in (1, 2, 3)]
    amend(play, 1, 1)
    amend(play, 2, 2)
    assert [play.pairs(number) for number in (1, 2, 3)] == before
    first, second = LaterAmendment(round=1, table=1), LaterAmendment(round=2, table=2)
    assert [amended_since(play.state, number) for number in (1, 2, 3)] == [
        [],
        [first],
        [first, second],
    ]
    play.begin()
    assert amended_since(play.state, 4) == []


def test_a_round_that_was_paired_again_is_no_longer_marked() -> None:
    play = Play(SWISS, players=8)
    play.play_round()
    play.begin()
    amend(play, 1, 1)
    assert amended_since(play.state, 2) != []
    play.do(RepairRound, round=2, seed=seed(12), minimal=False, reason=REASON)
    assert amended_since(play.state, 2) == []


def test_a_preview_tells_which_seeds_would_have_been_others() -> None:
    changed = 0
    for chance in range(8):
        play = Play(SWISS, Phase(format="single_elimination", cut=top(4)), players=8, chance=chance)
        play.play_phase()
        play.cut()
        result = TableResult(kind="played", **reversed_result(play, 3, 1))
        for one in preview(play.state, 3, 1, result).cuts:
            changed += 1
            assert one.phase == 2
            assert list(one.before) == play.state.cuts[2].seeds
            assert one.after != one.before
    assert changed


def test_a_preview_of_a_match_of_a_bracket_without_a_result() -> None:
    play = Play(SWISS, replace(SINGLE, cut=top(4)), players=6)
    play.play_phase()
    play.cut()
    play.begin()
    first, _ = play.pairs()[0]
    result = TableResult(kind="played", winner=first, games=(1, 0, 0))
    assert preview(play.state, 4, 1, result).bracket is None


def test_what_has_no_preview() -> None:
    play = Play(SWISS, players=4)
    play.begin()
    drawn = TableResult(kind="played", winner=None, games=(0, 0, 1))
    for number, table in ((2, 1), (1, 3)):
        with pytest.raises(NotFound):
            preview(play.state, number, table, drawn)
    with pytest.raises(Invalid):
        preview(play.state, 1, 1, replace(drawn, winner="zoe"))
    # A result that is not there yet can be looked at, too.
    assert len(preview(play.state, 1, 1, drawn).standings) >= 2
    with pytest.raises(Refused):
        play.do(CloseRound, round=1)
