"""The match: its state, how events change it, what it decides.

`index` i is the state after i events; `seq` = version = 1 … n; `match_opened` is 1.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field
from msgspec.structs import replace

from service.aggregates.events import (
    ActionPlayed,
    MatchClosed,
    MatchEvent,
    MatchOpened,
    SeatReadied,
    SecretsOpened,
    SeedOpened,
)
from service.aggregates.fairness import Secrets, seed_commitment, source_of
from service.aggregates.world import Closed, Conflict, Refused
from service.engine.contract import Record, Rejection, Ruleset, Setup
from service.engine.draws import Draws, Source
from service.engine.play import AUTOMATIC_MAX, follow_up, perform, recorded, written
from service.engine.values import Action, Actor, Draw, Position


class Match(Struct, frozen=True, kw_only=True):
    """State of a match after `version` events.

    counts: how often each label was drawn (`die/6`, `shuffle/<name>`). readied: seat → its event.
    seeds: seat → opened seed. head, time: hash and time of the last event.
    """

    id: str
    version: int
    opened: MatchOpened
    position: Position
    actions: int = 0
    counts: dict[str, int] = field(default_factory=dict)
    readied: dict[str, SeatReadied] = field(default_factory=dict)
    seeds: dict[str, str] = field(default_factory=dict)
    closed: MatchClosed | None = None
    head: str = ""
    time: str = ""

    @property
    def seats(self) -> list[str]:
        """The seats in order."""
        return sorted(self.opened.seats)


class PlayAction(Struct, frozen=True, kw_only=True):
    """Ask for an action. expected_version: refuse if the match has gone on; None: never."""

    match_id: str
    actor: Actor
    action: Action
    expected_version: int | None = None


def evolve(match: Match | None, event: MatchEvent, ruleset: Ruleset, *, match_id: str) -> Match:
    """Return the state after one event; no rules, only folding."""
    if isinstance(event, MatchOpened):
        return Match(
            id=match_id,
            version=1,
            opened=event,
            position=ruleset.new_position(),
            time=event.time,
        )
    assert match is not None, f"{match_id} does not begin with match_opened"
    match = replace(match, version=match.version + 1, time=event.time)
    if isinstance(event, ActionPlayed):
        position = match.position
        for fact in event.facts:
            position = ruleset.evolve(position, fact)
        return replace(
            match,
            position=position,
            actions=match.actions + 1,
            counts=counted(match.counts, event.draws),
        )
    return _with_rest(match, event)


def _with_rest(match: Match, event: MatchEvent) -> Match:
    if isinstance(event, SeatReadied):
        return replace(match, readied={**match.readied, event.seat: event})
    if isinstance(event, SeedOpened):
        return replace(match, seeds={**match.seeds, event.seat: event.seed})
    if isinstance(event, MatchClosed):
        return replace(match, closed=event)
    assert isinstance(event, SecretsOpened)
    return match


def with_head(match: Match, head: str) -> Match:
    """Return the state with the hash of its last event."""
    return replace(match, head=head)


def counted(counts: Mapping[str, int], draws: list[Draw]) -> dict[str, int]:
    """Return the counts of labels after these draws."""
    found = dict(counts)
    for draw in draws:
        label = f"die/{draw['sides']}" if "die" in draw else f"shuffle/{draw['shuffle']}"
        found[label] = found.get(label, 0) + 1
    return found


def draws_of(match: Match, ruleset: Ruleset, secrets: Secrets) -> Source:
    """Return the source of a match's further draws."""
    given = [match.seeds.get(seat) for seat in match.seats]
    return source_of(
        secrets,
        match.id,
        seeds=[None if seed is None else bytes.fromhex(seed) for seed in given],
        counts=match.counts,
        open_names=ruleset.open_draws,
    )


def ready(match: Match, event: SeatReadied) -> list[MatchEvent]:
    """Take a seat's deck and sealed seed; raises `Refused` the second time, `Closed`."""
    _check_open(match)
    if event.seat not in match.opened.seats:
        raise Refused(f"match {match.id} has no seat {event.seat}")
    if event.seat in match.readied:
        raise Refused(f"{event.seat} is ready already")
    return [event]


