"""Results: who may say what, what they rest on, how they are replaced; penalties."""

from __future__ import annotations

from typing import Any

import pytest

from service.aggregates.events import TableGame
from service.aggregates.tournaments.amending import AmendResult
from service.aggregates.tournaments.cuts import MakeCut
from service.aggregates.tournaments.entries import ReenterPlayer
from service.aggregates.tournaments.events import (
    MatchLinked,
    PenaltyGiven,
    Phase,
    PlayerDropped,
    ResultAmended,
    ResultConfirmed,
    ResultReported,
)
from service.aggregates.tournaments.levels import (
    Difference,
    difference_of,
    level_counts,
    level_of,
)
from service.aggregates.tournaments.linking import LinkMatch, seats_of_game
from service.aggregates.tournaments.penalties import GivePenalty
from service.aggregates.tournaments.placing import final_placing, standings_of
from service.aggregates.tournaments.results import ConfirmResult, ReportResult
from service.aggregates.tournaments.rounds import CloseRound
from service.aggregates.tournaments.state import TableState
from service.aggregates.world import Conflict, Invalid, NotFound, Refused
from tests.aggregates.tournament_play import REASON, SINGLE, SWISS, Play, seed

BEST_OF_3 = Phase(format="swiss", rounds=3, best_of=3)


def begun(phase: Phase = BEST_OF_3, players: int = 4) -> tuple[Play, str, str]:
    """A round that is on, and the players of its first table."""
    play = Play(phase, players=players)
    if phase.format != "swiss":
        play.do(MakeCut, phase=1, seed=seed(1))
    play.begin()
    return play, *play.pairs()[0]


def tell(play: Play, winner: str | None, games: tuple[int, int, int], **fields: Any) -> list[Any]:
    return play.do(
        ReportResult, **{"round": 1, "table": 1, "winner": winner, "games": games} | fields
    )


def amend(play: Play, winner: str | None, games: tuple[int, int, int], **fields: Any) -> list[Any]:
    return play.do(
        AmendResult,
        **{"round": 1, "table": 1, "winner": winner, "games": games, "reason": REASON} | fields,
    )


def linked(play: Play, match: str, winner: str | None, **fields: Any) -> list[Any]:
    """Link the log of a match at table 1, in which P1 is the first player."""
    first, second = play.pairs()[0]
    given = {
        "round": 1,
        "table": 1,
        "game": 1,
        "match": match,
        "played_for": None,
        "players": {"P1": first, "P2": second},
        "persons": {"P1": f"person-{first}", "P2": f"person-{second}"},
        "winner": winner,
        "is_live": True,
    }
    return play.do(LinkMatch, **given | fields)


def table_of(play: Play) -> TableState:
    return play.round(1).tables[1]


@pytest.mark.parametrize(
    ("result", "place"),
    [
        ({"games": (3, 0, 0)}, "games"),
        ({"games": (2, 2, 0)}, "games"),
        ({"games": (-1, 0, 0)}, "games"),
        ({"games": (1, 0)}, "games"),
        ({"games": (1, 0, 4)}, "games"),
        ({"games": (2, 0, 0), "winner": "zoe"}, "winner"),
        ({"games": (2, 0, 0), "winner": None}, "winner"),
        ({"games": (0, 2, 0), "winner": "first"}, "winner"),
        ({"games": (1, 1, 0), "winner": "first"}, "winner"),
        ({"games": (0, 0, 0), "winner": "first", "kind": "double_loss"}, "winner"),
        ({"games": (0, 0, 3), "winner": "first", "kind": "intentional_draw"}, "winner"),
    ],
)
def test_results_that_cannot_be(result: dict[str, Any], place: str) -> None:
    play, first, _ = begun()
    fields = {"winner": first if result.get("winner") == "first" else result.get("winner")}
    with pytest.raises(Invalid) as fault:
        play.do(ReportResult, round=1, table=1, **result | fields)
    assert list(fault.value.errors) == [place]


