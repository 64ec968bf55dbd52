"""Playing incidents, in the own effect phase or as the answer to an attack (7.14, HS-410 f.)."""

from __future__ import annotations

from service.engine.values import Action, Actor, Json
from service.rulesets.hi_story.filters import Reading, is_person
from service.rulesets.hi_story.measure import Condition, condition
from service.rulesets.hi_story.standing import Scene
from service.rulesets.hi_story.step import Step
from service.rulesets.hi_story.table import definition
from service.rulesets.hi_story.terms import forbids, limits
from service.rulesets.hi_story.triggers import queue, watching


def play_fault(scene: Scene, actor: Actor, action: Action) -> str | None:
    """Return the rule that keeps the turn player from playing an incident, or None.

    action: `card` of the own hand, of whatever level (HS-946). Rejections: HS-410 phase, card or
    condition, HS-945 a second incident, HS-929 a ban, HS-645 a limit.
    """
    card = _incident_in_hand(scene, actor, action)
    if scene.position["phase"] != "effect" or card is None:
        return "HS-410"
    if not _holds(scene, actor, card, _effect(scene, card).get("if")):
        return "HS-410"
    return _kept_from_playing(scene, actor, card)


def answer_fault(scene: Scene, actor: Actor, action: Action) -> str | None:
    """Return the rule that keeps the defender from answering with an incident, or None.

    Rejections: HS-411 no such incident or a condition fails, then as for the turn player.
    """
    card = _incident_in_hand(scene, actor, action)
    if card is None:
        return "HS-411"
    respond = definition(scene.pool, scene.position, card).get("respond")
    if respond is None:
        return "HS-411"
    asked = [None if respond is True else respond, _effect(scene, card).get("if")]
    if not all(_holds(scene, actor, card, part) for part in asked):
        return "HS-411"
    return _kept_from_playing(scene, actor, card)


def _incident_in_hand(scene: Scene, actor: Actor, action: Action) -> str | None:
    card = scene.of_hand(actor, action.get("card"))
    if card is None or is_person(definition(scene.pool, scene.position, card)):
        return None
    return card


def _effect(scene: Scene, card: str) -> dict[str, Json]:
    effect: dict[str, Json] = definition(scene.pool, scene.position, card)["effects"][0]
    return effect


def _holds(scene: Scene, actor: Actor, card: str, asked: Condition | None) -> bool:
    return asked is None or condition(Reading(board=scene, source=card, player=actor), asked)


def _kept_from_playing(scene: Scene, actor: Actor, card: str) -> str | None:
    if any(done["player"] == actor and done["action"] == "play" for done in scene.position["done"]):
        return "HS-945"
    if forbids(scene, actor, "play", card):
        return "HS-929"
    return "HS-645" if limits(scene, actor, ("play",), card) else None


def play(step: Step, actor: Actor, action: Action) -> None:
    """Play an incident in the own effect phase (HS-410)."""
    play_incident(step, actor, action["card"], "HS-410")


def play_incident(step: Step, actor: Actor, card: str, rule: str) -> None:
    """Lay an incident on the graveyard and begin its effect (HS-947).

    rule: HS-410, or HS-411 for the answer to an attack.
    """
    step.emit(
        "incident_played",
        [rule, "HS-947"],
        player=actor,
        card=card,
        ops=_effect(step.scene, card)["do"],
        answer=rule == "HS-411",
    )
    queue(step, watching(step.scene, "play", card))
