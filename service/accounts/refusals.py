"""Refused actions: the limit of a seat, and a number that a judge sees."""

from __future__ import annotations

from projections.tables import Database


class Refusals:
    """What the rules refused, by match and seat. Times: UTC, as in the log."""

    def __init__(self, database: Database) -> None:
        """Keep them in a database whose tables are there."""
        self._database = database

    def add(self, match_id: str, seat: str, *, rule: str, time: str) -> None:
        """Keep that a rule refused an action of a seat."""
        with self._database.transaction() as tables:
            tables.execute(
                "INSERT INTO refusals (match_id, seat, time, rule) VALUES (?,?,?,?)",
                *(match_id, seat, time, rule),
            )

    def count_since(self, match_id: str, seat: str, time: str) -> int:
        """Return how many actions of a seat were refused at a time or after it."""
        with self._database.reading() as tables:
            ((count,),) = tables.rows(
                "SELECT COUNT(*) FROM refusals WHERE match_id = ? AND seat = ? AND time >= ?",
                *(match_id, seat, time),
            )
        return int(count)

    def counts(self, match_id: str) -> dict[str, int]:
        """Return how many actions of each seat were refused; a seat without any is not named."""
        with self._database.reading() as tables:
            rows = tables.rows(
                "SELECT seat, COUNT(*) FROM refusals WHERE match_id = ? "
                "GROUP BY seat ORDER BY seat",
                match_id,
            )
        return {str(seat): int(count) for seat, count in rows}

    def forget(self, before: str) -> None:
        """Delete those of before a time."""
        with self._database.transaction() as tables:
            tables.execute("DELETE FROM refusals WHERE time < ?", before)
