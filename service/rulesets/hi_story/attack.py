"""Attacks: declaring one, and the four answers of the defender (7.8-7.11, HS-601 to HS-610)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from service.engine.values import Action, Actor, Json
from service.rulesets.hi_story.battle import defender_of, end_attack, fight
from service.rulesets.hi_story.effects import resting
from service.rulesets.hi_story.incidents import answer_fault, play_incident
from service.rulesets.hi_story.standing import Scene
from service.rulesets.hi_story.step import Step
from service.rulesets.hi_story.table import definition, fields_of, other, stack
from service.rulesets.hi_story.terms import forbids, has_duty, limits
from service.rulesets.hi_story.triggers import of_card, queue, watching

FIRST_TURNS = 2
"""The first turn of each player, in which neither sets nor attacks (HS-939)."""


def declare_attack_fault(scene: Scene, actor: Actor, action: Action) -> str | None:
    """Return the rule that keeps a player from an attack, or None.

    action: `field`, `target`: exactly `{deck: true}` or `{field: n}`. The sword may be printed or
    granted (HS-704); a card of this very turn may attack (HS-222).
    Rejections: HS-210 first turns, HS-601 phase, HS-602 and HS-509 the attacking stack, HS-603 the
    target, HS-929 a ban, HS-645 a limit.
    """
    if scene.position["turn"] <= FIRST_TURNS:
        return "HS-210"
    if scene.position["phase"] != "attack":
        return "HS-601"
    attacking = stack(scene.position, actor, action.get("field"))
    if attacking is None:
        return "HS-602"
    if attacking["set"]:
        return "HS-509"
    card = attacking["cards"][-1]
    if attacking["rest"] or not scene.has(card, "sword"):
        return "HS-602"
    target: Json = action.get("target")
    if not _is_target(scene, actor, target):
        return "HS-603"
    return _kept_from_attacking(scene, actor, card, "deck" in target)


def _is_target(scene: Scene, actor: Actor, target: Json) -> bool:
    if not isinstance(target, dict) or len(target) != 1:
        return False
    if "deck" in target:
        return target["deck"] is True
    attacked = stack(scene.position, other(actor), target.get("field"))
    return attacked is not None and bool(attacked["rest"])


def _kept_from_attacking(scene: Scene, actor: Actor, card: str, is_on_deck: bool) -> str | None:
    actions = ("attack", "attack_deck") if is_on_deck else ("attack",)
    if any(forbids(scene, actor, action, card) for action in actions):
        return "HS-929"
    return "HS-645" if limits(scene, actor, actions, card) else None


def can_attack(scene: Scene, actor: Actor) -> bool:
    """Tell whether any attack of a player would be accepted."""
    return attacks_open_to(scene, actor) != []


def attacks_open_to(scene: Scene, actor: Actor) -> list[Action]:
    """Return every attack that a player can declare, fields ascending, the deck first."""
    attacked = [{"field": field} for field, _ in fields_of(scene.position, other(actor))]
    declared: list[Action] = [
        {"type": "declare_attack", "field": field, "target": target}
        for field, _ in fields_of(scene.position, actor)
        for target in [{"deck": True}, *attacked]
    ]
    return [action for action in declared if declare_attack_fault(scene, actor, action) is None]


def declare_attack(step: Step, actor: Actor, action: Action) -> None:
    """Declare an attack and rest the attacking stack (HS-601 to HS-603, HS-938)."""
    field, target = action["field"], action["target"]
    card = _top(step.scene, actor, field)
    if "field" in target:
        target = {"field": target["field"], "card": _top(step.scene, other(actor), target["field"])}
    step.emit(
        "attack_declared",
        ["HS-601", "HS-602", "HS-603"],
        player=actor,
        field=field,
        card=card,
        target=target,
    )
    step.emit("stack_rested", ["HS-602"], player=actor, field=field, card=card, reason="attack")
    scene = step.scene
    queue(
        step,
        [
            *of_card(scene, "attacks", card),
            *resting(scene, card),
            *watching(scene, "attack", card),
        ],
    )


def _top(scene: Scene, player: str, field: int) -> str:
    lying = stack(scene.position, player, field)
    assert lying is not None, "the field was tested"
    return str(lying["cards"][-1])


def answer_to_attack_fault(scene: Scene, actor: Actor, action: Action) -> str | None:
    """Return the rule that refuses an answer to the attack that waits for one, or None.

    Rejections: HS-604 not the defender, HS-644 a duty to block, then those of the answer.
    """
    if actor != defender_of(scene.position):
        return "HS-604"
    kind = action["type"]
    if kind != "block" and has_duty(scene, actor, "block") and blocks_open_to(scene, actor):
        return "HS-644"
    return _FAULTS[kind](scene, actor, action)


def blocks_open_to(scene: Scene, actor: Actor) -> list[Action]:
    """Return every block that the defender can choose, fields ascending."""
    blocks: list[Action] = [
        {"type": "block", "field": field} for field, _ in fields_of(scene.position, actor)
    ]
    return [action for action in blocks if _block_fault(scene, actor, action) is None]


def _block_fault(scene: Scene, actor: Actor, action: Action) -> str | None:
    """Return the rule that keeps a stack from blocking; its top needs a shield (HS-705)."""
    blocking = stack(scene.position, actor, action.get("field"))
    if blocking is None or blocking["rest"] or blocking["set"]:
        return "HS-605"
    card = blocking["cards"][-1]
    if not scene.has(card, "shield"):
        return "HS-605"
    if scene.has(scene.position["attack"]["card"], "unblockable"):
        return "HS-643"
    return "HS-929" if forbids(scene, actor, "block", card) else None


def _substitute_fault(scene: Scene, actor: Actor, action: Action) -> str | None:
    if isinstance(action.get("card"), list):
        return "HS-608"
    card = scene.of_hand(actor, action.get("card"))
    if card is None or definition(scene.pool, scene.position, card)["substitute"] is None:
        return "HS-607"
    return "HS-929" if forbids(scene, actor, "substitute", card) else None


def _take_fault(scene: Scene, actor: Actor, action: Action) -> str | None:
    return None


_FAULTS: Mapping[str, Callable[[Scene, Actor, Action], str | None]] = {
    "block": _block_fault,
    "substitute": _substitute_fault,
    "take": _take_fault,
    "play": answer_fault,
}
ANSWERS = frozenset(_FAULTS)


def answer_attack(step: Step, actor: Actor, action: Action) -> None:
    """Carry out the answer of the defender (HS-604)."""
    _ANSWER[action["type"]](step, actor, action)


def _block(step: Step, actor: Actor, action: Action) -> None:
    """Block with an active stack, which comes to rest (HS-605, HS-642)."""
    field = action["field"]
    blocking = {"player": actor, "field": field, "card": _top(step.scene, actor, field)}
    step.emit("defense_chosen", ["HS-604", "HS-605", "HS-642"], **blocking, kind="block")
    step.emit("stack_rested", ["HS-605"], **blocking, reason="block")
    scene, card = step.scene, blocking["card"]
    queue(
        step,
        [*of_card(scene, "blocks", card), *resting(scene, card), *watching(scene, "block", card)],
    )


def _substitute(step: Step, actor: Actor, action: Action) -> None:
    """Send a card whose ability lowers the attacker's power by its value (HS-607, HS-908)."""
    card = action["card"]
    value = definition(step.pool, step.position, card)["substitute"]
    rules = ["HS-604", "HS-607", "HS-608"]
    step.emit("defense_chosen", rules, player=actor, kind="substitute", card=card, value=value)
    moved = {"from": "hand", "to": "graveyard", "reveal": True}
    step.emit("cards_moved", ["HS-607", "HS-710"], player=actor, cards=[card], **moved)


def _take(step: Step, actor: Actor, action: Action) -> None:
    """Take the attack (HS-610)."""
    step.emit("defense_chosen", ["HS-604", "HS-610"], player=actor, kind="take")


def _play(step: Step, actor: Actor, action: Action) -> None:
    """Answer with an incident; the attack goes on unblocked (HS-411)."""
    card = action["card"]
    step.emit("defense_chosen", ["HS-604", "HS-411"], player=actor, kind="incident", card=card)
    play_incident(step, actor, card, "HS-411")


_ANSWER: Mapping[str, Callable[[Step, Actor, Action], None]] = {
    "block": _block,
    "substitute": _substitute,
    "take": _take,
    "play": _play,
}


def go_on(step: Step) -> bool:
    """Carry an attack on by one step; return False where it waits for the defender (10)."""
    stage = step.position["attack"]["step"]
    if stage == "declared":
        step.emit("defense_requested", ["HS-604"], player=defender_of(step.position))
    elif stage == "resolve":
        fight(step)
    elif stage == "after":
        end_attack(step)
    return bool(stage != "defense")
