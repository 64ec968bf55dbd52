"""Reading and writing plain logs as JSON Lines (FORMAT 6)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from schemas.strict import Unreadable, canonical, read_json

LINE_BYTES_MAX = 2**20
FILE_BYTES_MAX = 64 * 2**20

Json = Any


class ReadLine(NamedTuple):
    """A line of a log. number: from 1; fault: why it is no JSON value, else None."""

    number: int
    value: Json
    fault: str | None


def read_lines(lines: Iterable[bytes]) -> Iterator[ReadLine]:
    """Yield the lines of a file; one that cannot be read is yielded with its fault."""
    for number, line in enumerate(lines, start=1):
        if len(line) > LINE_BYTES_MAX:
            yield ReadLine(number, None, f"the line is longer than {LINE_BYTES_MAX} bytes")
            continue
        try:
            yield ReadLine(number, read_json(line), None)
        except Unreadable as fault:
            yield ReadLine(number, None, str(fault))


def digest_of_lines(lines: Iterable[ReadLine]) -> str:
    """Return the SHA-256 of the canonical lines, so that spacing and order of keys do not count.

    A line that cannot be read counts by its fault.
    """
    digest = hashlib.sha256()
    for line in lines:
        digest.update(canonical(line.value if line.fault is None else line.fault) + b"\n")
    return digest.hexdigest()


def written_lines(values: Iterable[Json]) -> Iterator[str]:
    """Yield the lines of a file, each canonical and with its newline."""
    for value in values:
        yield canonical(value).decode() + "\n"