def open_seed(
    match: Match, event: SeedOpened, ruleset: Ruleset, *, setup: Setup, secrets: Secrets
) -> list[MatchEvent]:
    """Open a seat's seed, in the order of the seats; after the last one the match begins.

    Raises `Refused` out of turn, before all seats are ready, or for a seed that is not the sealed
    one; `Closed`.
    """
    _check_open(match)
    if set(match.readied) != set(match.opened.seats):
        raise Refused("seeds are opened when all seats are ready")
    sealed = [seat for seat in match.seats if match.readied[seat].seed_commitment is not None]
    waiting = [seat for seat in sealed if seat not in match.seeds]
    if not waiting or waiting[0] != event.seat:
        raise Refused(f"{event.seat} is not the next to open a seed")
    commitment = seed_commitment(match.id, event.seat, bytes.fromhex(event.seed))
    if match.readied[event.seat].seed_commitment != commitment:
        raise Refused(f"that is not the seed that {event.seat} sealed")
    after = evolve(match, event, ruleset, match_id=match.id)
    if waiting[1:]:
        return [event]
    return [event, *start(after, ruleset, setup=setup, secrets=secrets, now=event.time)]


def start(
    match: Match, ruleset: Ruleset, *, setup: Setup, secrets: Secrets, now: str
) -> list[MatchEvent]:
    """Return the events of the system actions that begin a match."""
    source = draws_of(match, ruleset, secrets)
    return _with_end(_follow(ruleset, match.position, setup, source), match, ruleset, secrets, now)


def decide(
    match: Match,
    command: PlayAction,
    ruleset: Ruleset,
    *,
    setup: Setup,
    secrets: Secrets,
    now: str,
) -> list[MatchEvent] | Rejection:
    """Decide an action; the events are the action, the system actions that follow, and the end.

    Raises `Closed`, or `Conflict` if the match is not at the expected version.
    """
    _check_open(match)
    if command.expected_version not in (None, match.version):
        raise Conflict(f"match {match.id} has gone on", version=match.version)
    source = draws_of(match, ruleset, secrets)
    action = written(ruleset, command.action)
    first = perform(ruleset, match.position, command.actor, action, Draws(source))
    if isinstance(first, Rejection):
        return first
    records = [first, *_follow(ruleset, first.after, setup, source)]
    return _with_end(records, match, ruleset, secrets, now)


def _check_open(match: Match) -> None:
    if match.closed is not None:
        raise Closed(f"match {match.id} is closed")


def _follow(ruleset: Ruleset, position: Position, setup: Setup, source: Source) -> list[Record]:
    records: list[Record] = []
    for _ in range(AUTOMATIC_MAX):
        record = follow_up(ruleset, position, setup, Draws(source))
        if record is None:
            return records
        records.append(record)
        position = record.after
    raise AssertionError(f"{ruleset.game}: more than {AUTOMATIC_MAX} automatic actions")


def _with_end(
    records: list[Record], match: Match, ruleset: Ruleset, secrets: Secrets, now: str
) -> list[MatchEvent]:
    events: list[MatchEvent] = [played(record, now) for record in records]
    outcome = ruleset.outcome(records[-1].after) if records else None
    if outcome is not None:
        events.append(MatchClosed(cause="rules", outcome=outcome, claimed=None, time=now))
        events.append(opened_secrets(match, secrets, now))
    return events


def opened_secrets(match: Match, secrets: Secrets, now: str) -> SecretsOpened:
    """Return the opening of the roots, as far as the reveal policy allows (integrity 5.5)."""
    assert secrets.root_open is not None
    assert secrets.root_closed is not None
    everything = match.opened.policy.after_end == "all"
    return SecretsOpened(
        open=secrets.root_open.hex(),
        closed=secrets.root_closed.hex() if everything else None,
        time=now,
    )


def played(record: Record, now: str) -> ActionPlayed:
    """Return the event of an accepted action."""
    return ActionPlayed(
        actor=record.actor,
        action=record.action,
        draws=list(record.draws),
        facts=record.facts,
        time=now,
    )


def record_of(before: Position, event: ActionPlayed, ruleset: Ruleset) -> Record:
    """Return the record of a stored action from the position before it; nothing is decided anew."""
    return recorded(ruleset, before, event.actor, event.action, event.draws, event.facts)
