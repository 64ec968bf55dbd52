"""The position: shorthands and defaults, validity, for whom it waits (4, HS-221, HS-915)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from service.engine.contract import PositionFault
from service.engine.values import Json, Position
from service.rulesets.hi_story.cards import BLANK, Pool
from service.rulesets.hi_story.position_form import (
    GAME_NAME,
    POSITION,
    RULESET_NAME,
)
from service.rulesets.hi_story.shapes import at, parts, unfolded
from service.rulesets.hi_story.table import FIELDS, OWNER_OF_INITIAL, PILES, PLAYERS, other, top

DECK_DEFAULT = 20
FIRST_TURN = 1
TURN_DEFAULT = 3
TURNING = frozenset({"flip", "ready", "rest"})
"""Operations that turn what lies on top of a stack."""

_FIELD_KEYS = frozenset(str(field) for field in FIELDS)
_INITIAL_OF = {player: initial for initial, player in OWNER_OF_INITIAL.items()}
_OWN_CARD = {
    player: re.compile(f"{initial}[a-z]?[0-9]+", re.ASCII)
    for initial, player in OWNER_OF_INITIAL.items()
}


def new_position(pool: Pool) -> Position:
    """Return the position before anything has happened."""
    return normalise(pool, {"phase": "setup"})


def normalise(pool: Pool, shorthand: Json) -> Position:
    """Return the full position of a shorthand; idempotent.

    Raises `PositionFault` with the place of the first value that no position has. What is merely
    against HS-221 or HS-915 stays as it is, since `decide` refuses it; except in setup, where
    `decide` does not test it.
    """
    given, faults = unfolded(shorthand)
    for fault in [*faults, *POSITION(given, "")][:1]:
        raise PositionFault(fault.place, fault.text)
    cards = dict(given.get("cards", {}))
    in_setup = given.get("phase") == "setup"
    sides = {**{player: {} for player in PLAYERS}, **given.get("players", {})}
    position: Position = {
        **_defaults(given, in_setup=in_setup),
        **given,
        "players": {
            player: _side(player, side, cards, in_setup=in_setup) for player, side in sides.items()
        },
        "cards": cards,
        "lasting": [
            {"id": f"m{number}", "attack": False, "turns": None, **entry}
            for number, entry in enumerate(given.get("lasting", []), start=1)
        ],
        "frames": [{"last": [], **frame} for frame in given.get("frames", [])],
    }
    position["attack"] = _attack(position)
    _refuse_strangers(pool, position)
    _refuse_loose_choice(position)
    if in_setup:
        _refuse_odd_setup(pool, position)
    return position


def _defaults(given: Position, *, in_setup: bool) -> Position:
    turn = given.get("turn", FIRST_TURN if in_setup else TURN_DEFAULT)
    active = given.get("active", PLAYERS[0])
    return {
        "game": GAME_NAME,
        "ruleset": RULESET_NAME,
        "phase": "summon",
        "turn": turn,
        "active": active,
        "first": None if in_setup else active if turn % 2 else other(active),
        "summoned": [],
        "used": [],
        "done": [],
        "extra": [],
        "extra_now": False,
        "steps": 0,
        "ending": False,
        "queue": [],
        "pending": None,
        "result": None,
    }


def _side(player: str, given: Json, cards: dict[str, Json], *, in_setup: bool) -> Json:
    """Return a full player object; the definitions written beside instances go into `cards`."""
    initial = _INITIAL_OF.get(player, player)
    deck = given.get("deck", 0 if in_setup else DECK_DEFAULT)
    return {
        "mulligans": given.get("mulligans", 0),
        "settled": given.get("settled", not in_setup),
        "fields": {
            key: _stack(given_stack, cards) for key, given_stack in given.get("fields", {}).items()
        },
        **{
            pile: _pile(initial + pile[0], given.get(pile, []) if pile != "deck" else deck, cards)
            for pile in PILES
        },
    }


def _pile(prefix: str, given: Json, cards: dict[str, Json]) -> list[str]:
    if isinstance(given, list):
        return _listed(given, cards)
    return _listed([f"{prefix}{number}={BLANK['id']}" for number in range(1, given + 1)], cards)


def _stack(given: Json, cards: dict[str, Json]) -> Json:
    if isinstance(given, str):
        given = [given]
    if isinstance(given, list):
        given = {"cards": given}
    return {
        "cards": _listed(given.get("cards", []), cards),
        "rest": given.get("rest", False),
        "set": given.get("set", False),
    }


def _listed(entries: list[str], cards: dict[str, Json]) -> list[str]:
    """Return the instances of a list whose entries may be written `a1=yasuke`."""
    instances = []
    for entry in entries:
        instance, is_defined, definition = entry.partition("=")
        if is_defined and cards.setdefault(instance, definition) != definition:
            raise PositionFault(f"cards.{instance}", "has two definitions")
        instances.append(instance)
    return instances


def _attack(position: Position) -> Json:
    """Return the attack of a position, the cards that lie on top where it names none."""
    given = position.get("attack")
    if given is None:
        return None
    player, target = given.get("player", position["active"]), given["target"]
    if "field" in target:
        target = {"card": top(position, other(player), target["field"]), **target}
    return {
        "player": player,
        "card": top(position, player, given["field"]),
        "step": "defense",
        "defense": None,
        **given,
        "target": target,
    }


def _refuse_strangers(pool: Pool, position: Position) -> None:
    """Raise `PositionFault` if something is to be done with a card or effect that is not there."""
    for place, card in _cards_in_play(position):
        if card not in position["cards"]:
            raise PositionFault(place, "no card of this position")
    for place, entry in _effects_to_come(position):
        effects = pool.cards.get(position["cards"].get(entry["card"]), BLANK).get("effects", [])
        if entry["effect"] >= len(effects):
            raise PositionFault(f"{place}.effect", "no effect of this card")


def _refuse_loose_choice(position: Position) -> None:
    """Raise `PositionFault` if nothing can go on once the pending choice is answered."""
    pending = position["pending"] or {}
    operation = pending.get("operation")
    if operation is None:
        return
    op = operation["op"]
    if not (position["attack"] if op == "prevent_loss" else position["frames"]):
        raise PositionFault("pending", "belongs to no effect and no attack that goes on")
    if pending.get("op", op) != op:
        raise PositionFault("pending.op", f"the operation is {op}")
    if pending.get("options", 0) > len(operation.get("options", ())):
        raise PositionFault("pending.options", "the operation has fewer")
    if op == "leave" and "effect" not in pending:
        raise PositionFault("pending.effect", "is missing")
    candidates = pending.get("candidates", []) if op in TURNING else []
    if not all(_is_top(position, card) for card in candidates):
        raise PositionFault("pending.candidates", "no top card of a stack")


def _is_top(position: Position, card: str) -> bool:
    return any(
        stack["cards"][-1:] == [card]
        for side in position["players"].values()
        for stack in side["fields"].values()
    )


def _cards_in_play(position: Position) -> Iterator[tuple[str, Json]]:
    attack = position["attack"] or {}
    for place, part in (
        ("attack", attack),
        ("attack.target", attack.get("target", {})),
        ("attack.defense", attack.get("defense") or {}),
    ):
        if "card" in part:
            yield f"{place}.card", part["card"]
    for card in (position["pending"] or {}).get("candidates", []):
        yield "pending.candidates", card
    for key in ("frames", "queue", "pending", "lasting"):
        for place, part in parts(position[key], key):
            if part.get("op") == "leave":
                yield at(place, "card"), part["card"]


def _effects_to_come(position: Position) -> Iterator[tuple[str, Json]]:
    for index, entry in enumerate(position["queue"]):
        if "do" not in entry:
            yield f"queue.{index}", entry
    if "effect" in (position["pending"] or {}):
        yield "pending", position["pending"]


def _refuse_odd_setup(pool: Pool, position: Position) -> None:
    """Raise `PositionFault` if a match cannot begin from this setup."""
    rule = _fault_of_table(pool, position)
    if rule is not None:
        raise PositionFault("players", f"against {rule}")
    for key in ("pending", "attack", "frames", "queue", "ending"):
        if position[key]:
            raise PositionFault(key, "not in setup")


def is_over(position: Position) -> bool:
    """Tell whether the game has ended: a result, or outside setup a deck without cards (HS-104)."""
    return position["result"] is not None or (
        position["phase"] != "setup"
        and not all(position["players"][player]["deck"] for player in PLAYERS)
    )


def validity_fault(pool: Pool, position: Position) -> str | None:
    """Return the rule that a position outside setup breaks, or None.

    Rejections: HS-221 not exactly two players, HS-915 cards or stacks that cannot lie so, or a
    game that waits for nobody.
    """
    fault = _fault_of_table(pool, position)
    if fault is not None or is_over(position) or _is_waiting(position):
        return fault
    return "HS-915"


def _fault_of_table(pool: Pool, position: Position) -> str | None:
    if position["players"].keys() != set(PLAYERS):
        return "HS-221"
    is_sound = _has_sound_stacks(position) and _has_sound_cards(pool, position)
    return None if is_sound else "HS-915"


def _has_sound_stacks(position: Position) -> bool:
    return all(
        key in _FIELD_KEYS and stack["cards"] and not (stack["rest"] and stack["set"])
        for side in position["players"].values()
        for key, stack in side["fields"].items()
    )


def _has_sound_cards(pool: Pool, position: Position) -> bool:
    """Tell whether every card is known, is in exactly one place, and that on its owner's side."""
    cards = position["cards"]
    placed: list[str] = []
    for player, side in position["players"].items():
        stacks = (stack["cards"] for stack in side["fields"].values())
        own = list(chain(*(side[pile] for pile in PILES), *stacks))
        if not all(map(_OWN_CARD[player].fullmatch, own)):
            return False
        placed += own
    return (
        len(placed) == len(cards)
        and cards.keys() == set(placed)
        and pool.cards.keys() >= set(cards.values())
    )


def _is_waiting(position: Position) -> bool:
    phase, attack = position["phase"], position["attack"]
    if phase == "over" or (attack is not None and phase != "attack"):
        return False
    if position["pending"] is not None:
        return True
    if phase in ("start", "end") or position["ending"]:
        return False
    if position["frames"] or position["queue"]:
        return False
    return attack is None or attack["step"] == "defense"
