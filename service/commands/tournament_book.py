"""Tournaments as the log has them: the last states are kept, only what came after is read."""

from __future__ import annotations

from collections.abc import Sequence

from service.aggregates.attachments import Attached
from service.aggregates.tournaments.events import TournamentEvent
from service.aggregates.tournaments.folding import evolve
from service.aggregates.tournaments.state import Tournament
from service.aggregates.world import NotFound
from service.commands.kept import KeptStates
from service.commands.ports import NOTHING, PublicLog

KEPT_MAX = 64


class TournamentBook:
    """The tournaments of an installation. It may be asked by many threads at once."""

    def __init__(self, log: PublicLog) -> None:
        """Read from a log; nothing is read yet."""
        self._log = log
        self._kept: KeptStates[Tournament] = KeptStates(KEPT_MAX)

    def tournament(self, tournament_id: str) -> Tournament:
        """Return the state of a tournament; raises `NotFound`."""
        found = self.find(tournament_id)
        if found is None:
            raise NotFound(f"no tournament {tournament_id}")
        return found

    def find(self, tournament_id: str) -> Tournament | None:
        """Return the state of a tournament, or None if there is none."""
        found = self._kept.get(tournament_id)
        after = 0 if found is None else found.version
        for event, head in self._log.public_events(stream_of(tournament_id), after=after):
            assert isinstance(event, TournamentEvent), "a tournament has no other events"
            found = evolve(found, event, tournament_id=tournament_id, head=head)
        if found is not None:
            self._kept.keep(tournament_id, found)
        return found

    def at_version(self, tournament_id: str, version: int) -> Tournament:
        """Return the state after so many events, at most; raises `NotFound`."""
        found: Tournament | None = None
        for event, head in self._log.public_events(stream_of(tournament_id))[:version]:
            assert isinstance(event, TournamentEvent), "a tournament has no other events"
            found = evolve(found, event, tournament_id=tournament_id, head=head)
        if found is None:
            raise NotFound(f"no tournament {tournament_id}")
        return found

    def events(self, tournament_id: str, *, after: int = 0) -> list[TournamentEvent]:
        """Return the events of a tournament behind a number, in order."""
        found: list[TournamentEvent] = []
        for event, _ in self._log.public_events(stream_of(tournament_id), after=after):
            assert isinstance(event, TournamentEvent), "a tournament has no other events"
            found.append(event)
        return found

    def append(
        self,
        tournament_id: str,
        before: Tournament | None,
        events: Sequence[TournamentEvent],
        attached: Attached = NOTHING,
    ) -> None:
        """Save events behind a state, and what is attached to them; raises `Conflict`."""
        self._log.append_public(
            stream_of(tournament_id),
            events,
            version=0 if before is None else before.version,
            head="" if before is None else before.head,
            attached=attached,
        )


def stream_of(tournament_id: str) -> str:
    """Return the stream of a tournament."""
    return f"tournament/{tournament_id}"
