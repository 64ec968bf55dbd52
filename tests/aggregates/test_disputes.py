"""Disputes: given what was said, when somebody says more, then events or a refusal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from service.aggregates.access import Relation
from service.aggregates.disputes.deciding import (
    AddComment,
    AppealRuling,
    AssignJudge,
    FinalizeDispute,
    OpenDispute,
    WithdrawDispute,
    appeal,
    assign,
    comment,
    finalize,
    open_dispute,
    withdraw,
)
from service.aggregates.disputes.events import DisputeEvent, DisputeRuled, EventRef, Penalty
from service.aggregates.disputes.ruling import RuleOnDispute, Way, rule
from service.aggregates.disputes.state import Dispute, State, evolve
from service.aggregates.events import (
    BackedUp,
    Corrected,
    MatchClosed,
    MatchHeld,
    MatchReleased,
    ResultAmended,
)
from service.aggregates.world import Closed, Conflict, Forbidden, Invalid, Refused, WorldFault
from tests.aggregates.match_play import MATCH, NOW, Played, begun

ID = "d1"
SEAT, JUDGE, HEAD = "person-P2", "judge-1", "head-1"
HASH = "ab" * 32
EVENT = EventRef(match=MATCH, seq=3, hash=HASH)


@pytest.fixture(scope="module")
def played() -> Played:
    found = begun("hi-story", 3)
    found.play(8)
    return found


def opening(**more: Any) -> OpenDispute:
    return OpenDispute(dispute_id=ID, by=SEAT, event=EVENT, rules=(), claim="c", **more)


def dispute_of(played: Played, *more: DisputeEvent) -> Dispute:
    return after(None, [*open_dispute(played.match, opening(), HASH, NOW), *more])


def after(dispute: Dispute | None, events: Sequence[DisputeEvent]) -> Dispute:
    for event in events:
        dispute = evolve(dispute, event, dispute_id=ID, head="h")
    assert dispute is not None
    return dispute


def ruling(by: str = JUDGE, office: Relation = "judge", **more: Any) -> RuleOnDispute:
    given = {"outcome": "upheld", "kind": "no_action", "rules": (), "text_en": "t", **more}
    return RuleOnDispute(dispute_id=ID, by=by, offices=(office,), **{"authority": office, **given})


def ruled(played: Played, dispute: Dispute, command: RuleOnDispute) -> Dispute:
    return after(dispute, [rule(dispute, played.match, command, played.given, None).ruling])


def test_a_dispute_names_the_event_by_its_hash(played: Played) -> None:
    (event,) = open_dispute(played.match, opening(), HASH, NOW)
    assert (event.seat, event.game) == ("P2", "hi-story")  # type: ignore[union-attr]
    with pytest.raises(Conflict):
        open_dispute(played.match, opening(), "cd" * 32, NOW)


def test_a_dispute_goes_its_way(played: Played) -> None:
    dispute = dispute_of(played)
    seen: list[State] = [dispute.state]
    taken = AssignJudge(dispute_id=ID, by=JUDGE, judge=JUDGE, is_judge=True)
    dispute = after(dispute, assign(dispute, taken, NOW))
    assert assign(dispute, taken, NOW) == []
    seen.append(dispute.state)
    dispute = ruled(played, dispute, ruling())
    seen.append(dispute.state)
    asked = AppealRuling(dispute_id=ID, by=SEAT, number=1, reason="r")
    dispute = after(dispute, appeal(dispute, asked, NOW))
    seen.append(dispute.state)
    dispute = ruled(played, dispute, ruling(HEAD, "head_judge"))
    seen.append(dispute.state)
    assert seen == ["open", "assigned", "ruled", "appealed", "final"]
    assert [one.number for one in dispute.rulings] == [1, 2]


def test_nothing_is_said_behind_the_end(played: Played) -> None:
    dispute = ruled(played, dispute_of(played), ruling(HEAD, "head_judge"))
    said = AddComment(dispute_id=ID, by=SEAT, text="t", audience="parties")
    with pytest.raises(Closed):
        comment(dispute, said, NOW)
    with pytest.raises(Closed):
        rule(dispute, played.match, ruling(), played.given, None)


def test_a_ruling_stands_when_nobody_appeals(played: Played) -> None:
    dispute = dispute_of(played)
    let = FinalizeDispute(dispute_id=ID, by=JUDGE)
    with pytest.raises(Refused):
        finalize(dispute, let, NOW)
    dispute = ruled(played, dispute, ruling())
    dispute = after(dispute, finalize(dispute, let, NOW))
    assert dispute.state == "final"
    assert finalize(dispute, let, NOW) == []


def test_an_interim_answer_is_replaced_and_stands_for_nothing(played: Played) -> None:
    dispute = ruled(played, dispute_of(played), ruling(outcome="undecided"))
    with pytest.raises(Refused):
        finalize(dispute, FinalizeDispute(dispute_id=ID, by=JUDGE), NOW)
    dispute = ruled(played, dispute, ruling())
    assert (dispute.state, len(dispute.rulings)) == ("ruled", 2)
    with pytest.raises(Refused):
        rule(dispute, played.match, ruling(), played.given, None)


def test_withdrawing_is_for_who_opened_it_before_a_ruling(played: Played) -> None:
    dispute = dispute_of(played)
    with pytest.raises(Forbidden):
        withdraw(dispute, WithdrawDispute(dispute_id=ID, by="person-P1"), NOW)
    asked = WithdrawDispute(dispute_id=ID, by=SEAT)
    assert after(dispute, withdraw(dispute, asked, NOW)).state == "withdrawn"
    with pytest.raises(Refused):
        withdraw(ruled(played, dispute, ruling()), asked, NOW)


@pytest.mark.parametrize(
    ("command", "fault"),
    [
        (ruling("person-P1", "seat"), Forbidden),
        (ruling(authority="head_judge"), Forbidden),
        (ruling(kind="full_backup", to=4), Forbidden),
        (ruling(kind="simple_backup"), Invalid),
        (ruling(to=4), Invalid),
        (ruling(winner="P1"), Invalid),
        (ruling(text_en=None), Invalid),
        (ruling(kind="partial_fix"), Invalid),
        (ruling(kind="penalty"), Invalid),
        (ruling(kind="penalty", penalty=Penalty(seat="P7", kind="warning")), Invalid),
        (
            ruling(outcome="undecided", kind="penalty", penalty=Penalty(seat="P1", kind="warning")),
            Invalid,
        ),
        (ruling(kind="result_amendment", winner="P1"), Refused),
    ],
)
def test_a_ruling_that_cannot_be_is_refused(
    played: Played, command: RuleOnDispute, fault: type[WorldFault]
) -> None:
    with pytest.raises(fault):
        rule(dispute_of(played), played.match, command, played.given, None)


@pytest.mark.parametrize("by", [HEAD, SEAT])
def test_nobody_rules_on_his_own_appeal_or_ruling(played: Played, by: str) -> None:
    dispute = ruled(played, dispute_of(played), ruling(HEAD))
    with pytest.raises(Forbidden):
        appeal(dispute, AppealRuling(dispute_id=ID, by=HEAD, number=1, reason="r"), NOW)
    with pytest.raises(Conflict):
        appeal(dispute, AppealRuling(dispute_id=ID, by=SEAT, number=2, reason="r"), NOW)
    asked = AppealRuling(dispute_id=ID, by=SEAT, number=1, reason="r")
    dispute = after(dispute, appeal(dispute, asked, NOW))
    with pytest.raises(Forbidden):
        rule(dispute, played.match, ruling(by, "head_judge"), played.given, None)
    with pytest.raises(Forbidden):
        rule(dispute, played.match, ruling(), played.given, None)


def test_what_a_ruling_does_is_an_event_of_the_match(played: Played) -> None:
    match, dispute = played.match, dispute_of(played)
    pile = next(iter(played.given.ruleset.piles(match.position)))
    fixed = rule(dispute, match, ruling(kind="partial_fix", shuffles=(pile,)), played.given, None)
    assert isinstance(fixed.events[0], Corrected)
    assert fixed.ruling.remedy.event == match.version + 1
    lost = rule(
        dispute,
        match,
        ruling(kind="penalty", penalty=Penalty(seat="P1", kind="game_loss")),
        played.given,
        None,
    )
    assert isinstance(lost.events[0], MatchClosed)
    assert lost.events[0].outcome == {"winner": "P2", "reason": "ruling"}
    warned = rule(
        dispute,
        match,
        ruling(kind="penalty", penalty=Penalty(seat="P1", kind="warning")),
        played.given,
        None,
    )
    assert (warned.events, warned.ruling.remedy.event) == ([], None)


def test_a_simple_backup_is_no_full_one(played: Played) -> None:
    match, dispute = played.match, dispute_of(played)
    to = next(state.version for state in played.states if state.actions)
    way = Way(earlier=played.at(to), since=played.since(to))
    simple = ruling(kind="simple_backup", to=to)
    with pytest.raises(Refused, match="full"):
        rule(dispute, match, simple, played.given, way)
    command = ruling(HEAD, "head_judge", kind="full_backup", to=to)
    found = rule(dispute, match, command, played.given, way)
    assert isinstance(found.events[0], BackedUp)
    remedy = found.ruling.remedy
    assert (remedy.to, remedy.event) == (to, match.version + 1)
    assert remedy.cost is not None
    assert isinstance(found.ruling, DisputeRuled)


def test_a_held_match_goes_on_with_the_ruling(played: Played) -> None:
    held = MatchHeld(by=JUDGE, reason="r", time=NOW)
    others = begun("hi-story", 3)
    others.play(2)
    others.add([held])
    dispute = dispute_of(others)
    found = rule(dispute, others.match, ruling(is_released=True), others.given, None)
    assert [type(event) for event in found.events] == [MatchReleased]
    assert rule(dispute, others.match, ruling(), others.given, None).events == []


def test_a_closed_match_gets_another_outcome() -> None:
    ended = begun("hi-story", 3)
    ended.play(2)
    penalty = Penalty(seat="P1", kind="match_loss")
    lost = rule(
        dispute_of(ended), ended.match, ruling(kind="penalty", penalty=penalty), ended.given, None
    )
    ended.add(lost.events)
    command = ruling(HEAD, "head_judge", kind="result_amendment", winner="draw")
    found = rule(dispute_of(ended), ended.match, command, ended.given, None)
    assert isinstance(found.events[0], ResultAmended)
    assert found.ruling.remedy.outcome == {"winner": "draw", "reason": "ruling"}
