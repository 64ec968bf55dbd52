"""Battles: powers, cards lost, tops destroyed, the end of an attack (8.2-8.4, HS-611 to HS-640)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from service.engine.values import Json, Position
from service.rulesets.hi_story.moving import end_bound, uncover
from service.rulesets.hi_story.standing import Power
from service.rulesets.hi_story.step import Step
from service.rulesets.hi_story.table import is_face_up_top, other, top
from service.rulesets.hi_story.terms import prevention
from service.rulesets.hi_story.triggers import (
    BATTLE,
    Trigger,
    dying,
    leaving,
    of_card,
    queue,
    watching,
)

CARD_LOSS = 1000
"""Points of power for which one card of a deck is lost (HS-625)."""

OUTCOMES: Mapping[str, tuple[str, str]] = {
    "attacker_lower": ("HS-621", "HS-631"),
    "equal": ("HS-622", "HS-632"),
    "attacker_higher": ("HS-623", "HS-633"),
}
"""The rules of an outcome: the target was the deck, or a card (HS-613)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fighter:
    """A card in battle, as it was named: the top of this field of its player."""

    player: str
    field: int
    card: str


def defender_of(position: Position) -> str:
    """Return the player who is attacked."""
    return other(position["attack"]["player"])


def attacking(position: Position) -> Fighter:
    """Return the attacking card."""
    attack = position["attack"]
    return Fighter(player=attack["player"], field=attack["field"], card=attack["card"])


def defending(position: Position) -> Fighter | None:
    """Return the card that fights: the blocker (HS-606), else the attacked card (HS-612)."""
    attack = position["attack"]
    block = is_blocked(position)
    named = attack["defense"] if block else attack["target"]
    if "card" not in named:
        return None
    return Fighter(player=defender_of(position), field=named["field"], card=named["card"])


def is_blocked(position: Position) -> bool:
    """Tell whether the attack in progress was answered with a block."""
    defense = position["attack"]["defense"]
    return defense is not None and defense["kind"] == "block"


def fight(step: Step) -> None:
    """Fight the battle of the attack in progress, up to a question about a loss or to its end."""
    attacker, defender = attacking(step.position), defending(step.position)
    if not _is_in_place(step.position, attacker):
        _lapse(step, "attacker_gone")
    elif defender is not None and not _is_in_place(step.position, defender):
        _lapse(step, "defender_gone")
    elif defender is None:
        power = _computed(step, attacker, "attacker", "HS-611")
        lose_cards(step, power.total, "HS-625")
    else:
        strength = _computed(step, attacker, "attacker", "HS-611").total
        resistance = _computed(step, defender, "defender", "HS-612").total
        _compare(step, strength, resistance)


def _is_in_place(position: Position, fighter: Fighter) -> bool:
    lying = top(position, fighter.player, fighter.field)
    return lying == fighter.card and is_face_up_top(position, fighter.card)


def _lapse(step: Step, reason: str) -> None:
    """End an attack without a result (HS-909)."""
    step.emit("attack_lapsed", ["HS-909"], reason=reason)
    step.emit("battle_resolved", ["HS-909"])


def _computed(step: Step, fighter: Fighter, role: str, rule: str) -> Power:
    defense = step.position["attack"]["defense"]
    is_lowered = role == "attacker" and defense is not None and defense["kind"] == "substitute"
    power = step.scene.power_of(fighter.card, substitute=defense if is_lowered else None)
    step.emit(
        "power_computed",
        [rule, "HS-905"],
        role=role,
        player=fighter.player,
        card=fighter.card,
        base=power.base,
        modifiers=power.modifiers,
        total=power.total,
    )
    return power


def _compare(step: Step, strength: int, resistance: int) -> None:
    """Compare the powers and carry out what the outcome means for the target (HS-613).

    A card falls to a power that is not lower (HS-707). Only where the deck was the target does it
    lose cards (HS-620, HS-630, HS-634).
    """
    outcome = (
        "attacker_lower"
        if strength < resistance
        else "equal"
        if strength == resistance
        else "attacker_higher"
    )
    is_on_deck = "deck" in step.position["attack"]["target"]
    rule = OUTCOMES[outcome][0 if is_on_deck else 1]
    step.emit("battle_compared", [rule], attacker=strength, defender=resistance, outcome=outcome)
    attacker, defender = attacking(step.position), defending(step.position)
    assert defender is not None, "powers are compared with a defending card only"
    if outcome == "attacker_lower":
        _fall(step, [attacker], rule)
    elif outcome == "equal":
        _fall(step, [attacker, defender], rule)
    elif is_on_deck:
        lose_cards(step, strength - resistance, rule)
    else:
        _fall(step, [defender], rule)


