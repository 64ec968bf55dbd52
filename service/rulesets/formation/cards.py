"""Card definitions as the rules read them: pieces, abilities, attacks (FM-107, FM-201, FM-206)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from service.engine.values import Json

TICKS_PER_HEART = 4
ALWAYS = "always"
ATTACK = "attack"
REVIVE = "revive"
SINGLE = "single"
PIERCE = "pierce"
SICKLE = "sickle"
AXE = "axe"
CHAIN = "chain"
ALL = "all"
FRONT = "front"
LAST = "last"
MELEE = "melee"
RANGED = "ranged"
PHYSICAL = "physical"
MAGICAL = "magical"
ANY = "any"

STUN, SEAL, SLEEP = "stun", "seal", "sleep"
POISON, ROT = "poison", "rot"
DISABLING = (STUN, SEAL, SLEEP)
AILMENTS = (*DISABLING, POISON, ROT)
ATTRIBUTES = ("white", "blue", "green", "red", "black", "none")
FLAT = "flat"
SIDES = (FLAT, *(f"{sign}{attribute}" for sign in "+-" for attribute in ATTRIBUTES))
"""What a side of a piece may be: flat, or a tab (+) or blank (-) of an attribute."""

OPERATION_DEFAULTS: Mapping[str, Json] = {
    "cheer": {"kind": ANY, "for": {}},
    "charisma": {"kind": ANY, "for": {}},
    "mod": {"kind": ANY},
    "status": {"amount": 0},
}
SELECTOR_DEFAULTS: Mapping[str, Json] = {"where": {}, "others": False}


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack:
    """The one operation of an attacking ability; damage and behind in ticks.

    features: what the `vs` of a target may ask for: the kind, reach and shape that are printed
    (FM-206), the attribute and type of the card (FM-983).
    """

    features: Mapping[str, Json]
    kind: str
    reach: str
    damage: int
    shape: str = SINGLE
    aim: str = FRONT
    columns: int = 0
    chain_by: str = "attribute"
    behind: int = 0
    range: int | None = None
    every: int = 1
    hits: int = 1
    lethal: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Ability:
    """A printed ability. index: from 0 in printed order; uses: per match and unit, or unlimited."""

    index: int
    when: str
    condition: Mapping[str, Json]
    uses: int | None
    attack: Attack | None
    operations: tuple[Json, ...]

    @property
    def key(self) -> str:
        """The index as the key of `charge` and `used`."""
        return str(self.index)


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A standing operation with the ability that prints it."""

    ability: Ability
    operation: Mapping[str, Json]


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A card definition. ticks: the maximum of its unit (FM-229), 0 for a spell piece.

    abilities: by trigger, in printed order; standing: by operation, in printed order.
    """

    id: str
    is_spell: bool
    attribute: str
    type: str | None
    ticks: int
    connectors: list[str]
    abilities: Mapping[str, tuple[Ability, ...]]
    standing: Mapping[str, tuple[Standing, ...]]


Cards: TypeAlias = Mapping[str, Card]
Decks: TypeAlias = Mapping[str, Mapping[str, int]]


def cards_of(pool: Json) -> Cards:
    """Return the cards of a parsed pool without faults, by id."""
    return {definition["id"]: _card(definition) for definition in pool["cards"]}


def decks_of(pool: Json) -> Decks:
    """Return the decks of a parsed pool without faults, by id: card id to copies."""
    return {deck["id"]: deck["cards"] for deck in pool["decks"]}


def _card(definition: Json) -> Card:
    abilities = tuple(
        _ability(index, printed, definition)
        for index, printed in enumerate(definition.get("abilities", []))
    )
    standing = [
        Standing(ability=ability, operation=operation)
        for ability in abilities
        if ability.when == ALWAYS
        for operation in ability.operations
    ]
    return Card(
        id=definition["id"],
        is_spell=definition["piece"] == "spell",
        attribute=definition["attribute"],
        type=definition.get("type"),
        ticks=TICKS_PER_HEART * definition.get("hearts", 0),
        connectors=definition["connectors"],
        abilities={
            when: tuple(ability for ability in abilities if ability.when == when)
            for when in {ability.when for ability in abilities}
        },
        standing={
            name: tuple(effect for effect in standing if effect.operation["op"] == name)
            for name in {effect.operation["op"] for effect in standing}
        },
    )


def _ability(index: int, printed: Json, definition: Json) -> Ability:
    first = printed["do"][0]
    return Ability(
        index=index,
        when=printed["when"],
        condition=printed.get("if", {}),
        uses=printed.get("uses"),
        attack=_attack(first, definition) if first["op"] == ATTACK else None,
        operations=tuple(map(_operation, printed["do"])),
    )


def _attack(operation: Json, definition: Json) -> Attack:
    numbers = {key: value for key, value in operation.items() if key != "op"}
    features = {
        "kind": operation["kind"],
        "reach": operation["reach"],
        "shape": operation.get("shape", SINGLE),
        "attribute": definition["attribute"],
        "type": definition.get("type"),
    }
    return Attack(features=features, **numbers)


def _operation(operation: Json) -> Json:
    filled = {**OPERATION_DEFAULTS.get(operation["op"], {}), **operation}
    if isinstance(operation.get("to"), dict):
        filled["to"] = {**SELECTOR_DEFAULTS, **operation["to"]}
    return filled
