"""Every command on a tournament: load, decide, append; again if somebody else was faster."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from service.aggregates.attachments import Attached, Saved
from service.aggregates.tournaments import (
    amending,
    cuts,
    entries,
    linking,
    opening,
    penalties,
    relinking,
    repairing,
    results,
    rounds,
)
from service.aggregates.tournaments.deciding import Given, TournamentCommand, check_version
from service.aggregates.tournaments.events import TournamentEvent
from service.aggregates.tournaments.state import Tournament
from service.commands.again import decided
from service.commands.ports import NOTHING
from service.commands.tournament_book import TournamentBook, stream_of

TRIES_MAX = 20

Decide: TypeAlias = Callable[[Tournament, Any, Given], Sequence[TournamentEvent]]

DECISIONS: Mapping[type[TournamentCommand], Decide] = {
    opening.CloseTournament: opening.close_tournament,
    entries.EnterPlayer: entries.enter,
    entries.RegisterDeck: entries.register_deck,
    entries.DropPlayer: entries.drop,
    entries.ReenterPlayer: entries.reenter,
    rounds.DraftRound: rounds.draft,
    rounds.PublishRound: rounds.publish,
    rounds.CloseRound: rounds.close,
    rounds.ExtendTime: rounds.extend,
    repairing.RepairRound: repairing.repair,
    results.ReportResult: results.report,
    results.ConfirmResult: results.confirm,
    amending.AmendResult: amending.amend,
    linking.LinkMatch: linking.link,
    penalties.GivePenalty: penalties.penalize,
    relinking.RelinkMatch: relinking.relink,
    cuts.MakeCut: cuts.make_cut,
}
"""Which decision answers a command."""


def open_tournament(
    book: TournamentBook, command: opening.OpenTournament, *, now: str, attached: Attached = NOTHING
) -> Saved:
    """Open a tournament. attached: its name. Raises `Conflict` if the id is taken, `Invalid`."""
    events = opening.open_tournament(command, Given(now=now))
    book.append(command.tournament_id, None, events, attached)
    return Saved(stream=stream_of(command.tournament_id), since=0, version=len(events))


def carry_out(
    book: TournamentBook, command: TournamentCommand, *, now: str, attached: Attached = NOTHING
) -> Saved:
    """Decide a command on the present state and append; with no events nothing is saved.

    attached: the texts whose digests the command holds. A caller who named the version is told of a
    conflict at once. Raises `NotFound`, `Conflict` and what the decision raises.
    """
    decide, stream = DECISIONS[type(command)], stream_of(command.tournament_id)

    def attempt() -> Callable[[], Saved]:
        before = book.tournament(command.tournament_id)
        check_version(before, command)
        events = decide(before, command, Given(now=now))
        version = before.version + len(events)

        def save() -> Saved:
            if events:
                book.append(command.tournament_id, before, events, attached)
            return Saved(stream=stream, since=before.version, version=version)

        return save

    return decided(attempt, tries=TRIES_MAX, is_final=command.expected_version is not None)