def lose_cards(step: Step, basis: int, rule: str) -> None:
    """Compute the loss of the defender's deck; it is prevented, asked about, or taken (8.2)."""
    player = defender_of(step.position)
    lost = basis // CARD_LOSS
    sent = min(lost, len(step.position["players"][player]["deck"]))
    step.emit("mill_computed", [rule], player=player, basis=basis, count=lost, sent=sent)
    entry = prevention(step.scene, player) if lost else None
    if entry is None:
        take_loss(step, lost, rule)
    elif not entry.get("ask"):
        prevent_loss(step, lost, entry["id"])
    else:
        asked = {"op": "prevent_loss", "count": lost, "lasting": entry["id"], "rules": [rule]}
        step.emit(
            "choice_requested",
            ["HS-646"],
            player=player,
            kind="confirm",
            card=entry["source"],
            operation=asked,
        )


def take_loss(step: Step, lost: int, rule: str) -> None:
    """Let the cards go, then finish the battle if the game goes on (HS-101)."""
    step.mill(defender_of(step.position), lost, rule)
    step.test_decks()
    if not step.is_over:
        _finish(step)


def prevent_loss(step: Step, lost: int, entry: str) -> None:
    """Make the loss nothing, use the prevention up, and finish the battle (HS-930)."""
    player = defender_of(step.position)
    step.emit("mill_prevented", ["HS-930"], player=player, count=lost, lasting=entry)
    if any(left["id"] == entry and not left["times"] for left in step.position["lasting"]):
        step.emit("lasting_expired", ["HS-914"], ids=[entry])
    _finish(step)


def _finish(step: Step) -> None:
    """Let the blocker fall after the loss of an attack on the deck (HS-624)."""
    blocker = defending(step.position)
    _fall(step, [] if blocker is None else [blocker], "HS-624")


def _fall(step: Step, fallen: list[Fighter], rule: str) -> None:
    """Destroy the tops that lost, except those that stay, and end the battle (8.4, HS-640)."""
    kept = [fighter for fighter in fallen if step.scene.has(fighter.card, "keep_all")]
    destroyed = [fighter for fighter in fallen if fighter not in kept]
    for fighter in fallen:
        if fighter in kept:
            step.emit("leave_prevented", ["HS-648"], **_named(fighter))
        else:
            _destroy(step, fighter, rule)
    fighters = [attacking(step.position), defending(step.position)]
    step.emit("battle_resolved", ["HS-640"])
    survivors = [
        fighter for fighter in fighters if fighter is not None and fighter not in destroyed
    ]
    queue(step, _triggers(step, destroyed, survivors if destroyed else []))


def _named(fighter: Fighter) -> dict[str, Json]:
    return {"player": fighter.player, "field": fighter.field, "card": fighter.card}


def _destroy(step: Step, fighter: Fighter, rule: str) -> None:
    step.emit("card_destroyed", [rule, "HS-710"], **_named(fighter))
    uncover(step, fighter.player, fighter.field)
    end_bound(step, fighter.card)


def _triggers(step: Step, destroyed: list[Fighter], winners: list[Fighter]) -> list[Trigger]:
    """Return what a battle triggers, kind by kind (10); a winner destroyed the other card."""
    scene = step.scene
    return [
        *[trigger for fallen in destroyed for trigger in dying(scene, fallen.card, "field")],
        *[
            trigger
            for fallen in destroyed
            for trigger in leaving(scene, fallen.card, "field", BATTLE)
        ],
        *[trigger for winner in winners for trigger in of_card(scene, "wins_battle", winner.card)],
        *[trigger for fallen in destroyed for trigger in watching(scene, "leave", fallen.card)],
    ]


def end_attack(step: Step) -> None:
    """End the attack in progress with what lasted for it (HS-640)."""
    attacker, blocked = attacking(step.position), is_blocked(step.position)
    blocker = defending(step.position) if blocked else None
    ended = [entry["id"] for entry in step.position["lasting"] if entry["attack"]]
    if ended:
        step.emit("lasting_expired", ["HS-914"], ids=ended)
    step.emit("attack_ended", ["HS-640"])
    scene = step.scene
    queue(
        step,
        [
            *of_card(scene, "after_attack", attacker.card),
            *(of_card(scene, "after_block", blocker.card) if blocker else []),
            *watching(scene, "attack_end", attacker.card),
        ],
    )
