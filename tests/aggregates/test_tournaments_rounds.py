"""Rounds: drafted, published, paired again, closed; never twice."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from service.aggregates.tournaments.cuts import MakeCut, seeding_of
from service.aggregates.tournaments.entries import DropPlayer
from service.aggregates.tournaments.events import (
    Cut,
    Phase,
    RoundClosed,
    RoundDrafted,
    RoundRepaired,
)
from service.aggregates.tournaments.opening import CloseTournament, open_tournament
from service.aggregates.tournaments.repairing import RepairRound
from service.aggregates.tournaments.rounds import (
    CloseRound,
    DraftRound,
    ExtendTime,
    PublishRound,
    minutes_of,
)
from service.aggregates.tournaments.scoring import profile_of
from service.aggregates.world import Closed, Invalid, NotFound, Refused
from service.standings.profiles import PROFILES, Profile
from tests.aggregates.tournament_play import (
    DOUBLE,
    GIVEN,
    REASON,
    ROBIN,
    SINGLE,
    SWISS,
    Play,
    opening,
    seed,
    top,
)


def repair(play: Play, **fields: Any) -> list[Any]:
    return play.do(
        RepairRound, **{"round": play.state.last_round, "seed": seed(7), "reason": REASON} | fields
    )


@pytest.mark.parametrize(
    ("phases", "place"),
    [
        ([], "phases"),
        ([Phase(format="swiss")], "phases.0.rounds"),
        ([Phase(format="swiss", rounds=0)], "phases.0.rounds"),
        ([Phase(format="round_robin", rounds=3)], "phases.0.rounds"),
        ([Phase(format="swiss", rounds=3, best_of=2)], "phases.0.best_of"),
        ([Phase(format="single_elimination", reset=True)], "phases.0.reset"),
        ([Phase(format="swiss", rounds=3, cut=Cut(top=8))], "phases.0.cut"),
        ([SWISS, Phase(format="single_elimination", cut=Cut(top=1))], "phases.1.cut.top"),
        ([SWISS, Phase(format="single_elimination", cut=Cut(points=-1))], "phases.1.cut.points"),
        ([SWISS] * 9, "phases"),
    ],
)
def test_phases_that_cannot_be(phases: list[Phase], place: str) -> None:
    with pytest.raises(Invalid) as fault:
        open_tournament(opening(phases), GIVEN)
    assert list(fault.value.errors) == [place]


def test_a_profile_that_cannot_be() -> None:
    profile = replace(PROFILES["mtr-2024"], criteria=())
    with pytest.raises(Invalid) as fault:
        open_tournament(replace(opening([SWISS]), profile=profile), GIVEN)
    assert list(fault.value.errors) == ["profile"]


@pytest.mark.parametrize("profile", PROFILES.values(), ids=PROFILES.keys())
def test_a_profile_is_kept_in_full(profile: Profile) -> None:
    play = Play(SWISS, profile=profile.name)
    assert profile_of(play.state) == profile


@pytest.mark.parametrize("bad", ["", "ab", "A" * 64, "g" * 64, "ab" * 33])
def test_a_seed_has_32_bytes(bad: str) -> None:
    play = Play(SWISS, players=4)
    with pytest.raises(Invalid) as fault:
        play.do(DraftRound, round=1, seed=bad)
    assert list(fault.value.errors) == ["seed"]


def test_a_round_that_is_there_is_not_made_again() -> None:
    play = Play(SWISS, players=6)
    (drafted,) = play.do(DraftRound, round=1, seed=seed(1))
    assert isinstance(drafted, RoundDrafted)
    assert play.do(DraftRound, round=1, seed=seed(2)) == []
    (again,) = play.do(DraftRound, round=1, seed=seed(2), again=True)
    assert isinstance(again, RoundDrafted)
    assert again.seed == seed(2)
    assert again.input != drafted.input
    assert play.do(PublishRound, round=1) != []
    assert play.do(PublishRound, round=1) == []
    assert play.do(DraftRound, round=1, seed=seed(3), again=True) == []
    play.end_round()
    assert play.do(CloseRound, round=1) == []
    assert play.do(DraftRound, round=1, seed=seed(3)) == []


def test_the_same_seed_and_players_give_the_same_tables() -> None:
    drafts = []
    for names in (("ann", "bob", "cid", "dan", "eve"), ("eve", "cid", "ann", "dan", "bob")):
        play = Play(SWISS)
        for name in names:
            play.enter(name)
        (drafted,) = play.do(DraftRound, round=1, seed=seed(1))
        assert isinstance(drafted, RoundDrafted)
        drafts.append(drafted)
    assert drafts[0] == drafts[1]


def test_a_draft_that_does_not_fit_any_more_is_not_published() -> None:
    play = Play(SWISS, players=4)
    play.do(DraftRound, round=1, seed=seed(1))
    play.enter("zoe")
    with pytest.raises(Refused):
        play.do(PublishRound, round=1)
    assert play.do(DraftRound, round=1, seed=seed(1)) != []
    play.do(PublishRound, round=1)
    assert play.round().minutes is None


@pytest.mark.parametrize("players", [0, 1])
def test_nobody_is_paired_alone(players: int) -> None:
    play = Play(SWISS, players=players)
    with pytest.raises(Refused, match=f"{players} active players"):
        play.do(DraftRound, round=1, seed=seed(1))
    play.do(CloseTournament, early=True)
    with pytest.raises(Closed):
        play.do(DraftRound, round=1, seed=seed(1))


def test_rounds_come_one_after_the_other() -> None:
    play = Play(SWISS, players=4)
    with pytest.raises(NotFound):
        play.do(DraftRound, round=2, seed=seed(1))
    with pytest.raises(NotFound):
        play.do(PublishRound, round=1)
    with pytest.raises(NotFound):
        play.do(CloseRound, round=1)
    play.begin()
    with pytest.raises(Refused, match="round 1 is not closed; results are missing at tables 1, 2"):
        play.do(DraftRound, round=2, seed=seed(1))
    play.report(1, play.pairs()[0][0])
    with pytest.raises(Refused, match="missing at tables 2"):
        play.do(CloseRound, round=1)
    with pytest.raises(Refused):
        play.do(CloseRound, round=1, missing=(1, 2))
    (closed,) = play.do(CloseRound, round=1, missing=(2,))
    assert isinstance(closed, RoundClosed)
    assert closed.missing == [2]
    play.play_phase()
    with pytest.raises(Refused):
        play.do(DraftRound, round=4, seed=seed(1))


def test_who_sits_out_by_decision() -> None:
    play = Play(SWISS, players=8)
    sitting = {"ann": "half", "bob": "loss", "cid": "absent"}
    play.begin(sitting=sitting)
    (bye,) = set(play.without()) - set(sitting)
    assert play.without() == {**sitting, bye: "bye"}
    play.end_round()
    for wrong, fault in (
        ({"zoe": "half"}, NotFound),
        ({"ann": "bye"}, Invalid),
    ):
        with pytest.raises(fault):
            play.begin(sitting=wrong)
    play.do(DropPlayer, player="ann", reason=REASON)
    with pytest.raises(Invalid):
        play.begin(sitting={"ann": "half"})


def test_a_draft_is_made_anew_for_another_who_sits_out() -> None:
    play = Play(SWISS, players=6)
    play.do(DraftRound, round=1, seed=seed(1))
    assert play.do(DraftRound, round=1, seed=seed(1), sitting={"ann": "half"}) != []
    assert play.do(DraftRound, round=1, seed=seed(2), sitting={"ann": "half"}) == []


def test_only_in_a_swiss_round_a_player_sits_out() -> None:
    play = Play(ROBIN, players=4)
    with pytest.raises(Refused, match="seeded"):
        play.begin()
    play.do(MakeCut, phase=1, seed=seed(1))
    with pytest.raises(Refused):
        play.begin(sitting={"ann": "half"})


def test_a_whole_round_is_paired_again_while_nothing_has_begun() -> None:
    play = Play(SWISS, players=8)
    play.begin()
    before = play.pairs()
    (event,) = repair(play, minimal=False, seed=seed(99))
    assert isinstance(event, RoundRepaired)
    assert play.pairs() != before
    play.report(2, play.pairs()[1][0])
    with pytest.raises(Refused, match="tables 2"):
        repair(play, minimal=False)
    with pytest.raises(Refused, match="tables 1, 2"):
        repair(play, minimal=False, begun=[(1, 1)])
    assert repair(play) == []
    play.end_round()
    with pytest.raises(Refused):
        repair(play)


def test_a_late_entry_is_taken_into_an_open_round() -> None:
    play = Play(SWISS, players=5)
    play.play_round()
    play.begin()
    before = dict(play.round().tables)
    play.report(2, None)
    (with_bye,) = play.without()
    play.enter("zoe", from_round=2)
    (event,) = repair(play)
    assert isinstance(event, RoundRepaired)
    assert event.minimal
    assert {*play.pairs()[2]} == {"zoe", with_bye}
    assert play.round().tables[1] == before[1]
    assert play.round().tables[2].result is not None
    assert play.without() == {}


def test_who_is_left_over_when_all_have_begun_has_a_bye() -> None:
    play = Play(SWISS, players=4)
    play.begin()
    play.report(1, None)
    player, opponent = play.pairs()[1]
    play.do(DropPlayer, player=player, reason=REASON, opponent="repair", seed=seed(4))
    assert play.without() == {opponent: "bye"}
    assert list(play.round().tables) == [1]


def test_byes_that_staff_gives_when_a_round_is_paired_again() -> None:
    play = Play(SWISS, players=6)
    play.begin()
    with pytest.raises(Refused, match="one more would have a bye"):
        repair(play, sitting={"ann": "pre_awarded"})
    repair(play, sitting={"ann": "pre_awarded", "bob": "pre_awarded"})
    assert play.without() == {"ann": "pre_awarded", "bob": "pre_awarded"}
    assert repair(play) == []
    repair(play, paired=["ann"])
    assert sorted(play.without().values()) == ["bye", "pre_awarded"]
    play.report(1, play.pairs()[0][0])
    with pytest.raises(Refused):
        repair(play, sitting={play.pairs()[0][0]: "half"})


def test_only_a_swiss_round_is_paired_again() -> None:
    play = Play(ROBIN, players=4)
    play.do(MakeCut, phase=1, seed=seed(1))
    play.begin()
    with pytest.raises(Refused):
        repair(play)


def test_a_table_may_play_longer() -> None:
    play = Play(SWISS, players=4)
    play.begin()
    for minutes in (3, 4):
        play.do(ExtendTime, round=1, table=2, minutes=minutes, reason=REASON)
    assert [minutes_of(play.round(), number) for number in (1, 2)] == [50, 57]
    with pytest.raises(Invalid):
        play.do(ExtendTime, round=1, table=2, minutes=0, reason=REASON)
    with pytest.raises(NotFound):
        play.do(ExtendTime, round=1, table=3, minutes=1, reason=REASON)
    play.end_round()
    play.do(DraftRound, round=2, seed=seed(1))
    with pytest.raises(Invalid):
        play.do(PublishRound, round=2, minutes=0)
    play.do(PublishRound, round=2)
    with pytest.raises(Refused):
        play.do(ExtendTime, round=2, table=1, minutes=1, reason=REASON)
    assert minutes_of(play.round(), 1) is None


def test_in_a_round_robin_everybody_meets_everybody() -> None:
    for players in (2, 3, 4, 5, 8):
        play = Play(ROBIN, players=players)
        play.do(MakeCut, phase=1, seed=seed(players))
        play.play_phase()
        met = [frozenset(pair) for number in play.state.rounds for pair in play.pairs(number)]
        assert len(met) == len(set(met)) == players * (players - 1) // 2
        play.do(CloseTournament)


def test_who_leaves_a_round_robin_loses_by_forfeit_and_has_no_bye() -> None:
    play = Play(ROBIN, players=5)
    play.do(MakeCut, phase=1, seed=seed(1))
    play.play_round()
    play.do(DropPlayer, player="ann", reason=REASON)
    play.play_phase()
    for number in range(2, 6):
        table = play.round(number).table_of("ann")
        if table is None:
            assert play.without(number) == {"ann": "loss"}
        else:
            assert table.result is not None
            assert table.result.kind == "forfeit"
            assert table.result.winner == table.opponent_of("ann")


@pytest.mark.parametrize("phase", [ROBIN, SINGLE, DOUBLE])
def test_the_order_of_a_first_phase_is_drawn_or_given(phase: Phase) -> None:
    names = ("ann", "bob", "cid", "dan")
    drawn = set()
    for number in range(6):
        play = Play(phase, players=4)
        play.do(MakeCut, phase=1, seed=seed(number))
        assert play.do(MakeCut, phase=1, seed=seed(9)) == []
        drawn.add(tuple(play.state.cuts[1].seeds))
    assert len(drawn) > 1
    play = Play(phase, players=4)
    with pytest.raises(Invalid):
        play.do(MakeCut, phase=1, seed=seed(1), order=names[:3])
    play.do(MakeCut, phase=1, seed=seed(1), order=names[::-1])
    assert play.state.cuts[1].seeds == list(names[::-1])


def test_a_tournament_ends_when_its_last_phase_does() -> None:
    play = Play(SWISS, replace(SINGLE, cut=top(2)), players=4)
    with pytest.raises(Invalid):
        play.do(CloseTournament, seed="draw")
    for _ in range(2):
        with pytest.raises(Refused, match="rounds are left"):
            play.do(CloseTournament)
        play.play_phase()
    play.cut()
    play.play_phase()
    play.do(CloseTournament, seed=seed(3))
    unseeded = Play(SINGLE, players=4)
    with pytest.raises(Refused):
        unseeded.do(CloseTournament)


def test_lots_are_drawn_with_the_seed_of_the_cut_and_of_the_end() -> None:
    placings = set()
    for number in range(8):
        play = Play(Phase(format="swiss", rounds=1), players=4, profile="pokemon-tom")
        play.begin()
        for table in (1, 2):
            play.report(table, None)
        play.do(CloseRound, round=1)
        play.do(CloseTournament, seed=seed(number))
        assert play.state.closed is not None
        assert [one.rank for one in play.state.closed.placing] == [1, 2, 3, 4]
        placings.add(tuple(one.player for one in play.state.closed.placing))
    assert len(placings) > 1


def test_phases_begin_when_the_one_before_is_over() -> None:
    play = Play(SWISS, Phase(format="swiss", rounds=2, cut=top(4)), players=6)
    for phase in (1, 3):
        with pytest.raises(NotFound):
            seeding_of(play.state, phase, seed(1), ())
    with pytest.raises(Refused):
        play.do(MakeCut, phase=1, seed=seed(1))
    with pytest.raises(Invalid):
        play.do(MakeCut, phase=3, seed=seed(1))
    with pytest.raises(Refused, match="has not been played"):
        play.do(MakeCut, phase=2, seed=seed(1))
    play.play_round()
    with pytest.raises(Refused, match="rounds left"):
        play.do(MakeCut, phase=2, seed=seed(1))
    play.begin()
    with pytest.raises(Refused, match="not closed"):
        play.do(MakeCut, phase=2, seed=seed(1), early=True)
    with pytest.raises(Refused, match="not closed"):
        play.do(CloseTournament, early=True)
