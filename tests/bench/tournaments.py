"""What a large tournament costs: folding it, its standings, a round with its logs, results."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import count
from random import Random

from service.aggregates.events import TableGame
from service.aggregates.matches import Match
from service.aggregates.tournaments.events import (
    Phase,
    PlayerEntered,
    ResultReported,
    RoundClosed,
    RoundDrafted,
    RoundPublished,
    Table,
    TournamentEvent,
)
from service.aggregates.tournaments.folding import evolve
from service.aggregates.tournaments.linking import LinkMatch
from service.aggregates.tournaments.opening import OpenTournament
from service.aggregates.tournaments.placing import standings_of
from service.aggregates.tournaments.results import ReportResult
from service.aggregates.tournaments.rounds import DraftRound, PublishRound
from service.aggregates.tournaments.state import RoundState, Tournament
from service.cli.simulating import simulated_match
from service.commands.tournaments import carry_out, open_tournament
from service.exchange import report_on
from service.installation import Installation, clock
from service.standings.profiles import PROFILES
from tests.bench.timing import seconds

TITLE = "Tournaments, standings by mtr-2024, SQLite"
HEADINGS = ("what", "time of", "seconds", "each")
LARGE, ROUNDS = 10_000, 15
TABLES = 500
LOGS = 20
NOTE = f"""
The logs of the round are those of {LOGS} simulated matches of Summoner's Pieces: each is verified
for several tables, every time anew and with all of its actions decided again.
"""
CALLERS = 16
RUNS = 3
PROCESSOR, CLOCK = "processor", "clock"
NOW = "2026-01-02T03:04:05.000006Z"
STAFF, NAME, SEED = "olga", "ab" * 32, "cd" * 32
"""Digests and seeds that nothing looks at."""

_ids = count()


def rows(installation: Installation) -> list[list[str]]:
    """Return what everything takes."""
    return [*_large_rows(installation), *_round_rows(installation), *_result_rows(installation)]


def _large_rows(installation: Installation) -> Iterator[list[str]]:
    first = _opened(installation, ROUNDS)
    events = list(_events(first, LARGE))
    held: list[Tournament] = []
    took = _worked(lambda: held.append(_folded(first, events)))
    (whole,) = held
    what = f"{LARGE:,} players, {ROUNDS} rounds"
    yield _row(f"{what}: folding all events", PROCESSOR, took, len(events), "event")
    took = statistics.median(_worked(lambda: standings_of(whole, 1)) for _ in range(RUNS))
    yield _row(f"{what}: standings from the state", PROCESSOR, took, LARGE, "player")


def _round_rows(installation: Installation) -> Iterator[list[str]]:
    pool = installation.catalogue.game("formation").sample
    logs = [simulated_match(installation, pool, 17, one, {}, "sample") for one in range(LOGS)]
    tournament, one = _begun(installation)

    def verify() -> None:
        for at in range(TABLES):
            report = report_on(installation, logs[at % LOGS], "judge")
            assert report.overall == "exact"

    def link() -> None:
        for at in range(TABLES):
            command = _link(tournament, one, at + 1, logs[at % LOGS])
            carry_out(installation.tournaments, command, now=clock())

    verified = _worked(verify)
    linked = seconds(link)
    what = f"a round of {TABLES} logged matches"
    yield _row(f"{what}: verified from the log", PROCESSOR, verified, TABLES, "match")
    yield _row(f"{what}: linked, results decided", CLOCK, linked, TABLES, "match")


def _result_rows(installation: Installation) -> Iterator[list[str]]:
    for callers in (1, CALLERS):
        tournament, one = _begun(installation)
        commands = [_report(tournament, one, table) for table in one.tables]
        with ThreadPoolExecutor(callers) as threads:
            took = seconds(partial(_all_reported, installation, threads, commands))
        yield _row(f"{TABLES} results reported, callers: {callers}", CLOCK, took, TABLES, "result")


def _all_reported(
    installation: Installation, threads: ThreadPoolExecutor, commands: Sequence[ReportResult]
) -> None:
    def report(command: ReportResult) -> None:
        carry_out(installation.tournaments, command, now=clock())

    list(threads.map(report, commands))


def _worked(task: Callable[[], object]) -> float:
    """Return the processor's time, which neighbours on the machine do not lengthen much."""
    begun = time.process_time()
    task()
    return time.process_time() - begun


