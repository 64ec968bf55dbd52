"""One installation: its settings, games, log and read models, wired together."""

from __future__ import annotations

import os
import uuid
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from typing import TypeAlias

from msgspec.structs import replace as more

from projections import (
    access_log,
    disputes,
    matches,
    occurrences,
    parties,
    search_index,
    tournaments,
    verdicts,
)
from projections.disputes import (
    DisputeRow,
    RulingRow,
    WantedDisputes,
    dispute_list,
    ruling_list,
)
from projections.matches import (
    MatchRow,
    Wanted,
    match_list,
    match_row,
    open_count,
    waiting_since,
)
from projections.occurrences import Cited, Citing, citing, citing_count
from projections.parking import parked_among
from projections.parties import Reach, places_served, tournaments_played
from projections.replay import Replay
from projections.runner import catch_up
from projections.search import Found
from projections.search import Wanted as WantedTexts
from projections.search import found as found_texts
from projections.search_entries import forget_erased
from projections.tables import Database
from projections.tournaments import State as TournamentState
from projections.tournaments import TournamentRow, tournament_list
from projections.verdicts import Verdict, record, report_of, verdict_of, verdicts_of
from schemas.plain_logs import ReadLine, digest_of_lines
from schemas.strict import read_json
from service.accounts.keys import InstallationKeys
from service.accounts.persons import Persons
from service.accounts.refusals import Refusals
from service.accounts.sign_ins import FailedSignIns
from service.aggregates.access import Place
from service.aggregates.attachments import Text
from service.aggregates.events import Kind, MatchOpened, Seat
from service.aggregates.fairness import SECRET_BYTES, Secrets
from service.aggregates.matches import Match, State
from service.aggregates.showing import has_delay, shown_until
from service.aggregates.world import NotFound, Parked
from service.catalogue import SAMPLE, Catalogue, Pool
from service.commands.access_book import AccessBook
from service.commands.dispute_book import DisputeBook
from service.commands.disputes import Books
from service.commands.imports import import_audited, is_to_be_stored
from service.commands.matches import OpenMatch, Seated
from service.commands.tournament_book import TournamentBook
from service.engine.plain_logs import Audit
from service.engine.texts import Language
from service.engine.values import Viewer
from service.integrity.report import Report
from service.integrity.signing import LogKey
from service.jobs import Jobs
from service.notes import Notes
from service.notices import Notices
from service.offline import Pools, audit_lines, named_pool
from service.rulebooks import Rulebooks
from service.settings import MatchLimits, Settings
from service.store.log import Log
from service.times import moved, told

Entropy: TypeAlias = Callable[[int], bytes]

NAMESPACE = uuid.UUID("5b1f1c3e-6d0c-4c55-9c56-3a0f6a0a3a11")
LOCAL_SCOPE = "local"
SALT_BYTES = 16
ID_BYTES = 16
PROJECTIONS = (
    matches.PROJECTION,
    verdicts.PROJECTION,
    access_log.PROJECTION,
    tournaments.PROJECTION,
    parties.PROJECTION,
    disputes.PROJECTION,
    occurrences.PROJECTION,
    search_index.PROJECTION,
)
MATCH_ROWS = (matches.NAME, verdicts.NAME)


def clock() -> str:
    """Return the present time: UTC, microseconds, `Z`."""
    return told(datetime.now(UTC))


