"""Agreed facts: what the engine cannot decide, the seats may agree on (access.md)."""

from __future__ import annotations

from service.aggregates.events import Corrected, FactsProposed, MatchEvent, ProposalAnswered
from service.aggregates.matches import Given, Match, MatchCommand, check_running
from service.aggregates.playing import go_on
from service.aggregates.world import Invalid, NotFound, Refused
from service.engine.contract import Fault
from service.engine.corrections import corrected, vocabulary_fault
from service.engine.values import Fact


class ProposeFacts(MatchCommand, frozen=True, kw_only=True):
    """Ask the other seats to agree on facts. reason: digest of a text."""

    seat: str
    facts: list[Fact]
    reason: str


class AnswerProposal(MatchCommand, frozen=True, kw_only=True):
    """Ask to accept or decline the facts that event `proposed` proposed."""

    seat: str
    proposed: int
    accepted: bool


def propose(match: Match, command: ProposeFacts, given: Given) -> list[MatchEvent]:
    """Propose facts; the other seats have to accept them.

    Whether they fit the position is seen when all have: it may depend on what the seat cannot see.
    Raises `Invalid` for words that the game does not have, `Refused` alone, before the start or
    beside another proposal, `Held`, `Closed`.
    """
    check_running(match)
    if len(match.seats) == 1:
        raise Refused("there is no other seat that could agree")
    if match.proposal is not None:
        raise Refused(f"the proposal of event {match.proposal.seq} is not answered")
    fault = vocabulary_fault(command.facts, given.ruleset.vocabulary)
    if fault is not None:
        raise Invalid({fault.place: [fault.text]})
    return [
        FactsProposed(seat=command.seat, facts=command.facts, reason=command.reason, time=given.now)
    ]


def answer(match: Match, command: AnswerProposal, given: Given) -> list[MatchEvent]:
    """Accept or decline a proposal; accepted by all seats its facts are folded, and play goes on.

    Raises `NotFound` if it does not wait, `Refused` for a seat that has agreed, `Invalid` for facts
    that do not fit the position, `Held`, `Closed`.
    """
    check_running(match)
    proposal, seat = match.proposal, command.seat
    if proposal is None or proposal.seq != command.proposed:
        raise NotFound(f"no proposal of event {command.proposed} waits for an answer")
    if seat in proposal.agreed and command.accepted:
        raise Refused(f"{seat} has agreed already")
    said = ProposalAnswered(
        seat=seat, proposed=proposal.seq, accepted=command.accepted, time=given.now
    )
    if not command.accepted or set(match.seats) - {seat, *proposal.agreed}:
        return [said]
    record = corrected(given.ruleset, match.position, proposal.facts)
    if isinstance(record, Fault):
        # What exactly does not fit may tell where a hidden card lies.
        raise Invalid({record.place: ["does not fit the position"]})
    agreed = Corrected(
        by="agreement",
        proposed=proposal.seq,
        ruling=None,
        draws=[],
        facts=record.facts,
        time=given.now,
    )
    return [said, agreed, *go_on(match, record.after, given)]
