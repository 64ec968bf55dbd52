"""Explanations: an event of a match and why it came so, as a viewer may see it (rulings.md 3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypedDict

from projections.replay import EventBody, MatchHistory, Replay
from service.aggregates.events import MatchEvent
from service.aggregates.matches import Match
from service.aggregates.world import NotFound
from service.engine.explaining import (
    Alternative,
    Explainer,
    Line,
    rules_cited,
    scene_of_fact,
    scene_of_view,
)
from service.engine.patches import applied
from service.engine.values import JUDGE, Fact, View
from service.integrity.chain import Sealed

ACTION = "action_played"


class FactExplained(TypedDict):
    """A fact in words. rules: those it cites; computation: how its number came, if it shows one."""

    text: str
    quiet: bool
    rules: list[str]
    computation: list[Line] | None


class Place(TypedDict):
    """An index of a match with the view there."""

    index: int
    position: View


class Explanation(TypedDict):
    """Why an event came so. facts: one for each of the event's, in order.

    cited: the rules of all facts. alternatives: what its actor could have done, for himself and the
    judge; null for everybody else, who may not know how much it was.
    """

    event: EventBody
    before: Place
    after: Place
    facts: list[FactExplained]
    cited: list[str]
    alternatives: list[Alternative] | None


class Remembering:
    """A log that loads each state of a match once; a state is folded from many events."""

    def __init__(self, log: MatchHistory) -> None:
        """Remember nothing yet."""
        self._log = log
        self._states: dict[tuple[str, int | None], Match] = {}

    def match(self, match_id: str, *, version: int | None = None) -> Match:
        """Return the state of a match at a version; raises `NotFound`."""
        key = (match_id, version)
        if key not in self._states:
            self._states[key] = self._log.match(match_id, version=version)
        return self._states[key]

    def events_of(self, stream: str, *, after: int, to: int) -> Iterator[MatchEvent]:
        """Yield the events with `after` < version ≤ `to`."""
        return self._log.events_of(stream, after=after, to=to)

    def sealed_of(self, stream: str, *, after: int, to: int) -> Iterator[Sealed]:
        """Yield the same events as they were sealed."""
        return self._log.sealed_of(stream, after=after, to=to)

    def text(self, digest: str) -> str | None:
        """Return a free text, or None if it was erased."""
        return self._log.text(digest)


def explanation(replay: Replay, seq: int) -> Explanation:
    """Return why an event came so, for the viewer and in the language of a replay.

    Raises `NotFound`.
    """
    if not 1 <= seq <= replay.match.version:
        raise NotFound(f"the match has the events 1 to {replay.match.version}")
    replay = replace(replay, log=Remembering(replay.log))
    (frame,) = replay.window(seq - 1, seq)["frames"]
    event = frame["event"]
    views = [replay.position(seq - 1)]
    for operations in frame["patches"]:
        views.append(applied(views[-1], operations))
    seen = [fact["fact"] for fact in event["facts"]]
    return {
        "event": event,
        "before": {"index": seq - 1, "position": views[0]},
        "after": {"index": seq, "position": views[-1] if seen else replay.position(seq)},
        "facts": _facts(replay, seen, views),
        "cited": list(dict.fromkeys(rules_cited(list(seen)))),
        "alternatives": _alternatives(replay, event, views[0]),
    }


def _facts(
    replay: Replay, seen: Sequence[Fact | None], views: Sequence[View]
) -> list[FactExplained]:
    """Word facts, with the computations of those that show one."""
    found: list[FactExplained] = []
    for number, fact in enumerate(seen):
        if fact is None:
            found.append({"text": "", "quiet": True, "rules": [], "computation": None})
            continue
        scene = scene_of_fact(replay.ruleset, replay.names, fact, views, number)
        found.append(
            {
                "text": replay.words.fact(fact, scene, replay.language),
                "quiet": replay.words.is_quiet(fact),
                "rules": list(dict.fromkeys(rules_cited(fact))),
                "computation": _explainer(replay).computation(fact, scene),
            }
        )
    return found


def _alternatives(replay: Replay, event: EventBody, before: View) -> list[Alternative] | None:
    actor = event["actor"]
    if event["type"] != ACTION or actor not in replay.match.opened.seats:
        return None
    if replay.viewer not in (actor, JUDGE):
        return None
    state = replay.log.match(replay.match.id, version=event["seq"] - 1)
    listed = replay.ruleset.legal_actions(state.position).get(actor, [])
    scene = scene_of_view(replay.ruleset, replay.names, before)
    return _explainer(replay).alternatives(actor, listed, scene)


def _explainer(replay: Replay) -> Explainer:
    return Explainer(words=replay.words, language=replay.language)
