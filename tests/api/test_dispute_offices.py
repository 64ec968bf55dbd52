"""What callers are told that they may do with a dispute, and whose disputes are listed."""

from __future__ import annotations

from service.engine.values import Json
from service.installation import Installation
from tests.api.tables import Caller, good
from tests.api.test_judging import Court, court_of, last_action

PARTY = ["comments"]
OFFICE = ["comments", "assignment", "rulings"]


def told(caller: Caller, dispute: str) -> Json:
    return good(caller.get(f"/api/v1/disputes/{dispute}"), 200)


def commands(court: Court, dispute: str) -> list[list[str]]:
    """Return what P1, P2, the judge and the head judge may do."""
    callers = (*court.players, court.judge, court.head)
    return [told(one, dispute)["commands"] for one in callers]


def test_everybody_is_told_what_he_may_do_and_does_it(installation: Installation) -> None:
    court = court_of(installation, "hi-story")
    dispute = court.dispute(court.players[1], last_action(court)["seq"])
    assert commands(court, dispute) == [PARTY, [*PARTY, "withdrawal"], OFFICE, OFFICE]
    assert told(court.judge, dispute)["authorities"] == ["judge"]
    assert told(court.head, dispute)["authorities"] == ["judge", "head_judge", "publisher"]
    assert told(court.players[0], dispute)["authorities"] == []
    good(court.judge.post(f"/api/v1/disputes/{dispute}/assignment", {}))
    assert "assignment" not in told(court.judge, dispute)["commands"]
    good(court.rule(court.judge, dispute, kind="no_action"))
    party, office = [*PARTY, "appeal"], [*PARTY, "finalization"]
    assert commands(court, dispute) == [
        party,
        party,
        office,
        ["comments", "assignment", "finalization"],
    ]
    body = {"ruling": 1, "reason": "Please look again."}
    good(court.players[0].post(f"/api/v1/disputes/{dispute}/appeal", body))
    assert told(court.judge, dispute)["authorities"] == []
    assert told(court.head, dispute)["authorities"] == ["head_judge", "publisher"]
    good(court.rule(court.head, dispute, kind="no_action", authority="head_judge"))
    assert commands(court, dispute) == [[], [], [], []]


def test_a_judge_gives_a_dispute_to_another_judge_of_the_match(installation: Installation) -> None:
    court = court_of(installation, "hi-story")
    dispute = court.dispute(court.players[1], last_action(court)["seq"])
    court.hall.person("Elsewhere", "judge", place="match/another")
    playing = court.hall.person("Organizer", "organizer")
    here = court.hall.person("Here", "judge", place=f"match/{court.match}")
    others = sorted([court.judge.person, court.head.person, here.person])
    shown = told(court.judge, dispute)
    assert shown["judges"] == others
    assert shown["names"][here.person] == "Here"
    assert [told(one, dispute)["judges"] for one in (*court.players, playing)] == [[], [], []]
    path = f"/api/v1/disputes/{dispute}/assignment"
    given = good(court.judge.post(path, {"judge": here.person}))
    assert (given["judge"], given["state"]) == (here.person, "assigned")
    assert given["judges"] == [one for one in others if one != here.person]
    assert "assignment" in told(court.head, dispute)["commands"], "others may still take it"
    good(court.rule(court.head, dispute, kind="no_action"))
    assert told(court.judge, dispute)["judges"] == [], "it is final"


def test_a_token_without_the_scope_is_offered_nothing(installation: Installation) -> None:
    court = court_of(installation, "hi-story")
    dispute = court.dispute(court.players[1], last_action(court)["seq"])
    reader = court.hall.with_scopes(court.judge.person, "read")
    assert (told(reader, dispute)["commands"], told(reader, dispute)["authorities"]) == ([], [])


def test_disputes_are_listed_by_who_takes_part(installation: Installation) -> None:
    court = court_of(installation, "hi-story")
    dispute = court.dispute(court.players[1], last_action(court)["seq"])

    def listed(caller: Caller, person: str) -> list[str]:
        items = good(caller.get("/api/v1/disputes", person=person), 200)["items"]
        return [one["id"] for one in items]

    one, two = court.players
    assert listed(two, one.person) == listed(court.judge, two.person) == [dispute]
    assert listed(court.judge, court.judge.person) == []
    assert listed(court.hall.anybody, two.person) == []
