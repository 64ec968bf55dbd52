"""Who plays: entering early and late, byes beforehand, decks, leaving and coming back."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from service.aggregates.tournaments.cuts import MakeCut
from service.aggregates.tournaments.entries import (
    PLAYERS_MAX,
    DropPlayer,
    EnterPlayer,
    ReenterPlayer,
    RegisterDeck,
)
from service.aggregates.tournaments.events import (
    Credit,
    Phase,
    PlayerDropped,
    PlayerEntered,
    ResultReported,
    RoundRepaired,
)
from service.aggregates.tournaments.opening import CloseTournament
from service.aggregates.tournaments.records import record_of
from service.aggregates.world import Closed, Conflict, Invalid, NotFound, Refused
from service.standings.records import Kind
from tests.aggregates.tournament_play import REASON, ROBIN, SWISS, Play, seed

DECK, OTHER_DECK = "11" * 32, "22" * 32


def kinds_of(play: Play, player: str) -> list[str]:
    """What a player has for each round, as standings see it."""
    return [
        next((one.kind for one in each.results if player in (one.first, one.second)), "none")
        for phase in record_of(play.state).phases
        for each in phase.rounds
    ]


def drop(play: Play, player: str, **fields: Any) -> list[Any]:
    return play.do(DropPlayer, player=player, reason=REASON, **fields)


def test_a_person_is_entered_once() -> None:
    play = Play(SWISS, players=2)
    play.enter("ann")
    play.do(EnterPlayer, player="other id", person="person-ann", name="ee" * 32)
    assert list(play.state.entries) == ["ann", "bob"]
    with pytest.raises(Conflict):
        play.do(EnterPlayer, player="ann", person="person-zoe", name="ee" * 32)


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({"player": "bye"}, Invalid),
        ({"player": ""}, Invalid),
        ({"player": "cid", "byes": (4,)}, Invalid),
        ({"player": "cid", "byes": (0,)}, Invalid),
        ({"player": "cid", "from_round": 2}, Invalid),
    ],
)
def test_who_cannot_enter(fields: dict[str, Any], fault: type[Exception]) -> None:
    play = Play(SWISS, players=2)
    with pytest.raises(fault):
        play.do(EnterPlayer, person=None, name="ee" * 32, **fields)


def test_nobody_enters_behind_the_last_round_or_the_seeding() -> None:
    play = Play(SWISS, players=4)
    play.play_phase()
    with pytest.raises(Refused):
        play.enter("zoe")
    robin = Play(ROBIN, players=4)
    robin.do(MakeCut, phase=1, seed=seed(1))
    with pytest.raises(Refused):
        robin.enter("zoe")


@pytest.mark.parametrize(
    ("late", "kind", "points"),
    [("loss", "assigned_loss", 0), ("half", "half_bye", 2), ("bye", "awarded_bye", 6)],
)
def test_a_late_entry_gets_what_the_tournament_says(late: Credit, kind: Kind, points: int) -> None:
    play = Play(SWISS, players=4, late=late)
    play.play_round()
    play.play_round()
    play.enter("zoe")
    assert play.state.entries["zoe"].from_round == 3
    play.begin()
    assert kinds_of(play, "zoe")[:2] == [kind, kind]
    (why,) = [one for one in play.round().why["byes"] if one["player"] == "zoe"] or [None]
    table = play.round().table_of("zoe")
    assert (why is None) != (table is None)
    if table is not None:
        reason = play.round().why["tables"][table.table.table - 1]
        assert points in reason["points"]


def test_byes_beforehand_are_given_by_themselves() -> None:
    play = Play(SWISS, players=5)
    play.enter("zoe", byes=(2, 1, 2))
    assert play.state.entries["zoe"].byes == (1, 2)
    for _ in range(3):
        play.play_round()
    assert kinds_of(play, "zoe")[:2] == ["awarded_bye", "awarded_bye"]
    assert play.without(1)["zoe"] == "pre_awarded"
    # Five others are an odd number, so one of them has a bye of the pairer as well.
    assert sorted(play.without(1).values()) == ["bye", "pre_awarded"]
    assert play.round(3).table_of("zoe") is not None


def test_a_deck_is_fixed_when_play_begins() -> None:
    play = Play(SWISS, players=2)
    assert play.do(RegisterDeck, player="ann", deck=DECK) != []
    assert play.do(RegisterDeck, player="ann", deck=DECK) == []
    play.begin()
    assert play.do(RegisterDeck, player="ann", deck=DECK) == []
    with pytest.raises(Refused):
        play.do(RegisterDeck, player="ann", deck=OTHER_DECK)
    play.do(RegisterDeck, player="ann", deck=OTHER_DECK, is_late=True)
    assert play.state.entries["ann"].deck == OTHER_DECK
    with pytest.raises(NotFound):
        play.do(RegisterDeck, player="zoe", deck=DECK)


def test_who_leaves_between_rounds_is_not_listed_any_more() -> None:
    play = Play(SWISS, players=5)
    play.play_round()
    (event,) = drop(play, "ann")
    assert isinstance(event, PlayerDropped)
    assert event.after_round == 1
    assert drop(play, "ann") == []
    play.play_round()
    assert kinds_of(play, "ann")[1:] == ["none"]
    dropped = {player.id: player.dropped_after for player in record_of(play.state).players}
    assert dropped["ann"] == 1
    with pytest.raises(Refused):
        play.enter("ann")


def test_the_opponent_of_who_leaves_wins_by_forfeit() -> None:
    play = Play(SWISS, players=4)
    play.begin()
    player, opponent = play.pairs()[0]
    dropped, reported = drop(play, player)
    assert isinstance(dropped, PlayerDropped)
    assert isinstance(reported, ResultReported)
    assert (dropped.after_round, reported.kind, reported.winner) == (1, "forfeit", opponent)
    assert reported.by is None


def test_the_opponent_of_who_leaves_can_get_another_opponent() -> None:
    play = Play(SWISS, players=5)
    one = play.begin()
    (with_bye,) = play.without()
    player, opponent = play.pairs()[1]
    dropped, repaired = drop(play, player, opponent="repair", seed=seed(5))
    assert isinstance(dropped, PlayerDropped)
    assert isinstance(repaired, RoundRepaired)
    assert dropped.after_round == 0
    assert set(play.pairs()[1]) == {opponent, with_bye}
    assert play.pairs()[0] == one.tables[1].players
    assert play.without() == {}
    assert player not in {one.id for one in record_of(play.state).players}


def test_there_is_no_other_opponent_once_the_table_has_begun() -> None:
    play = Play(SWISS, players=5)
    play.begin()
    player = play.pairs()[0][0]
    with pytest.raises(Refused):
        drop(play, player, opponent="repair", seed=seed(5), begun=[(1, 1)])


def test_a_result_stays_when_a_player_leaves() -> None:
    play = Play(SWISS, players=4)
    play.begin()
    first, _ = play.pairs()[0]
    play.report(1, first)
    (event,) = drop(play, first)
    assert isinstance(event, PlayerDropped)
    assert event.after_round == 1
    result = play.round().tables[1].result
    assert result is not None
    assert result.winner == first


def test_missed_rounds_are_lost_unless_staff_awards_a_bye() -> None:
    play = Play(Phase(format="swiss", rounds=5), players=6)
    play.play_round()
    drop(play, "ann")
    play.play_round()
    play.play_round()
    for byes in ((1,), (4,), (2, 9)):
        with pytest.raises(Invalid):
            play.do(ReenterPlayer, player="ann", byes=byes)
    play.do(ReenterPlayer, player="ann", byes=(3,))
    assert play.do(ReenterPlayer, player="ann") == []
    play.play_round()
    assert kinds_of(play, "ann")[1:3] == ["assigned_loss", "awarded_bye"]
    assert kinds_of(play, "ann")[3] in ("played", "bye")
    drop(play, "ann")
    play.do(ReenterPlayer, player="ann")
    play.play_round()
    assert kinds_of(play, "ann")[4] in ("played", "bye")


def test_after_the_end_nobody_comes_or_goes() -> None:
    play = Play(SWISS, players=2)
    play.do(CloseTournament, early=True)
    assert play.do(CloseTournament) == []
    for command, fields in (
        (EnterPlayer, {"player": "zoe", "person": None, "name": "ee" * 32}),
        (DropPlayer, {"player": "ann", "reason": REASON}),
        (ReenterPlayer, {"player": "ann"}),
        (RegisterDeck, {"player": "ann", "deck": DECK}),
    ):
        with pytest.raises(Closed):
            play.do(command, **fields)


def test_there_is_a_most_of_players() -> None:
    play = Play(SWISS, players=1)
    entry = play.state.entries["ann"]
    full = {str(number): entry for number in range(PLAYERS_MAX)}
    play.state = replace(play.state, entries=full)
    with pytest.raises(Refused, match="the most there may be"):
        play.enter("zoe")


def test_entering_is_an_event_with_the_first_round() -> None:
    play = Play(SWISS, players=2)
    play.begin()
    play.enter("zoe")
    event = play.events[-1]
    assert isinstance(event, PlayerEntered)
    assert event.from_round == 2
