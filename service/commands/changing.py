"""Every command on a match: load, decide, append; again if somebody else was faster."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from service.aggregates import agreeing, beginning, conduct, ending, playing, remedies
from service.aggregates.attachments import Attached, Saved
from service.aggregates.events import MatchEvent
from service.aggregates.matches import Given, Match, MatchCommand, check_version
from service.commands.again import decided
from service.commands.ports import NOTHING, MatchLog
from service.engine.contract import Rejection

TRIES_MAX = 5

Decided: TypeAlias = Sequence[MatchEvent] | Rejection
Decide: TypeAlias = Callable[[Match, Any, Given], Decided]

DECISIONS: Mapping[type[MatchCommand], Decide] = {
    beginning.TakeSeat: beginning.take_seat,
    beginning.ReadySeat: beginning.ready,
    beginning.OpenSeed: beginning.open_seed,
    playing.PlayAction: playing.play,
    agreeing.ProposeFacts: agreeing.propose,
    agreeing.AnswerProposal: agreeing.answer,
    remedies.ReviewCorrection: remedies.review,
    conduct.HoldMatch: conduct.hold,
    conduct.ReleaseMatch: conduct.release,
    conduct.SetVisibility: conduct.set_visibility,
    ending.OfferEnd: ending.offer_end,
    ending.CloseMatch: ending.close,
    ending.CancelMatch: ending.cancel,
}
"""Which decision answers a command."""


def carry_out(
    log: MatchLog, command: MatchCommand, *, now: str, attached: Attached = NOTHING
) -> Saved | Rejection:
    """Decide a command on the present state and append; with no events nothing is saved.

    attached: the texts whose digests the command holds, the id under which it may be repeated.
    Returns the rejection where a rule of the game refuses. Raises `NotFound`, `Conflict` and what
    the decision raises.
    """
    decide = DECISIONS[type(command)]
    return changed(
        log,
        command,
        lambda match, given: decide(match, command, given),
        now=now,
        attached=attached,
    )


def changed(
    log: MatchLog,
    command: MatchCommand,
    decide: Callable[[Match, Given], Decided],
    *,
    now: str,
    attached: Attached = NOTHING,
) -> Saved | Rejection:
    """Decide and append, again a few times if somebody else was faster.

    A caller who named the version is told of a conflict at once: he decided on what he saw.
    """
    match_id = command.match_id

    def attempt() -> Callable[[], Saved | Rejection]:
        match = log.match(match_id)
        check_version(match, command)
        ruleset, secrets = log.ruleset_of(match.opened), log.secrets(match_id)
        outcome = decide(match, Given(ruleset=ruleset, secrets=secrets, now=now))
        if isinstance(outcome, Rejection):
            return lambda: outcome
        if not outcome:
            version = match.version
            return lambda: Saved(stream=match_id, since=version, version=version)
        return lambda: log.append(match_id, match, outcome, attached=attached)

    return decided(attempt, tries=TRIES_MAX, is_final=command.expected_version is not None)
