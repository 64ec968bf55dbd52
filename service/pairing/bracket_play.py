"""A bracket that is played: who sits where, results, and corrections while they touch nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, TypeAlias

import msgspec

from service.pairing.brackets import Layout, LoserOf, Seed, Source, WinnerOf

BYE = "bye"
"""Sits where nobody can come; no player has this id."""

Seating: TypeAlias = tuple[str | None, str | None]
"""Who sits at a match: a player, `BYE`, or None if that is not decided."""


class Bracket(msgspec.Struct, frozen=True, kw_only=True):
    """A bracket in play. players: from seed 1 down.

    winners: by match; None where both players were lost to the bracket. started: matches that have
    begun, decided ones too.
    """

    layout: Layout
    players: tuple[str, ...]
    winners: Mapping[str, str | None] = {}
    started: frozenset[str] = frozenset()


class NotPossible(msgspec.Struct, frozen=True, kw_only=True):
    """Nothing was changed. waiting: a seat of the match is not decided, or it is not played."""

    reason: Literal["no_such_match", "waiting", "already_decided", "not_decided", "not_seated"]
    match: str


class RewindNeeded(msgspec.Struct, frozen=True, kw_only=True):
    """A correction would change the seats of matches that have started: they must be taken back."""

    match: str
    started: tuple[str, ...]


def opened(layout: Layout, players: Iterable[str]) -> Bracket:
    """Return a bracket before its first match."""
    seeds = tuple(players)
    assert len(set(seeds)) == layout.size, "a bracket is made for the number of its players"
    assert BYE not in seeds, "a player has the id of a bye"
    return Bracket(layout=layout, players=seeds)


def seatings(bracket: Bracket) -> dict[str, Seating]:
    """Return who sits at each match, in the order of the layout."""
    seated: dict[str, Seating] = {}
    for match in bracket.layout.matches:
        one, other = (_seated(bracket, source, seated) for source in match.seats)
        if match.side == "reset" and not _needs_reset(bracket, seated):
            one = other = None if bracket.layout.decider not in bracket.winners else BYE
        seated[match.id] = one, other
    return seated


def ready(bracket: Bracket) -> list[str]:
    """Return the matches that can be played: both players are there, and there is no result."""
    return [
        match
        for match, seating in seatings(bracket).items()
        if match not in bracket.winners and BYE not in seating and None not in seating
    ]


def champion(bracket: Bracket) -> str | None:
    """Return who has won the bracket, or None while that is open."""
    seated = seatings(bracket)
    last = bracket.layout.decider
    for match in bracket.layout.matches:
        if match.side == "reset" and _needs_reset(bracket, seated):
            last = match.id
    winner = _winner(bracket, last, seated)
    return None if winner == BYE else winner


def start(bracket: Bracket, match: str) -> Bracket | NotPossible:
    """Let a match begin."""
    refused = _refusal(bracket, match)
    if refused is not None:
        return refused
    return msgspec.structs.replace(bracket, started=bracket.started | {match})


def report(bracket: Bracket, match: str, winner: str | None) -> Bracket | NotPossible:
    """Decide a match; None if neither of its players goes on, as winner or as loser."""
    refused = _refusal(bracket, match, winner)
    return refused or _decided(bracket, match, winner)


def correct(
    bracket: Bracket, match: str, winner: str | None
) -> Bracket | RewindNeeded | NotPossible:
    """Change a result. Seats of matches that have not started are replaced.

    If one that has started would get another player, nothing is changed and `RewindNeeded` names
    every match that has to be taken back.
    """
    refused = _cannot_correct(bracket, match, winner)
    if refused is not None:
        return refused
    touched = _touched(bracket, match, winner)
    if touched:
        return RewindNeeded(match=match, started=touched)
    return _decided(bracket, match, winner)


def rewind(bracket: Bracket, match: str, winner: str | None) -> Bracket | NotPossible:
    """Change a result and take back every match that `correct` says has to be."""
    refused = _cannot_correct(bracket, match, winner)
    if refused is not None:
        return refused
    return _decided(_taken_back(bracket, _touched(bracket, match, winner)), match, winner)


def _refusal(bracket: Bracket, match: str, winner: str | None = None) -> NotPossible | None:
    seating = seatings(bracket).get(match)
    if seating is None:
        return NotPossible(reason="no_such_match", match=match)
    if match in bracket.winners:
        return NotPossible(reason="already_decided", match=match)
    if BYE in seating or None in seating:
        return NotPossible(reason="waiting", match=match)
    if winner is not None and winner not in seating:
        return NotPossible(reason="not_seated", match=match)
    return None


def _cannot_correct(bracket: Bracket, match: str, winner: str | None) -> NotPossible | None:
    seating = seatings(bracket).get(match)
    if seating is None:
        return NotPossible(reason="no_such_match", match=match)
    if match not in bracket.winners:
        return NotPossible(reason="not_decided", match=match)
    if winner is not None and winner not in seating:
        return NotPossible(reason="not_seated", match=match)
    return None


def _decided(bracket: Bracket, match: str, winner: str | None) -> Bracket:
    return msgspec.structs.replace(
        bracket,
        winners={**bracket.winners, match: winner},
        started=bracket.started | {match},
    )


def _taken_back(bracket: Bracket, matches: Iterable[str]) -> Bracket:
    gone = set(matches)
    return msgspec.structs.replace(
        bracket,
        winners={match: who for match, who in bracket.winners.items() if match not in gone},
        started=bracket.started - gone,
    )


def _touched(bracket: Bracket, match: str, winner: str | None) -> tuple[str, ...]:
    """Return the started matches whose seats another result of a match would change, in order."""
    before = seatings(bracket)
    touched: tuple[str, ...] = ()
    # Each turn finds the next of the matches that hang on the ones before, so it ends.
    for _ in bracket.layout.matches:
        after = seatings(_decided(_taken_back(bracket, touched), match, winner))
        found = tuple(
            name for name in before if name in bracket.started and before[name] != after[name]
        )
        if found == touched:
            break
        touched = found
    return touched


def _seated(bracket: Bracket, source: Source, seated: Mapping[str, Seating]) -> str | None:
    match source:
        case Seed(number=number):
            return bracket.players[number - 1] if number <= len(bracket.players) else BYE
        case WinnerOf(match=name):
            return _winner(bracket, name, seated)
        case LoserOf(match=name):
            return _loser(bracket, name, seated)


def _winner(bracket: Bracket, match: str, seated: Mapping[str, Seating]) -> str | None:
    one, other = seated[match]
    if match in bracket.winners:
        return bracket.winners[match] or BYE
    if one == BYE:
        return other
    return one if other == BYE else None


def _loser(bracket: Bracket, match: str, seated: Mapping[str, Seating]) -> str | None:
    one, other = seated[match]
    if BYE in (one, other):
        return BYE
    if match not in bracket.winners:
        return None
    winner = bracket.winners[match]
    if winner is None:
        return BYE
    return other if winner == one else one


def _needs_reset(bracket: Bracket, seated: Mapping[str, Seating]) -> bool:
    """Tell whether the player from the losers' bracket has won the final."""
    final = bracket.layout.decider
    winner = bracket.winners.get(final)
    return winner is not None and winner == seated[final][1]
