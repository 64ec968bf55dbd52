"""What the tests of the runner share: a log with events of every kind, pages of any size, rows."""

from __future__ import annotations

from dataclasses import dataclass

from projections.runner import PAGE_SIZE, EventLog, Generation, Projection, begin, feed
from projections.tables import Database
from service.aggregates.access import INSTALLATION, RoleGranted
from service.commands.access import grant_role
from service.installation import Installation, clock
from service.integrity.logged import Logged
from tests.conftest import import_log, log_of
from tests.projections.test_tournaments import begun, opened

SHORT_LOGS = (("hagmi", 6), ("formation", 4))


@dataclass(frozen=True, kw_only=True)
class Sliced:
    """A log whose pages are never longer than `size`."""

    log: EventLog
    size: int

    def page(self, after: int, limit: int = PAGE_SIZE) -> list[Logged]:
        return self.log.page(after, min(limit, self.size))

    def logged_of(self, stream: str, after: int, limit: int = PAGE_SIZE) -> list[Logged]:
        return self.log.logged_of(stream, after, min(limit, self.size))

    def last_position(self) -> int:
        return self.log.last_position()


def fill(installation: Installation) -> None:
    """Store editions, access, a tournament, and matches between them."""
    installation.register_editions()
    opened(installation, "cup", "ann", "bob")
    for game, number in SHORT_LOGS:
        import_log(installation, log_of(game, number))
        grant(installation, game)
    begun(installation, "cup")


def grant(installation: Installation, person: str) -> None:
    """Store one small event."""
    event = RoleGranted(person=person, role="judge", place=INSTALLATION, by=None, time=clock())
    grant_role(installation.access, event)


def fed(
    installation: Installation, projection: Projection, number: int, size: int = PAGE_SIZE
) -> Generation:
    """Return a generation that was fed to the end of the log with pages of a size."""
    generation = Generation(projection=projection, number=number)
    begin(installation.database, generation)
    log = Sliced(log=installation.log, size=size)
    for _ in feed(installation.database, log, [generation]):
        pass
    return generation


def rows_of(database: Database, generation: Generation) -> dict[str, list[tuple[object, ...]]]:
    """Return all rows of all tables of a generation."""
    with database.reading() as tables:
        here = generation.tables_in(tables)
        return {
            name: sorted(here.rows(f"SELECT * FROM {name}"), key=repr)
            for name in generation.projection.tables
        }
