"""Playing: an action is decided, the system does what follows, the rules may end the match."""

from __future__ import annotations

from collections.abc import Sequence

from service.aggregates.events import ActionPlayed, MatchClosed, MatchEvent, SecretsOpened
from service.aggregates.fairness import Secrets, roots_since
from service.aggregates.matches import Given, Match, MatchCommand, check_running, draws_of
from service.aggregates.world import Closed
from service.engine.contract import Record, Rejection, Ruleset, Setup
from service.engine.draws import Draws, Source
from service.engine.play import AUTOMATIC_MAX, follow_up, perform, written
from service.engine.values import Action, Actor, Position

EVENTS_MAX = 20_000


class PlayAction(MatchCommand, frozen=True, kw_only=True):
    """Ask for an action."""

    actor: Actor
    action: Action


def play(match: Match, command: PlayAction, given: Given) -> list[MatchEvent] | Rejection:
    """Decide an action; the events are the action, the system actions that follow, and the end.

    Raises `Closed`, `Held`, `Refused` before the start.
    """
    check_running(match)
    if match.version >= EVENTS_MAX:
        raise Closed(f"match {match.id} has {EVENTS_MAX} events, which is the most it may have")
    ruleset, source = given.ruleset, draws_of(match, given.ruleset, given.secrets)
    action = written(ruleset, command.action)
    first = perform(ruleset, match.position, command.actor, action, Draws(source))
    if isinstance(first, Rejection):
        return first
    records = [first, *_follow(ruleset, first.after, match.setup, source)]
    return _with_end(match, records, given)


def go_on(match: Match, position: Position, given: Given) -> list[MatchEvent]:
    """Return what follows by itself from a position: system actions, and the end."""
    ruleset = given.ruleset
    source = draws_of(match, ruleset, given.secrets)
    records = _follow(ruleset, position, match.setup, source)
    return _with_end(match, records, given) if records else _end(match, position, given)


def _follow(ruleset: Ruleset, position: Position, setup: Setup, source: Source) -> list[Record]:
    records: list[Record] = []
    for _ in range(AUTOMATIC_MAX):
        record = follow_up(ruleset, position, setup, Draws(source))
        if record is None:
            return records
        records.append(record)
        position = record.after
    raise AssertionError(f"{ruleset.game}: more than {AUTOMATIC_MAX} automatic actions")


def _with_end(match: Match, records: Sequence[Record], given: Given) -> list[MatchEvent]:
    events: list[MatchEvent] = [played(record, given.now) for record in records]
    return events + _end(match, records[-1].after, given)


def _end(match: Match, position: Position, given: Given) -> list[MatchEvent]:
    outcome = given.ruleset.outcome(position)
    if outcome is None:
        return []
    closed = MatchClosed(cause="rules", outcome=outcome, time=given.now)
    return closing(match, closed, given.secrets)


def closing(match: Match, closed: MatchClosed, secrets: Secrets) -> list[MatchEvent]:
    """Return the end of a match, and the opening of its roots as far as the policy allows.

    The closed root shows every shuffle: it is opened only where all is revealed (integrity 5.5).
    """
    secrets = roots_since(secrets, match.reopened)
    if secrets.root_open is None or secrets.root_closed is None:
        return [closed]
    everything = match.opened.policy.after_end == "all"
    return [
        closed,
        SecretsOpened(
            open=secrets.root_open.hex(),
            closed=secrets.root_closed.hex() if everything else None,
            time=closed.time,
        ),
    ]


def played(record: Record, now: str) -> ActionPlayed:
    """Return the event of an accepted action."""
    return ActionPlayed(
        actor=record.actor,
        action=record.action,
        draws=list(record.draws),
        facts=record.facts,
        time=now,
    )
