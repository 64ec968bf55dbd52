"""The overview of a match: who acted when, what came, which turn and phase it was (replay.md 2).

All of it is told as runs, so that a match of thousands of events takes one small answer; a stretch
that is full stays as it is. The moment of a position, its round, turn, phase and step, is public in
every game.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal, TypeAlias

from msgspec import Struct

from projections.replay import Replay
from service.aggregates.matches import evolve
from service.engine.values import Json, Position, View, is_integer
from service.integrity.chain import Sealed, form_for
from service.integrity.sealing import match_event_of

STRETCH = 1000
"""So many events are told at once; a stretch begins at a multiple of it."""

MarkKind: TypeAlias = Literal["backup", "ruling", "result"]

MARKS: Mapping[str, MarkKind] = {
    "backed_up": "backup",
    "corrected": "ruling",
    "result_amended": "ruling",
    "match_reopened": "ruling",
    "match_closed": "result",
    "match_cancelled": "result",
}
"""Types of events that are marked, beside the turns that follow from the moments."""

TURN = ("round", "turn")
PHASE = ("phase", "step")


class Runs(Struct, frozen=True, kw_only=True):
    """A value for each of many events. runs: number of a value, how often it follows, and again."""

    values: list[Json]
    runs: list[int]


class Mark(Struct, frozen=True, kw_only=True):
    """An event to which one wants to jump. text: its sentence."""

    seq: int
    kind: MarkKind
    text: str


class Stretch(Struct, frozen=True, kw_only=True):
    """What happened from index `index` to index `to`, for one viewer in one language.

    actors: a seat, `system` or null. kinds: `{type, action}`, action: the type of what was played.
    turns: `{round, turn}` and phases: `{phase, step}` after each event, null where a game has none.
    """

    index: int
    to: int
    actors: Runs
    kinds: Runs
    turns: Runs
    phases: Runs
    marks: list[Mark]


class _Running:
    """Runs that grow by a value at a time."""

    def __init__(self) -> None:
        self._numbers: dict[object, int] = {}
        self._values: list[Json] = []
        self._runs: list[int] = []

    def add(self, value: Json) -> None:
        name = tuple(value.items()) if isinstance(value, dict) else value
        number = self._numbers.setdefault(name, len(self._numbers))
        if number == len(self._values):
            self._values.append(value)
        if self._runs and self._runs[-2] == number:
            self._runs[-1] += 1
        else:
            self._runs += [number, 1]

    def told(self) -> Runs:
        return Runs(values=self._values, runs=self._runs)


def stretches(start: int, to: int) -> Iterator[tuple[int, int]]:
    """Yield the bounds of the stretches that hold the events from index `start` to index `to`."""
    for index in range(start - start % STRETCH, to, STRETCH):
        yield index, min(index + STRETCH, to)


def stretch(replay: Replay, start: int, to: int) -> Stretch:
    """Return what happened from one index to another; every event is read once."""
    state = replay.log.match(replay.match.id, version=start) if start else None
    actors, kinds, turns, phases = (_Running() for _ in range(4))
    marks: list[Mark] = []
    for sealed in replay.log.sealed_of(replay.match.id, after=start, to=to):
        name = sealed.header.type.split(".")[1]
        state = evolve(state, match_event_of(sealed), replay.ruleset, match_id=replay.match.id)
        actors.add(sealed.header.actor)
        kinds.add({"type": name, "action": _action(sealed, replay)})
        turns.add(turn_of(state.position))
        phases.add(phase_of(state.position))
        if name in MARKS:
            text = replay.plain(sealed)["text"]
            marks.append(Mark(seq=sealed.header.seq, kind=MARKS[name], text=text))
    return Stretch(
        index=start,
        to=to,
        actors=actors.told(),
        kinds=kinds.told(),
        turns=turns.told(),
        phases=phases.told(),
        marks=marks,
    )


def _action(sealed: Sealed, replay: Replay) -> str | None:
    action = form_for(sealed, replay.viewer).get("action")
    return None if action is None else str(action["type"])


def turn_of(position: Position | View) -> dict[str, Json]:
    """Return the numbers of the round and the turn, null for what is no number there."""
    return {name: _number(position.get(name)) for name in TURN}


def phase_of(position: Position | View) -> dict[str, Json]:
    """Return the names of the phase and the step, null for what a game does not have."""
    return {name: position.get(name) for name in PHASE}


def _number(value: Json) -> int | None:
    return int(value) if is_integer(value) else None
