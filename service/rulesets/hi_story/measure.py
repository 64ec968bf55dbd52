"""Selectors, numbers and conditions of effects, which call each other (9.2-9.4)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeAlias

from service.engine.values import Json
from service.rulesets.hi_story.filters import (
    NO_FILTER,
    Reading,
    as_list,
    beneath,
    matches,
    present_power,
)
from service.rulesets.hi_story.table import fields_of, other, owner

Selector: TypeAlias = dict[str, Json]
Condition: TypeAlias = dict[str, Json]
Amount: TypeAlias = Json


def sides(reading: Reading, side: str) -> tuple[str, ...]:
    """Return the players that a word means: self, opponent, or both with the turn player first."""
    if side == "both":
        active = reading.position["active"]
        return (active, other(active))
    return (reading.player if side == "self" else other(reading.player),)


def select(reading: Reading, selector: Selector) -> list[str]:
    """Return the cards that a selector means, covered ones included, in its order (HS-513)."""
    if selector.get("known"):
        reading = replace(reading, known=True)
    cards = _lying(reading, selector) if "zone" in selector else _named(reading, selector)
    wanted = selector.get("filter", NO_FILTER)
    found = [card for card in cards if matches(reading, wanted, card)]
    if "extreme" in selector:
        return _extremes(reading, selector["extreme"], found)
    return found


def _named(reading: Reading, selector: Selector) -> list[str]:
    attack = reading.position["attack"] or {}
    defense = attack.get("defense") or {}
    if "this" in selector:
        named = [reading.source]
    elif "last" in selector:
        named = list(reading.last)
    elif "it" in selector:
        named = [reading.it] if reading.it and not _is_in_deck(reading, reading.it) else []
    elif "attacker" in selector:
        named = [attack["card"]] if attack else []
    else:
        named = [defense["card"]] if defense.get("kind") == "block" else []
    return [card for card in named if card in reading.position["cards"]]


def _is_in_deck(reading: Reading, card: str) -> bool:
    return card in reading.position["players"][owner(card)]["deck"]


def _lying(reading: Reading, selector: Selector) -> list[str]:
    return [
        card
        for player in sides(reading, selector.get("side", "self"))
        for zone in as_list(selector["zone"])
        for card in _first(reading, selector, _zone(reading, selector, player, zone))
    ]


def _zone(reading: Reading, selector: Selector, player: str, zone: str) -> list[str]:
    if zone not in ("field", "under"):
        pile: list[str] = reading.position["players"][player][zone]
        return pile
    stacks = [lying["cards"] for _, lying in fields_of(reading.position, player)]
    if zone == "field":
        return [cards[-1] for cards in stacks]
    covered = [card for cards in stacks for card in cards[:-1]]
    if "of_this" in selector:
        below = beneath(reading.position, reading.source)
    elif "of_last" in selector:
        below = beneath(reading.position, reading.last[0]) if reading.last else []
    else:
        return covered
    return [card for card in covered if card in below]


def _first(reading: Reading, selector: Selector, cards: list[str]) -> list[str]:
    """Return the cards of a zone up to the bounds `top` and `until`."""
    if "top" in selector:
        cards = cards[: count(reading, selector["top"])]
    if "until" in selector:
        for place, card in enumerate(cards, start=1):
            if matches(reading, selector["until"], card):
                return cards[:place]
    return cards


def _is_open(reading: Reading, card: str) -> bool:
    lying = reading.board.topped(card)
    return lying is None or not lying["set"]


def _extremes(reading: Reading, extreme: str, cards: list[str]) -> list[str]:
    powers = {card: present_power(reading.board, card) for card in cards if _is_open(reading, card)}
    if not powers:
        return []
    bound = max(powers.values()) if extreme == "highest" else min(powers.values())
    return [card for card, power in powers.items() if power == bound]


def amount(reading: Reading, number: Amount) -> int:
    """Return the value of a number of an effect (9.4, HS-424)."""
    if isinstance(number, int):
        return number
    if "minus" in number:
        whole, part = (amount(reading, value) for value in number["minus"])
        return max(0, whole - part)
    if "plus" in number:
        return sum(amount(reading, value) for value in number["plus"])
    basis = len(select(reading, number["count"])) if "count" in number else _sum(reading, number)
    value = int(basis * number.get("times", 1))
    return min(value, int(number["max"])) if "max" in number else value


def count(reading: Reading, number: Amount) -> int:
    """Return a number by which cards are counted; below 0 it counts as 0."""
    return max(0, amount(reading, number))


def _sum(reading: Reading, number: Amount) -> int:
    cards = [card for card in select(reading, number["of"]) if _is_open(reading, card)]
    if number["sum"] == "rank":
        total = sum(reading.definition(card)["rank"] for card in cards)
    else:
        total = sum(present_power(reading.board, card) for card in cards)
    return int(total // number.get("per", 1))


def condition(reading: Reading, asked: Condition) -> bool:
    """Tell whether a condition holds (9.2)."""
    key = next(key for key in _HOLDS if key in asked)
    return _HOLDS[key](reading, asked)


def _is_within(number: int, bounds: Condition) -> bool:
    if "at_least" in bounds and number < bounds["at_least"]:
        return False
    return not ("at_most" in bounds and number > bounds["at_most"])


def _is_self(reading: Reading, player: str | None, word: str) -> bool:
    return player is not None and (player == reading.player) == (word == "self")


def _all_hold(reading: Reading, asked: Condition) -> bool:
    return all(condition(reading, part) for part in asked["all"])


def _any_holds(reading: Reading, asked: Condition) -> bool:
    return any(condition(reading, part) for part in asked["any"])


def _holds_not(reading: Reading, asked: Condition) -> bool:
    return not condition(reading, asked["not"])


def _is_turn_of(reading: Reading, asked: Condition) -> bool:
    return _is_self(reading, reading.position["active"], asked["turn_of"])


def _is_target(reading: Reading, asked: Condition) -> bool:
    attack = reading.position["attack"]
    return attack is not None and ("deck" in attack["target"]) == (asked["target_is"] == "deck")


def _is_defense(reading: Reading, asked: Condition) -> bool:
    """Tell whether the attack was answered so; `none` while it was not (HS-647)."""
    attack = reading.position["attack"]
    if attack is None:
        return False
    kind = attack["defense"]["kind"] if attack["defense"] else "none"
    return bool(kind == asked["defense_is"])


def _is_source(reading: Reading, asked: Condition) -> bool:
    attack = reading.position["attack"]
    if attack is None:
        return False
    role = asked["source_is"]
    if role == "target":
        return bool(attack["target"].get("card") == reading.source)
    return reading.source in _named(reading, {role: True})


def _is_first_player(reading: Reading, asked: Condition) -> bool:
    return _is_self(reading, reading.position["first"], asked["first_player"])


def _was_done(reading: Reading, asked: Condition) -> bool:
    players = sides(reading, asked.get("player", "self"))
    times = sum(
        entry["player"] in players and asked["done"] in kinds_of(entry)
        for entry in reading.position["done"]
    )
    bounded = "at_least" in asked or "at_most" in asked
    return _is_within(times, asked if bounded else {"at_least": 1})


def kinds_of(entry: Mapping[str, Json]) -> tuple[str, ...]:
    """Return what an entry of `done` counts as; an attack on the deck is two things."""
    return ("attack", "attack_deck") if entry.get("deck") else (entry["action"],)


def _is_number(reading: Reading, asked: Condition) -> bool:
    return _is_within(amount(reading, asked["number"]), asked)


def _is_count(reading: Reading, asked: Condition) -> bool:
    return _is_within(len(select(reading, asked["count"])), asked)


_HOLDS: Mapping[str, Callable[[Reading, Condition], bool]] = {
    "all": _all_hold,
    "any": _any_holds,
    "not": _holds_not,
    "turn_of": _is_turn_of,
    "target_is": _is_target,
    "defense_is": _is_defense,
    "source_is": _is_source,
    "first_player": _is_first_player,
    "done": _was_done,
    "number": _is_number,
    "count": _is_count,
}
