"""Simulated matches: random legal play through the same commands as any other match."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from service.aggregates.attachments import Saved
from service.aggregates.beginning import OpenSeed, ReadySeat
from service.aggregates.fairness import Secrets, seed_commitment
from service.aggregates.matches import Match
from service.aggregates.playing import PlayAction
from service.aggregates.world import NotFound
from service.commands.changing import carry_out
from service.commands.matches import OpenMatch, open_match
from service.commands.ports import MatchLog
from service.engine.contract import Rejection, Ruleset, Setup
from service.engine.draws import Draws, KeyedSource, numbers
from service.engine.hashes import tagged_hash
from service.engine.templates import CONCEDE, Below, instance, is_awaited
from service.engine.values import Action, Actor, Entry, Json

ACTIONS_MAX = 20_000
TRIES_MAX = 64
CONCEDE_ONCE_IN = 2_000


def simulation_key(game: str, seed: int, number: int) -> bytes:
    """Return the key from which everything random in a simulated match follows."""
    parts = (game.encode(), str(seed).encode(), str(number).encode())
    return tagged_hash("kifu-simulation-v1", *parts)


def simulated_setup(ruleset: Ruleset, key: bytes, options: Mapping[str, Json]) -> Setup:
    """Return the setup of a simulated match; raises ValueError for options the game lacks."""
    return ruleset.deal(Draws(KeyedSource(tagged_hash("kifu-simulated-setup", key), {})), options)


def simulated_secrets(key: bytes) -> Secrets:
    """Return the secrets of a simulated match: like everything in it they follow from its seed."""
    return Secrets(
        salt_key=tagged_hash("kifu-simulated-salt", key),
        root_open=tagged_hash("kifu-simulated-root", key, b"open"),
        root_closed=tagged_hash("kifu-simulated-root", key, b"closed"),
    )


def simulate(
    log: MatchLog,
    command: OpenMatch,
    seats: Sequence[SimulatedSeat],
    *,
    clock: Callable[[], str],
) -> Match:
    """Play a match to its end, or go on with one that was interrupted; return its last state."""
    match = _begun(log, command, seats, clock=clock)
    ruleset = log.ruleset_of(match.opened)
    for _ in range(ACTIONS_MAX):
        if match.closed is not None:
            log.take_snapshots(match.id)
            return match
        below = numbers(command.secrets.salt_key, f"simulated player/{match.version}")
        _play_one(log, match, ruleset, below, clock())
        match = log.match(match.id)
    raise AssertionError(f"match {match.id} did not end within {ACTIONS_MAX} actions")


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedSeat:
    """A simulated client: it brings a sealed deck and a seed of its own.

    deck: as in the setup, None if the game deals none to this seat; deck_bytes: canonical.
    """

    seat: str
    deck: Json
    deck_bytes: bytes
    salt: bytes
    seed: bytes

    def readied(self, match_id: str) -> ReadySeat:
        """Return the command with which the seat gets ready."""
        return ReadySeat(
            match_id=match_id,
            seat=self.seat,
            deck=self.deck,
            deck_bytes=self.deck_bytes,
            salt=self.salt,
            seed_commitment=seed_commitment(match_id, self.seat, self.seed),
        )


def simulated_seat(key: bytes, seat: str, deck: Json, deck_bytes: bytes) -> SimulatedSeat:
    """Return a client whose salt and seed follow from the key of the simulation."""
    return SimulatedSeat(
        seat=seat,
        deck=deck,
        deck_bytes=deck_bytes,
        salt=tagged_hash("kifu-simulated-deck-salt", key, seat.encode())[:16],
        seed=tagged_hash("kifu-simulated-seed", key, seat.encode()),
    )


def _begun(
    log: MatchLog,
    command: OpenMatch,
    seats: Sequence[SimulatedSeat],
    *,
    clock: Callable[[], str],
) -> Match:
    """Return the match, opened and begun as far as it was not."""
    match_id = command.match_id
    try:
        match = log.match(match_id)
    except NotFound:
        open_match(log, command, now=clock())
        match = log.match(match_id)
    for one in seats:
        if one.seat not in match.readied:
            _accepted(carry_out(log, one.readied(match_id), now=clock()))
    for one in seats:
        if one.seat not in match.seeds:
            seed = OpenSeed(match_id=match_id, seat=one.seat, seed=one.seed.hex())
            _accepted(carry_out(log, seed, now=clock()))
    return log.match(match_id)


def _accepted(outcome: Saved | Rejection) -> None:
    assert isinstance(outcome, Saved), f"a dealt deck is refused by {outcome.rule}"


def _play_one(log: MatchLog, match: Match, ruleset: Ruleset, below: Below, now: str) -> None:
    """Play one random legal action.

    A refusal is possible only where two chosen fields of a template depend on each other.
    """
    listed = ruleset.legal_actions(match.position)
    for _ in range(TRIES_MAX):
        actor, action = random_action(listed, below)
        command = PlayAction(
            match_id=match.id, actor=actor, action=action, expected_version=match.version
        )
        if isinstance(carry_out(log, command, now=now), Saved):
            return
    raise AssertionError(f"match {match.id}: no listed action was accepted at {match.version}")


def random_action(listed: Mapping[Actor, list[Entry]], below: Below) -> tuple[Actor, Action]:
    """Return a random listed action of a random awaited actor; conceding is rare."""
    awaited = sorted(actor for actor, entries in listed.items() if is_awaited(entries))
    actor = awaited[below(len(awaited))]
    entries = listed[actor]
    if below(CONCEDE_ONCE_IN):
        entries = [entry for entry in entries if not _concedes(entry)]
    return actor, instance(entries[below(len(entries))], below)


def _concedes(entry: Entry) -> bool:
    return bool(entry["type"] == CONCEDE)
