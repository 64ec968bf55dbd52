"""Facts that people give in place of the rules: folded with care, or refused with the place."""

from __future__ import annotations

import msgspec

from service.engine.contract import Fault, PositionFault, Record, Ruleset, Step, Vocabulary
from service.engine.play import recorded
from service.engine.values import (
    JUDGE,
    SPECTATOR,
    SYSTEM,
    Action,
    Fact,
    Json,
    Position,
    is_list_of_strings,
    same,
)

CORRECT: Action = {"type": "correct"}
FACTS_MAX = 5_000
PARTS_MAX = 1_000
"""More values than this in one fact are refused: a fold may look at each with every card."""

POSITION_BYTES_MAX = 256 * 2**10
INSTANCES_MAX = 1_000
DEPTH_MAX = 64
INTEGER_MAX = 2**53 - 1
KEY_LENGTH_MAX = 128
FAULT_LENGTH_MAX = 200

UNFIT = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""What a fold, a redaction or a view raises when a fact that no rule gave does not fit."""


def corrected(ruleset: Ruleset, position: Position, facts: Json) -> Record | Fault:
    """Return the record of facts on which people agreed or which a judge gave, or what is wrong.

    facts: any JSON value. The position after is sound, holds the cards of the position before, and
    each viewer has a form of the record. The text of a fault in the position may tell where a
    hidden card lies.
    """
    fault = vocabulary_fault(facts, ruleset.vocabulary)
    if fault is not None:
        return fault
    if not ruleset.cards_in(position):
        return Fault(place="position", text="the match has not begun")
    steps = _folded(ruleset, position, facts)
    if isinstance(steps, Fault):
        return steps
    after = steps[-1].after
    text = _position_fault(ruleset, position, after)
    if text is not None:
        return Fault(place="position", text=text)
    return Record(
        actor=SYSTEM, action=CORRECT, draws=(), steps=tuple(steps), before=position, after=after
    )


def vocabulary_fault(facts: Json, vocabulary: Vocabulary) -> Fault | None:
    """Return what is wrong with facts before any position is looked at, or None."""
    if not isinstance(facts, list) or not 1 <= len(facts) <= FACTS_MAX:
        return Fault(place="facts", text=f"a list of 1 to {FACTS_MAX} facts is expected")
    faults = (_fact_fault(fact, f"facts.{at}", vocabulary) for at, fact in enumerate(facts))
    return next((fault for fault in faults if fault is not None), None)


def _fact_fault(fact: Json, place: str, vocabulary: Vocabulary) -> Fault | None:
    if not isinstance(fact, dict):
        return Fault(place=place, text="an object is expected")
    name, cited = fact.get("fact"), fact.get("rules")
    if not isinstance(name, str) or name not in vocabulary.facts:
        return Fault(place=f"{place}.fact", text="a fact of this game is expected")
    if not is_list_of_strings(cited) or not cited:
        return Fault(place=f"{place}.rules", text="ids of rules are expected, at least one")
    unknown = [rule for rule in cited if rule not in vocabulary.rules]
    if unknown:
        return Fault(place=f"{place}.rules", text=f"{unknown[0][:20]!r} is no rule of this game")
    if not is_plain(fact, PARTS_MAX):
        return Fault(place=place, text=f"more than {PARTS_MAX} values, or one that is not stored")
    return None


def _folded(ruleset: Ruleset, position: Position, facts: list[Fact]) -> list[Step] | Fault:
    viewers = (*ruleset.seats(position), SPECTATOR, JUDGE)
    steps: list[Step] = []
    for number, fact in enumerate(facts):
        place = f"facts.{number}"
        try:
            record = recorded(ruleset, position, SYSTEM, CORRECT, (), [fact])
            for viewer in viewers:
                ruleset.redact(record, viewer)
            is_small = _is_small(record.after)
        except UNFIT as unfit:
            text = f"does not fit the position: {unfit!r}"
            return Fault(place=place, text=text[:FAULT_LENGTH_MAX])
        if not is_small:
            return Fault(place=place, text=f"the position exceeds {POSITION_BYTES_MAX} bytes")
        steps += record.steps
        position = record.after
    return steps


def _is_small(position: Position) -> bool:
    return len(msgspec.json.encode(position)) <= POSITION_BYTES_MAX


def _position_fault(ruleset: Ruleset, before: Position, after: Position) -> str | None:
    """Return why a position cannot be that after a correction, or None."""
    if not is_plain(after):
        return "holds a value that cannot be stored"
    try:
        return _soundness_fault(ruleset, before, after)
    except PositionFault as fault:
        return str(fault)[:FAULT_LENGTH_MAX]
    except UNFIT as unfit:
        return f"cannot be played on: {unfit!r}"[:FAULT_LENGTH_MAX]


def _soundness_fault(ruleset: Ruleset, before: Position, after: Position) -> str | None:
    if not same(ruleset.normalise(after), after):
        return "is not complete"
    rule = ruleset.position_fault(after)
    if rule is not None:
        return f"is against {rule}"
    if not same(dict(ruleset.cards_in(after)), dict(ruleset.cards_in(before))):
        return "does not hold the same cards as before"
    if (ruleset.legal_actions(after) == {}) != (ruleset.outcome(after) is not None):
        return "leaves nothing to do and no result, or both"
    return size_fault(ruleset, after)


def size_fault(ruleset: Ruleset, position: Position) -> str | None:
    """Return how a normalised position exceeds what is kept of hand-built ones, or None."""
    if not _is_small(position):
        return f"exceeds {POSITION_BYTES_MAX} bytes"
    if len(ruleset.cards_in(position)) > INSTANCES_MAX:
        return f"holds more than {INSTANCES_MAX} cards"
    return None


def is_plain(value: Json, parts_max: int | None = None) -> bool:
    """Tell whether a value can be stored: its depth, keys and integers, and how many parts it has.

    Folding may join texts to keys and add numbers up, so that more comes out than went in.
    """
    waiting: list[tuple[Json, int]] = [(value, 0)]
    count = 0
    while waiting:
        part, depth = waiting.pop()
        count += 1
        if parts_max is not None and count + len(waiting) > parts_max:
            return False
        if not isinstance(part, dict | list):
            if isinstance(part, int) and abs(part) > INTEGER_MAX:
                return False
            continue
        if depth >= DEPTH_MAX or (isinstance(part, dict) and not all(map(_is_key, part))):
            return False
        inner = part.values() if isinstance(part, dict) else part
        waiting += [(item, depth + 1) for item in inner]
    return True


def _is_key(key: Json) -> bool:
    return (
        isinstance(key, str)
        and 0 < len(key) <= KEY_LENGTH_MAX
        and key.isascii()
        and key.isprintable()
    )
