"""Editions of a game's data: registered when new, pinned by matches, withdrawn with a reason."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from service.aggregates.world import NotFound, Refused
from service.engine.editions import Edition


class EditionRegistered(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Rules and cards of this shape got a number. texts_digest: wording, which makes none."""

    game: str
    number: int
    engine: int
    rules_digest: str
    cards_digest: str
    texts_digest: str
    time: str


class EditionWithdrawn(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """No new match may use the edition. successor: the number to use instead, or null."""

    game: str
    number: int
    reason: str
    successor: int | None
    time: str


EditionEvent: TypeAlias = EditionRegistered | EditionWithdrawn


class Editions(Struct, frozen=True, kw_only=True):
    """The editions of a game, the first at index 0. head: hash of the last event."""

    game: str
    version: int = 0
    registered: tuple[EditionRegistered, ...] = ()
    withdrawn: dict[int, EditionWithdrawn] = {}
    head: str = ""


def evolve(editions: Editions, event: EditionEvent) -> Editions:
    """Return the state after one event."""
    editions = replace(editions, version=editions.version + 1)
    if isinstance(event, EditionRegistered):
        return replace(editions, registered=(*editions.registered, event))
    return replace(editions, withdrawn={**editions.withdrawn, event.number: event})


def number_of(editions: Editions, edition: Edition) -> int | None:
    """Return the number of the edition with this engine, these rules and cards, or None."""
    for one in editions.registered:
        pinned = (one.engine, one.rules_digest, one.cards_digest)
        if pinned == (edition.engine, edition.rules_digest, edition.cards_digest):
            return one.number
    return None


def register(editions: Editions, edition: Edition, now: str) -> list[EditionEvent]:
    """Give the edition the next number, or nothing if it has one."""
    if number_of(editions, edition) is not None:
        return []
    return [
        EditionRegistered(
            game=edition.game,
            number=len(editions.registered) + 1,
            engine=edition.engine,
            rules_digest=edition.rules_digest,
            cards_digest=edition.cards_digest,
            texts_digest=edition.texts_digest,
            time=now,
        )
    ]


def withdraw(
    editions: Editions, number: int, *, reason: str, successor: int | None, now: str
) -> list[EditionEvent]:
    """Withdraw an edition; raises `NotFound`, `Refused` the second time or without a reason."""
    numbers = {one.number for one in editions.registered}
    for asked in (number, successor):
        if asked is not None and asked not in numbers:
            raise NotFound(f"no edition {editions.game}@{asked}")
    if number in editions.withdrawn:
        raise Refused(f"{editions.game}@{number} is withdrawn already")
    if not reason.strip() or successor == number:
        raise Refused("a withdrawal needs a reason, and another edition as its successor")
    return [
        EditionWithdrawn(
            game=editions.game, number=number, reason=reason, successor=successor, time=now
        )
    ]


def check_usable(editions: Editions, number: int) -> None:
    """Raise `Refused` if no new match may use the edition."""
    withdrawn = editions.withdrawn.get(number)
    if withdrawn is not None:
        instead = (
            "" if withdrawn.successor is None else f"; use {editions.game}@{withdrawn.successor}"
        )
        raise Refused(f"{editions.game}@{number} is withdrawn: {withdrawn.reason}{instead}")
