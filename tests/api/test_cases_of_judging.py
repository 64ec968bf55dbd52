"""Public bug reports about judges and takebacks, re-enacted right."""

from __future__ import annotations

import json

from service.engine.values import Json
from service.installation import Installation
from tests.api.tables import Caller, good, refused
from tests.api.test_judging import Court, court_of, last_action

GAME = "hi-story"


def looking(court: Court) -> Court:
    """Let the judge look into the match."""
    good(court.judge.post(f"{court.path}/inspections", {"reason": "a takeback"}))
    return court


def shuffled(court: Court, dispute: str) -> Json:
    """Have the deck of P2 shuffled by the judge; return the event as he sees it."""
    ruled = good(court.rule(court.head, dispute, kind="partial_fix", shuffles=["P2.deck"]))
    seq = ruled["given"][-1]["remedy"]["event"]
    return court.events(court.judge, "judge")[seq - 1]


def test_taking_back_draws_no_better_card(installation: Installation) -> None:
    """mage#8058, terraforming-mars#5569: undone and drawn again until the card was good."""
    court = looking(court_of(installation, GAME))
    one, two = court.players
    seen = court.events(court.judge, "judge")
    undone = next(one for one in reversed(seen) if one["actor"] in ("P1", "P2"))
    to = undone["seq"] - 1
    before = court.position(court.shown(one)["events"], "judge")
    dispute = court.dispute(two, undone["seq"])
    refused(court.rule(two, dispute, kind="simple_backup", to=to), 403, "forbidden")
    good(court.rule(court.head, dispute, kind="full_backup", to=to))
    again = {"action": undone["action"]}
    actor = one if undone["actor"] == "P1" else two
    good(actor.post(f"{court.path}/actions", again))
    assert court.position(court.shown(one)["events"], "judge") == before
    orders = []
    for _ in range(2):
        event = shuffled(court, court.dispute(two, court.shown(one)["events"]))
        assert event["draws"][0]["shuffle"] == "ruling:P2.deck"
        orders.append(event["draws"][0]["order"])
        told = court.events(one, "P1")[event["seq"] - 1]
        assert (told["type"], told["draws"]) == ("corrected", [None]), (
            "it is to be seen that it was"
        )
    assert orders[0] != orders[1]


def test_a_judge_moves_a_hidden_card_and_only_he_sees_which(installation: Installation) -> None:
    """Cockatrice#4290: the player was told the name of the card that a judge looked at."""
    court = looking(court_of(installation, GAME))
    one, two = court.players
    end = court.shown(one)["events"]
    top = court.position(end, "judge")["players"]["P2"]["deck"][0]
    fact = {
        "fact": "cards_drawn",
        "rules": ["HS-205"],
        "player": "P2",
        "cards": [top],
        "reason": "effect",
    }
    dispute = court.dispute(two, last_action(court)["seq"])
    good(court.rule(court.judge, dispute, kind="partial_fix", facts=[fact]))

    def seen_by(caller: Caller, viewer: str) -> Json:
        return court.events(caller, viewer)[end]

    assert seen_by(court.judge, "judge")["facts"][0]["fact"]["cards"] == [top]
    assert seen_by(two, "P2")["facts"][0]["fact"]["cards"] == [top], "it is in his hand now"
    for caller, viewer in ((one, "P1"), (court.hall.anybody, "spectator")):
        seen = seen_by(caller, viewer)
        assert top not in json.dumps([seen["facts"], seen["draws"], seen["content"], seen["text"]])
    looks = good(court.judge.get(f"{court.path}/inspections"), 200)["items"]
    assert [look["person"] for look in looks] == [court.judge.person]
