"""The access log by days: grants, looks of judges, first uses of tokens, failed sign-ins."""

from __future__ import annotations

from typing import Any, get_args

import msgspec

from projections.runner import Page, Projection
from projections.tables import Tables
from service.aggregates.access import AccessEvent
from service.integrity.sealing import TAGS, Event

NAME = "access_log_1"
COLUMNS = ("place", "day", "kind", "body")
DAY_LENGTH = len("yyyy-mm-dd")


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """An event of access. place: its position in the log; kind: as in its tag; fields: of it."""

    place: int
    kind: str
    fields: dict[str, Any]


KINDS: dict[type, str] = {event: TAGS[event].split(".")[1] for event in get_args(AccessEvent)}


def apply(tables: Tables, page: Page) -> None:
    """Write the events of access in a page."""
    rows = [
        (one.place, one.time[:DAY_LENGTH], KINDS[one.kind], _text(one.event))
        for one in page
        if one.kind in KINDS
    ]
    tables.upsert(NAME, COLUMNS, rows)


def _text(event: Event) -> str:
    return msgspec.json.encode(event).decode()


PROJECTION = Projection(
    name=NAME,
    tables=(NAME,),
    create=(
        f"CREATE TABLE {NAME} (place BIGINT PRIMARY KEY, day TEXT NOT NULL, kind TEXT NOT NULL, "
        "body TEXT NOT NULL)",
        f"CREATE INDEX {NAME}_day ON {NAME} (day, place)",
    ),
    apply=apply,
)


def entries_of(tables: Tables, day: str, *, after: int, limit: int) -> list[Entry]:
    """Return what came on record on a day, yyyy-mm-dd, behind a place in the log."""
    rows = tables.rows(
        f"SELECT place, kind, body FROM {NAME} WHERE day = ? AND place > ? ORDER BY place LIMIT ?",
        *(day, after, limit),
    )
    return [
        Entry(place=int(place), kind=str(kind), fields=msgspec.json.decode(body))
        for place, kind, body in rows
    ]
