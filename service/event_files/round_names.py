"""What the name and the matches of a round tell about it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from service.standings.records import Result, Round, loser_of

_BRACKET = re.compile(
    r"final|quarter|semi|bracket|playoff|play-off|elimination|"
    r"\btop\s*\d+|\bround\s+of\s+\d+|\blast\s+\d+|winners|losers|3rd|third",
    re.IGNORECASE,
)
_SWISS = re.compile(r"swiss", re.IGNORECASE)
_NUMBER = re.compile(r"[0-9]{1,6}")
_SIZES = (("quarter", 8), ("semi", 4), ("3rd", 3), ("third", 3), ("final", 2))


def is_bracket(name: str) -> bool:
    """Tell whether a round of this name belongs to a bracket."""
    return _BRACKET.search(name) is not None and _SWISS.search(name) is None


def is_bare_number(name: str) -> bool:
    """Tell whether a round is named by its number alone."""
    return _NUMBER.fullmatch(name.strip()) is not None


def swiss_number(name: str) -> int | None:
    """Return the last number in the name of a Swiss round."""
    found = _NUMBER.findall(name)
    return int(found[-1]) if found else None


def bracket_size(name: str, matches: int) -> int:
    """Return how many players are in a bracket round: by its name, else by its matches."""
    found = re.search(r"(?:top|of|last)\s*([0-9]{1,6})", name, re.IGNORECASE)
    if found:
        return int(found.group(1))
    lowered = name.lower()
    return next((size for word, size in _SIZES if word in lowered), 2 * matches)


def is_elimination(rounds: Sequence[Round]) -> bool:
    """Tell whether rounds that do not say so are a single elimination.

    Every match has a winner or is a bye, byes are in the first round only, each round has half as
    many matches as the one before and the last has one, and who lost is never named again.
    """
    if len(rounds) < 2 or len(rounds[-1].results) != 1:
        return False
    out: set[str] = set()
    for place, one in enumerate(rounds):
        if len(one.results) != 1 << (len(rounds) - 1 - place):
            return False
        for result in one.results:
            if not _decides(result, first=place == 0):
                return False
            if result.first in out or result.second in out:
                return False
        out |= {loser for loser in map(loser_of, one.results) if loser is not None}
    return True


def _decides(result: Result, *, first: bool) -> bool:
    return result.winner is not None or (first and result.kind == "bye")
