"""Replay: any position, any window of events, for any viewer, in words (replay.md 2 and 3).

Replaying folds stored facts and never decides. `index` i is the state after i events; event `seq`
leads from index seq-1 to index seq; `step` counts facts applied inside an event.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypedDict

from msgspec.structs import replace

from projections.wording import ERASED, EVENT_TEXTS
from service.aggregates.events import ActionPlayed, Corrected, MatchEvent
from service.aggregates.lines import line_of, parent_of
from service.aggregates.matches import Match, evolve, record_of
from service.aggregates.world import NotFound
from service.engine.contract import Record, Ruleset
from service.engine.explaining import scene_of_action, scene_of_fact
from service.engine.patches import Operation, patch
from service.engine.texts import Language, Words
from service.engine.values import JUDGE, Action, Actor, Draw, Fact, Json, View, Viewer
from service.integrity.chain import Sealed, form_for
from service.integrity.sealing import match_event_of

EVENTS_PER_WINDOW_MAX = 500
UNTOLD = ("position_hash", "position", "counts")
"""Parts of forms that say no more than the position does, which is asked for by its index."""


class MatchHistory(Protocol):
    """The log as a replay sees it."""

    def match(self, match_id: str, *, version: int | None = None) -> Match:
        """Return the state of a match at a version; raises `NotFound`."""
        ...

    def events_of(self, stream: str, *, after: int, to: int) -> Iterator[MatchEvent]:
        """Yield the events with `after` < version ≤ `to`."""
        ...

    def sealed_of(self, stream: str, *, after: int, to: int) -> Iterator[Sealed]:
        """Yield the same events as they were sealed."""
        ...

    def text(self, digest: str) -> str | None:
        """Return a free text, or None if it was erased."""
        ...


class FactBody(TypedDict):
    """A fact as a viewer sees it; `fact` is null where it is withheld as a whole."""

    fact: Fact | None
    text: str
    quiet: bool


class EventBody(TypedDict):
    """An event as a viewer sees it. content: of one that is no action, as it was sealed.

    hash: of the event in the chain, the same for every viewer.
    line: from 0, a backup begins another; parent: the index on which the event builds.
    """

    seq: int
    line: int
    parent: int
    hash: str
    type: str
    time: str
    actor: Actor | None
    action: Action | None
    draws: list[Draw | None]
    facts: list[FactBody]
    content: dict[str, Json] | None
    text: str


class Frame(TypedDict):
    """An event with the patches that lead from one fact to the next; of a backup there is one."""

    event: EventBody
    patches: list[list[Operation]]


class Window(TypedDict):
    """Frames from index `from` to index `to`, with the position at `from` in full."""

    index: int
    to: int
    position: View
    frames: list[Frame]


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """The replay of one match for one viewer in one language. names: seat → display name."""

    log: MatchHistory
    match: Match
    ruleset: Ruleset
    words: Words
    names: dict[str, str]
    viewer: Viewer
    language: Language

    def position(self, index: int, step: int = 0) -> View:
        """Return the view at an index, plus `step` facts of the next event; raises `NotFound`."""
        self._check(index)
        position = self._state(index).position if index else self.ruleset.new_position()
        if step:
            position = self._after_facts(index, step, position)
        return self.ruleset.view(position, self.viewer)

    def events(self, start: int, to: int) -> list[EventBody]:
        """Return the events with `start` < seq ≤ `to`."""
        return [frame["event"] for frame in self._frames(start, to, with_patches=False)]

    def window(self, start: int, to: int) -> Window:
        """Return the frames from index `start` to index `to`; raises `NotFound`."""
        return {
            "index": start,
            "to": to,
            "position": self.position(start),
            "frames": list(self._frames(start, to, with_patches=True)),
        }

    def _check(self, index: int) -> None:
        if not 0 <= index <= self.match.version:
            raise NotFound(f"the match has the indexes 0 to {self.match.version}")

    def _state(self, index: int) -> Match:
        if index == self.match.version:
            return self.match
        return self.log.match(self.match.id, version=index)

    def _after_facts(self, index: int, step: int, position: Json) -> Json:
        # The facts of an event beyond the state that is shown are not shown either.
        to = min(index + 1, self.match.version)
        event = next(self.log.events_of(self.match.id, after=index, to=to), None)
        facts = event.facts if isinstance(event, ActionPlayed | Corrected) else []
        if step > len(facts):
            raise NotFound(f"event {index + 1} has {len(facts)} facts")
        for fact in facts[:step]:
            position = self.ruleset.evolve(position, fact)
        return position

    def _frames(self, start: int, to: int, *, with_patches: bool) -> Iterator[Frame]:
        self._check(start)
        self._check(to)
        if to - start > EVENTS_PER_WINDOW_MAX:
            raise NotFound(f"a window holds at most {EVENTS_PER_WINDOW_MAX} events")
        state = self._state(start) if start else None
        for sealed in self.log.sealed_of(self.match.id, after=start, to=to):
            event = match_event_of(sealed)
            record = record_of(state, event, self.ruleset)
            if record is None:
                before, state = state, evolve(state, event, self.ruleset, match_id=self.match.id)
                yield {"event": self.plain(sealed), "patches": self._restored(before, state)}
            else:
                assert state is not None, "the first event of a match has no facts"
                yield self._frame(record, sealed, with_patches=with_patches)
                state = _advanced(state, record)

    def _frame(self, record: Record, sealed: Sealed, *, with_patches: bool) -> Frame:
        """Return the frame of an event with facts: what is shown is the form that was sealed."""
        form = form_for(sealed, self.viewer)
        views = self._views(record)
        action = form.get("action")
        facts = [self._fact(fact, views, number) for number, fact in enumerate(form["facts"])]
        body = self.plain(sealed)
        body |= {"action": action, "draws": form.get("draws", []), "facts": facts}
        if action is not None:
            body["text"] = self._action(record.actor, action, views)
        patches = [
            patch(views[number], views[number + 1]) if with_patches else []
            for number in range(len(facts))
        ]
        return {"event": body, "patches": patches}

    def _restored(self, before: Match | None, after: Match) -> list[list[Operation]]:
        """Return the patch of an event without facts that changes the position: of a backup."""
        if before is None or before.position is after.position:
            return []
        views = [self.ruleset.view(state.position, self.viewer) for state in (before, after)]
        return [patch(*views)]

    def _views(self, record: Record) -> list[View]:
        positions = [record.before, *(step.after for step in record.steps)]
        return [self.ruleset.view(position, self.viewer) for position in positions]

    def _action(self, actor: Actor, action: Action, views: Sequence[View]) -> str:
        is_as_sent = self.viewer in (actor, JUDGE)
        scene = scene_of_action(self.ruleset, self.names, action, views, is_as_sent=is_as_sent)
        return self.words.action(actor, action, scene, self.language)

    def _fact(self, fact: Fact | None, views: Sequence[View], number: int) -> FactBody:
        if fact is None:
            return {"fact": None, "text": "", "quiet": True}
        scene = scene_of_fact(self.ruleset, self.names, fact, views, number)
        return {
            "fact": fact,
            "text": self.words.fact(fact, scene, self.language),
            "quiet": self.words.is_quiet(fact),
        }

    def plain(self, sealed: Sealed) -> EventBody:
        """Return an event without the facts of a record."""
        header, form = sealed.header, form_for(sealed, self.viewer)
        name = header.type.split(".")[1]
        content = None if "action" in form else self._content(form)
        text = EVENT_TEXTS[name][self.language] if name in EVENT_TEXTS else ""
        fields = content or {}
        seat = str(fields.get("seat"))
        reason = fields.get("reason") or ERASED[self.language]
        return {
            "seq": header.seq,
            "line": line_of(self.match.lines, header.seq),
            "parent": parent_of(self.match.lines, header.seq),
            "hash": sealed.hash,
            "type": name,
            "time": header.time,
            "actor": header.actor,
            "action": None,
            "draws": [],
            "facts": [],
            "content": content,
            "text": text.format(
                seat=self.names.get(seat, seat), reason=reason, to=fields.get("to")
            ),
        }

    def _content(self, form: Mapping[str, Json]) -> dict[str, Json]:
        """Return what a viewer's form holds, with the text of a reason in place of its digest."""
        content = {name: form[name] for name in form if name not in UNTOLD}
        if isinstance(content.get("reason"), str):
            content["reason"] = self.log.text(content["reason"])
        return content


def _advanced(state: Match, record: Record) -> Match:
    """Return the state after an event whose record is at hand, without folding it again."""
    return replace(state, version=state.version + 1, position=record.after)
