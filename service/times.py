"""Times as the log tells them: UTC, microseconds, `Z`; as texts they are in their order."""

from __future__ import annotations

from datetime import datetime, timedelta


def told(moment: datetime) -> str:
    """Return a time in UTC as the log tells it."""
    return moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def moved(moment: str, seconds: int) -> str:
    """Return a time so many seconds after another, before it if negative."""
    return told(datetime.fromisoformat(moment) + timedelta(seconds=seconds))
