"""Which round comes next, who sits out of it, and whether a draft of it still fits."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from service.aggregates.tournaments.brackets import is_decided
from service.aggregates.tournaments.deciding import entry_in, numbers_of
from service.aggregates.tournaments.drawing import (
    ASSIGNED,
    AWARDED,
    field_of,
    fixed_digest,
    present_in,
    robin_rounds,
)
from service.aggregates.tournaments.events import RoundDrafted, Unpaired
from service.aggregates.tournaments.state import Tournament
from service.aggregates.world import Invalid, NotFound, Refused


def check_next(tournament: Tournament, number: int) -> None:
    """Raise `NotFound` or `Refused` unless this round can be drafted."""
    if number != tournament.last_round + 1:
        raise NotFound(f"the next round is {tournament.last_round + 1}")
    for one in tournament.rounds.values():
        if one.closed is None:
            text = f"; results are missing at tables {numbers_of(one.missing)}"
            raise Refused(f"round {one.number} is not closed{text if one.missing else ''}")
    phase = tournament.phase
    if tournament.phase_of(phase).format != "swiss" and phase not in tournament.cuts:
        raise Refused(f"the players of phase {phase} are not seeded")
    if is_over(tournament, phase):
        raise Refused(f"phase {phase} has no further round")


def is_over(tournament: Tournament, phase: int) -> bool:
    """Tell whether all rounds of a phase are published, and in a bracket all is decided."""
    one, played = tournament.phase_of(phase), len(tournament.rounds_of(phase))
    if one.format == "swiss":
        return played >= (one.rounds or 0)
    if phase not in tournament.cuts:
        return False
    if one.format == "round_robin":
        return played >= len(robin_rounds(tournament, phase))
    return is_decided(tournament, phase)


def sitting_of(
    tournament: Tournament, number: int, asked: Mapping[str, Unpaired]
) -> dict[str, Unpaired]:
    """Return who is not paired in a Swiss round: as asked, and those with a bye beforehand.

    Raises `NotFound`, `Invalid` for a player who is not there, `Refused` in another format.
    """
    if tournament.phase_of(tournament.phase).format != "swiss":
        if asked:
            raise Refused("only in a Swiss round a player may sit out")
        return {}
    present = set(present_in(tournament, number))
    for player, kind in asked.items():
        entry_in(tournament, player)
        if player not in present:
            raise Invalid({f"sitting.{player}": [f"is not there in round {number}"]})
        if kind == ASSIGNED:
            raise Invalid({f"sitting.{player}": [f"a bye that staff gives is {AWARDED}"]})
    beforehand = {
        player: AWARDED for player in present if number in tournament.entries[player].byes
    }
    return dict(sorted({**beforehand, **asked}.items()))


def check_parity(left: int, kinds: Collection[Unpaired], *, allowed: bool) -> None:
    """Raise `Refused` if byes that staff gives leave an odd number, unless that is allowed.

    left: how many are to be paired. kinds: what staff gives.
    """
    if left % 2 and AWARDED in kinds and not allowed:
        raise Refused(
            f"the byes that are given leave {left} players, so that one more would have a bye"
        )


def draft_of(tournament: Tournament, number: int) -> RoundDrafted | None:
    """Return the draft of a round, or None."""
    draft = tournament.draft
    return None if draft is None or draft.drafted.round != number else draft.drafted


def is_fit(tournament: Tournament, drafted: RoundDrafted) -> bool:
    """Tell whether a draft still follows from the players and results as they are."""
    if drafted.seed is None:
        return drafted.input == fixed_digest(tournament)
    seated = {player for table in drafted.tables for player in table.players}
    sitting = {one.player: one.kind for one in drafted.without if one.kind != ASSIGNED}
    seated |= {one.player for one in drafted.without}
    if seated != set(present_in(tournament, drafted.round)):
        return False
    return field_of(tournament, drafted.round, drafted.seed, sitting).digest == drafted.input
