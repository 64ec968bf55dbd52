"""Asking the engine: what would come of actions in a position that somebody has set up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from service.engine.contract import Fault, PositionFault, Record, Rejection, Ruleset
from service.engine.corrections import FACTS_MAX, FAULT_LENGTH_MAX, is_plain, size_fault
from service.engine.draws import DrawFault, Draws, KeyedSource, ScriptedSource
from service.engine.hashes import tagged_hash
from service.engine.play import AUTOMATIC_MAX, follow_up, perform, written
from service.engine.values import Actor, Entry, Json, Position

ACTIONS_MAX = 200


@dataclass(slots=True, kw_only=True)
class Adjudication:
    """What the rules say. refused: the rejection that ended it. position: the last one reached.

    legal: what every actor could do there; None unless it was asked for.
    """

    position: Position
    records: list[Record] = field(default_factory=list)
    refused: Rejection | None = None
    legal: Mapping[Actor, Sequence[Entry]] | None = None


class _Entries(ScriptedSource):
    """Entries of `rng` that know how many were taken. at: of the entry that is asked for."""

    def __init__(self, rng: Sequence[Json]) -> None:
        super().__init__(rng)
        self._count = len(rng)
        self.at = 0

    def ordered(self, name: str, items: Sequence[Json]) -> list[Json]:
        self.at = self._count - len(self._left)
        return super().ordered(name, items)

    def rolled(self, sides: int) -> int:
        self.at = self._count - len(self._left)
        return super().rolled(sides)

    def finish(self) -> None:
        self.at = self._count - len(self._left)
        super().finish()


def set_up(ruleset: Ruleset, shorthand: Json) -> Position | Fault:
    """Return the full position of any JSON value, or what is wrong with it and where."""
    try:
        position = ruleset.normalise(shorthand)
    except PositionFault as fault:
        place = "" if fault.place == "position" else fault.place
        return Fault(place=f"position.{place}".rstrip("."), text=fault.text)
    text = size_fault(ruleset, position)
    return position if text is None else Fault(place="position", text=text)


def dealt(ruleset: Ruleset, number: int, options: Mapping[str, Json]) -> Position:
    """Return the position in which somebody first decides in a match with decks of the pool.

    Decks and draws follow from the number. Raises ValueError for options that the game lacks.
    """
    key = tagged_hash("kifu-dealt-position-v1", ruleset.game.encode(), str(number).encode())
    source = KeyedSource(key, {})
    setup, position = ruleset.deal(Draws(source), options), ruleset.new_position()
    for _ in range(AUTOMATIC_MAX):
        record = follow_up(ruleset, position, setup, Draws(source))
        if record is None:
            return position
        position = record.after
    raise AssertionError(f"{ruleset.game}: nobody decides after {AUTOMATIC_MAX} steps")


def adjudicated(
    ruleset: Ruleset,
    position: Position,
    actions: Sequence[Mapping[str, Json]],
    rng: Sequence[Json],
    *,
    with_legal: bool = False,
) -> Adjudication | Fault:
    """Decide actions one after the other until one is refused; return what is wrong with the input.

    actions: any objects; each needs an `actor`. rng: any values, as in an example (FORMAT 4).
    Nothing follows by itself: what `system` does is asked for like any other action.
    """
    if len(actions) > ACTIONS_MAX:
        return Fault(place="actions", text=f"at most {ACTIONS_MAX} actions")
    found, source = Adjudication(position=position), _Entries(rng)
    for at, entry in enumerate(actions):
        fault = _decide_next(ruleset, found, entry, source, f"actions.{at}")
        if fault is not None:
            return fault
        if found.refused is not None:
            break
    else:
        fault = _left_over(source)
        if fault is not None:
            return fault
    if with_legal:
        is_sound = ruleset.position_fault(found.position) is None
        found.legal = ruleset.legal_actions(found.position) if is_sound else {}
    return found


def _decide_next(
    ruleset: Ruleset,
    found: Adjudication,
    entry: Mapping[str, Json],
    source: _Entries,
    place: str,
) -> Fault | None:
    actor = entry.get("actor")
    if not isinstance(actor, str):
        return Fault(place=f"{place}.actor", text="the name of an actor is expected")
    action = written(ruleset, {key: part for key, part in entry.items() if key != "actor"})
    try:
        outcome = perform(ruleset, found.position, actor, action, Draws(source))
    except DrawFault as fault:
        return Fault(place=f"rng.{source.at}", text=str(fault)[:FAULT_LENGTH_MAX])
    if isinstance(outcome, Rejection):
        found.refused = outcome
        return None
    found.records.append(outcome)
    found.position = outcome.after
    text = _outcome_fault(ruleset, found)
    return None if text is None else Fault(place=place, text=f"the position after it {text}")


def _outcome_fault(ruleset: Ruleset, found: Adjudication) -> str | None:
    if not is_plain(found.position):
        return "holds a number that is too large"
    if sum(len(record.steps) for record in found.records) > FACTS_MAX:
        return f"comes about by more than {FACTS_MAX} facts"
    return size_fault(ruleset, found.position)


def _left_over(source: _Entries) -> Fault | None:
    try:
        source.finish()
    except DrawFault as fault:
        return Fault(place=f"rng.{source.at}", text=str(fault)[:FAULT_LENGTH_MAX])
    return None
