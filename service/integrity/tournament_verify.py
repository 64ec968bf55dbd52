"""Offline verification of a tournament's file: chain, statement, standings, linked matches."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, TypeAlias

from msgspec import Struct, ValidationError

from service.aggregates.tournaments.events import TournamentEvent
from service.aggregates.tournaments.state import Tournament
from service.engine.values import SPECTATOR
from service.integrity.chain import event_hash, genesis, seal
from service.integrity.files import file_digest
from service.integrity.reading import MalformedFile
from service.integrity.report import GOOD, Check, Overall, failed
from service.integrity.sealing import UnknownTag, event_from
from service.integrity.tournament_files import (
    STREAM,
    PublicLine,
    TournamentFile,
    read_tournament_file,
)
from service.integrity.tournament_folding import OtherStandings, Unfit, folded
from service.integrity.tournament_matches import check_matches
from service.integrity.verify import Bind, check_signature

Part: TypeAlias = Literal["chain", "complete", "fold", "standings", "matches"]
TIME = re.compile(r"[0-9]{4}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9]\.[0-9]{6}Z")
TEXTS = ("name", "deck", "reason")
"""The fields of events that hold the digest of a text."""

SUMMARIES: dict[Overall, str] = {
    "exact": "untouched; standings and every linked match are as they should be",
    "partial": "nothing wrong was found, but not everything could be checked",
    "diverged": "standings or matches are not what the events say",
    "tampered": "the record is not as it was sealed",
    "malformed": "this is no record of a tournament",
}


class TournamentReport(Struct, frozen=True, kw_only=True):
    """A verification. matches: how many of the linked ones were found how.

    `exact`, `partial`, …: verdicts of their files; `stated`: only a statement came along; `absent`:
    nothing did. The other fields are those of a match's report.
    """

    overall: Overall
    summary: str
    tournament: str | None = None
    as_of: str | None = None
    genuine: bool | None = None
    first_bad: int | None = None
    line: int | None = None
    events: int = 0
    matches: dict[str, int] = {}
    checks: dict[Part, Check] = {}


class Verified(Struct, frozen=True, kw_only=True):
    """What was found. file, state: None where it could not be read or folded."""

    report: TournamentReport
    file: TournamentFile | None = None
    events: list[TournamentEvent] = []
    state: Tournament | None = None


def verify_tournament(
    lines: Sequence[bytes], bind: Bind, *, trusted: Sequence[str] = ()
) -> Verified:
    """Verify a file by itself: no database, no network. trusted: public keys of logs."""
    try:
        file = read_tournament_file(lines)
    except MalformedFile as fault:
        summary = f"{SUMMARIES['malformed']}: line {fault.line}: {fault}"
        report = TournamentReport(overall="malformed", summary=summary, line=fault.line)
        return Verified(report=report)
    checks: dict[Part, Check] = {"chain": check_chain(file)}
    if checks["chain"].failed:
        return Verified(report=_report(file, checks, {}, trusted), file=file)
    checks["complete"] = _check_complete(file, trusted)
    try:
        events = [_event_of(number, line) for number, line in enumerate(file.events, start=1)]
        state = folded(file.header.tournament, events, [line.hash for line in file.events])
    except OtherStandings as fault:
        checks |= {"fold": GOOD, "standings": failed(fault.seq, str(fault))}
        return Verified(report=_report(file, checks, {}, trusted), file=file)
    except Unfit as fault:
        checks["fold"] = failed(fault.seq, str(fault))
        return Verified(report=_report(file, checks, {}, trusted), file=file)
    checks |= {"fold": GOOD, "standings": GOOD}
    checks["matches"], found = check_matches(file, state, bind, trusted)
    report = _report(file, checks, found, trusted, is_closed=state.closed is not None)
    return Verified(report=report, file=file, events=events, state=state)


def check_chain(file: TournamentFile) -> Check:
    """Check every link, and that the texts are those that were recorded."""
    stream = STREAM + file.header.tournament
    previous, time = genesis(file.header.origin, stream), ""
    if not file.events:
        return failed(1, "the record has no events")
    for number, line in enumerate(file.events, start=1):
        header = line.header
        place = (header.match, header.seq, header.viewers, header.actor, header.edition)
        if place != (stream, number, [SPECTATOR], None, ""):
            return failed(number, "another event is expected here")
        if TIME.fullmatch(header.time) is None:
            return failed(number, "the time of the event is none")
        if header.time < time:
            return failed(number, "the event is dated before the one before it")
        seals = {SPECTATOR: seal(header, SPECTATOR, b"", line.form)}
        expected = event_hash(previous, header, seals)
        if line.hash != expected:
            text = "the hash does not follow from the event and the one before it"
            return failed(number, text, expected=expected, found=line.hash)
        previous, time = line.hash, header.time
    return _check_texts(file)


def _check_texts(file: TournamentFile) -> Check:
    named = {str(line.form.get(field)) for line in file.events for field in TEXTS}
    for digest, text in file.header.texts.items():
        if digest not in named:
            return failed(1, "a text came along that no event names")
        if text is not None and text.digest != digest:
            return failed(1, "a text is not the one that was recorded")
    return GOOD


def _event_of(number: int, line: PublicLine) -> TournamentEvent:
    try:
        event = event_from(line.header, line.form)
    except (UnknownTag, ValidationError) as fault:
        raise Unfit(number, str(fault)) from fault
    if not isinstance(event, TournamentEvent):
        raise Unfit(number, f"{line.header.type} is no event of a tournament")
    return event


def _check_complete(file: TournamentFile, trusted: Sequence[str]) -> Check:
    count = len(file.events)
    if file.last is None:
        text = "the file is cut: there is no statement of the log that this is all"
        return Check(verdict="open", seq=count + 1, text=text)
    statement = file.last.statement
    for name, expected, found in (
        ("origin", file.header.origin, statement.origin),
        ("tournament", STREAM + file.header.tournament, statement.match),
        ("number of events", str(count), str(statement.events)),
        ("hash of the last event", file.events[-1].hash, statement.head),
        ("digest of the file", file_digest(file.raw, statement), file.last.digest),
    ):
        if expected != found:
            seq = min(count, statement.events) + 1
            text = f"the statement and the events differ in the {name}"
            return failed(seq, text, expected=expected, found=found)
    return check_signature(file.last, count, trusted)


def _report(
    file: TournamentFile,
    checks: dict[Part, Check],
    matches: dict[str, int],
    trusted: Sequence[str],
    *,
    is_closed: bool = False,
) -> TournamentReport:
    overall = _overall(checks, is_closed=is_closed)
    bad = [check.seq for check in checks.values() if check.failed or check.verdict == "open"]
    summary = SUMMARIES[overall]
    if file.last is not None:
        summary += f"; as of {file.last.statement.time}"
    if overall in ("exact", "partial") and not trusted:
        summary += "; consistent, but who made it was not checked (no trusted key)"
    return TournamentReport(
        overall=overall,
        summary=summary,
        tournament=file.header.tournament,
        as_of=None if file.last is None else file.last.statement.time,
        genuine=None if not trusted else overall not in ("tampered", "diverged"),
        events=len(file.events),
        first_bad=min((seq for seq in bad if seq is not None), default=None),
        matches=matches,
        checks=checks,
    )


def _overall(checks: dict[Part, Check], *, is_closed: bool) -> Overall:
    if any(checks[name].failed for name in ("chain", "complete", "fold") if name in checks):
        return "tampered"
    if any(check.failed for check in checks.values()):
        return "diverged"
    is_whole = all(check.verdict == "good" for check in checks.values())
    return "exact" if is_whole and is_closed else "partial"