@pytest.mark.parametrize(
    "result",
    [
        {"games": (0, 0, 0), "winner": None},
        {"games": (0, 0, 1), "winner": None, "kind": "intentional_draw"},
    ],
)
def test_a_bracket_has_no_draws(result: dict[str, Any]) -> None:
    play, _, _ = begun(SINGLE)
    with pytest.raises(Invalid):
        play.do(ReportResult, round=1, table=1, **result)


def test_staff_says_who_goes_on_from_a_drawn_match_of_a_bracket() -> None:
    play, _, second = begun(SINGLE)
    assert play.do(ReportResult, round=1, table=1, winner=second, games=(0, 0, 1)) != []


def test_a_drawn_log_does_not_decide_a_match_of_a_bracket() -> None:
    play, _, _ = begun(SINGLE)
    assert len(linked(play, "m1", "draw")) == 1
    assert table_of(play).result is None


@pytest.mark.parametrize("has_winner", [True, False])
def test_a_match_that_was_not_played(has_winner: bool) -> None:
    play, first, _ = begun()
    winner, games = (first, (2, 0, 0)) if has_winner else (None, (0, 0, 0))
    tell(play, winner, games, kind="forfeit")
    assert play.round().missing == [2]


def test_the_same_report_again_is_one_event() -> None:
    play, first, second = begun()
    (event,) = tell(play, first, (2, 1, 0), side=first)
    assert isinstance(event, ResultReported)
    for side in (first, second, None):
        assert tell(play, first, (2, 1, 0), side=side) == []
    with pytest.raises(Conflict) as fault:
        tell(play, second, (1, 2, 0), side=second)
    assert fault.value.version == play.state.version
    with pytest.raises(Refused):
        tell(play, first, (2, 1, 0), side="zoe")


def test_the_other_player_or_staff_confirms() -> None:
    play, first, second = begun()
    tell(play, first, (2, 0, 0), side=first)
    seq = play.state.version
    confirm = {"round": 1, "table": 1, "reported": seq}
    with pytest.raises(Refused):
        play.do(ConfirmResult, side=first, **confirm)
    with pytest.raises(Refused):
        play.do(ConfirmResult, side="zoe", **confirm)
    with pytest.raises(Conflict):
        play.do(ConfirmResult, side=second, **confirm | {"reported": seq - 1})
    with pytest.raises(Conflict):
        play.do(ConfirmResult, side=None, **confirm | {"table": 2})
    (event,) = play.do(ConfirmResult, side=second, **confirm)
    assert isinstance(event, ResultConfirmed)
    assert event.reported == seq
    assert play.do(ConfirmResult, side=None, **confirm) == []


def test_a_closed_round_takes_amendments_only() -> None:
    play, first, second = begun()
    tell(play, first, (2, 0, 0))
    seq = play.state.version
    with pytest.raises(Refused):
        amend(play, None, (0, 0, 0), table=2, kind="double_loss", supersedes=None)
    play.do(CloseRound, round=1, missing=(2,))
    with pytest.raises(Refused):
        tell(play, None, (1, 1, 1), table=2)
    with pytest.raises(Refused):
        tell(play, second, (0, 2, 0))
    assert tell(play, first, (2, 0, 0)) == []
    with pytest.raises(Conflict):
        amend(play, second, (0, 2, 0), supersedes=seq - 1)
    (event,) = amend(play, second, (0, 2, 0), supersedes=seq)
    assert isinstance(event, ResultAmended)
    assert (event.supersedes, event.rewind) == (seq, [])
    assert amend(play, second, (0, 2, 0), supersedes=seq) == []
    (added,) = amend(play, None, (1, 1, 1), table=2, supersedes=None)
    assert isinstance(added, ResultAmended)
    assert added.supersedes is None
    assert play.round(1).missing == []


