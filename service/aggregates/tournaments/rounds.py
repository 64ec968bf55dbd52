"""Rounds: drafted for staff, published, closed when every result is there or missing on purpose."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from service.aggregates.tournaments.deciding import (
    Given,
    TournamentCommand,
    check_open,
    check_seed,
    is_elimination,
    numbers_of,
    open_round_in,
    round_in,
    table_in,
    wins_needed,
)
from service.aggregates.tournaments.drafts import (
    check_next,
    check_parity,
    draft_of,
    is_fit,
    sitting_of,
)
from service.aggregates.tournaments.drawing import ASSIGNED, Drawn, drawn, present_in
from service.aggregates.tournaments.events import (
    ResultReported,
    RoundClosed,
    RoundDrafted,
    RoundPublished,
    TimeExtended,
    TournamentEvent,
    Unpaired,
)
from service.aggregates.tournaments.state import RoundState, Tournament
from service.aggregates.world import Invalid, NotFound, Refused

MINUTES_MAX = 60 * 24 * 31


class DraftRound(TournamentCommand, frozen=True, kw_only=True):
    """Ask for the tables of the next round. seed: 32 bytes in hexadecimal.

    sitting: player → what he gets for not being paired (`pre_awarded`, `half`, `loss`, `absent`).
    extra_bye: one more bye may follow where byes that are given leave an odd number. again: draw
    anew although a draft is there.
    """

    round: int
    seed: str
    sitting: Mapping[str, Unpaired] = {}
    extra_bye: bool = False
    again: bool = False
    by: str


class PublishRound(TournamentCommand, frozen=True, kw_only=True):
    """Ask for a draft to be played. minutes: that the round lasts, None for no end."""

    round: int
    minutes: int | None = None
    by: str


class CloseRound(TournamentCommand, frozen=True, kw_only=True):
    """Ask for the end of a round. missing: the tables whose results are known to be missing."""

    round: int
    missing: tuple[int, ...] = ()
    by: str


class ExtendTime(TournamentCommand, frozen=True, kw_only=True):
    """Ask for more time at a table. reason: digest of a text."""

    round: int
    table: int
    minutes: int
    by: str
    reason: str


def draft(tournament: Tournament, command: DraftRound, given: Given) -> list[TournamentEvent]:
    """Pair the next round; nothing happens if it is published, or drafted and nothing has changed.

    Raises `Refused` while a round is open, at the end of a phase, with fewer than two players, or
    where byes leave an odd number; `NotFound` for another than the next round; `Invalid`, `Closed`.
    """
    check_open(tournament)
    check_seed(command.seed)
    if command.round in tournament.rounds:
        return []
    check_next(tournament, command.round)
    sitting = sitting_of(tournament, command.round, command.sitting)
    present = draft_of(tournament, command.round)
    if present is not None and is_fit(tournament, present):
        without = {one.player: one.kind for one in present.without if one.kind != ASSIGNED}
        if present.seed is None or (without == sitting and not command.again):
            return []
    left = len(present_in(tournament, command.round)) - len(sitting)
    check_parity(left, command.sitting.values(), allowed=command.extra_bye)
    found = drawn(tournament, command.round, command.seed, sitting)
    return [_drafted(tournament, command, found, given)]


def publish(tournament: Tournament, command: PublishRound, given: Given) -> list[TournamentEvent]:
    """Let a draft be played; nothing happens if the round is published.

    Whoever has left a bracket or round robin loses his table by forfeit. Raises `Refused` for a
    draft that does not fit any more, `NotFound`, `Invalid`, `Closed`.
    """
    check_open(tournament)
    if command.round in tournament.rounds:
        return []
    drafted = draft_of(tournament, command.round)
    if drafted is None:
        raise NotFound(f"round {command.round} has no draft")
    if not is_fit(tournament, drafted):
        raise Refused(f"players or results have changed since round {command.round} was drafted")
    if command.minutes is not None and not 0 < command.minutes <= MINUTES_MAX:
        raise Invalid({"minutes": [f"from 1 to {MINUTES_MAX}"]})
    published = RoundPublished(
        round=command.round, minutes=command.minutes, by=command.by, time=given.now
    )
    return [published, *_forfeits(tournament, drafted, given)]


def close(tournament: Tournament, command: CloseRound, given: Given) -> list[TournamentEvent]:
    """Close a round; nothing happens if it is closed.

    Raises `Refused` if results are missing that the command does not list, and in a bracket if any
    is; `NotFound`, `Closed`.
    """
    check_open(tournament)
    one = round_in(tournament, command.round)
    if one.closed is not None:
        return []
    missing = one.missing
    if missing and is_elimination(tournament, one.phase):
        raise Refused(f"a bracket needs the results of tables {numbers_of(missing)}")
    if missing != sorted(command.missing):
        raise Refused(
            f"results are missing at tables {numbers_of(missing)}"
            if missing
            else f"round {command.round} has all results"
        )
    return [RoundClosed(round=command.round, missing=missing, by=command.by, time=given.now)]


def extend(tournament: Tournament, command: ExtendTime, given: Given) -> list[TournamentEvent]:
    """Give a table more time. Raises `Refused` for a round without an end, `Invalid`, `Closed`."""
    check_open(tournament)
    one = open_round_in(tournament, command.round)
    table_in(tournament, command.round, command.table)
    if one.minutes is None:
        raise Refused(f"round {command.round} has no end that could be put off")
    if not 0 < command.minutes <= MINUTES_MAX:
        raise Invalid({"minutes": [f"from 1 to {MINUTES_MAX}"]})
    return [
        TimeExtended(
            round=command.round,
            table=command.table,
            minutes=command.minutes,
            by=command.by,
            reason=command.reason,
            time=given.now,
        )
    ]


def minutes_of(one: RoundState, table: int) -> int | None:
    """Return how long a table may play, extensions included; None for no end."""
    return None if one.minutes is None else one.minutes + one.tables[table].minutes


def _drafted(
    tournament: Tournament, command: DraftRound, found: Drawn, given: Given
) -> RoundDrafted:
    return RoundDrafted(
        phase=tournament.phase,
        round=command.round,
        tables=found.tables,
        without=found.without,
        why=found.why,
        seed=found.seed,
        input=found.input,
        by=command.by,
        time=given.now,
    )


def _forfeits(
    tournament: Tournament, drafted: RoundDrafted, given: Given
) -> Iterator[TournamentEvent]:
    """Yield the results of tables at which somebody who has left would sit."""
    wins = wins_needed(tournament, drafted.phase)
    for table in drafted.tables:
        there = [tournament.entries[one].dropped_after is None for one in table.players]
        if all(there):
            continue
        winner = table.players[there.index(True)] if any(there) else None
        yield ResultReported(
            round=drafted.round,
            table=table.table,
            kind="forfeit",
            winner=winner,
            games=[wins * there[0], wins * there[1], 0],
            matches=[],
            side=None,
            by=None,
            time=given.now,
        )
