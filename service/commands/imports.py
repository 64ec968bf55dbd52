"""Importing a plain log: what was audited becomes a closed match of its own kind."""

from __future__ import annotations

from service.aggregates.events import Cause, MatchClosed, MatchEvent
from service.aggregates.matches import played
from service.aggregates.world import Conflict, NotFound
from service.commands.matches import OpenMatch, opened
from service.commands.ports import MatchLog
from service.engine.plain_logs import GOOD, Audit


def import_audited(
    log: MatchLog, audit: Audit, command: OpenMatch, *, partial: bool, now: str
) -> bool:
    """Store an audited log as one closed match, all or nothing; tell whether it is stored.

    A log that is illegal or malformed is stored only if `partial` is asked for: its legal prefix,
    closed with cause `partial`. Importing the same log again changes nothing.
    """
    if audit.verdict not in GOOD and not (partial and audit.records):
        return False
    if _is_there(log, command.match_id):
        return True
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
    return True


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
