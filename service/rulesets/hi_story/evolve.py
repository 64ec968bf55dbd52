"""The whole bookkeeping: the position after a fact (11). No rule is decided here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from service.engine.values import Fact, Json, Position
from service.rulesets.hi_story.motion import (
    moved,
    off_stack,
    onto_stack,
    taken,
    turned,
    with_side,
)

Change: TypeAlias = Callable[[Position, Fact], Position]

STEPS_ON = frozenset({"operation_started", "effect_triggered", "effect_offered"})
"""Facts that count as a step."""

STARTS_ANEW: Mapping[str, str] = {
    **dict.fromkeys(
        (
            "turn_started",
            "phase_started",
            "draw_declared",
            "effect_activated",
            "incident_played",
            "attack_declared",
            "defense_chosen",
        ),
        "",
    ),
    "card_summoned": "direct",
    "card_set": "by_effect",
}
"""Facts with which the count of steps begins anew, unless this field of theirs is true (HS-957)."""


def evolve(position: Position, fact: Fact) -> Position:
    """Return the position after a fact; total over all facts that a decision can give."""
    name = fact["fact"]
    after = position if name in NOTES else CHANGES[name](position, fact)
    if name in DONE:
        after = {**after, "done": [*after["done"], DONE[name](fact)]}
    if name in STEPS_ON:
        return {**after, "steps": after["steps"] + 1}
    if name in STARTS_ANEW and not fact.get(STARTS_ANEW[name]):
        return {**after, "steps": 0}
    return after


def _deck_accepted(position: Position, fact: Fact) -> Position:
    after = {**position, "cards": {**position["cards"], **fact["cards"]}}
    return with_side(after, fact["player"], deck=fact["order"], settled=False)


def _zone_shuffled(position: Position, fact: Fact) -> Position:
    return with_side(position, fact["player"], **{fact["zone"]: fact["order"]})


def _cards_drawn(position: Position, fact: Fact) -> Position:
    return moved(position, fact["player"], fact["cards"], "deck", "hand")


def _cards_set_aside(position: Position, fact: Fact) -> Position:
    player = fact["player"]
    after = moved(position, player, fact["cards"], "hand", "aside")
    return with_side(after, player, mulligans=after["players"][player]["mulligans"] + 1)


def _aside_returned(position: Position, fact: Fact) -> Position:
    return moved(position, fact["player"], fact["cards"], "aside", "deck_bottom")


def _hand_settled(position: Position, fact: Fact) -> Position:
    return with_side(position, fact["player"], settled=True)


def _first_player_decided(position: Position, fact: Fact) -> Position:
    return {**position, "first": fact["player"]}


def _turn_started(position: Position, fact: Fact) -> Position:
    return {
        **position,
        "turn": fact["turn"],
        "active": fact["player"],
        "phase": "start",
        "summoned": [],
        "used": [],
        "done": [],
        "extra": position["extra"][1:] if "extra" in fact else position["extra"],
        "extra_now": "extra" in fact,
    }


def _extra_turn_granted(position: Position, fact: Fact) -> Position:
    turns = fact["turns"]
    return {
        **position,
        "extra": [*position["extra"], fact["player"]],
        "lasting": [
            {**entry, "turns": turns[entry["id"]]} if entry["id"] in turns else entry
            for entry in position["lasting"]
        ],
    }


def _phase_started(position: Position, fact: Fact) -> Position:
    return {**position, "phase": fact["phase"], "ending": False}


def _phase_ended(position: Position, fact: Fact) -> Position:
    return {**position, "ending": True}


def _stacks_readied(position: Position, fact: Fact) -> Position:
    for field in fact["fields"]:
        position = turned(position, fact["player"], field, rest=False)
    return position


def _card_revealed(position: Position, fact: Fact) -> Position:
    after = turned(position, fact["player"], fact["field"], set=False, rest=False)
    return {**after, "summoned": _including(after["summoned"], fact["card"])}


def _card_summoned(position: Position, fact: Fact) -> Position:
    player, card = fact["player"], fact["card"]
    after = taken(position, player, [card], fact["from"])
    after = onto_stack(after, player, fact["field"], card, rest=False, set=False)
    return {**after, "summoned": _including(after["summoned"], card)}


def _card_set(position: Position, fact: Fact) -> Position:
    player, card = fact["player"], fact["card"]
    after = taken(position, player, [card], fact["from"])
    return onto_stack(after, player, fact["field"], card, rest=False, set=True)


def _stack_rested(position: Position, fact: Fact) -> Position:
    return turned(position, fact["player"], fact["field"], rest=True)


def _stack_readied(position: Position, fact: Fact) -> Position:
    return turned(position, fact["player"], fact["field"], rest=False)


def _stack_turned_down(position: Position, fact: Fact) -> Position:
    return turned(position, fact["player"], fact["field"], set=True, rest=False)


def _card_shifted(position: Position, fact: Fact) -> Position:
    player, card = fact["player"], fact["card"]
    return onto_stack(off_stack(position, player, card), player, fact["to"], card)


def _cards_moved(position: Position, fact: Fact) -> Position:
    cards = fact["cards"]
    return _forgotten(moved(position, fact["player"], cards, fact["from"], fact["to"]), cards)


def _cards_milled(position: Position, fact: Fact) -> Position:
    return moved(position, fact["player"], fact["cards"], "deck", "graveyard")


def _card_destroyed(position: Position, fact: Fact) -> Position:
    cards = [fact["card"]]
    return _forgotten(moved(position, fact["player"], cards, "field", "graveyard"), cards)


def _forgotten(position: Position, cards: list[str]) -> Position:
    """Drop what was noted about cards that are gone; if they come back they are other cards."""
    return {
        **position,
        "used": [entry for entry in position["used"] if entry.partition("#")[0] not in cards],
        "summoned": [card for card in position["summoned"] if card not in cards],
    }


def _including(entries: list[str], entry: str) -> list[str]:
    return entries if entry in entries else [*entries, entry]


def _with_frame(position: Position, fact: Fact, effect: int) -> Position:
    """Begin to carry out the operations of a fact; what it uses up is noted."""
    frame = {
        "source": fact["card"],
        "player": fact["player"],
        "effect": effect,
        "ops": fact["ops"],
        "last": [],
    }
    if "it" in fact:
        frame["it"] = fact["it"]
    return {**_with_use(position, fact), "frames": [*position["frames"], frame]}


def _with_top_frame(position: Position, **parts: Json) -> Position:
    *below, frame = position["frames"]
    return {**position, "frames": [*below, {**frame, **parts}]}


def _with_use(position: Position, fact: Fact) -> Position:
    used = position["used"]
    for entry in fact.get("use", ()):
        used = _including(used, entry)
    return {**position, "used": used}


def _effect_activated(position: Position, fact: Fact) -> Position:
    used = _including(position["used"], f"{fact['card']}#{fact['effect']}")
    return _with_frame({**position, "used": used}, fact, fact["effect"])


def _incident_played(position: Position, fact: Fact) -> Position:
    after = moved(position, fact["player"], [fact["card"]], "hand", "graveyard")
    return _with_frame(after, fact, 0)


def _effects_queued(position: Position, fact: Fact) -> Position:
    return {**position, "queue": [*position["queue"], *fact["entries"]]}


def _head_left_queue(position: Position, fact: Fact) -> Position:
    return {**position, "queue": position["queue"][1:]}


def _effect_triggered(position: Position, fact: Fact) -> Position:
    after = position if "offered" in fact else _head_left_queue(position, fact)
    return _with_frame(after, fact, fact["effect"])


def _effects_cut(position: Position, fact: Fact) -> Position:
    return {**position, "frames": [], "queue": [], "steps": 0}


def _effect_resolved(position: Position, fact: Fact) -> Position:
    return {**position, "frames": position["frames"][:-1]}


def _operation_started(position: Position, fact: Fact) -> Position:
    return _with_top_frame(position, ops=position["frames"][-1]["ops"][1:])


def _operations_inserted(position: Position, fact: Fact) -> Position:
    return _with_top_frame(position, ops=[*fact["ops"], *position["frames"][-1]["ops"]])


def _targets_fixed(position: Position, fact: Fact) -> Position:
    return _with_top_frame(position, last=fact["cards"])


def _choice_requested(position: Position, fact: Fact) -> Position:
    asked = {key: value for key, value in fact.items() if key not in ("fact", "rules")}
    return {**position, "pending": asked}


def _choice_made(position: Position, fact: Fact) -> Position:
    return {**position, "pending": None}


def _lasting_added(position: Position, fact: Fact) -> Position:
    return {**position, "lasting": [*position["lasting"], fact["entry"]]}


def _lasting_expired(position: Position, fact: Fact) -> Position:
    gone = fact["ids"]
    return {
        **position,
        "lasting": [entry for entry in position["lasting"] if entry["id"] not in gone],
    }


def _with_attack(position: Position, **parts: Json) -> Position:
    return {**position, "attack": {**position["attack"], **parts}}


def _attack_declared(position: Position, fact: Fact) -> Position:
    named = {key: fact[key] for key in ("player", "field", "card", "target")}
    return {**position, "attack": {**named, "step": "declared", "defense": None}}


def _defense_requested(position: Position, fact: Fact) -> Position:
    return _with_attack(position, step="defense")


def _defense_chosen(position: Position, fact: Fact) -> Position:
    keys = ("kind", "field", "card", "value")
    return _with_attack(
        position, step="resolve", defense={key: fact[key] for key in keys if key in fact}
    )


def _mill_prevented(position: Position, fact: Fact) -> Position:
    return {
        **position,
        "lasting": [
            {**entry, "times": entry["times"] - 1} if entry["id"] == fact["lasting"] else entry
            for entry in position["lasting"]
        ],
    }


def _battle_resolved(position: Position, fact: Fact) -> Position:
    return _with_attack(position, step="after")


def _attack_ended(position: Position, fact: Fact) -> Position:
    return {**position, "attack": None}


def _game_ended(position: Position, fact: Fact) -> Position:
    return {
        **position,
        "phase": "over",
        "result": {"winner": fact["winner"], "reason": fact["reason"]},
    }


def _did(action: str, *, else_if: str = "", otherwise: str = "") -> Callable[[Fact], Json]:
    """Return what notes a fact in `done`: the action, or another one if that field is true."""

    def noted(fact: Fact) -> Json:
        named = otherwise if fact.get(else_if) else action
        return {"player": fact["player"], "action": named, "card": fact["card"]}

    return noted


def _did_attack(fact: Fact) -> Json:
    return {**_did("attack")(fact), "deck": "deck" in fact["target"]}


DONE: Mapping[str, Callable[[Fact], Json]] = {
    "attack_declared": _did_attack,
    "card_set": _did("set", else_if="by_effect", otherwise="set_by_effect"),
    "card_summoned": _did("summon", else_if="direct", otherwise="direct"),
    "card_revealed": _did("turn_up"),
    "effect_activated": _did("activate"),
    "incident_played": _did("play"),
}
"""What is noted in `done` (4, HS-955)."""

CHANGES: Mapping[str, Change] = {
    "deck_accepted": _deck_accepted,
    "zone_shuffled": _zone_shuffled,
    "cards_drawn": _cards_drawn,
    "cards_set_aside": _cards_set_aside,
    "aside_returned": _aside_returned,
    "hand_settled": _hand_settled,
    "first_player_decided": _first_player_decided,
    "turn_started": _turn_started,
    "extra_turn_granted": _extra_turn_granted,
    "phase_ended": _phase_ended,
    "phase_started": _phase_started,
    "stacks_readied": _stacks_readied,
    "card_revealed": _card_revealed,
    "card_summoned": _card_summoned,
    "card_set": _card_set,
    "effect_activated": _effect_activated,
    "incident_played": _incident_played,
    "effect_offered": _head_left_queue,
    "effects_cut": _effects_cut,
    "effects_queued": _effects_queued,
    "effect_triggered": _effect_triggered,
    "effect_not_triggered": _head_left_queue,
    "operation_started": _operation_started,
    "operations_inserted": _operations_inserted,
    "targets_fixed": _targets_fixed,
    "choice_requested": _choice_requested,
    "choice_made": _choice_made,
    "effect_resolved": _effect_resolved,
    "cards_moved": _cards_moved,
    "cards_milled": _cards_milled,
    "stack_rested": _stack_rested,
    "stack_readied": _stack_readied,
    "stack_turned_down": _stack_turned_down,
    "card_shifted": _card_shifted,
    "leave_replaced": _with_use,
    "lasting_added": _lasting_added,
    "lasting_expired": _lasting_expired,
    "attack_declared": _attack_declared,
    "defense_requested": _defense_requested,
    "defense_chosen": _defense_chosen,
    "mill_prevented": _mill_prevented,
    "card_destroyed": _card_destroyed,
    "battle_resolved": _battle_resolved,
    "attack_ended": _attack_ended,
    "game_ended": _game_ended,
}

NOTES = frozenset(
    {
        "turn_up_prevented",
        "turn_ended",
        "phase_skipped",
        "draw_declared",
        "draw_skipped",
        "operation_skipped",
        "condition_checked",
        "effect_declined",
        "cards_shown",
        "cards_looked",
        "leave_prevented",
        "power_computed",
        "battle_compared",
        "mill_computed",
        "rank_down",
        "field_emptied",
        "attack_lapsed",
    }
)
"""Facts that change nothing: they tell what was computed, or why nothing happened."""

FACTS = NOTES | CHANGES.keys()
