"""The overview of a match: who acted when, what came, which turn and phase it was (replay.md 2).

All of it is told as runs, so that a match of thousands of events takes one small answer; a stretch
that is full stays as it is. The moment of a position, its round, turn, phase and step, is public in
every game, and so is how many cards lie in the zone of a side that the display names as its total.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
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
    totals: seat → how many cards its zone holds after each event; none if the game names no zone.
    """

    index: int
    to: int
    actors: Runs
    kinds: Runs
    turns: Runs
    phases: Runs
    totals: dict[str, Runs]
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
    paths = total_paths(replay.words.display["board"], sorted(replay.match.seats))
    totals = {seat: _Running() for seat in paths}
    marks: list[Mark] = []
    for sealed in replay.log.sealed_of(replay.match.id, after=start, to=to):
        name = sealed.header.type.split(".")[1]
        state = evolve(state, match_event_of(sealed), replay.ruleset, match_id=replay.match.id)
        actors.add(sealed.header.actor)
        kinds.add({"type": name, "action": _action(sealed, replay)})
        turns.add(turn_of(state.position))
        phases.add(phase_of(state.position))
        for seat, path in paths.items():
            totals[seat].add(total_at(state.position, path))
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
        totals={seat: running.told() for seat, running in totals.items()},
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


def total_paths(board: Mapping[str, Json], seats: Sequence[str]) -> dict[str, str]:
    """Return seat → path of the zone that a board names as its total; nothing if it names none."""
    zones = {zone["zone"]: zone["path"] for zone in board["side"]}
    path = zones.get(board.get("total"))
    return {} if path is None else {seat: path.replace("{player}", seat) for seat in seats}


def total_at(position: Position | View, path: str) -> int | None:
    """Return how many cards lie at a path, those that are hidden too; None before there are any."""
    found: Json = position
    for key in path.split("."):
        found = found.get(key) if isinstance(found, dict) else None
    if isinstance(found, dict) and is_integer(found.get("hidden")):
        return int(found["hidden"]) + len(found.get("shown", []))
    return len(found) if isinstance(found, dict | list) else None


def _number(value: Json) -> int | None:
    return int(value) if is_integer(value) else None
