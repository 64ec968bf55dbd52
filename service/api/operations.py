"""How the installation runs: its log, read models, verifications and jobs."""

from __future__ import annotations

from typing import Any

from msgspec import to_builtins

from projections.standing import standings
from projections.tallies import failures, tally
from schemas.operations import OperationsBody
from service.aggregates.access import INSTALLATION, relations
from service.aggregates.permissions import allowed
from service.api.identity import principal
from service.api.routing import noun, route
from service.api.wiring import installation
from service.engine.values import Json
from service.installation import PROJECTIONS, clock

OPERATIONS = noun("operations", prefix="/api/v1/operations")
READ = "read_operations"
FAILURES_MAX = 100


@route(OPERATIONS, "", action=READ, answer=OperationsBody)
def show_operations(query: dict[str, Any]) -> dict[str, Json]:
    """Show how the installation runs.

    How far read models are behind is told as it is before this request has them brought up to date.
    """
    here, now = installation(), clock()
    standing = standings(here.database, here.log, PROJECTIONS, now)
    here.catch_up()
    with here.database.reading() as tables:
        counted, refused = tally(tables), failures(tables, FAILURES_MAX)
    return {
        "at": now,
        "events": here.log.last_position(),
        "signing": here.log_key is not None,
        **to_builtins(counted),
        "projections": to_builtins(standing),
        "failures": [{"match": one.match, **to_builtins(one.verdict)} for one in refused],
        "jobs": to_builtins(here.jobs.tallies()),
    }


def may_see_operations() -> bool:
    """Tell whether the caller may see how the installation runs."""
    asking = principal()
    found = relations(asking, [installation().access.at(INSTALLATION)])
    return allowed(asking, READ, found)
