"""Tournaments for tests: commands are decided, their events sealed, read back and folded."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from service.aggregates.tournaments.cuts import MakeCut, seeding_of
from service.aggregates.tournaments.deciding import Given, TournamentCommand
from service.aggregates.tournaments.drafts import is_over
from service.aggregates.tournaments.entries import EnterPlayer
from service.aggregates.tournaments.events import (
    Credit,
    Cut,
    Phase,
    TournamentEvent,
)
from service.aggregates.tournaments.folding import evolve
from service.aggregates.tournaments.opening import OpenTournament, open_tournament
from service.aggregates.tournaments.records import record_of
from service.aggregates.tournaments.results import ReportResult
from service.aggregates.tournaments.rounds import CloseRound, DraftRound, PublishRound
from service.aggregates.tournaments.state import RoundState, Tournament
from service.commands.tournaments import DECISIONS
from service.integrity.sealing import public_event_of, seal_public
from service.standings.profiles import PROFILES
from service.standings.records import laws
from service.store.mapper import decoded, encoded

NOW = "2026-01-02T03:04:05.000006Z"
GIVEN = Given(now=NOW)
STAFF, REASON = "olga", "ab" * 32
NAMES = ["ann", "bob", "cid", "dan", "eve", "fay", "gus", "hal"]
NAMES += [f"p{number:02}" for number in range(9, 41)]

SWISS = Phase(format="swiss", rounds=3)
ROBIN = Phase(format="round_robin")
SINGLE = Phase(format="single_elimination")
DOUBLE = Phase(format="double_elimination", reset=True)


def seed(number: int) -> str:
    """A seed of 32 bytes in hexadecimal."""
    return f"{number:064x}"


def opening(
    phases: Sequence[Phase], *, profile: str = "mtr-2024", late: Credit = "loss"
) -> OpenTournament:
    return OpenTournament(
        tournament_id="t",
        name="cd" * 32,
        game="hi-story",
        cards="sample",
        setup={},
        phases=phases,
        profile=PROFILES[profile],
        late=late,
        by=STAFF,
    )


def read_back(event: TournamentEvent, version: int) -> TournamentEvent:
    """The event as the log gives it back, which must be the same."""
    sealed = seal_public("tournament/t", version, "", event, origin="here")
    found = public_event_of(decoded(encoded(sealed)))
    assert found == event
    assert isinstance(found, TournamentEvent)
    return found


class Play:
    """A tournament under way. events: all of them; state: what they fold to."""

    state: Tournament

    def __init__(
        self,
        *phases: Phase,
        players: int = 0,
        profile: str = "mtr-2024",
        late: Credit = "loss",
        chance: int = 1,
    ) -> None:
        self.chance = random.Random(chance)
        self.events: list[TournamentEvent] = []
        self._add(open_tournament(opening(phases, profile=profile, late=late), GIVEN))
        for name in NAMES[:players]:
            self.enter(name)

    def do(self, kind: type[TournamentCommand], /, **fields: Any) -> list[TournamentEvent]:
        """Carry out a command; its events must keep the laws."""
        command = kind(tournament_id="t", **{"by": STAFF} | fields)
        events = list(DECISIONS[kind](self.state, command, GIVEN))
        self._add(events)
        return events

    def enter(self, name: str, **fields: Any) -> None:
        self.do(EnterPlayer, player=name, person=f"person-{name}", name="ee" * 32, **fields)

    def round(self, number: int | None = None) -> RoundState:
        return self.state.rounds[number or self.state.last_round]

    def begin(self, **fields: Any) -> RoundState:
        """Draft and publish the next round."""
        number = self.state.last_round + 1
        self.do(DraftRound, round=number, seed=seed(self.chance.getrandbits(64)), **fields)
        self.do(PublishRound, round=number, minutes=50)
        return self.round()

    def report(self, table: int, winner: str | None, **fields: Any) -> list[TournamentEvent]:
        """Report a match of one game at a table of the last round; None: drawn."""
        one = self.round(fields.pop("round", None))
        first, second = one.tables[table].players
        games = (int(winner == first), int(winner == second), int(winner is None))
        return self.do(
            ReportResult, round=one.number, table=table, winner=winner, games=games, **fields
        )

    def report_rest(self, *, draws: bool = True) -> None:
        """Report everything that is missing, by chance."""
        one = self.round()
        for number in one.missing:
            first, second = one.tables[number].players
            others = [None] if draws and not one.tables[number].table.slot else []
            self.report(number, self.chance.choice([first, first, second, second, *others]))

    def end_round(self, **fields: Any) -> None:
        """Report what is missing and close the round."""
        self.report_rest()
        self.do(CloseRound, round=self.state.last_round, **fields)

    def play_round(self) -> RoundState:
        self.begin()
        self.end_round()
        return self.round()

    def play_phase(self) -> None:
        while not is_over(self.state, self.state.phase):
            self.play_round()

    def cut(self, phase: int = 2) -> None:
        """Make a cut; where its line goes through a tie, in the order of the names."""
        undecided = seeding_of(self.state, phase, seed(1), ()).undecided
        self.do(MakeCut, phase=phase, seed=seed(1), order=tuple(sorted(undecided)))

    def pairs(self, number: int | None = None) -> list[tuple[str, str]]:
        return [table.players for table in self.round(number).tables.values()]

    def without(self, number: int | None = None) -> dict[str, str]:
        return {sits.player: sits.kind for sits in self.round(number).without}

    def _add(self, events: Sequence[TournamentEvent]) -> None:
        for event in events:
            self.events.append(read_back(event, len(self.events) + 1))
            before = self.state if len(self.events) > 1 else None
            self.state = evolve(before, self.events[-1], tournament_id="t", head="h")
        check_laws(self.state)


def check_laws(tournament: Tournament) -> None:
    """A record of the tournament keeps the laws; nobody is twice in a round or plays himself."""
    assert laws(record_of(tournament)) is None, laws(record_of(tournament))
    for one in tournament.rounds.values():
        seated = [player for table in one.tables.values() for player in table.players]
        seated += [sits.player for sits in one.without]
        assert len(seated) == len(set(seated))
        assert [table.table.table for table in one.tables.values()] == sorted(one.tables)
        if one.why is not None:
            assert len(one.why["tables"]) == len(one.tables)


def top(count: int) -> Cut:
    return Cut(top=count)