@dataclass(frozen=True, slots=True, kw_only=True)
class Installation:
    """The parts of an installation.

    pools: name → file of card pools brought by an organizer; entropy: where the ids and secrets of
    matches come from, which decide every draw; endings: called before the database is closed.
    """

    catalogue: Catalogue
    rulebooks: Rulebooks
    log: Log
    notices: Notices
    database: Database
    persons: Persons
    access: AccessBook
    tournaments: TournamentBook
    disputes: DisputeBook
    refusals: Refusals
    sign_ins: FailedSignIns
    keys: InstallationKeys
    jobs: Jobs
    notes: Notes
    match_limits: MatchLimits
    pools: Pools
    log_key: LogKey | None
    entropy: Entropy
    endings: list[Callable[[], None]] = field(default_factory=list)

    def pool_of(self, opened: MatchOpened) -> Pool:
        """Return the game and cards that a match was opened with, from its stored definitions.

        What is said of it is said in the words of that time.
        """
        pool = _pool_of(self.catalogue, self.log, opened)
        words = self.rulebooks.words_of(opened.game, opened.texts_digest, pool.words)
        return pool if words is pool.words else replace(pool, words=words)

    def named_pool(self, game: str, name: str) -> Pool:
        """Return a game's card pool by its name; raises LookupError, `SeedRefused`."""
        return named_pool(self.catalogue, self.pools, game, name)

    def pool_names(self, game: str) -> list[str]:
        """Return the names of a game's card pools: its sample, then those that were brought."""
        brought = (name for name, path in self.pools.items() if self.catalogue.takes(game, path))
        return [SAMPLE, *sorted(brought)]

    def matches(self, wanted: Wanted) -> list[tuple[MatchRow, Verdict | None]]:
        """Return the list of matches with their verdicts, the last opened first.

        Parked ones are left out.
        """
        self.catch_up()
        with self.database.reading() as tables:
            parked = parked_among(tables, MATCH_ROWS)
            rows = match_list(tables, more(wanted, limit=wanted.limit + len(parked)))
            found = [row for row in rows if row.id not in parked][: wanted.limit]
            known = verdicts_of(tables, [row.id for row in found])
        return [(row, known.get(row.id)) for row in found]

    def tournament_rows(
        self,
        *,
        game: str | None = None,
        state: TournamentState | None = None,
        before: int | None = None,
        limit: int,
    ) -> list[TournamentRow]:
        """Return the list of tournaments, the last opened first, from before a place in the log.

        Parked ones are left out.
        """
        self.catch_up()
        with self.database.reading() as tables:
            parked = parked_among(tables, (tournaments.NAME,))
            rows = tournament_list(
                tables, game=game, state=state, before=before, limit=limit + len(parked)
            )
        return [row for row in rows if f"{tournaments.STREAM}{row.id}" not in parked][:limit]

    @property
    def books(self) -> Books:
        """Where a ruling reads and writes."""
        return Books(log=self.log, disputes=self.disputes, tournaments=self.tournaments)

    def dispute_rows(self, wanted: WantedDisputes, reach: Reach) -> list[DisputeRow]:
        """Return the list of disputes, the last opened first."""
        self.catch_up()
        with self.database.reading() as tables:
            return dispute_list(tables, wanted, reach)

    def ruling_rows(self, wanted: WantedDisputes, reach: Reach) -> list[RulingRow]:
        """Return the list of rulings, the last given first."""
        self.catch_up()
        with self.database.reading() as tables:
            return ruling_list(tables, wanted, reach)

    def match_row(self, match_id: str) -> tuple[MatchRow, Verdict | None]:
        """Return the row of a match in the list with its verdict; raises `NotFound`, `Parked`."""
        self.catch_up()
        with self.database.reading() as tables:
            is_parked = match_id in parked_among(tables, MATCH_ROWS)
            row = match_row(tables, match_id)
            verdict = verdicts_of(tables, [match_id]).get(match_id)
        if is_parked:
            raise Parked(f"what is read of match {match_id} has stopped at one of its events")
        if row is None:
            raise NotFound(f"no match {match_id}")
        return row, verdict

    def citing(self, wanted: Cited, limit: int) -> list[Citing]:
        """Return matches with events that cite rules, the last opened first."""
        self.catch_up()
        with self.database.reading() as tables:
            return citing(tables, wanted, limit)

    def citing_count(self, wanted: Cited, most: int) -> int:
        """Return how many matches have events that cite rules, or `most`, if there are so many."""
        self.catch_up()
        with self.database.reading() as tables:
            return citing_count(tables, wanted, most)

    def shown(self, match: Match) -> Match:
        """Return a match up to where it is shown to callers without a seat or an office."""
        if not has_delay(match):
            return match
        past = moved(clock(), -match.opened.policy.delay_s)
        index = shown_until(match, time_of=partial(self.log.time_of, match.id), past=past)
        return match if index == match.version else self.log.match(match.id, version=index)

    def open_count(self, person: str) -> int:
        """Return in how many matches that have not ended a person takes part."""
        self.catch_up()
        with self.database.reading() as tables:
            return open_count(tables, person)

    def waiting_since(self, states: Collection[State], before: str) -> list[str]:
        """Return the matches in these states in which nothing has happened since a time."""
        self.catch_up()
        with self.database.reading() as tables:
            return waiting_since(tables, states, before)

    def texts(self, wanted: WantedTexts) -> Found:
        """Return what somebody finds by words: rules, or texts of disputes."""
        self.catch_up()
        with self.database.reading() as tables:
            return found_texts(tables, wanted)

    def forget_erased(self) -> None:
        """Remove from the search what is left there of texts that were erased."""
        with self.database.transaction() as tables:
            forget_erased(tables)

    def served_and_played(self, person: str) -> tuple[tuple[Place, ...], tuple[str, ...]]:
        """Return where a person has an office, and the tournaments in which he plays."""
        self.catch_up()
        with self.database.reading() as tables:
            return places_served(tables, person), tournaments_played(tables, person)

    def record_verdict(self, match_id: str, report: Report) -> None:
        """Keep what a verification said of a match, unless it went on meanwhile."""
        self.catch_up()
        with self.database.transaction() as tables:
            row = match_row(tables, match_id)
            if row is not None and row.events == report.events:
                record(tables, match_id, verdict_of(report, row.events, clock()), report)

    def kept_report(self, match: Match) -> Report | None:
        """Return the judge's report of a match at this state, if it was verified there."""
        self.catch_up()
        with self.database.reading() as tables:
            found = report_of(tables, match.id)
        return found if found is not None and found.events == match.version else None

    def end_first(self, end: Callable[[], None]) -> None:
        """Have something ended that reads the log by itself, before the database is closed."""
        self.endings.append(end)

    def close(self) -> None:
        """End what reads the log by itself, save what is waiting, then close the database."""
        for end in reversed(self.endings):
            end()
        self.log.close()
        self.database.close()

    def register_editions(self) -> None:
        """Give every game's rules, cards and texts a number and a revision, if they are new."""
        for name in self.catalogue.names():
            self.rulebooks.register(name, now=clock())

    def catch_up(self) -> int:
        """Bring the read models up to the end of the log; return the number of events applied."""
        return catch_up(self.database, self.log, PROJECTIONS)

    def names(self, seats: Mapping[str, Seat]) -> dict[str, str]:
        """Return the display names of seats; for an open seat or an erased name the seat itself."""
        return {seat: self._name(one) or seat for seat, one in seats.items()}

    def _name(self, seat: Seat) -> str | None:
        return None if seat.name is None else self.log.text(seat.name)

    def replay(self, match: Match, viewer: Viewer, language: Language) -> Replay:
        """Return the replay of a match up to a state."""
        pool = self.pool_of(match.opened)
        return Replay(
            log=self.log,
            match=match,
            ruleset=pool.ruleset,
            words=pool.words,
            names=self.names(match.seated),
            viewer=viewer,
            language=language,
        )

    def open_command(
        self,
        match_id: str,
        pool: Pool,
        *,
        cards: str,
        kind: Kind,
        seats: Mapping[str, Seated | None],
        secrets: Secrets,
    ) -> OpenMatch:
        """Return the command that opens a match with a pool, which is stored with it.

        Everybody may know of it and nothing was fixed beforehand, unless the caller puts it in.
        Raises `Refused` if the edition is withdrawn.
        """
        edition = self.rulebooks.usable(pool.ruleset.game, now=clock())
        return OpenMatch(
            match_id=match_id,
            edition=edition.with_pool(pool.digest),
            cards=cards,
            kind=kind,
            seats=seats,
            secrets=secrets,
            documents={pool.digest: pool.body},
        )

    def named_seats(self, names: Mapping[str, str]) -> dict[str, Seated]:
        """Return seats with names but without persons."""
        return {seat: Seated(name=self.salted(name)) for seat, name in names.items()}

    def salted(self, text: str) -> Text:
        """Return a name or free text under a salt of its own, as it lies outside the log."""
        return Text(salt=self.entropy(SALT_BYTES), body=text)

    def fresh_id(self) -> str:
        """Return the id of a new match."""
        return str(uuid.UUID(bytes=self.entropy(ID_BYTES), version=4))

    def fresh_secrets(self) -> Secrets:
        """Return the secrets of a new match that is played here."""
        salt_key, root_open, root_closed = (self.entropy(SECRET_BYTES) for _ in range(3))
        return Secrets(salt_key=salt_key, root_open=root_open, root_closed=root_closed)

    def imported_id(self, lines: Sequence[ReadLine], *, scope: str = LOCAL_SCOPE) -> str:
        """Return the id under which a log is imported: the same lines are the same match."""
        named = f"{self.log.installation()}/{scope}/{digest_of_lines(lines)}"
        return str(uuid.uuid5(NAMESPACE, named))

    def import_lines(
        self,
        lines: Sequence[ReadLine],
        *,
        pool: Pool | None = None,
        scope: str = LOCAL_SCOPE,
        partial: bool = False,
    ) -> tuple[Audit, str | None]:
        """Audit a plain log and store it if it is good; return the audit and the match's id.

        pool: the cards, if they came along; else the header names them.
        """
        found = audit_lines(self.catalogue, self.pools, lines, pool)
        if not is_to_be_stored(found, partial=partial):
            return found, None
        match_id, header = self.imported_id(lines, scope=scope), found.header
        command = self.open_command(
            match_id,
            pool or self.named_pool(header["ruleset"], header["cards"]),
            cards=header["cards"],
            kind="imported",
            seats=self.named_seats(header["seats"]),
            secrets=Secrets(salt_key=self.entropy(SECRET_BYTES)),
        )
        sourced = replace(command, source=digest_of_lines(lines))
        import_audited(self.log, found, sourced, now=clock())
        return found, match_id


