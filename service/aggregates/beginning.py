"""Before the first action: seats are taken, get ready and open their seeds; then play begins."""

from __future__ import annotations

from collections.abc import Sequence

from service.aggregates.events import (
    MatchEvent,
    SeatReadied,
    SeatTaken,
    SeedDefaulted,
    SeedOpened,
)
from service.aggregates.fairness import deck_seal, seed_commitment
from service.aggregates.matches import Given, Match, MatchCommand, check_open, evolve
from service.aggregates.playing import go_on
from service.aggregates.world import Refused
from service.engine.contract import Rejection
from service.engine.setups import deck_rejection
from service.engine.values import Json


class TakeSeat(MatchCommand, frozen=True, kw_only=True):
    """Ask for an open seat. name: digest of the person's display name."""

    seat: str
    person: str
    name: str


class ReadySeat(MatchCommand, frozen=True, kw_only=True):
    """Ask for readiness. deck: spelled out; deck_bytes: its canonical bytes; salt: of its seal.

    seed_commitment: of 32 bytes that the seat opens later, hexadecimal; None: it gives no seed.
    """

    seat: str
    deck: Json
    deck_bytes: bytes
    salt: bytes
    seed_commitment: str | None = None


class OpenSeed(MatchCommand, frozen=True, kw_only=True):
    """Ask to open a seat's seed, 32 bytes in hexadecimal."""

    seat: str
    seed: str


def take_seat(match: Match, command: TakeSeat, given: Given) -> list[MatchEvent]:
    """Sit down on an open seat; nothing happens if the person sits there already.

    Raises `Refused` for a seat that is not open or a person who has another, `Closed`: only where a
    seat is open, since who is behind must not learn here that a match has ended.
    """
    seat, sits = command.seat, match.seat_of(command.person)
    if sits == seat:
        return []
    if sits is not None:
        raise Refused(f"you have the seat {sits} already")
    if seat not in match.seated:
        raise Refused(f"match {match.id} has no seat {seat}")
    if match.seated[seat].name is not None:
        raise Refused(f"{seat} is taken")
    check_open(match)
    return [SeatTaken(seat=seat, person=command.person, name=command.name, time=given.now)]


def ready(match: Match, command: ReadySeat, given: Given) -> list[MatchEvent] | Rejection:
    """Take a seat's deck and sealed seed; play begins if nothing else is waited for.

    Returns the rejection of a deck that the rules do not allow. Raises `Refused` for a seat that is
    open or ready already, `Closed`.
    """
    check_open(match)
    seat = command.seat
    if seat not in match.seated or match.seated[seat].name is None:
        raise Refused(f"nobody has the seat {seat}")
    if seat in match.readied:
        raise Refused(f"{seat} is ready already")
    rejection = deck_rejection(given.ruleset, match.opened.setup or {}, match.seats, command.deck)
    if rejection is not None:
        return rejection
    readied = SeatReadied(
        seat=seat,
        deck=command.deck,
        deck_salt=command.salt.hex(),
        deck_seal=deck_seal(match.id, seat, command.salt, command.deck_bytes),
        seed_commitment=command.seed_commitment,
        time=given.now,
    )
    return _begun(match, [readied], given)


def open_seed(match: Match, command: OpenSeed, given: Given) -> list[MatchEvent]:
    """Open a seat's seed, in the order of the seats; after the last one play begins.

    Raises `Refused` out of turn, before all seats are ready, or for a seed that is not the sealed
    one; `Closed`.
    """
    check_open(match)
    if not _are_all_ready(match):
        raise Refused("seeds are opened when all seats are ready")
    seat, waiting = command.seat, seeds_awaited(match)
    if not waiting or waiting[0] != seat:
        raise Refused(f"{seat} is not the next to open a seed")
    commitment = seed_commitment(match.id, seat, bytes.fromhex(command.seed))
    if match.readied[seat].seed_commitment != commitment:
        raise Refused(f"that is not the seed that {seat} sealed")
    return _begun(match, [SeedOpened(seat=seat, seed=command.seed, time=given.now)], given)


def default_seeds(match: Match, given: Given) -> list[MatchEvent]:
    """Go on without the seeds that were not opened in time; nothing if none is awaited."""
    waiting = seeds_awaited(match)
    if not waiting or not _are_all_ready(match):
        return []
    return _begun(match, [SeedDefaulted(seat=seat, time=given.now) for seat in waiting], given)


def seeds_awaited(match: Match) -> list[str]:
    """Return the seats that sealed a seed and have not opened it, in order."""
    sealed = [seat for seat in match.seats if seat in match.readied]
    return [
        seat
        for seat in sealed
        if match.readied[seat].seed_commitment is not None and seat not in match.seeds
    ]


def _are_all_ready(match: Match) -> bool:
    return set(match.readied) == set(match.opened.seats)


def _begun(match: Match, events: Sequence[MatchEvent], given: Given) -> list[MatchEvent]:
    """Return the events, and the beginning of play if nothing is waited for behind them."""
    after = match
    for event in events:
        after = evolve(after, event, given.ruleset, match_id=match.id)
    if not _are_all_ready(after) or seeds_awaited(after):
        return list(events)
    return [*events, *go_on(after, after.position, given)]
