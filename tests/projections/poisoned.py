"""A projection that fails at chosen events, and tells in its rows what it was given."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from projections.runner import Page, Projection
from projections.tables import Tables
from service.integrity.logged import Logged

NAME = "poisoned_1"
SECRET = "s3cr3t-of-somebody"


class Poison(Exception):
    """A fault whose text quotes an event."""


@dataclass(kw_only=True)
class Poisoned:
    """Fails at the events of `bad`, by stream and version; `fail` tells how."""

    bad: set[tuple[str, int]] = field(default_factory=set)
    fail: Callable[[Tables], None] | None = None

    def apply(self, tables: Tables, page: Page) -> None:
        """Put the versions of each stream behind each other."""
        for one in page:
            ((seen,),) = tables.rows(
                f"SELECT COALESCE(MAX(versions), '') FROM {NAME} WHERE stream = ?", one.stream
            )
            tables.upsert(NAME, ("stream", "versions"), [(one.stream, f"{seen} {one.version}")])
            self._check(tables, one)

    def _check(self, tables: Tables, one: Logged) -> None:
        if (one.stream, one.version) in self.bad:
            if self.fail is not None:
                self.fail(tables)
            raise Poison(SECRET)

    @property
    def projection(self) -> Projection:
        return Projection(
            name=NAME,
            tables=(NAME,),
            create=(f"CREATE TABLE {NAME} (stream TEXT PRIMARY KEY, versions TEXT NOT NULL)",),
            apply=self.apply,
        )