def open_installation(
    settings: Settings,
    pools: Pools | None = None,
    catalogue: Catalogue | None = None,
    entropy: Entropy = os.urandom,
) -> Installation:
    """Open the database and the games of an installation. catalogue: its games, if already read.

    Raises `UnknownTag` for a log that cannot be read, `UnfitDatabase`, `ValueError` for a wrong
    key, `OSError` for a key file that cannot be read.
    """
    catalogue = catalogue or Catalogue(settings.seeds)
    log_key = None if settings.log_key is None else LogKey(settings.log_key.read_text())
    secrets_key = (
        None if settings.secrets_key is None else settings.secrets_key.read_bytes().strip()
    )
    notices = Notices(settings.redis_url, lambda: log.installation())
    log: Log = Log(
        settings.database_url,
        lambda opened: _pool_of(catalogue, log, opened).ruleset,
        wrapping_key=secrets_key,
        tell=notices.tell,
    )
    database = Database(settings.database_url)
    return Installation(
        catalogue=catalogue,
        rulebooks=Rulebooks(catalogue, log),
        log=log,
        notices=notices,
        database=database,
        persons=Persons(database),
        access=AccessBook(log),
        tournaments=TournamentBook(log),
        disputes=DisputeBook(log),
        refusals=Refusals(database),
        sign_ins=FailedSignIns(database),
        keys=InstallationKeys(database, log.wrapping),
        jobs=Jobs(database),
        notes=Notes(database),
        match_limits=settings.match_limits,
        pools={**settings.card_pools, **(pools or {})},
        log_key=log_key,
        entropy=entropy,
    )


def _pool_of(catalogue: Catalogue, log: Log, opened: MatchOpened) -> Pool:
    known = catalogue.known_pool(opened.game, opened.cards_digest)
    if known is not None:
        return known
    body = log.document(opened.cards_digest)
    assert body is not None, f"the cards {opened.cards_digest} of a stored match are missing"
    return catalogue.pool(opened.game, read_json(body))
