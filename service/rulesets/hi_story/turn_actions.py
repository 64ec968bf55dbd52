"""What the turn player does besides attacking: tests, then facts (7.5-7.8, HS-301 to HS-514)."""

from __future__ import annotations

from dataclasses import dataclass

from service.engine.values import Action, Actor, Json, is_integer_in
from service.rulesets.hi_story.attack import FIRST_TURNS, can_attack
from service.rulesets.hi_story.cards import Effect
from service.rulesets.hi_story.filters import Reading, is_person, matches
from service.rulesets.hi_story.flow import begin_summon_phase, end_phase
from service.rulesets.hi_story.measure import condition
from service.rulesets.hi_story.standing import Scene
from service.rulesets.hi_story.step import Step
from service.rulesets.hi_story.table import FIELDS, Stack, definition, stack
from service.rulesets.hi_story.terms import allows_set, forbids, has_duty, limits
from service.rulesets.hi_story.triggers import is_unused, queue, use_of, watching

DRAW_MAX = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class SetRoute:
    """What allows a set: rule HS-505 or HS-514, and whether the card has to be shown for it."""

    rule: str
    shown: bool


def draw_fault(scene: Scene, actor: Actor, action: Action) -> str | None:
    """Return the rule that refuses a declared draw, or None.

    action: `count` 0 to 2. Rejections: HS-208 turn 1, HS-302 phase, HS-303 number.
    """
    if scene.position["turn"] == 1:
        return "HS-208"
    if scene.position["phase"] != "draw":
        return "HS-302"
    return None if is_integer_in(action.get("count"), 0, DRAW_MAX) else "HS-303"


def draw(step: Step, actor: Actor, action: Action) -> None:
    """Declare a draw, draw, refresh, turn up (HS-303 to HS-305, HS-310)."""
    step.emit("draw_declared", ["HS-303"], player=actor, count=action["count"])
    step.draw(actor, action["count"], "HS-303", "turn")
    step.test_decks()
    if not step.is_over:
        begin_summon_phase(step)


def summon_fault(scene: Scene, actor: Actor, action: Action) -> str | None:
    """Return the rule that keeps a player from summoning, or None.

    action: `card` of the own hand, `field` 1 to 5 (HS-709). Cards of one name may lie together
    (HS-225). Rejections: HS-312 phase or card, HS-503 rank or field not empty, HS-702 no field,
    HS-410 an incident, HS-929 a ban, HS-645 a limit.
    """
    position, field = scene.position, action.get("field")
    card = scene.of_hand(actor, action.get("card"))
    if position["phase"] != "summon" or card is None:
        return "HS-312"
    printed = definition(scene.pool, position, card)
    if printed["rank"] != 0:
        return "HS-503"
    if not is_integer_in(field, FIELDS[0], FIELDS[-1]):
        return "HS-702"
    if stack(position, actor, field) is not None:
        return "HS-503"
    if not is_person(printed):
        return "HS-410"
    if forbids(scene, actor, "summon", card):
        return "HS-929"
    return "HS-645" if limits(scene, actor, ("summon",), card) else None


def summon(step: Step, actor: Actor, action: Action) -> None:
    """Summon a card of rank 0 onto an empty field, one of as many as fit (HS-312, HS-313)."""
    card = action["card"]
    step.emit(
        "card_summoned",
        ["HS-312", "HS-503"],
        player=actor,
        card=card,
        field=action["field"],
        direct=False,
        **{"from": "hand"},
    )
    queue(step, watching(step.scene, "summon", card))


def activate_effect_fault(scene: Scene, actor: Actor, action: Action) -> str | None:
    """Return the rule that keeps a player from using an effect, or None.

    action: `card` on top of an own stack, `effect` its index (default 0). Rejections: HS-920 phase,
    effect, use or condition, HS-511 no top, HS-510 face down, HS-412 its name was used, HS-648 kept
    from it, HS-929 a ban, HS-645 a limit.
    """
    if scene.position["phase"] != "effect":
        return "HS-920"
    lying, index = _topped_by(scene, actor, action.get("card")), action.get("effect", 0)
    if lying is None:
        return "HS-511"
    if lying["set"]:
        return "HS-510"
    card = lying["cards"][-1]
    effects = definition(scene.pool, scene.position, card)["effects"]
    if not is_integer_in(index, 0, len(effects) - 1):
        return "HS-920"
    return _effect_fault(scene, actor, card, index) or _kept_from_activating(
        scene, actor, card, effects[index]
    )


def _topped_by(scene: Scene, actor: Actor, card: Json) -> Stack | None:
    fields: dict[str, Stack] = scene.position["players"][actor]["fields"]
    return next((lying for lying in fields.values() if lying["cards"][-1] == card), None)


