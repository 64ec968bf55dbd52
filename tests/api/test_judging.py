"""A judge at a table, for every game: disputed, explained, backed up, appealed, verified."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from service.engine.values import Json
from service.exchange import report_on
from service.installation import Installation
from tests.api.tables import MATCHES, Caller, Hall, good, hall_of, refused
from tests.conftest import CATALOGUE

PLAYED = 8
PLAYED_ON = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Court:
    """A match between two players, and those who judge it."""

    hall: Hall
    match: str
    players: tuple[Caller, Caller]
    judge: Caller
    head: Caller

    @property
    def path(self) -> str:
        return f"{MATCHES}/{self.match}"

    def shown(self, caller: Caller) -> Json:
        return good(caller.get(self.path), 200)

    def events(self, caller: Caller, viewer: str = "spectator") -> list[Json]:
        answer = caller.get(
            f"{self.path}/events", to=self.shown(caller)["events"], **{"as": viewer}
        )
        return list(good(answer, 200)["items"])

    def position(self, index: int, viewer: str) -> Json:
        answer = self.judge.get(f"{self.path}/position", at=str(index), **{"as": viewer})
        return good(answer, 200)["position"]

    def dispute(self, caller: Caller, seq: int, claim: str = "That is not right.") -> str:
        event = self.events(caller)[seq - 1]
        body = {"seq": seq, "hash": event["hash"], "claim": claim}
        return str(good(caller.post(f"{self.path}/disputes", body))["id"])

    def rule(self, caller: Caller, dispute: str, **ruling: Json) -> Any:
        body = {"outcome": "upheld", "text": {"en": "So it is."}, **ruling}
        return caller.post(f"/api/v1/disputes/{dispute}/rulings", body)


def court_of(installation: Installation, game: str, *, played: int = PLAYED, **more: Json) -> Court:
    hall = hall_of(installation)
    players = (hall.person("One"), hall.person("Two"))
    match = hall.begin(game, players, **more)
    hall.play(players, match, played)
    judge, head = hall.person("Judge", "judge"), hall.person("Head", "head_judge")
    return Court(hall=hall, match=match, players=players, judge=judge, head=head)


def last_action(court: Court) -> Json:
    actions = [one for one in court.events(court.judge) if one["actor"] in ("P1", "P2")]
    return actions[-1]


@pytest.mark.parametrize("game", CATALOGUE.names())
def test_a_judge_settles_a_dispute(installation: Installation, game: str) -> None:
    court = court_of(installation, game)
    disputed = last_action(court)
    to = disputed["seq"] - 1
    dispute = court.dispute(court.players[1], disputed["seq"])
    good(court.judge.post(f"/api/v1/disputes/{dispute}/assignment", {}))
    good(court.judge.post(f"{court.path}/inspections", {"reason": "a dispute"}))
    told = good(court.judge.get(f"{court.path}/events/{disputed['seq']}/explanation"), 200)
    assert told["event"]["seq"] == disputed["seq"]
    cost = good(court.judge.get(f"{court.path}/backup-cost", to=to), 200)
    refused(court.rule(court.judge, dispute, kind="full_backup", to=to), 403, "forbidden")
    ruled = good(court.rule(court.head, dispute, kind="full_backup", to=to))
    assert ruled["state"] == "final"
    assert ruled["given"][0]["remedy"]["cost"]["events"] == cost["events"]
    check_lines(court, to)
    court.hall.play(court.players, court.match, PLAYED_ON)
    check_amended_after_an_appeal(court)
    match = installation.log.match(court.match)
    assert report_on(installation, match, "judge").overall == "exact"
    assert report_on(installation, match, "spectator").overall == "partial"


def check_lines(court: Court, to: int) -> None:
    """The position of the index is there again, and what was struck stays in the record."""
    events = court.events(court.judge)
    backup = next(one for one in events if one["type"] == "backed_up")
    assert (backup["parent"], backup["line"], backup["content"]["to"]) == (to, 1, to)
    assert {one["line"] for one in events if one["seq"] < backup["seq"]} == {0}
    for viewer in ("judge", "P1", "P2", "spectator"):
        assert court.position(backup["seq"], viewer) == court.position(to, viewer)
    assert court.shown(court.judge)["lines"] == 2


def check_amended_after_an_appeal(court: Court) -> None:
    first = court.players[0]
    if court.shown(first)["state"] == "running":
        good(first.post(f"{court.path}/actions", {"action": {"type": "concede"}}))
    if court.shown(first)["state"] != "closed":
        court.hall.play(court.players, court.match)
    shown = court.shown(first)
    assert shown["state"] == "closed"
    dispute = court.dispute(first, shown["events"], claim="I did not mean to concede.")
    good(court.rule(court.judge, dispute, kind="no_action", outcome="rejected"))
    appeal = {"ruling": 1, "reason": "Please look again."}
    good(first.post(f"/api/v1/disputes/{dispute}/appeal", appeal))
    refused(court.rule(court.judge, dispute, kind="no_action"), 403, "forbidden")
    winner = "P1" if shown["outcome"]["winner"] != "P1" else "P2"
    good(court.rule(court.head, dispute, kind="result_amendment", winner=winner))
    after = court.shown(first)
    assert after["outcome"] == {"winner": winner, "reason": "ruling"}
    assert after["is_amended"] is True
