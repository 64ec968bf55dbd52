"""What a verification found: each check with its verdict, in words that a judge understands."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

CheckName: TypeAlias = Literal["chain", "complete", "fold", "legal", "fair", "receipt"]
CheckVerdict: TypeAlias = Literal[
    "good",
    "failed",
    "open",
    "not checkable",
    "unverified",
    "joint",
    "server",
    "mixed",
    "supplied",
    "closed",
]
Overall: TypeAlias = Literal["exact", "partial", "unverified", "diverged", "tampered", "malformed"]


class Check(Struct, frozen=True, kw_only=True):
    """One check. seq: the first event concerned; expected, found: what differs there."""

    verdict: CheckVerdict
    text: str
    seq: int | None = None
    expected: str | None = None
    found: str | None = None

    @property
    def failed(self) -> bool:
        """Tell whether something is wrong."""
        return self.verdict == "failed"


class NoteCount(Struct, frozen=True, kw_only=True):
    """The notes in a file, which are no part of any verdict. damaged: those that are unreadable."""

    count: int = 0
    damaged: int = 0


class Report(Struct, frozen=True, kw_only=True):
    """A verification. as_of: up to when the log stated that this was all.

    genuine: signed by a trusted key; null if no key was trusted beforehand.
    first_bad: the first event that is not as it should be. line: of a malformed file.
    events: how many the file holds.
    """

    overall: Overall
    summary: str
    match: str | None = None
    viewer: str | None = None
    as_of: str | None = None
    genuine: bool | None = None
    first_bad: int | None = None
    line: int | None = None
    events: int = 0
    checks: dict[CheckName, Check] = {}
    notes: NoteCount = NoteCount()


GOOD = Check(verdict="good", text="as it should be")


def failed(seq: int, text: str, *, expected: str | None = None, found: str | None = None) -> Check:
    """Return a check that found something wrong at an event."""
    return Check(verdict="failed", seq=seq, text=text, expected=expected, found=found)
