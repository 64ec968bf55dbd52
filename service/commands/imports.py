"""Importing a plain log: what was audited becomes a closed match of its own kind."""

from __future__ import annotations

from service.aggregates.events import Cause, MatchClosed, MatchEvent
from service.aggregates.playing import played
from service.aggregates.world import Conflict, NotFound
from service.commands.matches import OpenMatch, opened
from service.commands.ports import MatchLog
from service.engine.plain_logs import GOOD, Audit


def is_to_be_stored(audit: Audit, *, partial: bool) -> bool:
    """Tell whether a log is good enough: an illegal or malformed one only if `partial` is asked."""
    return audit.verdict in GOOD or (partial and bool(audit.records))


def import_audited(log: MatchLog, audit: Audit, command: OpenMatch, *, now: str) -> None:
    """Store an audited log as one closed match, all or nothing.

    Of an illegal or malformed log it is the legal prefix, closed with cause `partial`. Importing
    the same log again changes nothing.
    """
    if _is_there(log, command.match_id):
        return
    closed = MatchClosed(
        cause=_cause(audit),
        outcome=audit.outcome if audit.verdict in GOOD else None,
        claimed=audit.claimed,
        time=now,
    )
    events: list[MatchEvent] = [
        opened(command, now),
        *(played(record, now) for record in audit.records),
        closed,
    ]
    try:
        log.append(
            command.match_id, None, events, secrets=command.secrets, attached=command.attached
        )
    except Conflict:
        assert _is_there(log, command.match_id), "a conflict at version 0 means the match is there"
    log.take_snapshots(command.match_id)


def _is_there(log: MatchLog, match_id: str) -> bool:
    try:
        log.match(match_id)
    except NotFound:
        return False
    return True


def _cause(audit: Audit) -> Cause:
    if audit.verdict not in GOOD:
        return "partial"
    return "rules" if audit.outcome is not None else "unfinished"
