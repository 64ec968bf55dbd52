"""What went wrong elsewhere: each test re-enacts a public report, and the right behaviour.

Rows about the pairer alone are in tests/pairing/test_cases.py, those about standings in
tests/standings/test_cases.py.
"""

from __future__ import annotations

import pytest

from service.aggregates.tournaments.entries import DropPlayer, ReenterPlayer
from service.aggregates.tournaments.events import Phase
from service.aggregates.tournaments.opening import CloseTournament
from service.aggregates.tournaments.placing import standings_of
from service.aggregates.tournaments.records import record_of
from service.aggregates.tournaments.repairing import RepairRound
from service.aggregates.tournaments.rounds import CloseRound, DraftRound, PublishRound
from service.aggregates.world import Refused
from service.standings.records import rounds_of
from tests.aggregates.tournament_play import NAMES, REASON, SWISS, Play, seed


def kind_in(play: Play, player: str, number: int) -> str:
    """What a player has for a round, as standings see it."""
    one = next(one for one in rounds_of(record_of(play.state)) if one.number == number)
    found = [each.kind for each in one.results if player in (each.first, each.second)]
    return found[0] if found else "not listed"


def test_a_bye_credits_a_win_at_once() -> None:
    """phase-rs/phase#6349: three players, the one with the bye has no win."""
    play = Play(SWISS, players=3)
    play.begin()
    (player,) = play.without()
    table = standings_of(play.state, 1)
    row = next(row for row in table.rows if row.player == player)
    assert row.rank == 1
    assert row.points == 3
    assert table.provisional


def test_the_third_round_of_four_players_has_no_rematch() -> None:
    """phase-rs/phase#7937: after A-B, C-D, A-C, B-D a greedy pairer takes A-B again."""
    for chance in range(10):
        play = Play(SWISS, players=4, chance=chance)
        for _ in range(3):
            play.play_round()
        met = {frozenset(pair) for number in (1, 2, 3) for pair in play.pairs(number)}
        assert len(met) == 6


def test_byes_go_round_from_below() -> None:
    """morphinepl/ANRTournament#22, online-go/online-go.com#2412: byes for the wrong players."""
    play = Play(Phase(format="swiss", rounds=7), players=17)
    for number in range(1, 8):
        points = {row.player: row.points for row in standings_of(play.state, 1).rows}
        play.begin()
        (with_bye,) = play.without()
        had = {player for earlier in range(1, number) for player in play.without(earlier)}
        assert with_bye not in had
        (why,) = play.round().why["byes"]
        lower = [
            player for player in points if points[player] < points[with_bye] and player not in had
        ]
        assert {one["player"] for one in why["passed_over"] if one["cause"] == "rematch"} >= {
            *lower
        }
        play.end_round()


def test_every_kind_of_full_bye_counts() -> None:
    """BieremaBoyzProgramming/bbpPairings#27 and #19: a second bye, the first had another code."""
    for kind in ("beforehand", "late", "awarded"):
        play = Play(SWISS, players=4, late="bye")
        if kind == "beforehand":
            play.enter("zoe", byes=(1,))
        play.begin()
        if kind == "late":
            play.enter("zoe")
        play.end_round()
        if kind == "awarded":
            play.enter("zoe")
            play.do(DropPlayer, player="zoe", reason=REASON)
            play.do(ReenterPlayer, player="zoe")
        play.begin()
        assert kind_in(play, "zoe", 1) == "awarded_bye"
        assert "zoe" not in play.without(2)


def test_the_bye_is_chosen_so_that_the_others_can_be_paired() -> None:
    """magefree/mage#11781: after a drop the bye made the rest unpairable."""
    for chance in range(30):
        play = Play(Phase(format="swiss", rounds=3), players=6, chance=chance)
        play.play_round()
        play.play_round()
        play.do(DropPlayer, player="ann", reason=REASON)
        play.begin()
        assert not any(one.table.rematch for one in play.round().tables.values())


def test_a_third_bye_is_refused_before_it_is_there() -> None:
    """woogles-io/liwords#792: two byes by hand, and the pairer adds a third."""
    play = Play(SWISS, players=9)
    by_hand = {"ann": "pre_awarded", "bob": "pre_awarded"}
    with pytest.raises(Refused, match="one more would have a bye"):
        play.do(DraftRound, round=1, seed=seed(1), sitting=by_hand)
    play.begin(sitting=by_hand, extra_bye=True)
    assert sorted(play.without().values()) == ["bye", "pre_awarded", "pre_awarded"]
    before = play.pairs()
    play.do(RepairRound, round=1, seed=seed(5), minimal=False, reason=REASON)
    assert play.pairs() != before
    assert sorted(play.without().values()) == ["bye", "pre_awarded", "pre_awarded"]
    assert play.do(DraftRound, round=1, seed=seed(1), sitting=by_hand) == []