def _effect_fault(scene: Scene, actor: Actor, card: str, index: int) -> str | None:
    """Return HS-920 for an effect that cannot be used now, HS-412 if its name was used."""
    position = scene.position
    effect = definition(scene.pool, position, card)["effects"][index]
    if effect["when"] not in ("summoned", "once"):
        return "HS-920"
    if effect["when"] == "summoned" and card not in position["summoned"]:
        return "HS-920"
    if f"{card}#{index}" in position["used"]:
        return "HS-920"
    is_named = effect.get("per_turn") == "name"
    if is_named and not is_unused(position, use_of(effect, actor, card, index)):
        return "HS-412"
    return None


def _kept_from_activating(scene: Scene, actor: Actor, card: str, effect: Effect) -> str | None:
    if scene.has(card, f"no_{effect['when']}"):
        return "HS-648"
    reading = Reading(board=scene, source=card, player=actor)
    if "if" in effect and not condition(reading, effect["if"]):
        return "HS-920"
    if forbids(scene, actor, "activate", card):
        return "HS-929"
    return "HS-645" if limits(scene, actor, ("activate",), card) else None


def activate_effect(step: Step, actor: Actor, action: Action) -> None:
    """Use an effect of an own face-up card (HS-401, HS-920)."""
    card, index = action["card"], action.get("effect", 0)
    effect = definition(step.pool, step.position, card)["effects"][index]
    is_named = effect.get("per_turn") == "name"
    step.emit(
        "effect_activated",
        ["HS-401", "HS-920", *(["HS-412"] if is_named else [])],
        player=actor,
        card=card,
        effect=index,
        ops=effect["do"],
        **(use_of(effect, actor, card, index) if is_named else {}),
    )


def set_card_fault(scene: Scene, actor: Actor, action: Action) -> str | None:
    """Return the rule that keeps a player from setting a card, or None.

    action: `card` of the own hand, `field` of an own stack, which may be at rest (HS-919).
    Rejections: HS-209 first turns, HS-504 phase, HS-505 card, stack or ranks, HS-506 face down,
    HS-410 an incident, HS-929 not covered or a ban, HS-645 a limit.
    """
    position, card = scene.position, scene.of_hand(actor, action.get("card"))
    if position["turn"] <= FIRST_TURNS:
        return "HS-209"
    if position["phase"] != "set":
        return "HS-504"
    lying = stack(position, actor, action.get("field"))
    if card is None or lying is None:
        return "HS-505"
    if lying["set"]:
        return "HS-506"
    if not is_person(definition(scene.pool, position, card)):
        return "HS-410"
    return _kept_from_setting(scene, actor, card, lying["cards"][-1])


def _kept_from_setting(scene: Scene, actor: Actor, card: str, top: str) -> str | None:
    if scene.has(top, "no_cover"):
        return "HS-929"
    if set_route(scene, actor, card, top) is None:
        return "HS-505"
    if forbids(scene, actor, "set", card):
        return "HS-929"
    return "HS-645" if limits(scene, actor, ("set",), card) else None


def set_route(scene: Scene, actor: Actor, card: str, top: str) -> SetRoute | None:
    """Return what allows a card to be set on a top, or None (HS-505, HS-514)."""
    printed = definition(scene.pool, scene.position, card)
    difference = printed["rank"] - definition(scene.pool, scene.position, top)["rank"]
    if difference == 1:
        return SetRoute(rule="HS-505", shown=False)
    reading = Reading(board=scene, source=card, player=actor)
    fitting = [entry for entry in printed["set_on"] if matches(reading, entry["filter"], top)]
    silent = any(not entry.get("show") for entry in fitting)
    if silent or allows_set(scene, actor, card, difference):
        return SetRoute(rule="HS-514", shown=False)
    return SetRoute(rule="HS-514", shown=True) if fitting else None


def set_card(step: Step, actor: Actor, action: Action) -> None:
    """Set a card face down on a stack (HS-505, HS-507, HS-508, HS-514)."""
    card, field = action["card"], action["field"]
    lying = stack(step.position, actor, field)
    route = set_route(step.scene, actor, card, lying["cards"][-1]) if lying else None
    assert route is not None, "the set was tested"
    step.emit(
        "card_set",
        sorted(["HS-507", route.rule]),
        player=actor,
        card=card,
        field=field,
        by_effect=False,
        **{"from": "hand"},
        **({"reveal": True} if route.shown else {}),
    )


def end_phase_fault(scene: Scene, actor: Actor, action: Action) -> str | None:
    """Return the rule that keeps a player from ending the phase, or None.

    Rejections: HS-303 a draw is not declared, HS-644 a duty to attack.
    """
    if scene.position["phase"] == "draw":
        return "HS-303"
    is_attacking = scene.position["phase"] == "attack"
    if is_attacking and has_duty(scene, actor, "attack") and can_attack(scene, actor):
        return "HS-644"
    return None


def leave_phase(step: Step, actor: Actor, action: Action) -> None:
    """End the phase; nothing has to be discarded (HS-302, HS-220)."""
    end_phase(step)
