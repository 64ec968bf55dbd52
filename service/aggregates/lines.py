"""Lines of a match: what was played and struck by a backup stays, beside what is played on.

The first line is 0; each backup begins another behind the index to which it goes back. The live
line is the way from the last event to the first one; the other events are struck.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct


class Line(Struct, frozen=True, kw_only=True):
    """A line behind the first one. begins: number of the backup; parent: the index it goes on."""

    begins: int
    parent: int


def line_of(lines: Sequence[Line], seq: int) -> int:
    """Return the number of the line on which an event lies, from 0."""
    return sum(line.begins <= seq for line in lines)


def parent_of(lines: Sequence[Line], seq: int) -> int:
    """Return the index on which an event builds: the one before it, but for a backup."""
    return next((line.parent for line in lines if line.begins == seq), seq - 1)


def live_ranges(lines: Sequence[Line], version: int) -> list[tuple[int, int]]:
    """Return the live line as ranges (after, to) of event numbers, the last range first."""
    ranges: list[tuple[int, int]] = []
    to = version
    for line in reversed(lines):
        if line.begins <= to:
            ranges.append((line.begins - 1, to))
            to = line.parent
    return [*ranges, (0, to)]


def is_live(lines: Sequence[Line], version: int, seq: int) -> bool:
    """Tell whether an event is on the live line of a match of so many events."""
    return any(after < seq <= to for after, to in live_ranges(lines, version))
