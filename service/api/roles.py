"""Who may call which route, as a table for `service/README.md`.

`python -m service.api.roles` writes it there.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import get_args

from service.aggregates.access import Relation
from service.aggregates.permissions import PERMISSIONS
from service.api.application import ROUTES
from service.api.routing import Route

README = Path(__file__).parent.parent / "README.md"
BEGIN = "<!-- roles and routes: begin -->\n"
END = "<!-- roles and routes: end -->\n"
RELATIONS: tuple[Relation, ...] = get_args(Relation)
YES, NO = "yes", ""


def roles_table(routes: Iterable[Route]) -> str:
    """Return the table: a line for each route, a column for each relation, then the scopes."""
    columns = ("route", "action", *RELATIONS, "one of these scopes")
    rows = [columns, ("---",) * len(columns), *map(_row, routes)]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def with_table(text: str) -> str:
    """Return the text of a file with today's table between the two marks."""
    before, _, rest = text.partition(BEGIN)
    _, found, after = rest.partition(END)
    assert found, f"the marks {BEGIN.strip()} and {END.strip()} are missing"
    return f"{before}{BEGIN}\n{roles_table(ROUTES)}\n{END}{after}"


def _row(route: Route) -> tuple[str, ...]:
    permission = PERMISSIONS[route.action]
    marks = (YES if permission.relations & _all_of(one) else NO for one in RELATIONS)
    scopes = ", ".join(sorted(permission.scopes)) or "none needed"
    return f"`{route.method} {route.rule}`", route.action, *marks, scopes


def _all_of(relation: Relation) -> frozenset[Relation]:
    """Return what somebody of a relation is besides: who has an office is also a person."""
    if relation == "anybody":
        return frozenset({"anybody"})
    if relation == "person":
        return frozenset({"anybody", "person"})
    return frozenset({"anybody", "person", "member", relation})


if __name__ == "__main__":
    README.write_text(with_table(README.read_text("utf-8")), "utf-8")
