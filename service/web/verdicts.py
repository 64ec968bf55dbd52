"""How the verdicts of verifications look on a page: each has a tone, which is never said alone."""

from __future__ import annotations

CHECKS = ("chain", "complete", "fold", "legal", "fair", "receipt")
UNKNOWN = "none"
TONES = {
    "exact": "good",
    "partial": "partly",
    "unverified": "partly",
    "diverged": "bad",
    "tampered": "bad",
    "malformed": "bad",
    "good": "good",
    "failed": "bad",
    "open": "partly",
    "not checkable": "partly",
    "joint": "good",
    "server": "partly",
    "mixed": "partly",
    "supplied": "partly",
    "closed": "partly",
    UNKNOWN: "quiet",
}


def tone(verdict: str) -> str:
    """Return the tone of the verdict of a report or of one of its checks."""
    return TONES[verdict]
