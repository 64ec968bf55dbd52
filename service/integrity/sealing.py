"""Sealing: from the events that a command decided to what is stored, and back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

import msgspec
from msgspec.structs import replace

from service.aggregates.editions import EditionEvent, EditionRegistered, EditionWithdrawn
from service.aggregates.events import (
    ActionPlayed,
    MatchClosed,
    MatchEvent,
    MatchOpened,
    SeatReadied,
    SecretsOpened,
    SeedOpened,
)
from service.aggregates.matches import Match, evolve, record_of, with_head
from service.engine.contract import Record, Ruleset
from service.engine.values import JUDGE, SPECTATOR, Json, Position, Viewer
from service.integrity.chain import (
    Header,
    Sealed,
    genesis,
    position_hash,
    salt_of,
    sealed,
    viewers_in_order,
)

Upcast: TypeAlias = Callable[[dict[str, Json]], dict[str, Json]]

Event: TypeAlias = MatchEvent | EditionEvent

EVENTS: Mapping[str, type[Event]] = {
    "match.match_opened.1": MatchOpened,
    "match.seat_readied.1": SeatReadied,
    "match.seed_opened.1": SeedOpened,
    "match.action_played.1": ActionPlayed,
    "match.match_closed.1": MatchClosed,
    "match.secrets_opened.1": SecretsOpened,
    "edition.edition_registered.1": EditionRegistered,
    "edition.edition_withdrawn.1": EditionWithdrawn,
}
TAGS = {event: tag for tag, event in EVENTS.items()}
UPCASTS: Mapping[str, tuple[str, Upcast]] = {}
"""Old tag → the next one, and what turns the old form into the next."""
UPCASTS_MAX = 100
PRIVATE = {"deck": None, "deck_salt": None}
"""What of `seat_readied` is for the seat and the judge alone, and what others get instead."""


class UnknownTag(LookupError):
    """The log holds events that this version of the service cannot read."""


class Chain:
    """Seals events one after the other, behind the last one of a match.

    origin: the installation; salt_key: of this match. `match`: the state after the last one.
    """

    def __init__(
        self, match_id: str, match: Match | None, ruleset: Ruleset, *, origin: str, salt_key: bytes
    ) -> None:
        """Go on behind `match`, or begin with its first event."""
        self.match = match
        self._match_id = match_id
        self._ruleset = ruleset
        self._salt_key = salt_key
        self._head = genesis(origin, match_id) if match is None else match.head

    def add(self, event: MatchEvent) -> Sealed:
        """Seal the next event."""
        before = self.match
        event = self._placed(event)
        after = evolve(before, event, self._ruleset, match_id=self._match_id)
        header = self._header(event, after)
        forms = forms_of(event, before, after, self._ruleset, header.viewers)
        salts = {one: salt_of(self._salt_key, header.seq, one) for one in header.viewers}
        made = sealed(header, forms, salts, self._head)
        self._head = made.hash
        self.match = with_head(after, made.hash)
        return made

    def _placed(self, event: MatchEvent) -> MatchEvent:
        """Return the event with what its place tells: a time that never goes back, the head."""
        if self.match is None:
            return event
        time = max(event.time, self.match.time)
        if isinstance(event, MatchClosed | SecretsOpened):
            return replace(event, time=time, events=self.match.version, head=self._head)
        return replace(event, time=time)

    def _header(self, event: MatchEvent, after: Match) -> Header:
        return Header(
            match=self._match_id,
            seq=after.version,
            type=TAGS[type(event)],
            actor=event.actor if isinstance(event, ActionPlayed) else None,
            time=event.time,
            edition=after.opened.edition,
            viewers=viewers_in_order(after.seats),
        )


def forms_of(
    event: MatchEvent,
    before: Match | None,
    after: Match,
    ruleset: Ruleset,
    viewers: Sequence[Viewer],
) -> dict[Viewer, dict[str, Json]]:
    """Return every viewer's form of an event, with the hash of the position as he sees it."""
    record = None
    if isinstance(event, ActionPlayed):
        assert before is not None
        record = record_of(before.position, event, ruleset)
    return {
        viewer: {
            **_content(event, record, ruleset, viewer),
            "position_hash": _seen_hash(ruleset, after.position, viewer),
        }
        for viewer in viewers
    }


def _content(
    event: MatchEvent, record: Record | None, ruleset: Ruleset, viewer: Viewer
) -> dict[str, Json]:
    if record is not None:
        form = ruleset.redact(record, viewer)
        return {"action": form["action"], "draws": form["draws"], "facts": form["facts"]}
    content: dict[str, Json] = msgspec.to_builtins(event)
    del content["time"]
    if isinstance(event, SeatReadied) and viewer not in (JUDGE, event.seat):
        return content | PRIVATE
    return content


def _seen_hash(ruleset: Ruleset, position: Position, viewer: Viewer) -> str:
    return position_hash(ruleset.view(position, viewer))


def seal_public(
    stream: str, version: int, head: str, event: EditionEvent, *, origin: str
) -> Sealed:
    """Seal an event that everybody may see, as number `version` of its stream, behind `head`."""
    content: dict[str, Json] = msgspec.to_builtins(event)
    header = Header(
        match=stream,
        seq=version,
        type=TAGS[type(event)],
        actor=None,
        time=content.pop("time"),
        edition="",
        viewers=[SPECTATOR],
    )
    previous = head or genesis(origin, stream)
    return sealed(header, {SPECTATOR: content}, {SPECTATOR: b""}, previous)


def event_of(stored: Sealed) -> Event:
    """Return the event that was sealed; raises `UnknownTag`, `msgspec.ValidationError`."""
    return event_from(stored.header, stored.form)


def match_event_of(stored: Sealed) -> MatchEvent:
    """Return the event of a match that was sealed; raises as `event_of`."""
    return match_event_from(stored.header, stored.form)


def match_event_from(header: Header, form: Mapping[str, Json]) -> MatchEvent:
    """Return an event of a match from its header and the judge's form; raises as `event_of`."""
    event = event_from(header, form)
    if isinstance(event, EditionEvent):
        raise UnknownTag(f"{header.type} is no event of a match")
    return event


def event_from(header: Header, form: Mapping[str, Json]) -> Event:
    """Return an event from its header and a complete form.

    Raises `UnknownTag`, `msgspec.ValidationError`.
    """
    tag, content = header.type, {key: form[key] for key in form if key != "position_hash"}
    for _ in range(UPCASTS_MAX):
        if tag in EVENTS:
            break
        if tag not in UPCASTS:
            raise UnknownTag(f"no event and no upcast for {tag}")
        tag, upcast = UPCASTS[tag]
        content = upcast(content)
    kind = EVENTS[tag]
    whole = {**content, "time": header.time}
    if kind is ActionPlayed:
        whole["actor"] = header.actor
    event: Event = msgspec.convert(whole, kind)
    return event


def unknown_tags(tags: Sequence[str]) -> list[str]:
    """Return the tags that cannot be read."""
    return sorted(set(tags) - set(EVENTS) - set(UPCASTS))
