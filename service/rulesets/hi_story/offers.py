"""The head of the queue: an effect begins, is offered, or is passed over (10, HS-923, HS-413)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from service.engine.values import Json
from service.rulesets.hi_story.operations import Operation
from service.rulesets.hi_story.step import Step
from service.rulesets.hi_story.table import definition
from service.rulesets.hi_story.triggers import Trigger, is_due, is_in_place, use_of


def take_from_queue(step: Step, head: Trigger) -> None:
    """Begin, offer or pass over the effect at the head of the queue."""
    if "do" in head:
        _begin(step, head, head["do"])
        return
    card = head["card"]
    effect = definition(step.pool, step.position, card)["effects"][head["effect"]]
    if not is_in_place(step.scene, effect, card):
        _pass_over(step, head, "source_gone")
    elif not is_due(step.scene, head, effect):
        _pass_over(step, head, "condition")
    elif effect["optional"] or _is_hidden(head):
        _offer(step, head)
    else:
        _begin(step, head, effect["do"], use_of(effect, head["player"], card, head["effect"]))


def answer_offer(step: Step, pending: Mapping[str, Json], *, accept: bool) -> None:
    """Begin an effect that was offered, or leave it unused."""
    if not accept:
        step.emit(
            "effect_declined",
            [_rule(pending)],
            **_named(pending),
            offered=True,
            **_hidden_keys(pending),
        )
        return
    player, card, index = pending["player"], pending["card"], pending["effect"]
    effect = definition(step.pool, step.position, card)["effects"][index]
    _begin(step, pending, effect["do"], {"offered": True, **use_of(effect, player, card, index)})


def _begin(
    step: Step,
    head: Mapping[str, Json],
    ops: Sequence[Operation],
    extra: Mapping[str, Json] | None = None,
) -> None:
    """Begin a triggered effect; `extra` holds `use`, and `offered` if it was offered."""
    rules = ["HS-923", "HS-413"] if _is_hidden(head) else ["HS-923"]
    step.emit("effect_triggered", rules, **_named(head), ops=ops, **_reacts(head), **(extra or {}))


def _pass_over(step: Step, head: Trigger, reason: str) -> None:
    hidden = _hidden_keys(head)
    step.emit("effect_not_triggered", [_rule(head)], **_named(head), reason=reason, **hidden)


def _offer(step: Step, head: Trigger) -> None:
    """Ask the player before anything of the effect happens or is shown (HS-949)."""
    rules, named, hidden = [_rule(head)], _named(head), _hidden_keys(head)
    step.emit("effect_offered", rules, **named, **hidden)
    asked = {"kind": "confirm", **named, "offer": True, **_reacts(head), **hidden}
    step.emit("choice_requested", rules, **asked)


def _is_hidden(head: Mapping[str, Json]) -> bool:
    """Tell whether an effect works from the hand or face down, unseen by the opponent (HS-413)."""
    return "hand" in head or "down" in head


def _rule(head: Mapping[str, Json]) -> str:
    return "HS-413" if _is_hidden(head) else "HS-923"


def _named(head: Mapping[str, Json]) -> dict[str, Json]:
    return {key: head[key] for key in ("player", "card", "effect")}


def _reacts(head: Mapping[str, Json]) -> dict[str, Json]:
    return {"it": head["it"]} if "it" in head else {}


def _hidden_keys(head: Mapping[str, Json]) -> dict[str, Json]:
    return {key: head[key] for key in ("hand", "down") if key in head}
