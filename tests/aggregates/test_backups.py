"""Backups: what was drawn is drawn so again, what was struck stays, and what it cost is known."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.aggregates.backups import ORDERED, back_up, cost_of, is_simple
from service.aggregates.ending import CloseMatch, close
from service.aggregates.events import ActionPlayed, BackedUp, Corrected, MatchReopened
from service.aggregates.lines import Line, is_live, line_of, live_ranges, parent_of
from service.aggregates.matches import Given
from service.aggregates.playing import PlayAction, play
from service.aggregates.remedies import amend_outcome, fix, lose
from service.aggregates.world import Invalid, Refused
from service.engine.contract import Rejection
from service.engine.values import SYSTEM
from tests.aggregates.match_play import MATCH, Played, begun
from tests.conftest import CATALOGUE

GAMES = CATALOGUE.names()
RULING = "d1.1"
JUDGE = "judge-1"
PLAYED = 12


def backed_up(played: Played, to: int) -> None:
    played.add(back_up(played.match, played.at(to), played.given, ruling=RULING, by=JUDGE))


def first_action(played: Played) -> int:
    """Return the index behind the first action."""
    return next(state.version for state in played.states if state.actions)


def replayed(played: Played, since: int, to: int) -> None:
    """Let the seats play again what they played between two indexes."""
    for event in played.events[since:to]:
        if isinstance(event, ActionPlayed) and event.actor != SYSTEM:
            command = PlayAction(match_id=MATCH, actor=event.actor, action=event.action)
            decided = play(played.match, command, played.given)
            assert not isinstance(decided, Rejection)
            played.add(decided)


@pytest.mark.parametrize("game", GAMES)
def test_the_same_actions_after_a_backup_draw_the_same(game: str) -> None:
    played = begun(game, 3)
    played.play(PLAYED)
    to, last = first_action(played), played.match.version
    before = played.match
    backed_up(played, to)
    assert played.match.position == played.at(to).position
    replayed(played, to, last)
    assert played.match.position == before.position
    assert played.match.counts == before.counts
    assert played.match.actions == before.actions


@pytest.mark.parametrize("game", GAMES)
def test_a_shuffle_that_a_judge_orders_is_another_one_each_time(game: str) -> None:
    played = begun(game, 4)
    played.play(2)
    to = played.match.version
    pile = next(iter(played.given.ruleset.piles(played.match.position)))
    orders = []
    for _ in range(3):
        events = fix(played.match, [], [pile], played.given, ruling=RULING)
        played.add(events)
        shuffled = events[0]
        assert isinstance(shuffled, Corrected)
        assert shuffled.draws[0]["shuffle"] == f"{ORDERED}{pile}"
        orders.append(tuple(shuffled.draws[0]["order"]))
        backed_up(played, to)
    assert len(set(orders)) == len(orders)
    assert played.match.counts[f"shuffle/{ORDERED}{pile}"] == len(orders)


@pytest.mark.parametrize("game", GAMES)
def test_the_cost_of_a_backup_counts_what_is_undone(game: str) -> None:
    played = begun(game, 5)
    played.play(PLAYED)
    to = first_action(played)
    cost = cost_of(played.match, played.at(to), played.since(to), played.given.ruleset)
    undone = played.since(to)
    actions = [
        event for event in undone if isinstance(event, ActionPlayed) and event.actor != SYSTEM
    ]
    assert (cost.to, cost.events, cost.actions) == (to, len(undone), len(actions))
    drawn = [draw for event in undone if isinstance(event, ActionPlayed) for draw in event.draws]
    assert sum(cost.draws.values()) == len(drawn)
    assert cost.learned.keys() == set(played.match.seats)
    assert not is_simple(cost)


def test_a_drawn_card_counts_as_learned_by_who_drew_it() -> None:
    played = begun("hi-story", 6)
    played.play(PLAYED)
    to = first_action(played)
    cost = cost_of(played.match, played.at(to), played.since(to), played.given.ruleset)
    assert sum(cost.learned.values()) > 0


def test_the_last_action_without_a_draw_is_a_simple_backup() -> None:
    played = begun("hi-story", 7)
    for _ in range(PLAYED * 3):
        to = played.match.version
        played.play(1)
        since = played.since(to)
        if any(isinstance(event, ActionPlayed) and event.draws for event in since):
            continue
        cost = cost_of(played.match, played.at(to), since, played.given.ruleset)
        assert is_simple(cost)
        assert cost.actions == 1
        return
    raise AssertionError("some action draws nothing")


@pytest.mark.parametrize("game", GAMES)
def test_backups_behind_backups(game: str) -> None:
    played = begun(game, 8)
    played.play(PLAYED)
    first, last = first_action(played), played.match.version
    middle = (first + last) // 2
    backed_up(played, middle)
    second_line = played.match.version
    played.play(2)
    backed_up(played, second_line)
    backed_up(played, first)
    assert [line.parent for line in played.match.lines] == [middle, second_line, first]
    with pytest.raises(Invalid):
        backed_up(played, middle)
    assert played.match.position == played.at(first).position


@pytest.mark.parametrize("game", GAMES)
def test_an_index_that_cannot_be_gone_back_to_is_refused(game: str) -> None:
    played = begun(game, 9)
    played.play(2)
    for state in (played.match, played.at(1)):
        with pytest.raises(Invalid):
            back_up(played.match, state, played.given, ruling=RULING, by=JUDGE)


@pytest.mark.parametrize("game", GAMES)
def test_a_closed_match_that_is_backed_up_is_reopened_with_fresh_roots(game: str) -> None:
    played = begun(game, 10)
    played.play(4)
    to = played.match.version
    closing = CloseMatch(match_id=MATCH, cause="ruling", winner="P1", by=JUDGE, reason="r")
    played.add(close(played.match, closing, played.given))
    opened = played.match.roots
    events = back_up(played.match, played.at(to), played.given, ruling=RULING, by=JUDGE)
    assert [type(event) for event in events[:2]] == [MatchReopened, BackedUp]
    played.add(events)
    assert (played.match.closed, played.match.outcome, played.match.reopened) == (None, None, 1)
    assert played.match.roots not in (None, opened)
    assert played.match.position == played.at(to).position
    played.play(3)


def test_draws_that_came_with_the_record_are_not_drawn_again() -> None:
    played = begun("formation", 11)
    played.play(4)
    bare = type(played.given.secrets)(salt_key=b"")
    given = Given(ruleset=played.given.ruleset, secrets=bare, now=played.given.now)
    earlier = played.at(first_action(played))
    with pytest.raises(Refused):
        back_up(played.match, earlier, given, ruling=RULING, by=JUDGE)
    pile = next(iter(given.ruleset.piles(played.match.position)))
    with pytest.raises(Refused):
        fix(played.match, [], [pile], given, ruling=RULING)


def test_a_fix_that_does_not_fit_is_refused_with_its_place() -> None:
    played = begun("hi-story", 12)
    played.play(2)
    for facts, shuffles in (([], []), ([{"fact": "no_such"}], []), ([], ["P9.deck"])):
        with pytest.raises(Invalid):
            fix(played.match, facts, shuffles, played.given, ruling=RULING)


def test_an_outcome_is_amended_once_the_match_has_ended() -> None:
    played = begun("hi-story", 13)
    with pytest.raises(Refused):
        amend_outcome(played.match, "P1", played.given, ruling=RULING, by=JUDGE)
    played.add(lose(played.match, "P1", played.given, ruling=RULING, by=JUDGE, reason="r"))
    assert played.match.outcome == {"winner": "P2", "reason": "ruling"}
    played.add(amend_outcome(played.match, "draw", played.given, ruling=RULING, by=JUDGE))
    assert played.match.outcome == {"winner": "draw", "reason": "ruling"}
    with pytest.raises(Invalid):
        amend_outcome(played.match, "draw", played.given, ruling=RULING, by=JUDGE)
    played.add(lose(played.match, "P2", played.given, ruling=RULING, by=JUDGE, reason="r"))
    assert played.match.outcome == {"winner": "P1", "reason": "ruling"}
    assert lose(played.match, "P2", played.given, ruling=RULING, by=JUDGE, reason="r") == []


@st.composite
def histories(draw: st.DrawFn) -> tuple[list[Line], int]:
    """Return the lines of a match, each begun from an index that was on the line played."""
    lines: list[Line] = []
    version = draw(st.integers(1, 10))
    for _ in range(draw(st.integers(0, 5))):
        live = [seq for seq in range(1, version + 1) if is_live(lines, version, seq)]
        lines.append(Line(begins=version + 1, parent=draw(st.sampled_from(live))))
        version += 1 + draw(st.integers(0, 5))
    return lines, version


@given(histories())
@settings(max_examples=200)
def test_the_live_line_is_the_way_from_the_last_event_to_the_first(
    history: tuple[list[Line], int],
) -> None:
    lines, version = history
    way, at = [], version
    while at > 0:
        way.append(at)
        at = parent_of(lines, at)
    assert [seq for seq in range(version, 0, -1) if is_live(lines, version, seq)] == way
    assert sum(to - after for after, to in live_ranges(lines, version)) == len(way)
    numbers = [line_of(lines, seq) for seq in range(1, version + 1)]
    assert numbers == sorted(numbers)
