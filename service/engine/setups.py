"""Setups of matches between people: reading what was sent, trying a deck, spelling it out."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from service.engine.contract import Rejection, Ruleset, Setup, SetupFault
from service.engine.draws import Draws
from service.engine.play import written
from service.engine.values import SYSTEM, Action, Json, is_integer_in

WHOLE = "setup"
SEATS = "seats"
LARGEST = 2**53 - 1


def with_keys(value: Json, known: Collection[str], place: str = "") -> Mapping[str, Json]:
    """Return an object that has known keys only; raises `SetupFault` with its place."""
    if not isinstance(value, dict):
        raise SetupFault(place or WHOLE, "an object is expected")
    for key in value:
        if key not in known:
            raise SetupFault(f"{place}.{key}" if place else key or WHOLE, "unknown key")
    return value


def one_of(value: Json, words: Collection[str], place: str) -> str:
    """Return a value that is one of the words; raises `SetupFault`."""
    if not isinstance(value, str) or value not in words:
        raise SetupFault(place, f"one of {', '.join(sorted(words))} is expected")
    return value


def flag(value: Json, place: str) -> bool:
    """Return a value that is true or false; raises `SetupFault`."""
    if not isinstance(value, bool):
        raise SetupFault(place, "true or false is expected")
    return value


def whole_from(least: int, value: Json, place: str) -> int:
    """Return a value that is an integer not below `least`; raises `SetupFault`."""
    if not is_integer_in(value, least, LARGEST):
        raise SetupFault(place, f"an integer from {least} to {LARGEST} is expected")
    return int(value)


def expect_seats(seats: Sequence[str], players: Sequence[str]) -> None:
    """Raise `SetupFault` unless a match has exactly the seats of these players."""
    if len(seats) != len(players) or set(seats) != set(players):
        raise SetupFault(SEATS, f"{', '.join(players)} are expected")


class _Unchanged:
    """Draws that keep every order and show the lowest number of every die."""

    def ordered(self, _: str, items: Sequence[Json]) -> list[Json]:
        return list(items)

    def rolled(self, _: int) -> int:
        return 1


def deck_rejection(
    ruleset: Ruleset, setup: Setup, seats: Sequence[str], deck: Json
) -> Rejection | None:
    """Return why no match can begin with a deck, or None; any JSON value may be given as a deck.

    setup: a prepared one. The start is tried with this deck in every seat; what one deck needs does
    not depend on the others, so a match whose decks all pass this test begins.
    """
    start = _start(ruleset, setup, dict.fromkeys(seats, deck))
    decided = ruleset.decide(ruleset.new_position(), SYSTEM, start, Draws(_Unchanged()))
    return decided if isinstance(decided, Rejection) else None


def spelled_deck(ruleset: Ruleset, setup: Setup, seat: str, deck: Json) -> Json:
    """Return a deck as it is stored, so that it no longer depends on the names of the pool."""
    return _start(ruleset, setup, {seat: deck})["decks"][seat]


def _start(ruleset: Ruleset, setup: Setup, decks: Mapping[str, Json]) -> Action:
    action = ruleset.automatic(ruleset.new_position(), {**setup, "decks": dict(decks)})
    assert action is not None, f"{ruleset.game}: nothing begins a match"
    return written(ruleset, action)
