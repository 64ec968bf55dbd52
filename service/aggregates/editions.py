"""Editions of a game's data: registered when new, pinned by matches, withdrawn with a reason."""

from __future__ import annotations

from dataclasses import replace as replace_fields
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


class TextsRevised(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An edition got another wording, which changes no match. revision: from 1; 0 was the first."""

    game: str
    number: int
    revision: int
    texts_digest: str
    time: str


class EditionWithdrawn(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """No new match may use the edition. successor: the number to use instead, or null."""

    game: str
    number: int
    reason: str
    successor: int | None
    time: str


EditionEvent: TypeAlias = EditionRegistered | TextsRevised | EditionWithdrawn


class Editions(Struct, frozen=True, kw_only=True):
    """The editions of a game, the first at index 0. head: hash of the last event.

    revised: number → its later wordings in order.
    """

    game: str
    version: int = 0
    registered: tuple[EditionRegistered, ...] = ()
    revised: dict[int, tuple[TextsRevised, ...]] = {}
    withdrawn: dict[int, EditionWithdrawn] = {}
    head: str = ""


def evolve(editions: Editions, event: EditionEvent) -> Editions:
    """Return the state after one event."""
    editions = replace(editions, version=editions.version + 1)
    if isinstance(event, EditionRegistered):
        return replace(editions, registered=(*editions.registered, event))
    if isinstance(event, TextsRevised):
        revisions = (*editions.revised.get(event.number, ()), event)
        return replace(editions, revised={**editions.revised, event.number: revisions})
    return replace(editions, withdrawn={**editions.withdrawn, event.number: event})


def number_of(editions: Editions, edition: Edition) -> int | None:
    """Return the number of the edition with this engine, these rules and cards, or None."""
    for one in editions.registered:
        pinned = (one.engine, one.rules_digest, one.cards_digest)
        if pinned == (edition.engine, edition.rules_digest, edition.cards_digest):
            return one.number
    return None


def edition_of(editions: Editions, number: int, revision: int = 0) -> Edition | None:
    """Return an edition in one of its wordings, or None if there is none."""
    if not 1 <= number <= len(editions.registered):
        return None
    one, texts = editions.registered[number - 1], _texts_of(editions, number)
    if revision >= len(texts):
        return None
    return Edition(
        game=editions.game,
        number=number,
        revision=revision,
        engine=one.engine,
        rules_digest=one.rules_digest,
        cards_digest=one.cards_digest,
        texts_digest=texts[revision],
    )


def newest(editions: Editions) -> Edition | None:
    """Return the last edition in its last wording, or None if none is registered."""
    number = len(editions.registered)
    return edition_of(editions, number, len(_texts_of(editions, number)) - 1) if number else None


def placed(editions: Editions, edition: Edition) -> Edition:
    """Return the edition with its number and revision; a new one has those that it would get."""
    number = number_of(editions, edition)
    if number is None:
        return replace_fields(edition, number=len(editions.registered) + 1, revision=0)
    texts = _texts_of(editions, number)
    is_known = edition.texts_digest in texts
    revision = texts.index(edition.texts_digest) if is_known else len(texts)
    return replace_fields(edition, number=number, revision=revision)


def _texts_of(editions: Editions, number: int) -> list[str]:
    """Return the digests of the wordings of an edition that is there; the index is the revision."""
    first = editions.registered[number - 1].texts_digest
    return [first, *(one.texts_digest for one in editions.revised.get(number, ()))]


def register(editions: Editions, edition: Edition, now: str) -> list[EditionEvent]:
    """Give a new edition the next number, and a new wording of one the next revision."""
    edition = placed(editions, edition)
    if edition_of(editions, edition.number, edition.revision) is not None:
        return []
    if edition.revision:
        return [
            TextsRevised(
                game=edition.game,
                number=edition.number,
                revision=edition.revision,
                texts_digest=edition.texts_digest,
                time=now,
            )
        ]
    return [
        EditionRegistered(
            game=edition.game,
            number=edition.number,
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
