"""The access log: who got which role, who looked into a match, which tokens were used."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from projections.access_log import Entry, entries_of
from schemas.persons import AccessLogBody, AccessLogQuery
from service.api.cursors import cursor_of, place_of
from service.api.routing import noun, route
from service.api.wiring import installation
from service.engine.values import Json

ACCESS_LOG = noun("access_log", prefix="/api/v1/access-log")


@route(ACCESS_LOG, "", action="read_access_log", answer=AccessLogBody, query=AccessLogQuery)
def show_access_log(query: dict[str, Any]) -> dict[str, Json]:
    """List what came on record on a day, in the order of the log."""
    here, limit, day = installation(), query["limit"], query["day"]
    list_name = f"{ACCESS_LOG.name}/{day}"
    after = place_of(query["after"], of=list_name) if "after" in query else 0
    here.catch_up()
    with here.database.reading() as tables:
        found = entries_of(tables, day, after=after, limit=limit + 1)
    shown = found[:limit]
    return {
        "items": [_body_of(entry) for entry in shown],
        "names": here.persons.names(_persons(shown)),
        "next": cursor_of(shown[-1].place, of=list_name) if len(found) > limit else None,
    }


def _persons(entries: Iterable[Entry]) -> set[str]:
    """Return the persons whom entries name."""
    told = (entry.fields.get(name) for entry in entries for name in ("person", "by"))
    return {person for person in told if person is not None}


def _body_of(entry: Entry) -> dict[str, Json]:
    told = {name: value for name, value in entry.fields.items() if name != "time"}
    if "reason" in told:
        told["reason"] = installation().log.text(told["reason"])
    return {"kind": entry.kind, "time": entry.fields["time"], "fields_": told}
