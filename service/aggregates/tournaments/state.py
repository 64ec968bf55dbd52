"""The state of a tournament: what is known after some of its events."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, field
from msgspec.structs import replace

from service.aggregates.tournaments.events import (
    CutMade,
    MatchLinked,
    PenaltyGiven,
    Phase,
    ResultKind,
    RoundClosed,
    RoundDrafted,
    Sitting,
    Table,
    TournamentClosed,
    TournamentOpened,
)
from service.engine.values import Json


class Absence(Struct, frozen=True, kw_only=True):
    """Rounds that a player is away. after_round: the last one before; until: the next one he plays.

    until: None while he is away. byes: missed rounds for which he has a bye.
    """

    after_round: int
    until: int | None = None
    byes: tuple[int, ...] = ()


class Entry(Struct, frozen=True, kw_only=True):
    """A player of a tournament. The fields are those of `PlayerEntered` and what came later."""

    player: str
    person: str | None
    name: str
    from_round: int
    byes: tuple[int, ...]
    deck: str | None = None
    absences: tuple[Absence, ...] = ()
    disqualified: bool = False

    @property
    def dropped_after(self) -> int | None:
        """The last round that counts for a player who has left, or None."""
        last = self.absences[-1] if self.absences else None
        return last.after_round if last is not None and last.until is None else None

    def absence_in(self, number: int) -> Absence | None:
        """Return the absence that a round lies in, or None."""
        for one in self.absences:
            if one.after_round < number and (one.until is None or number < one.until):
                return one
        return None

    def is_there(self, number: int) -> bool:
        """Tell whether the player can be paired in a round."""
        return self.from_round <= number and self.absence_in(number) is None


class TableResult(Struct, frozen=True, kw_only=True):
    """What came of a table. seq: number of the event; side: who reported it, None for staff.

    by: None where logs or a drop decided it. confirmed: the other player or staff said the same.
    matches: the logs that it names.
    """

    kind: ResultKind
    winner: str | None
    games: tuple[int, int, int]
    seq: int = 0
    side: str | None = None
    by: str | None = None
    confirmed: bool = False
    amended: bool = False
    matches: tuple[str, ...] = ()


class TableState(Struct, frozen=True, kw_only=True):
    """A table of a published round. links: logs of its games; minutes: of extra time."""

    table: Table
    result: TableResult | None = None
    links: tuple[MatchLinked, ...] = ()
    minutes: int = 0

    @property
    def players(self) -> tuple[str, str]:
        """The first and the second player."""
        first, second = self.table.players
        return first, second

    def opponent_of(self, player: str) -> str:
        """Return the other player."""
        first, second = self.players
        return second if player == first else first

    def with_link(self, link: MatchLinked) -> TableState:
        """Return the table with one more log, in the place of what its match was before."""
        others = (one for one in self.links if one.match != link.match)
        return replace(self, links=(*others, link))


class RoundState(Struct, frozen=True, kw_only=True):
    """A published round. drafted: number of the event that paired it last; minutes: it lasts.

    seed, input, why: as in `RoundDrafted`.
    """

    number: int
    phase: int
    tables: dict[int, TableState]
    without: tuple[Sitting, ...]
    why: Json
    seed: str | None
    input: str
    drafted: int
    minutes: int | None
    started_at: str
    closed: RoundClosed | None = None

    @property
    def missing(self) -> list[int]:
        """The tables without a result."""
        return [number for number, one in self.tables.items() if one.result is None]

    def table_of(self, player: str) -> TableState | None:
        """Return the table of a player, or None."""
        return next((one for one in self.tables.values() if player in one.players), None)


class Draft(Struct, frozen=True, kw_only=True):
    """Who would meet whom. seq: number of the event."""

    drafted: RoundDrafted
    seq: int


class Amendment(Struct, frozen=True, kw_only=True):
    """A result was replaced by event number `seq`."""

    round: int
    table: int
    seq: int


class Tournament(Struct, frozen=True, kw_only=True):
    """State of a tournament after `version` events.

    entries: in the order of entry. rounds, cuts: by number of the round and of the phase. head,
    time: hash and time of the last event.
    """

    id: str
    version: int
    opened: TournamentOpened
    entries: dict[str, Entry] = field(default_factory=dict)
    rounds: dict[int, RoundState] = field(default_factory=dict)
    cuts: dict[int, CutMade] = field(default_factory=dict)
    draft: Draft | None = None
    penalties: tuple[PenaltyGiven, ...] = ()
    amendments: tuple[Amendment, ...] = ()
    closed: TournamentClosed | None = None
    head: str = ""
    time: str = ""

    @property
    def phase(self) -> int:
        """The number of the phase that is on."""
        return max(self.cuts, default=1)

    @property
    def last_round(self) -> int:
        """The number of the last published round, 0 before the first."""
        return max(self.rounds, default=0)

    def phase_of(self, number: int) -> Phase:
        """Return what a phase is."""
        return self.opened.phases[number - 1]

    def rounds_of(self, phase: int) -> list[RoundState]:
        """Return the published rounds of a phase, in order."""
        return [one for one in self.rounds.values() if one.phase == phase]

    def entry_of_person(self, person: str) -> Entry | None:
        """Return the entry of a person, or None."""
        return next((one for one in self.entries.values() if one.person == person), None)

    def links(self) -> Iterator[MatchLinked]:
        """Yield the logs that count for a table."""
        for one in self.rounds.values():
            for table in one.tables.values():
                yield from table.links
