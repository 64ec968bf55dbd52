"""Playing an action: decide, fold the facts, record; then what `system` must do by itself."""

from __future__ import annotations

from collections.abc import Sequence

from service.engine.contract import Record, Rejection, Ruleset, Setup, Step
from service.engine.draws import Draws
from service.engine.values import SYSTEM, Action, Actor, Draw, Fact, Position

AUTOMATIC_MAX = 2_000


def perform(
    ruleset: Ruleset, position: Position, actor: Actor, action: Action, draws: Draws
) -> Record | Rejection:
    """Decide an action and return its record. The action is one that `written` left."""
    decided = ruleset.decide(position, actor, action, draws)
    if isinstance(decided, Rejection):
        return decided
    return recorded(ruleset, position, actor, action, draws.made, decided)


def recorded(
    ruleset: Ruleset,
    position: Position,
    actor: Actor,
    action: Action,
    draws: Sequence[Draw],
    facts: Sequence[Fact],
) -> Record:
    """Fold facts over a position and return the record."""
    steps: list[Step] = []
    before = position
    for fact in facts:
        after = ruleset.evolve(before, fact)
        steps.append(Step(before=before, fact=fact, after=after))
        before = after
    return Record(
        actor=actor,
        action=action,
        draws=tuple(draws),
        steps=tuple(steps),
        before=position,
        after=before,
    )


def written(ruleset: Ruleset, action: Action) -> Action:
    """Return an action as it is decided and stored: cleaned, its decks spelled out."""
    return ruleset.spell_out(ruleset.clean(action))


def follow_up(ruleset: Ruleset, position: Position, setup: Setup, draws: Draws) -> Record | None:
    """Perform the action that `system` must do now, or return None; a refusal would be a bug."""
    action = ruleset.automatic(position, setup)
    if action is None:
        return None
    record = perform(ruleset, position, SYSTEM, written(ruleset, action), draws)
    assert isinstance(record, Record), f"{ruleset.game}: automatic action refused: {record}"
    return record