def test_witnessed_logs_decide_a_match_by_themselves() -> None:
    play, first, _ = begun()
    assert len(linked(play, "m1", "P1")) == 1
    assert len(linked(play, "m2", "P2", game=2, by=None)) == 1
    last = linked(play, "m3", "P1", game=3)
    assert [type(event) for event in last] == [MatchLinked, ResultReported]
    result = table_of(play).result
    assert result is not None
    assert (result.winner, result.games, result.matches) == (first, (2, 1, 0), ("m1", "m2", "m3"))
    assert level_of(table_of(play)) == "witnessed"


def test_games_without_a_winner_count_as_drawn() -> None:
    play, first, _ = begun()
    linked(play, "m1", "draw")
    linked(play, "m2", None, game=2)
    assert table_of(play).result is None
    linked(play, "m3", "P1", game=3)
    result = table_of(play).result
    assert result is not None
    assert (result.winner, result.games) == (first, (1, 0, 2))


def test_a_log_serves_one_table_once() -> None:
    play, first, second = begun()
    linked(play, "m1", "P1", source="ab")
    assert linked(play, "m1", "P1", source="ab") == []
    here = TableGame(tournament="t", phase=1, round=1, table=1, game=2)
    other_first, other_second = play.pairs()[1]
    others = {"P1": other_first, "P2": other_second}
    wrong_fields: list[dict[str, Any]] = [
        {"match": "m1", "game": 2},
        {"match": "m1", "table": 2, "players": others, "persons": {}},
        {"match": "m2", "game": 2, "source": "ab"},
        {"match": "m2", "game": 1},
        {"match": "m2", "game": 3, "played_for": here},
        {
            "match": "m2",
            "game": 2,
            "played_for": TableGame(tournament="other", phase=1, round=1, table=1, game=2),
        },
        {"match": "m2", "game": 2, "players": others},
        {"match": "m2", "game": 2, "players": {"P1": first, "P2": first}},
        {"match": "m2", "game": 2, "players": {"P1": second, "P2": first}},
        {"match": "m2", "game": 2, "persons": {}},
    ]
    for fields in wrong_fields:
        with pytest.raises(Refused):
            linked(play, winner="P1", **fields)
    for wrong in ({"game": 7}, {"game": 0}, {"game": 2, "winner": "P3"}):
        with pytest.raises(Invalid):
            linked(play, **{"match": "m2", "winner": "P1"} | wrong)
    with pytest.raises(NotFound):
        linked(play, "m2", "P1", table=9)
    assert len(linked(play, "m2", "P1", game=2, played_for=here)) == 2


def test_seats_may_be_the_other_way_round() -> None:
    play, first, second = begun(SWISS)
    linked(
        play,
        "m1",
        "P1",
        players={"P1": second, "P2": first},
        persons={"P1": f"person-{second}", "P2": f"person-{first}"},
    )
    result = table_of(play).result
    assert result is not None
    assert (result.winner, result.games) == (second, (0, 1, 0))


IMPORTED = {"is_live": False, "persons": {"P1": None, "P2": None}}


@pytest.mark.parametrize(
    ("logs", "reported_by", "confirmed", "level"),
    [
        ([], "staff", False, "reported"),
        ([], "player", True, "reported"),
        ([{}], "player", False, "witnessed"),
        ([IMPORTED], "player", False, "reported"),
        ([IMPORTED], "player", True, "audited"),
        ([IMPORTED], "staff", False, "audited"),
        ([IMPORTED | {"is_trusted": True}], "player", False, "witnessed"),
        ([{"winner": "P2"}], "staff", False, "disputed"),
        ([IMPORTED | {"winner": "draw"}], "staff", False, "disputed"),
        ([IMPORTED | {"fault": "line 3: no such card"}], "staff", False, "disputed"),
    ],
)
def test_the_level_of_a_result(
    logs: list[dict[str, Any]], reported_by: str, confirmed: bool, level: str
) -> None:
    play, first, second = begun(SWISS)
    side = first if reported_by == "player" else None
    tell(play, first, (1, 0, 0), side=side)
    seq = play.state.version
    for number, log in enumerate(logs):
        linked(play, **{"match": f"m{number}", "winner": "P1"} | log)
    if confirmed:
        play.do(ConfirmResult, round=1, table=1, reported=seq, side=second)
    assert level_of(table_of(play)) == level
    assert level_counts(play.state, 1)[first] == {level: 1}
    assert (difference_of(table_of(play)) is not None) == (level == "disputed")