@pytest.mark.parametrize("opponent", ["forfeit", "repair"])
def test_a_drop_behind_the_pairing_leaves_nobody_waiting(opponent: str) -> None:
    """woogles-io/liwords#481: removed before the round opens, still in the published pairing."""
    play = Play(SWISS, players=8)
    play.play_round()
    play.begin()
    player, other = play.pairs()[1]
    play.do(DropPlayer, player=player, reason=REASON, opponent=opponent, seed=seed(3))
    if opponent == "forfeit":
        result = play.round().tables[2].result
        assert result is not None
        assert (result.kind, result.winner) == ("forfeit", other)
    else:
        assert player not in {one for pair in play.pairs() for one in pair}
        assert len(play.without()) == 1
        assert kind_in(play, player, 2) == "not listed"
    play.end_round()


def test_a_drop_behind_a_result_keeps_it() -> None:
    """slashinfty/tournament-organizer#10: then somebody is paired with himself."""
    play = Play(SWISS, players=6)
    play.begin()
    player, opponent = play.pairs()[0]
    play.report(1, player)
    play.do(DropPlayer, player=player, reason=REASON)
    play.end_round()
    play.begin()
    assert player not in {one for pair in play.pairs() for one in pair}
    assert all(first != second for first, second in play.pairs())
    rows = {row.player: row for row in standings_of(play.state, 1).rows}
    assert rows[player].points == 3
    assert rows[opponent].values["omw"] == 1


def test_a_round_of_draws_is_followed_by_another() -> None:
    """slashinfty/tournament-organizer#9: all matches drawn, the next round never comes."""
    play = Play(Phase(format="swiss", rounds=7), players=16)
    for _ in range(7):
        play.begin()
        for number in play.round().tables:
            play.report(number, None)
        play.do(CloseRound, round=play.state.last_round)
    assert {row.points for row in standings_of(play.state, 1).rows} == {7}


def test_a_round_is_started_once() -> None:
    """lichess-org/lila#12147: a double start, two games for each pairing."""
    play = Play(SWISS, players=10)
    for number in (1, 2, 3):
        for _ in range(3):
            play.do(DraftRound, round=number, seed=seed(play.chance.getrandbits(99)))
        before = play.state.draft
        for _ in range(3):
            play.do(PublishRound, round=number)
        assert before is not None
        assert [[*pair] for pair in play.pairs()] == [
            table.players for table in before.drafted.tables
        ]
        play.end_round()
    assert sum(len(one.tables) for one in play.state.rounds.values()) == 15


def test_nobody_is_paired_when_everybody_has_left() -> None:
    """lichess-org/lila#10812: everybody withdraws, the server goes on."""
    play = Play(SWISS, players=4)
    play.play_round()
    for name in NAMES[:3]:
        play.do(DropPlayer, player=name, reason=REASON)
    with pytest.raises(Refused, match="1 active players"):
        play.do(DraftRound, round=2, seed=seed(1))
    play.do(DropPlayer, player=NAMES[3], reason=REASON)
    with pytest.raises(Refused, match="0 active players"):
        play.do(DraftRound, round=2, seed=seed(1))
    play.do(CloseTournament, early=True)
    assert play.state.closed is not None
    assert len(play.state.closed.placing) == 4


def test_leaving_and_coming_back_collects_no_byes() -> None:
    """lichess-org/lila#12497: free full points for who leaves around the pairing."""
    play = Play(Phase(format="swiss", rounds=6), players=7)
    for _ in range(3):
        play.do(DropPlayer, player="ann", reason=REASON)
        play.play_round()
        play.do(ReenterPlayer, player="ann")
        play.do(DropPlayer, player="ann", reason=REASON)
        play.play_round()
        play.do(ReenterPlayer, player="ann")
    row = next(row for row in standings_of(play.state, 1).rows if row.player == "ann")
    assert row.points == 0


def test_rounds_before_an_entry_are_no_absence() -> None:
    """lichess-org/lila#15450: who joins in round 2 is shown as absent in round 1."""
    play = Play(SWISS, players=6)
    play.begin(sitting={"ann": "absent"})
    (with_bye,) = {*play.without()} - {"ann"}
    play.enter("zoe")
    player, _ = play.pairs()[0]
    play.do(DropPlayer, player=player, reason=REASON)
    play.end_round()
    entered = {one.id: one.entered for one in record_of(play.state).players}
    assert (entered["zoe"], entered["ann"]) == (2, 1)
    kinds = [kind_in(play, one, 1) for one in ("ann", with_bye, player, "zoe")]
    assert kinds == ["absence", "bye", "forfeit", "assigned_loss"]


@pytest.mark.parametrize("late", ["loss", "half", "bye"])
def test_late_entries_are_paired_with_all_others(late: str) -> None:
    """ThatRickGuy/PGSwiss#77: added after round 1, the re-pair finds three players and fails."""
    play = Play(SWISS, players=4, late=late)  # type: ignore[arg-type]  # one of the credits
    play.play_round()
    play.begin()
    play.enter("zoe", from_round=2)
    play.enter("yan", from_round=2)
    play.do(RepairRound, round=2, seed=seed(3), minimal=False, reason=REASON)
    assert len(play.pairs()) == 3
    play.enter("xia", byes=(3,))
    play.end_round()
    play.begin()
    assert play.without() == {"xia": "pre_awarded"}
    assert len(play.pairs()) == 3
