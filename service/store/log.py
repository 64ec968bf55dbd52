"""The log: one application of the library for every stream of the installation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from eventsourcing.application import AggregateNotFoundError, Application, LRUCache
from eventsourcing.persistence import EventStore, InfrastructureFactory, IntegrityError, Mapper
from eventsourcing.utils import Environment

from service.aggregates.attachments import (
    Answered,
    Attached,
    Saved,
    WrappedSecrets,
)
from service.aggregates.events import MatchEvent, MatchOpened
from service.aggregates.fairness import Secrets
from service.aggregates.matches import Match, evolve, with_head
from service.aggregates.world import Conflict, NotFound
from service.commands.ports import PublicPart
from service.engine.contract import Ruleset
from service.integrity.chain import Sealed
from service.integrity.logged import Logged
from service.integrity.sealing import (
    Chain,
    PublicEvent,
    UnknownTag,
    match_event_of,
    public_event_of,
    seal_public,
    unknown_tags,
)
from service.store.beside import BesideEvents
from service.store.databases import factory_of
from service.store.mapper import EventMapper, Recorded, decoded
from service.store.rows import EventRows, SnapshotRecorder
from service.store.snapshots import EVERY, TAG, Snapshot, SnapshotMapper, Snapshots
from service.store.wrapping import Wrapping
from service.store.writer import Writer

PAGE_SIZE = 500
EVENTS_MAX = 2**31
CACHED_MATCHES = "64"


NOTHING = Attached()

FindRuleset = Callable[[MatchOpened], Ruleset]
Tell = Callable[[Mapping[str, int]], None]


class Log(BesideEvents, Application[str]):
    """Events, snapshots and what is saved with them, in one database.

    url: `sqlite:///file`, `postgresql://…`. find_ruleset: gives the ruleset that folds a match.
    wrapping_key: wraps the secrets of matches; without it they are stored as they are.
    tell: called behind every append with the streams that have gone on and their versions.
    Raises `UnknownTag` if the log holds events that cannot be read, `UnfitDatabase`.
    """

    name = "kifu"
    env: ClassVar[dict[str, str]] = {}

    def __init__(
        self,
        url: str,
        find_ruleset: FindRuleset,
        *,
        wrapping_key: bytes | None = None,
        tell: Tell = lambda _: None,
    ) -> None:
        """Open the database of an installation."""
        self._url = url
        self._tell = tell
        self.ruleset_of = find_ruleset
        self.wrapping = Wrapping(wrapping_key)
        self.known_secrets = LRUCache(int(CACHED_MATCHES))
        super().__init__(
            {
                "IS_SNAPSHOTTING_ENABLED": "y",
                "AGGREGATE_CACHE_MAXSIZE": CACHED_MATCHES,
                "DEEPCOPY_FROM_AGGREGATE_CACHE": "n",
            }
        )
        unknown = unknown_tags([tag for (tag,) in self.rows("SELECT DISTINCT tag FROM events")])
        if unknown:
            raise UnknownTag(f"the log holds events that cannot be read: {', '.join(unknown)}")

    def construct_env(self, name: str, env: Mapping[str, str] | None = None) -> Environment:
        """Take only what the constructor gives: the process environment is for settings."""
        return Environment(name, dict(env or {}))

    def construct_factory(self, env: Environment) -> InfrastructureFactory[Any]:
        """Build recorders on our own tables."""
        return factory_of(self._url, env)

    def construct_event_store(self) -> EventStore[str]:
        """Save through the writer, so that callers at the same time share a transaction."""
        self._writer = Writer(self.recorder)
        return EventStore(self.mapper, self._writer)

    def construct_mapper(self) -> Mapper[str]:
        """Encode events as canonical JSON under owned tags."""
        return EventMapper()

    def construct_snapshot_store(self) -> EventStore[str]:
        """Keep snapshots of today's shape of the state."""
        recorder = self.factory.aggregate_recorder(purpose="snapshots")
        assert isinstance(recorder, SnapshotRecorder)
        recorder.tag = TAG
        return Snapshots(SnapshotMapper(), recorder)

    def match(self, match_id: str, *, version: int | None = None) -> Match:
        """Return the state of a match, at a version or as it is; raises `NotFound`."""
        try:
            found: Match = self.repository.get(match_id, version=version, projector_func=self._fold)
        except AggregateNotFoundError as fault:
            raise NotFound(f"no match {match_id}") from fault
        if version is None and self.repository.cache is not None:
            # The library forwards its cached state without keeping the result.
            self.repository.cache.put(match_id, found)
        return found

    def append(
        self,
        match_id: str,
        before: Match | None,
        events: Sequence[MatchEvent],
        *,
        secrets: Secrets | None = None,
        attached: Attached = NOTHING,
    ) -> Saved:
        """Seal and save events behind a state, all or none.

        before: None for a new match, whose secrets and further data come along. Raises `Conflict`
        if somebody else wrote first.
        """
        if secrets is not None:
            wrapped = WrappedSecrets(
                key_id=self.wrapping.key_id, body=self.wrapping.wrapped(secrets)
            )
            attached = replace(attached, wrapped_secrets=wrapped)
        chain = self._chain(match_id, before, events[0], secrets or self.secrets(match_id))
        recorded = _sealed_in(chain, match_id, events)
        self._put(recorded, attached)
        self._keep(chain)
        since = recorded[0].originator_version - 1
        return Saved(stream=match_id, since=since, version=chain.version)

    def append_together(
        self,
        parts: Sequence[PublicPart],
        *,
        before: Match,
        events: Sequence[MatchEvent],
        attached: Attached,
    ) -> None:
        """Seal and save events of a match, maybe none, and of other streams, all or none.

        What is attached belongs to the last of the parts. Raises `Conflict` if somebody else wrote
        to one of the streams first.
        """
        recorded: list[Recorded] = []
        chain = None
        if events:
            chain = self._chain(before.id, before, events[0], self.secrets(before.id))
            recorded += _sealed_in(chain, before.id, events)
        for part in parts:
            recorded += self._sealed_public(part)
        self._put(recorded, attached)
        if chain is not None:
            self._keep(chain)

    def answered(self, command_id: str) -> Answered | None:
        """Return what a command with this id did, or None if there was none."""
        rows = self.rows(
            "SELECT stream, since, version, body_digest FROM commands WHERE command_id = ?",
            command_id,
        )
        if not rows:
            return None
        ((stream, since, version, digest),) = rows
        saved = Saved(stream=stream, since=since, version=version)
        return Answered(saved=saved, body_digest=digest)

    def public_events(self, stream: str, *, after: int = 0) -> list[tuple[PublicEvent, str]]:
        """Return the events of a stream that everybody may see, each with its hash."""
        return [
            (public_event_of(stored), stored.hash)
            for stored in self.sealed_of(stream, after=after, to=EVENTS_MAX)
        ]

    def append_public(
        self,
        stream: str,
        events: Sequence[PublicEvent],
        *,
        version: int,
        head: str,
        attached: Attached = NOTHING,
    ) -> None:
        """Seal and save events behind number `version`, whose hash is `head`; raises `Conflict`."""
        part = PublicPart(stream=stream, events=events, version=version, head=head)
        self._put(self._sealed_public(part), attached)

    def _sealed_public(self, part: PublicPart) -> list[Recorded]:
        recorded, head = [], part.head
        for seq, event in enumerate(part.events, start=part.version + 1):
            sealed = seal_public(part.stream, seq, head, event, origin=self.installation())
            recorded.append(Recorded(part.stream, seq, sealed))
            head = sealed.hash
        return recorded

    def _put(self, recorded: Sequence[Recorded], attached: Attached) -> None:
        """Save sealed events, all or none; raises `Conflict`."""
        last = recorded[-1]
        try:
            self.events.put(recorded, attached=attached)
        except IntegrityError as fault:
            if not self._is_there(last):
                stream = last.originator_id
                present = self.version_of(stream)
                raise Conflict(f"{stream} has gone on", version=present) from fault
        self._tell({one.originator_id: one.originator_version for one in recorded})

    def _keep(self, chain: Chain) -> None:
        """Keep the state behind what was saved."""
        if self.repository.cache is not None and chain.match is not None:
            self.repository.cache.put(chain.match.id, chain.match)

    def _chain(
        self, match_id: str, before: Match | None, first: MatchEvent, secrets: Secrets
    ) -> Chain:
        opened = first if before is None else before.opened
        assert isinstance(opened, MatchOpened), f"{match_id} does not begin with match_opened"
        return Chain(
            match_id,
            before,
            self.ruleset_of(opened),
            origin=self.installation(),
            salt_key=secrets.salt_key,
        )

    def _is_there(self, last: Recorded) -> bool:
        """Tell whether events were saved although saving them failed: the hash of the last tells.

        A connection that is lost after the commit makes the recorder of PostgreSQL save its own
        events again.
        """
        stored = self.sealed_of(
            last.originator_id, after=last.originator_version - 1, to=last.originator_version
        )
        return any(sealed.hash == last.sealed.hash for sealed in stored)

    def version_of(self, stream: str) -> int:
        """Return the number of events in a stream."""
        ((version,),) = self.rows("SELECT MAX(version) FROM events WHERE stream = ?", stream)
        return version or 0

    def time_of(self, stream: str, version: int) -> str:
        """Return the time of an event that is there."""
        return self._sealed_at(stream, version).header.time

    def hash_of(self, stream: str, version: int) -> str:
        """Return the hash of an event that is there."""
        return self._sealed_at(stream, version).hash

    def _sealed_at(self, stream: str, version: int) -> Sealed:
        (sealed,) = self.sealed_of(stream, after=version - 1, to=version)
        return sealed

    def events_of(self, stream: str, *, after: int, to: int) -> Iterator[MatchEvent]:
        """Yield the events of a stream with `after` < version ≤ `to`."""
        for sealed in self.sealed_of(stream, after=after, to=to):
            yield match_event_of(sealed)

    def sealed_of(self, stream: str, *, after: int, to: int) -> Iterator[Sealed]:
        """Yield the sealed events of a stream with `after` < version ≤ `to`."""
        for row in self.recorder.select_events(stream, gt=after, lte=to):
            yield decoded(row.state)

    def page(self, after: int, limit: int = PAGE_SIZE) -> list[Logged]:
        """Return a page of the log, from behind a position."""
        rows = self.rows(
            "SELECT position, stream, version, tag, body FROM events "
            "WHERE position > ? ORDER BY position LIMIT ?",
            *(after, limit),
        )
        return [
            Logged(place=place, stream=stream, version=version, tag=tag, body=body)
            for place, stream, version, tag, body in rows
        ]

    def logged_of(self, stream: str, after: int, limit: int = PAGE_SIZE) -> list[Logged]:
        """Return the events of a stream behind a version, at their places in the log."""
        rows = self.rows(
            "SELECT position, version, tag, body FROM events "
            "WHERE stream = ? AND version > ? ORDER BY version LIMIT ?",
            *(stream, after, limit),
        )
        return [
            Logged(place=place, stream=stream, version=version, tag=tag, body=body)
            for place, version, tag, body in rows
        ]

    def last_position(self) -> int:
        """Return the log position of the last event, 0 in an empty log."""
        return self.recorder.max_notification_id() or 0

    def take_snapshots(self, stream: str) -> None:
        """Save the snapshots of a match that are due: every 100 events, and the end when closed."""
        assert self.snapshots is not None
        match = self.match(stream)
        due = {*range(EVERY, match.version + 1, EVERY)} | (
            {match.version} if match.closed is not None else set()
        )
        taken = {
            version
            for (version,) in self.rows(
                "SELECT version FROM snapshots WHERE stream = ? AND tag = ?", stream, TAG
            )
        }
        for version in sorted(due - taken):
            state = self.match(stream, version=version)
            self.snapshots.put([Snapshot(stream, version, state)])

    def rows(self, statement: str, *parameters: Any) -> list[tuple[Any, ...]]:
        """Return the rows of a query."""
        assert isinstance(self.recorder, EventRows)
        return self.recorder.rows(statement, *parameters)

    def close(self) -> None:
        """Save what is still waiting, then close the database."""
        self._writer.close()
        super().close()

    def _fold(self, match: Match | None, events: Iterable[Any]) -> Match | None:
        for recorded in events:
            if isinstance(recorded, Snapshot):
                match = recorded.match
                continue
            event = match_event_of(recorded.sealed)
            opened = event if match is None else match.opened
            assert isinstance(opened, MatchOpened), "a match begins with match_opened"
            ruleset = self.ruleset_of(opened)
            state = evolve(match, event, ruleset, match_id=recorded.originator_id)
            match = with_head(state, recorded.sealed.hash)
        return match


def _sealed_in(chain: Chain, match_id: str, events: Sequence[MatchEvent]) -> list[Recorded]:
    """Seal events of a match one after the other."""
    return [Recorded(match_id, sealed.header.seq, sealed) for sealed in map(chain.add, events)]
