"""Commands on tournaments, over a log of a database: many callers at once, and elsewhere again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from threading import Barrier

import pytest
from msgspec.structs import replace

from service.aggregates.attachments import Attached, Saved, Text
from service.aggregates.tournaments.amending import AmendResult
from service.aggregates.tournaments.entries import EnterPlayer
from service.aggregates.tournaments.events import (
    ResultReported,
    RoundDrafted,
    RoundPublished,
    Table,
)
from service.aggregates.tournaments.records import record_of
from service.aggregates.tournaments.results import ReportResult
from service.aggregates.tournaments.rounds import DraftRound, PublishRound
from service.aggregates.tournaments.state import Tournament
from service.aggregates.world import Conflict, NotFound, Refused
from service.commands.ports import NOTHING
from service.commands.tournament_book import KEPT_MAX, TournamentBook
from service.commands.tournaments import carry_out, open_tournament
from service.integrity.sealing import PublicEvent
from service.store.databases import migrate
from service.store.log import Log
from tests.aggregates.tournament_play import NOW, REASON, SINGLE, SWISS, Play, opening, seed, top
from tests.conftest import CATALOGUE

DATABASES = ("sqlite", "postgresql")
CALLERS = 8
NAME = Text(salt=b"salt", body="Spring cup")


@pytest.fixture
def log(database_url: str) -> Iterator[Log]:
    found = opened_log(database_url)
    yield found
    found.close()


def opened_log(url: str) -> Log:
    return Log(url, lambda opened: CATALOGUE.game(opened.game).sample.ruleset)


class CountingLog:
    """A log that counts the events it gives, and loses as many races as it is told."""

    def __init__(self, log: Log, *, races: int = 0) -> None:
        self.log = log
        self.races = races
        self.count = 0

    def public_events(self, stream: str, *, after: int = 0) -> list[tuple[PublicEvent, str]]:
        found = self.log.public_events(stream, after=after)
        self.count += len(found)
        return found

    def append_public(
        self,
        stream: str,
        events: Sequence[PublicEvent],
        *,
        version: int,
        head: str,
        attached: Attached = NOTHING,
    ) -> None:
        if self.races:
            self.races -= 1
            raise Conflict("somebody else wrote first", version=version)
        self.log.append_public(stream, events, version=version, head=head, attached=attached)


def begun(log: Log, *, players: int = 4) -> TournamentBook:
    """A tournament with players."""
    book = TournamentBook(log)
    open_tournament(
        book, replace(opening([SWISS]), name=NAME.digest), now=NOW, attached=Attached(texts=[NAME])
    )
    for number in range(players):
        carry_out(book, entry(f"p{number}"), now=NOW)
    return book


def entry(player: str) -> EnterPlayer:
    return EnterPlayer(
        tournament_id="t", player=player, person=f"person-{player}", name="ee" * 32, by="olga"
    )


def draft(number: int = 1, chance: int = 1) -> DraftRound:
    return DraftRound(tournament_id="t", round=number, seed=seed(chance), by="olga")


def publish(number: int = 1) -> PublishRound:
    return PublishRound(tournament_id="t", round=number, by="olga")


def report(book: TournamentBook, side: int, winner: int = 0) -> ReportResult:
    players = book.tournament("t").rounds[1].tables[1].players
    games = (1, 0, 0) if winner == 0 else (0, 1, 0)
    return ReportResult(
        tournament_id="t",
        round=1,
        table=1,
        winner=players[winner],
        games=games,
        side=players[side],
        by=f"person-{players[side]}",
    )


def at_once(calls: Sequence[Callable[[], Saved]]) -> list[Saved | Conflict]:
    """Let everybody call at the same moment; return what each was told."""
    barrier = Barrier(len(calls))

    def call(one: Callable[[], Saved]) -> Saved | Conflict:
        barrier.wait()
        try:
            return one()
        except Conflict as fault:
            return fault

    with ThreadPoolExecutor(len(calls)) as threads:
        return list(threads.map(call, calls))


def kinds(book: TournamentBook) -> list[type]:
    return [type(event) for event in book.events("t")]


def test_a_tournament_is_opened_once_with_its_name(log: Log) -> None:
    book = begun(log, players=0)
    assert log.text(book.tournament("t").opened.name) == "Spring cup"
    with pytest.raises(Conflict):
        open_tournament(book, opening([SINGLE]), now=NOW)
    with pytest.raises(NotFound):
        book.tournament("other")
    with pytest.raises(NotFound):
        book.at_version("other", 3)
    assert book.find("other") is None


def test_a_command_tells_where_its_events_are(log: Log) -> None:
    book = begun(log)
    saved = carry_out(book, draft(), now=NOW)
    assert saved == Saved(stream="tournament/t", since=5, version=6)
    assert carry_out(book, draft(chance=2), now=NOW) == Saved(
        stream="tournament/t", since=6, version=6
    )
    with pytest.raises(Conflict) as fault:
        carry_out(book, replace(publish(), expected_version=5), now=NOW)
    assert fault.value.version == 6
    carry_out(book, replace(publish(), expected_version=6), now=NOW)
    assert book.at_version("t", 6).draft is not None
    assert book.at_version("t", 6).rounds == {}


def test_a_refused_command_leaves_nothing(log: Log) -> None:
    book = begun(log, players=1)
    with pytest.raises(Refused):
        carry_out(book, draft(), now=NOW)
    assert log.version_of("tournament/t") == 2


def test_only_what_came_after_is_read(log: Log) -> None:
    counting = CountingLog(log)
    begun(log)
    book = TournamentBook(counting)
    assert book.tournament("t").version == 5
    assert counting.count == 5
    carry_out(book, draft(), now=NOW)
    assert book.tournament("t").version == 6
    assert counting.count == 6


def test_another_process_sees_what_was_written(log: Log) -> None:
    first, second = begun(log), TournamentBook(log)
    carry_out(first, draft(), now=NOW)
    carry_out(second, publish(), now=NOW)
    assert first.tournament("t") == second.tournament("t")
    assert list(first.tournament("t").rounds) == [1]


def test_a_lost_race_is_run_again(log: Log) -> None:
    begun(log)
    carry_out(TournamentBook(CountingLog(log, races=3)), draft(), now=NOW)
    with pytest.raises(Conflict):
        carry_out(TournamentBook(CountingLog(log, races=1000)), publish(), now=NOW)
    named = replace(publish(), expected_version=6)
    with pytest.raises(Conflict):
        carry_out(TournamentBook(CountingLog(log, races=1)), named, now=NOW)


def test_old_tournaments_are_read_again(log: Log) -> None:
    book = TournamentBook(log)
    for number in range(KEPT_MAX + 1):
        open_tournament(book, replace(opening([SWISS]), tournament_id=f"t{number}"), now=NOW)
        assert book.tournament(f"t{number}").version == 1
    assert book.tournament("t0").version == 1


def test_everybody_who_enters_at_once_is_in(log: Log) -> None:
    books = [begun(log, players=0), TournamentBook(log)]
    told = at_once(
        [
            partial(carry_out, books[number % 2], entry(f"p{number}"), now=NOW)
            for number in range(CALLERS)
        ]
    )
    assert all(isinstance(one, Saved) for one in told)
    assert sorted(books[0].tournament("t").entries) == [f"p{number}" for number in range(CALLERS)]


def test_two_reports_at_once_are_one_event(log: Log) -> None:
    book = begun(log)
    for command in (draft(), publish()):
        carry_out(book, command, now=NOW)
    books = [book, TournamentBook(log)]
    same = [report(book, side) for side in (0, 1)] * (CALLERS // 2)
    told = at_once(
        [
            partial(carry_out, books[place % 2], command, now=NOW)
            for place, command in enumerate(same)
        ]
    )
    assert kinds(book).count(ResultReported) == 1
    assert {one.version for one in told if isinstance(one, Saved)} == {8}
    assert len(told) == CALLERS


def test_of_two_different_reports_at_once_one_is_a_conflict(log: Log) -> None:
    book = begun(log)
    for command in (draft(), publish()):
        carry_out(book, command, now=NOW)
    different = [report(book, 0, winner=0), report(book, 1, winner=1)]
    told = at_once([partial(carry_out, book, command, now=NOW) for command in different])
    assert sorted(isinstance(one, Conflict) for one in told) == [False, True]
    assert kinds(book).count(ResultReported) == 1


def test_a_round_that_many_begin_at_once_is_there_once(log: Log) -> None:
    books = [begun(log, players=8), TournamentBook(log)]

    def begin(place: int) -> Saved:
        carry_out(books[place % 2], draft(chance=place), now=NOW)
        return carry_out(books[place % 2], publish(), now=NOW)

    at_once([partial(begin, place) for place in range(CALLERS)])
    assert kinds(books[0]).count(RoundDrafted) == 1
    assert kinds(books[0]).count(RoundPublished) == 1
    assert len(books[0].tournament("t").rounds[1].tables) == 4


def whole() -> Play:
    """A tournament with a cut and an amendment, played to the end of its bracket."""
    play = Play(SWISS, replace(SINGLE, cut=top(4)), players=9)
    play.play_phase()
    one = play.round(1).tables[1]
    assert one.result is not None
    winner = one.opponent_of(one.result.winner or one.players[0])
    games = (int(winner == one.players[0]), int(winner == one.players[1]), 0)
    play.do(
        AmendResult,
        round=1,
        table=1,
        winner=winner,
        games=games,
        supersedes=one.result.seq,
        reason=REASON,
    )
    play.cut()
    play.play_phase()
    return play


def test_the_events_make_the_same_tournament_elsewhere(log: Log, tmp_path: Path) -> None:
    play = whole()
    here = TournamentBook(log)
    here.append("t", None, play.events)
    url = f"sqlite:///{tmp_path / 'elsewhere.sqlite'}"
    migrate(url)
    other_log = opened_log(url)
    there = TournamentBook(other_log)
    there.append("t", None, here.events("t"))

    def bare(tournament: Tournament) -> Tournament:
        # The hashes of an installation begin with its own id.
        return replace(tournament, head="")

    assert bare(there.tournament("t")) == bare(here.tournament("t")) == bare(play.state)
    assert record_of(there.tournament("t")) == record_of(play.state)
    assert there.tournament("t").head != here.tournament("t").head
    other_log.close()


def reversed_table(table: Table) -> Table:
    return replace(table, players=table.players[::-1])


def test_a_pairing_is_not_made_anew_when_it_is_read(log: Log) -> None:
    play = Play(SWISS, players=6)
    play.play_round()
    events = [
        replace(event, tables=[reversed_table(table) for table in event.tables])
        if isinstance(event, RoundDrafted)
        else event
        for event in play.events
    ]
    book = TournamentBook(log)
    book.append("t", None, events)
    pairs = [table.players for table in book.tournament("t").rounds[1].tables.values()]
    assert pairs == [(second, first) for first, second in play.pairs()]