def test_a_disputed_result_shows_the_difference_and_is_amended() -> None:
    play, first, second = begun()
    linked(play, "m1", "P2", **IMPORTED)
    linked(play, "m2", "P2", game=2, fault="line 3: no such card", **IMPORTED)
    assert level_of(table_of(play)) is None
    assert difference_of(table_of(play)) is None
    tell(play, first, (2, 0, 0))
    assert difference_of(table_of(play)) == Difference(
        reported=(2, 0, 0), logged=(0, 1, 0), faults=("line 3: no such card",)
    )
    seq = play.state.version
    amend(play, second, (1, 2, 0), supersedes=seq)
    assert level_of(table_of(play)) == "amended"


def test_games_without_a_log_leave_a_result_reported() -> None:
    play, first, _ = begun()
    linked(play, "m1", "P1")
    tell(play, first, (2, 0, 0))
    assert level_of(table_of(play)) == "reported"


def penalty(play: Play, player: str, kind: str, **fields: Any) -> list[Any]:
    return play.do(GivePenalty, player=player, kind=kind, round=1, reason=REASON, **fields)


def test_a_warning_and_a_game_loss_are_on_record() -> None:
    play, first, _ = begun(players=5)
    for kind in ("warning", "game_loss"):
        assert [type(event) for event in penalty(play, first, kind)] == [PenaltyGiven]
    assert [one.kind for one in play.state.penalties] == ["warning", "game_loss"]
    (without,) = play.without()
    penalty(play, without, "warning")
    for kind in ("game_loss", "match_loss"):
        with pytest.raises(Refused):
            penalty(play, without, kind)


def test_a_match_loss_gives_the_table_to_the_opponent() -> None:
    play, first, second = begun()
    assert [type(event) for event in penalty(play, first, "match_loss")] == [
        PenaltyGiven,
        ResultReported,
    ]
    result = table_of(play).result
    assert result is not None
    assert (result.winner, result.games) == (second, (0, 2, 0))
    assert [type(event) for event in penalty(play, first, "match_loss")] == [PenaltyGiven]
    events = penalty(play, second, "match_loss")
    assert [type(event) for event in events] == [PenaltyGiven, ResultAmended]
    assert events[1].supersedes == result.seq


def test_who_is_disqualified_for_an_earlier_round_leaves_nobody_waiting() -> None:
    play = Play(SWISS, players=4)
    play.play_round()
    play.begin()
    player, opponent = play.pairs()[0]
    penalty(play, player, "disqualification")
    result = play.round(2).tables[1].result
    assert result is not None
    assert result.winner == opponent
    assert penalty(play, player, "disqualification")[1:] == []
    with pytest.raises(Refused):
        play.do(ReenterPlayer, player=player)


def test_the_first_player_begins_in_odd_games() -> None:
    play, first, second = begun()
    seats = [seats_of_game(table_of(play), game) for game in (1, 2, 3)]
    assert [one["P1"] for one in seats] == [first, second, first]
    assert [one["P2"] for one in seats] == [second, first, second]


def test_who_is_disqualified_leaves_and_has_no_place() -> None:
    play, first, second = begun()
    events = penalty(play, first, "disqualification")
    assert [type(event) for event in events] == [PenaltyGiven, PlayerDropped, ResultReported]
    result = table_of(play).result
    assert result is not None
    assert result.winner == second
    play.end_round()
    play.begin()
    assert play.round().table_of(first) is None
    assert first in {row.player for row in standings_of(play.state, 1).rows}
    assert first not in {one.player for one in final_placing(play.state)}
