"""Whole tournaments: any sequence of commands keeps the laws, and events fold to the state."""

from __future__ import annotations

import random
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from service.aggregates.tournaments.amending import AmendResult
from service.aggregates.tournaments.cuts import MakeCut
from service.aggregates.tournaments.deciding import TournamentCommand
from service.aggregates.tournaments.drafts import is_over
from service.aggregates.tournaments.entries import DropPlayer, EnterPlayer, ReenterPlayer
from service.aggregates.tournaments.events import Cut, Phase
from service.aggregates.tournaments.folding import evolve
from service.aggregates.tournaments.levels import level_counts
from service.aggregates.tournaments.linking import LinkMatch
from service.aggregates.tournaments.opening import CloseTournament
from service.aggregates.tournaments.penalties import GivePenalty
from service.aggregates.tournaments.placing import final_placing, ranking_of
from service.aggregates.tournaments.previews import amended_since, preview
from service.aggregates.tournaments.repairing import RepairRound
from service.aggregates.tournaments.results import ConfirmResult, ReportResult
from service.aggregates.tournaments.rounds import CloseRound, DraftRound, ExtendTime, PublishRound
from service.aggregates.tournaments.state import TableResult
from service.aggregates.world import WorldFault
from tests.aggregates.test_tournaments_brackets import amend
from tests.aggregates.tournament_play import DOUBLE, NAMES, REASON, ROBIN, SINGLE, Play, seed, top

STEPS = 90
FORMATS = (Phase(format="swiss", rounds=4), ROBIN, SINGLE, DOUBLE, replace(DOUBLE, reset=False))
CUTS = (None, top(2), top(3), top(5), top(8), Cut(points=3), Cut(top=4, points=1))
PROFILES = ("mtr-2024", "pokemon-tom", "buchholz", "head-to-head")


