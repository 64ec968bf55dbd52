"""Every command on a dispute: load, decide, append; a ruling saves what it does with it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from service.aggregates.attachments import Attached, Saved
from service.aggregates.disputes import deciding
from service.aggregates.disputes.deciding import (
    DisputeCommand,
    OpenDispute,
    check_version,
    open_dispute,
)
from service.aggregates.disputes.events import DisputeEvent
from service.aggregates.disputes.ruling import BACKUPS, Ruled, RuleOnDispute, Way, rule
from service.aggregates.disputes.state import Dispute
from service.aggregates.matches import Given, Match
from service.aggregates.tournaments.brackets import TableKey
from service.aggregates.tournaments.deciding import Given as TournamentGiven
from service.aggregates.tournaments.events import TournamentEvent
from service.aggregates.tournaments.penalties import GivePenalty, penalize
from service.aggregates.tournaments.relinking import RelinkMatch, relink
from service.aggregates.tournaments.state import Tournament
from service.aggregates.world import Invalid, NotFound
from service.commands.again import decided
from service.commands.dispute_book import DisputeBook, part_of
from service.commands.ports import NOTHING, DisputeLog, PublicPart
from service.commands.tournament_book import TournamentBook
from service.commands.tournament_book import stream_of as stream_of_tournament

TRIES_MAX = 5

Decide: TypeAlias = Callable[[Dispute, Any, str], Sequence[DisputeEvent]]

DECISIONS: Mapping[type[DisputeCommand], Decide] = {
    deciding.AddComment: deciding.comment,
    deciding.AssignJudge: deciding.assign,
    deciding.AppealRuling: deciding.appeal,
    deciding.WithdrawDispute: deciding.withdraw,
    deciding.FinalizeDispute: deciding.finalize,
}
"""Which decision answers a command."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Books:
    """Where a ruling reads and writes."""

    log: DisputeLog
    disputes: DisputeBook
    tournaments: TournamentBook


@dataclass(frozen=True, slots=True, kw_only=True)
class Bracket:
    """What a ruling may do to a bracket; see `AmendResult`."""

    begun: Collection[TableKey] = ()
    rewind: bool = False


def open_new(log: DisputeLog, command: OpenDispute, *, now: str, attached: Attached) -> Saved:
    """Open a dispute on an event of a match. attached: its claim.

    Raises `Conflict` if the event is another one or the id is taken, `Invalid`, `NotFound`.
    """
    match, event = log.match(command.event.match), command.event
    if not 1 <= event.seq <= match.version:
        raise Invalid({"seq": ["an event of the match is expected"]})
    found = log.hash_of(match.id, event.seq)
    part = part_of(command.dispute_id, None, open_dispute(match, command, found, now))
    log.append_public(
        part.stream, part.events, version=part.version, head=part.head, attached=attached
    )
    return Saved(stream=part.stream, since=0, version=len(part.events))


def carry_out(
    books: Books, command: DisputeCommand, *, now: str, attached: Attached = NOTHING
) -> Saved:
    """Decide a command on the present state and append; with no events nothing is saved.

    attached: the texts whose digests the command holds. Raises `NotFound`, `Conflict` and what the
    decision raises.
    """
    decide = DECISIONS[type(command)]

    def attempt() -> Callable[[], Saved]:
        before = books.disputes.dispute(command.dispute_id)
        check_version(before, command)
        events = decide(before, command, now)
        part = part_of(before.id, before, events)

        def save() -> Saved:
            if events:
                books.log.append_public(
                    part.stream,
                    part.events,
                    version=part.version,
                    head=part.head,
                    attached=attached,
                )
            return _saved(part)

        return save

    return decided(attempt, tries=TRIES_MAX, is_final=command.expected_version is not None)


def rule_on(
    books: Books,
    command: RuleOnDispute,
    *,
    now: str,
    attached: Attached,
    bracket: Bracket,
) -> Saved:
    """Rule on a dispute, with all that follows for its match and its tournament, or nothing of it.

    Raises as `carry_out`, and what the decision of the tournament raises.
    """

    def attempt() -> Callable[[], Saved]:
        dispute = books.disputes.dispute(command.dispute_id)
        check_version(dispute, command)
        match = books.log.match(dispute.match)
        given = Given(
            ruleset=books.log.ruleset_of(match.opened),
            secrets=books.log.secrets(match.id),
            now=now,
        )
        ruled = rule(dispute, match, command, given, _way(books.log, match, command))
        own = part_of(dispute.id, dispute, [ruled.ruling])
        parts = [*_parts_of_tournament(books, match, command, ruled, bracket), own]

        def save() -> Saved:
            books.log.append_together(parts, before=match, events=ruled.events, attached=attached)
            return _saved(own)

        return save

    return decided(attempt, tries=TRIES_MAX, is_final=command.expected_version is not None)


def way_back(log: DisputeLog, match: Match, to: int) -> Way:
    """Return the state at an earlier index and the events behind it; raises `Invalid`."""
    if not 1 <= to < match.version:
        raise Invalid({"to": [f"an index from 1 to {match.version - 1}"]})
    since = list(log.events_of(match.id, after=to, to=match.version))
    return Way(earlier=log.match(match.id, version=to), since=since)


def _way(log: DisputeLog, match: Match, command: RuleOnDispute) -> Way | None:
    if command.kind not in BACKUPS or command.to is None:
        return None
    return way_back(log, match, command.to)


def _parts_of_tournament(
    books: Books, match: Match, command: RuleOnDispute, ruled: Ruled, bracket: Bracket
) -> list[PublicPart]:
    """Return what the ruling is for the tournament in which the match was played."""
    table = match.opened.table
    tournament = None if table is None else books.tournaments.find(table.tournament)
    if tournament is None:
        return []
    events = _events_of_tournament(tournament, match, command, ruled, bracket)
    if not events:
        return []
    return [
        PublicPart(
            stream=stream_of_tournament(tournament.id),
            events=events,
            version=tournament.version,
            head=tournament.head,
        )
    ]


def _events_of_tournament(
    tournament: Tournament,
    match: Match,
    command: RuleOnDispute,
    ruled: Ruled,
    bracket: Bracket,
) -> list[TournamentEvent]:
    table, given = match.opened.table, TournamentGiven(now=ruled.ruling.time)
    reason = command.text_en or command.text_ja
    assert table is not None
    assert reason is not None, "a ruling has a text"
    remedy = ruled.ruling.remedy
    if remedy.penalty is not None:
        penalty = GivePenalty(
            tournament_id=tournament.id,
            player=_player(tournament, match, remedy.penalty.seat),
            kind=remedy.penalty.kind,
            round=table.round,
            rewind=bracket.rewind,
            begun=bracket.begun,
            by=command.by,
            reason=reason,
        )
        return penalize(tournament, penalty, given)
    if remedy.outcome is None:
        return []
    anew = RelinkMatch(
        tournament_id=tournament.id,
        match=match.id,
        winner=remedy.outcome["winner"],
        rewind=bracket.rewind,
        begun=bracket.begun,
        by=command.by,
        reason=reason,
    )
    return relink(tournament, anew, given)


def _player(tournament: Tournament, match: Match, seat: str) -> str:
    entry = tournament.entry_of_person(match.seated[seat].person or "")
    if entry is None:
        raise NotFound(f"who sat on {seat} has not entered the tournament")
    return entry.player


def _saved(part: PublicPart) -> Saved:
    return Saved(stream=part.stream, since=part.version, version=part.version + len(part.events))
