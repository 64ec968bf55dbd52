"""Offline verification of an exchange file (integrity 4)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from service.engine.contract import Ruleset
from service.engine.values import JUDGE, Json
from service.integrity.deciding import Redecided, redecide
from service.integrity.files import LastLine, file_digest
from service.integrity.linking import check_chain
from service.integrity.reading import ExchangeFile, MalformedFile, read_file
from service.integrity.report import GOOD, Check, CheckName, Overall, Report, failed
from service.integrity.seen import check_seen
from service.integrity.signing import (
    RECEIPT,
    STATEMENT,
    SignedReceipt,
    is_signed,
)

Bind = Callable[[str, int, Json], Ruleset]
"""(game, engine number, card definitions) → the ruleset; raises LookupError with the reason."""

SUMMARIES: dict[Overall, str] = {
    "exact": "untouched and legal",
    "partial": "nothing wrong was found, but not everything could be checked",
    "unverified": "the record replays, but the rules it was decided by are not here",
    "diverged": "an action or its consequences are not what the rules say",
    "tampered": "the record is not as it was sealed",
    "malformed": "this is no record of a match",
}


def verify(
    lines: Sequence[bytes],
    bind: Bind,
    *,
    trusted: Sequence[str] = (),
    receipt: SignedReceipt | None = None,
) -> Report:
    """Verify a file by itself: no database, no network. trusted: public keys of logs."""
    try:
        file = read_file(lines)
    except MalformedFile as fault:
        return Report(
            overall="malformed",
            summary=f"{SUMMARIES['malformed']}: line {fault.line}: {fault}",
            line=fault.line,
        )
    checks: dict[CheckName, Check] = {"chain": check_chain(file)}
    if not checks["chain"].failed:
        checks |= _checks_behind(file, bind, trusted)
        if receipt is not None:
            checks["receipt"] = _check_receipt(file, receipt)
    return _report(file, checks, trusted)


def _checks_behind(
    file: ExchangeFile, bind: Bind, trusted: Sequence[str]
) -> dict[CheckName, Check]:
    """Return the checks that mean something only when the chain holds."""
    complete = _check_complete(file, trusted)
    try:
        ruleset = bind(file.header.game, file.header.engine, file.cards)
    except LookupError as fault:
        missing = Check(verdict="unverified", text=str(fault.args[0]))
        return {"complete": complete, "fold": missing, "legal": missing, "fair": missing}
    found: Redecided = redecide(file, ruleset) if file.header.viewer == JUDGE else check_seen(file)
    return {
        "complete": complete,
        "fold": found.fold,
        "legal": found.legal,
        "fair": found.fair,
    }


def _check_complete(file: ExchangeFile, trusted: Sequence[str]) -> Check:
    count = len(file.events)
    if file.last is None:
        return Check(
            verdict="open",
            seq=count + 1,
            text="the file is cut: there is no statement of the log that this is all",
        )
    statement = file.last.statement
    head = file.events[-1].hash if file.events else ""
    for name, expected, found in (
        ("origin", file.header.origin, statement.origin),
        ("match", file.header.match, statement.match),
        ("number of events", str(statement.events), str(count)),
        ("hash of the last event", statement.head, head),
        ("digest of the file", file.last.digest, file_digest(file.raw, statement)),
    ):
        if expected != found:
            seq = min(count, statement.events) + 1
            text = f"the statement and the events differ in the {name}"
            return failed(seq, text, expected=expected, found=found)
    return check_signature(file.last, count, trusted)


def check_signature(last: LastLine, count: int, trusted: Sequence[str]) -> Check:
    """Check who signed the statement about a file of so many events. trusted: public keys."""
    signature = last.signature
    if signature is not None and not is_signed(STATEMENT, last.statement, signature):
        return failed(count, "the signature of the statement is not good")
    if not trusted:
        return GOOD
    if signature is None:
        return failed(count, "the statement is not signed, and a key is trusted")
    if signature.key not in trusted:
        return failed(count, "the statement is signed by another key than the trusted ones")
    return GOOD


def _check_receipt(file: ExchangeFile, signed: SignedReceipt) -> Check:
    receipt = signed.receipt
    if signed.signature is None or not is_signed(RECEIPT, receipt, signed.signature):
        return failed(receipt.seq, "the receipt is not signed, or its signature is not good")
    if receipt.match != file.header.match:
        return failed(receipt.seq, "the receipt is for another match", found=receipt.match)
    if not 1 <= receipt.seq <= len(file.events):
        return failed(receipt.seq, "the event that was receipted is missing")
    found = file.events[receipt.seq - 1].hash
    if found != receipt.event_hash:
        text = "another event stands in the place of the receipted one"
        return failed(receipt.seq, text, expected=receipt.event_hash, found=found)
    return GOOD


def _report(file: ExchangeFile, checks: dict[CheckName, Check], trusted: Sequence[str]) -> Report:
    overall = _overall(file, checks)
    bad = [check.seq for check in checks.values() if check.failed or check.verdict == "open"]
    return Report(
        overall=overall,
        summary=_summary(file, overall, trusted),
        match=file.header.match,
        viewer=file.header.viewer,
        as_of=None if file.last is None else file.last.statement.time,
        genuine=None if not trusted else overall != "tampered",
        events=len(file.events),
        first_bad=min((seq for seq in bad if seq is not None), default=None),
        checks=checks,
        notes=file.notes,
    )


def _overall(file: ExchangeFile, checks: dict[CheckName, Check]) -> Overall:
    if any(check.failed for name, check in checks.items() if name != "legal"):
        return "tampered"
    if checks["legal"].failed:
        return "diverged"
    if checks["legal"].verdict == "unverified":
        return "unverified"
    whole = (
        file.header.viewer == JUDGE and _has_ended(file) and checks["complete"].verdict == "good"
    )
    return "exact" if whole else "partial"


def _has_ended(file: ExchangeFile) -> bool:
    """Tell whether the match is closed at the end of a file: one that was reopened goes on."""
    ends = [
        name == "match_closed"
        for name in (line.header.type.split(".")[1] for line in file.events)
        if name in ("match_closed", "match_reopened")
    ]
    return bool(ends) and ends[-1]


def _summary(file: ExchangeFile, overall: Overall, trusted: Sequence[str]) -> str:
    text = SUMMARIES[overall]
    if overall == "partial" and file.header.viewer != JUDGE:
        text += f" (hidden parts: this is what {file.header.viewer} holds)"
    if file.last is not None:
        text += f"; as of {file.last.statement.time}"
    if overall in ("exact", "partial") and not trusted:
        text += "; consistent, but who made it was not checked (no trusted key)"
    return text