def _row(what: str, measured: str, took: float, parts: int, name: str) -> list[str]:
    return [what, measured, f"{took:.2f}", f"{took / parts * 1000:.2f} ms per {name}"]


def _opened(installation: Installation, rounds: int) -> Tournament:
    tournament_id = f"bench-{next(_ids)}"
    command = OpenTournament(
        tournament_id=tournament_id,
        name=NAME,
        game="formation",
        cards="sample",
        setup={},
        phases=[Phase(format="swiss", rounds=rounds)],
        profile=PROFILES["mtr-2024"],
        by=STAFF,
    )
    open_tournament(installation.tournaments, command, now=NOW)
    return installation.tournaments.tournament(tournament_id)


def _begun(installation: Installation) -> tuple[Tournament, RoundState]:
    """Return a tournament whose first round is open, with so many tables."""
    book, before = installation.tournaments, _opened(installation, 1)
    book.append(before.id, before, list(_entries(2 * TABLES)))
    for command in (
        DraftRound(tournament_id=before.id, round=1, seed=SEED, by=STAFF),
        PublishRound(tournament_id=before.id, round=1, by=STAFF),
    ):
        carry_out(book, command, now=NOW)
    found = book.tournament(before.id)
    return found, found.rounds[1]


def _report(tournament: Tournament, one: RoundState, table: int) -> ReportResult:
    return ReportResult(
        tournament_id=tournament.id,
        round=1,
        table=table,
        winner=one.tables[table].players[0],
        games=(1, 0, 0),
        by=STAFF,
    )


def _link(tournament: Tournament, one: RoundState, table: int, match: Match) -> LinkMatch:
    assert match.closed is not None
    assert match.closed.outcome is not None
    place = TableGame(tournament=tournament.id, phase=1, round=1, table=table, game=1)
    return LinkMatch(
        tournament_id=tournament.id,
        round=1,
        table=table,
        game=1,
        match=f"{match.id}/{table}",
        played_for=place,
        players=dict(zip(("P1", "P2"), one.tables[table].players, strict=True)),
        persons={"P1": None, "P2": None},
        winner=match.closed.outcome["winner"],
        is_live=True,
        by=None,
    )


def _folded(first: Tournament, events: Sequence[TournamentEvent]) -> Tournament:
    state = first
    for event in events:
        state = evolve(state, event, tournament_id=first.id)
    return state


def _entries(players: int) -> Iterator[TournamentEvent]:
    for number in range(players):
        yield PlayerEntered(
            player=f"p{number:05}",
            person=None,
            name=NAME,
            from_round=1,
            byes=[],
            by=STAFF,
            time=NOW,
        )


def _events(first: Tournament, players: int) -> Iterator[TournamentEvent]:
    """Yield everything that happens when everybody plays every round, against anybody."""
    dice = Random(players)
    ids = [f"p{number:05}" for number in range(players)]
    yield from _entries(players)
    for number in range(1, ROUNDS + 1):
        order = dice.sample(ids, players)
        pairs = list(zip(order[::2], order[1::2], strict=True))
        yield _drafted(number, pairs)
        yield RoundPublished(round=number, minutes=None, by=STAFF, time=NOW)
        for table, pair in enumerate(pairs, start=1):
            yield _result(number, table, dice.choice(pair), pair)
        yield RoundClosed(round=number, missing=[], by=STAFF, time=NOW)


def _drafted(number: int, pairs: Sequence[tuple[str, str]]) -> RoundDrafted:
    return RoundDrafted(
        phase=1,
        round=number,
        tables=[Table(table=at, players=[*pair]) for at, pair in enumerate(pairs, start=1)],
        without=[],
        why=None,
        seed=SEED,
        input=NAME,
        by=STAFF,
        time=NOW,
    )


def _result(number: int, table: int, winner: str, pair: tuple[str, str]) -> ResultReported:
    return ResultReported(
        round=number,
        table=table,
        kind="played",
        winner=winner,
        games=[int(winner == pair[0]), int(winner == pair[1]), 0],
        matches=[],
        side=None,
        by=STAFF,
        time=NOW,
    )