class Walk:
    """A tournament in which anybody asks for anything; most of it is refused."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        first, *others = chance.choices(FORMATS, k=chance.randint(1, 3))
        phases = [first, *(replace(one, cut=chance.choice(CUTS)) for one in others)]
        self.play = Play(
            *phases,
            players=chance.randint(1, 13),
            late=chance.choice(["loss", "half", "bye"]),
            profile=chance.choice(PROFILES),
            chance=chance.getrandbits(32),
        )
        self.matches = 0

    def ask(self, kind: type[TournamentCommand], /, **fields: Any) -> None:
        """Carry out a command or take the refusal; either way the state stays lawful."""
        before = self.play.state
        try:
            self.play.do(kind, **fields)
        except WorldFault:
            assert self.play.state is before

    def name(self) -> str:
        return self.chance.choice(NAMES[:16])

    def seed(self) -> str:
        return seed(self.chance.getrandbits(60))

    def table(self, *, missing: bool = False) -> tuple[int, int] | None:
        """Some table, or some that waits for a result."""
        rounds = self.play.state.rounds.values()
        tables = [
            (one.number, number)
            for one in rounds
            for number in (one.missing if missing else one.tables)
            if not (missing and one.closed)
        ]
        return self.chance.choice(tables) if tables else None

    def result(self, at: tuple[int, int]) -> dict[str, Any]:
        first, second = self.play.round(at[0]).tables[at[1]].players
        winner = self.chance.choice([first, second, first, second, None])
        kind = self.chance.choice([*["played"] * 6, "forfeit", "double_loss", "intentional_draw"])
        if kind not in ("played", "forfeit"):
            return {"kind": kind}
        drawn = int(winner is None and kind == "played")
        games = (int(winner == first), int(winner == second), drawn)
        return {"kind": kind, "winner": winner, "games": games}

    def step(self) -> None:
        chance = self.chance
        step = chance.choice(
            [self.come_and_go, self.amend, self.repair, self.penalize, self.link]
            + [self.report] * 5
            + [self.go_on] * 4
        )
        step()
        if chance.random() < 0.02:
            self.ask(CloseTournament, early=chance.random() < 0.3, seed=self.seed())

    def come_and_go(self) -> None:
        chance, name, last = self.chance, self.name(), self.play.state.last_round
        kinds: list[type[TournamentCommand]] = [EnterPlayer, DropPlayer, ReenterPlayer]
        kind = chance.choice(kinds)
        byes = tuple(chance.sample(range(1, 5), chance.choice([0, 0, 1])))
        if kind is DropPlayer:
            opponent = chance.choice(["forfeit", "repair"])
            self.ask(kind, player=name, reason=REASON, opponent=opponent, seed=self.seed())
        elif kind is ReenterPlayer:
            self.ask(kind, player=name, byes=byes, from_round=chance.choice([None, last]))
        else:
            first = chance.choice([None, None, last])
            self.ask(kind, player=name, person=None, name="ee" * 32, byes=byes, from_round=first)

    def amend(self) -> None:
        at = self.table()
        if at is None:
            return
        result, other = self.play.round(at[0]).tables[at[1]].result, self.result(at)
        told = TableResult(**{"winner": None, "games": (0, 0, 0)} | other)
        with suppress(WorldFault):
            preview(self.play.state, *at, told)
        self.ask(
            AmendResult,
            round=at[0],
            table=at[1],
            supersedes=None if result is None else result.seq,
            rewind=self.chance.random() < 0.5,
            reason=REASON,
            **other,
        )

    def repair(self) -> None:
        chance = self.chance
        self.ask(
            RepairRound,
            round=self.play.state.last_round,
            seed=self.seed(),
            minimal=chance.random() < 0.6,
            reason=REASON,
            sitting=chance.choice([{}, {self.name(): chance.choice(["half", "pre_awarded"])}]),
            extra_bye=chance.random() < 0.5,
        )

    def penalize(self) -> None:
        chance, at = self.chance, self.table()
        if at is not None:
            self.ask(ExtendTime, round=at[0], table=at[1], minutes=5, reason=REASON)
        self.ask(
            GivePenalty,
            player=self.name(),
            kind=chance.choice(["warning", "game_loss", "match_loss", "disqualification"]),
            round=at[0] if at is not None else 1,
            rewind=chance.random() < 0.5,
            reason=REASON,
        )

    def link(self) -> None:
        chance, at = self.chance, self.table()
        if at is None:
            return
        first, second = self.play.round(at[0]).tables[at[1]].players
        self.matches += 1
        self.ask(
            LinkMatch,
            round=at[0],
            table=at[1],
            game=chance.choice([1, 2]),
            match=f"m{chance.randint(1, self.matches)}",
            played_for=None,
            players={"P1": first, "P2": second},
            persons={},
            winner=chance.choice(["P1", "P2", "draw", None]),
            fault=chance.choice([None, None, "line 3"]),
            is_live=False,
            is_trusted=chance.random() < 0.5,
            by=None,
        )

    def report(self) -> None:
        at = self.table(missing=True)
        if at is None:
            return
        side = self.chance.choice([None, *self.play.round(at[0]).tables[at[1]].players])
        self.ask(ReportResult, round=at[0], table=at[1], side=side, **self.result(at))
        seq = self.play.state.version
        self.ask(ConfirmResult, round=at[0], table=at[1], reported=seq, side=None)

    def go_on(self) -> None:
        """Close what is open, begin the next phase, draft and publish."""
        play, chance = self.play, self.chance
        for one in [*play.state.rounds.values()]:
            missing = tuple(one.missing) if chance.random() < 0.1 else ()
            self.ask(CloseRound, round=one.number, missing=missing)
        if not play.state.cuts:
            self.ask(MakeCut, phase=1, seed=self.seed())
        if is_over(play.state, play.state.phase):
            with suppress(WorldFault):
                play.cut(play.state.phase + 1)
        sitting = {self.name(): chance.choice(["half", "pre_awarded", "absent", "loss"])}
        number = play.state.last_round + 1
        self.ask(
            DraftRound,
            round=number,
            seed=self.seed(),
            sitting=chance.choice([{}, {}, sitting]),
            again=chance.random() < 0.2,
        )
        if chance.random() < 0.9:
            self.ask(PublishRound, round=number, minutes=30)

    def check(self) -> None:
        """Everything that can be asked of the state has an answer."""
        state = self.play.state
        for phase in range(1, state.phase + 1):
            ranking_of(state, phase)
            level_counts(state, phase)
        for number in state.rounds:
            amended_since(state, number)
        placed = [one.player for one in final_placing(state)]
        assert len(placed) == len(set(placed))


@given(st.integers(0, 2**32))
@settings(max_examples=60)
def test_any_sequence_of_commands_keeps_the_laws(number: int) -> None:
    walk = Walk(random.Random(number))
    for _ in range(STEPS):
        if walk.play.state.closed is not None:
            break
        walk.step()
        walk.check()
    folded = None
    for event in walk.play.events:
        folded = evolve(folded, event, tournament_id="t", head="h")
    assert folded == walk.play.state


@pytest.mark.parametrize("bracket", [SINGLE, DOUBLE], ids=["single", "double"])
@pytest.mark.parametrize("players", [5, 9, 16, 23, 40])
def test_a_whole_tournament(bracket: Phase, players: int) -> None:
    chance = random.Random(players)
    size = min(8, players - 3)
    play = Play(
        Phase(format="swiss", rounds=5),
        replace(bracket, cut=top(size)),
        players=players - 1,
        chance=players,
    )
    play.begin()
    play.enter(NAMES[players - 1])
    play.end_round()
    for number in range(2, 6):
        play.begin()
        if number in (2, 4):
            there = [one.player for one in play.state.entries.values() if one.is_there(number)]
            play.do(DropPlayer, player=chance.choice(there), reason=REASON)
        play.report_rest()
        earlier = play.round(number - 1).tables[1]
        assert earlier.result is not None
        winner = earlier.opponent_of(earlier.result.winner or earlier.players[0])
        amend(play, number - 1, 1, winner)
        play.do(CloseRound, round=number)
    assert not any(
        one.table.rematch
        for each in play.state.rounds.values()
        for one in each.tables.values()
        if players > 9
    )
    play.cut()
    assert len(play.state.cuts[2].seeds) == size
    play.play_phase()
    play.do(CloseTournament)
    assert play.state.closed is not None
    placing = play.state.closed.placing
    assert len(placing) == players
    assert {one.player for one in placing[:size]} == {*play.state.cuts[2].seeds}
    assert [one.rank for one in placing[:2]] == [1, 2]
    folded = None
    for event in play.events:
        folded = evolve(folded, event, tournament_id="t", head="h")
    assert folded == play.state
