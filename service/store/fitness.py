"""What a database must be like before an accepted action may be entrusted to it."""

from __future__ import annotations

from collections.abc import Mapping

LOSES_ACTIONS = "an accepted action could be lost when the machine stops"
BREAKS_TABLES = "the tables could be broken when the machine stops"
MISSES_EVENTS = "readers of the log could miss events"

DANGERS: Mapping[tuple[str, str], str] = {
    ("synchronous", "off"): BREAKS_TABLES,
    ("synchronous", "normal"): LOSES_ACTIONS,
    ("fsync", "off"): BREAKS_TABLES,
    ("full_page_writes", "off"): BREAKS_TABLES,
    ("synchronous_commit", "off"): LOSES_ACTIONS,
    ("POSTGRES_ENABLE_DB_FUNCTIONS", "on"): MISSES_EVENTS,
}


class UnfitDatabase(ValueError):
    """A database that the service refuses; the text says what is wrong and what to do."""


def refuse_dangers(settings: Mapping[str, str]) -> None:
    """Raise `UnfitDatabase` naming every dangerous setting. settings: name → value in force."""
    dangers = [
        f"{name}={value}: {DANGERS[name, value]}"
        for name, value in settings.items()
        if (name, value) in DANGERS
    ]
    if dangers:
        raise UnfitDatabase(f"dangerous settings of the database: {'; '.join(dangers)}")
