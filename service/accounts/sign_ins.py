"""Failed sign-ins, summed by hour and block of addresses; past hours go into the access log."""

from __future__ import annotations

import ipaddress

from projections.tables import Database
from service.commands.access import record_failed_sign_ins
from service.commands.access_book import AccessBook

HOUR_LENGTH = len("yyyy-mm-ddThh")
PREFIXES = {4: 24, 6: 48}
UNKNOWN = "unknown"


def block_of(address: str | None) -> str:
    """Return the block of an address: /24 of IPv4, /48 of IPv6; `unknown` for what is none."""
    try:
        found = ipaddress.ip_address(address or "")
    except ValueError:
        return UNKNOWN
    if isinstance(found, ipaddress.IPv6Address) and found.ipv4_mapped is not None:
        found = found.ipv4_mapped
    return str(ipaddress.ip_network((found.packed, PREFIXES[found.version]), strict=False))


class FailedSignIns:
    """How often somebody came with a token that is not good."""

    def __init__(self, database: Database) -> None:
        """Keep them in a database whose tables are there."""
        self._database = database

    def add(self, address: str | None, now: str) -> None:
        """Count one from an address."""
        with self._database.transaction() as tables:
            tables.execute(
                "INSERT INTO failed_sign_ins (block, hour, count) VALUES (?,?,1) "
                "ON CONFLICT (block, hour) DO UPDATE SET count = failed_sign_ins.count + 1",
                *(block_of(address), now[:HOUR_LENGTH]),
            )

    def past(self, now: str) -> list[tuple[str, str, int]]:
        """Return the sums of the hours that are over: (block, hour, count)."""
        with self._database.reading() as tables:
            rows = tables.rows(
                "SELECT block, hour, count FROM failed_sign_ins WHERE hour < ? "
                "ORDER BY hour, block",
                now[:HOUR_LENGTH],
            )
        return [(str(block), str(hour), int(count)) for block, hour, count in rows]

    def forget_past(self, now: str) -> None:
        """Delete the hours that are over."""
        with self._database.transaction() as tables:
            tables.execute("DELETE FROM failed_sign_ins WHERE hour < ?", now[:HOUR_LENGTH])


def hand_over(sign_ins: FailedSignIns, book: AccessBook, *, now: str) -> int:
    """Put the hours that are over into the access log; return how many sums that were.

    What is interrupted is done again: the log takes each hour of a block once.
    """
    past = sign_ins.past(now)
    if past:
        record_failed_sign_ins(book, past, now=now)
        sign_ins.forget_past(now)
    return len(past)
