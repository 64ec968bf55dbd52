"""Opening and closing a tournament."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from service.aggregates.tournaments.deciding import (
    ELIMINATIONS,
    Given,
    TournamentCommand,
    check_seed,
)
from service.aggregates.tournaments.drafts import is_over
from service.aggregates.tournaments.events import (
    Credit,
    Phase,
    TournamentClosed,
    TournamentEvent,
    TournamentOpened,
)
from service.aggregates.tournaments.placing import final_placing
from service.aggregates.tournaments.scoring import stored_profile
from service.aggregates.tournaments.state import Tournament
from service.aggregates.world import Invalid, Refused
from service.engine.values import Json
from service.standings.profiles import Profile

PHASES_MAX = 8
ROUNDS_MAX = 100
BEST_OF_MAX = 9


class OpenTournament(TournamentCommand, frozen=True, kw_only=True):
    """Ask for a tournament. The fields are those of `TournamentOpened`; name: digest of a text."""

    name: str
    game: str
    cards: str
    setup: Mapping[str, Json]
    phases: Sequence[Phase]
    profile: Profile
    late: Credit = "loss"
    by: str


class CloseTournament(TournamentCommand, frozen=True, kw_only=True):
    """Ask for the end. early: although rounds are left. seed: of lots, if the profile draws any."""

    early: bool = False
    seed: str | None = None
    by: str


def open_tournament(command: OpenTournament, given: Given) -> list[TournamentEvent]:
    """Open a tournament; raises `Invalid` with the place of each fault."""
    errors = dict(_faults(command.phases))
    if errors:
        raise Invalid(errors)
    return [
        TournamentOpened(
            name=command.name,
            game=command.game,
            cards=command.cards,
            setup=dict(command.setup),
            phases=list(command.phases),
            profile=stored_profile(command.profile),
            late=command.late,
            by=command.by,
            time=given.now,
        )
    ]


def close_tournament(
    tournament: Tournament, command: CloseTournament, given: Given
) -> list[TournamentEvent]:
    """End a tournament with the final placing; nothing happens if it has ended.

    Raises `Refused` while a round is open or, unless `early` says so, while rounds are left.
    """
    if tournament.closed is not None:
        return []
    if command.seed is not None:
        check_seed(command.seed)
    for one in tournament.rounds.values():
        if one.closed is None:
            raise Refused(f"round {one.number} is not closed")
    is_last = tournament.phase == len(tournament.opened.phases)
    if not command.early and not (is_last and is_over(tournament, tournament.phase)):
        raise Refused("rounds are left to be played")
    return [
        TournamentClosed(
            placing=final_placing(tournament, lots=command.seed),
            seed=command.seed,
            by=command.by,
            time=given.now,
        )
    ]


def _faults(phases: Sequence[Phase]) -> Iterator[tuple[str, list[str]]]:
    if not 0 < len(phases) <= PHASES_MAX:
        yield "phases", [f"1 to {PHASES_MAX} of them"]
    for place, phase in enumerate(phases):
        for field, text in _faults_of(phase, is_first=place == 0):
            yield f"phases.{place}.{field}", [text]


def _faults_of(phase: Phase, *, is_first: bool) -> Iterator[tuple[str, str]]:
    if phase.format == "swiss" and not 0 < (phase.rounds or 0) <= ROUNDS_MAX:
        yield "rounds", f"a Swiss phase has 1 to {ROUNDS_MAX}"
    if phase.format != "swiss" and phase.rounds is not None:
        yield "rounds", "follow from the number of players"
    if not (0 < phase.best_of <= BEST_OF_MAX and phase.best_of % 2):
        yield "best_of", f"an odd number from 1 to {BEST_OF_MAX}"
    if phase.format not in ELIMINATIONS[1:] and phase.reset:
        yield "reset", "only a double elimination has one"
    if phase.cut is None:
        return
    if is_first:
        yield "cut", "the first phase has all who entered"
    if phase.cut.top is not None and phase.cut.top <= 1:
        yield "cut.top", "2 players or more"
    if phase.cut.points is not None and phase.cut.points < 0:
        yield "cut.points", "from 0"
