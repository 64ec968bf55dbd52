"""Tournaments over HTTP for tests: whoever organizes, whoever plays, and rounds under way."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from service.aggregates.tournaments.state import Tournament
from service.engine.values import Json
from service.worker import look_after
from tests.api.tables import MATCHES, Caller, Hall, good

TOURNAMENTS = "/api/v1/tournaments"
GAME = "formation"
SWISS: Json = {"format": "swiss", "rounds": 3}
TOP_4: Json = {"format": "single_elimination", "cut": {"top": 4}}
BECAUSE = {"reason": "because"}


@dataclass(slots=True, kw_only=True)
class Cup:
    """A tournament. players: id in the tournament → caller, in the order of entry."""

    hall: Hall
    staff: Caller
    id: str
    players: dict[str, Caller] = field(default_factory=dict)

    @property
    def path(self) -> str:
        return f"{TOURNAMENTS}/{self.id}"

    @property
    def state(self) -> Tournament:
        return self.hall.installation.tournaments.tournament(self.id)

    def get(self, part: str = "", one: Caller | None = None, **query: Any) -> Any:
        return good((one or self.hall.anybody).get(f"{self.path}{part}", **query), 200)

    def post(self, part: str, body: Json, one: Caller | None = None) -> Any:
        return good((one or self.staff).post(f"{self.path}{part}", body))

    def enter(self, name: str, **more: Json) -> str:
        """Let a new person in; return his id in the tournament."""
        one = self.hall.person(name)
        found = self.post("/players", {"person": one.person, **more})
        self.players[found["player"]] = one
        return str(found["player"])

    def begin(self, **more: Json) -> int:
        """Draft and publish the next round; return its number."""
        number = self.state.last_round + 1
        self.post("/rounds", {"round": number, **more})
        self.post(f"/rounds/{number}/publication", {"minutes": 50})
        return number

    def tables(self, number: int) -> list[Any]:
        items: list[Any] = self.get(f"/rounds/{number}/pairings", limit=500)["items"]
        return items

    def pairing(self, number: int, table: int) -> str:
        return f"/rounds/{number}/pairings/{table}"

    def report(self, number: int, table: int, winner: str | None, one: Caller | None = None) -> Any:
        """Report a best of one, by staff unless somebody else does."""
        return self.post(
            f"{self.pairing(number, table)}/results", self.outcome(number, table, winner), one
        )

    def outcome(self, number: int, table: int, winner: str | None) -> Json:
        first, second = self.state.rounds[number].tables[table].players
        games = [int(winner == first), int(winner == second), int(winner is None)]
        return {"winner": winner, "games": games}

    def finish(self, number: int) -> None:
        """Let the player with the lower id win where nothing is known, and close the round."""
        for table in self.tables(number):
            if table["result"] is None:
                self.report(number, table["table"], min(table["players"]))
        self.post(f"/rounds/{number}/closing", {})

    def play(self, number: int, table: int, winner: str, game: int = 1) -> str:
        """Play a game of a table here, the loser concedes; return the match."""
        one, two = (self.players[player] for player in self.seated(number, table))
        body = {"game": game}
        match_id = str(self.post(f"{self.pairing(number, table)}/games", body, one)["match"])
        for caller in (one, two):
            self.hall.ready(caller, match_id)
        loser = two if winner == self.seated(number, table)[0] else one
        good(loser.post(f"{MATCHES}/{match_id}/actions", {"action": {"type": "concede"}}))
        return match_id

    def follow(self, match_id: str) -> None:
        """Do what the worker does behind the end of a match."""
        assert look_after(self.hall.installation, match_id)

    def seated(self, number: int, table: int) -> tuple[str, str]:
        return self.state.rounds[number].tables[table].players


def cup_of(hall: Hall, *phases: Json, players: int = 0, **more: Json) -> Cup:
    """Open a tournament with a number of players."""
    staff = hall.person("Olga", "organizer")
    body = {
        "name": "Spring Cup",
        "game": GAME,
        "profile": "mtr-2024",
        "phases": list(phases) or [SWISS],
        **more,
    }
    found = good(staff.post(TOURNAMENTS, body))
    cup = Cup(hall=hall, staff=staff, id=found["tournament"])
    for number in range(1, players + 1):
        cup.enter(f"Player {number}")
    return cup
