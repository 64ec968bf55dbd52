"""Borrowed effects: whose effects can be copied, and what is carried out then (HS-414, HS-953)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from service.engine.values import Json
from service.rulesets.hi_story.cards import Definition, Effect
from service.rulesets.hi_story.operations import Operation

BORROWED = ("summoned", "once")
"""The effects that are borrowed unless an operation names others."""

NEVER_BORROWED = ("copy", "extra_turn")


def borrowed_effects(card: Definition, operation: Operation) -> list[Effect]:
    """Return the effects of a card that a `copy` operation can borrow."""
    marks = operation.get("marks", BORROWED)
    return [
        effect
        for effect in card["effects"]
        if effect["when"] in marks and not _holds_any(effect["do"], NEVER_BORROWED)
    ]


def _holds_any(value: Json, ops: Sequence[str]) -> bool:
    """Tell whether one of these operations stands in a value, at any depth."""
    if isinstance(value, dict):
        return value.get("op") in ops or any(_holds_any(part, ops) for part in value.values())
    return isinstance(value, list) and any(_holds_any(part, ops) for part in value)


def borrowed_operations(card: Definition, operation: Operation) -> list[Operation]:
    """Return what is carried out of the effects of a card; of several one is chosen."""
    effects = borrowed_effects(card, operation)
    if len(effects) == 1:
        return _conditional(effects[0])
    options = [
        {"label_ja": effect["name_ja"], "label_en": effect["name_en"], "do": _conditional(effect)}
        for effect in effects
    ]
    return [{"op": "choose_one", "options": options}]


def _conditional(effect: Mapping[str, Json]) -> list[Operation]:
    operations: list[Operation] = effect["do"]
    if "if" not in effect:
        return operations
    return [{"op": "if", "cond": effect["if"], "then": operations}]
