"""Card definitions of a pool, read once into records (HG-210…HG-238, HG-417; spec 2 and 9)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Literal

from service.engine.values import Json

UNIT_KINDS = frozenset({"weapon", "token", "beast"})
# Weapons and armaments go into one deck, facilities and orders into the other (HG-214, HG-223).
MAIN_KINDS = {
    "weapon_deck": frozenset({"weapon", "armament"}),
    "operation_deck": frozenset({"facility", "order"}),
    "damage_deck": frozenset({"damage"}),
}
OWNED_KINDS = frozenset().union(*MAIN_KINDS.values())
SECRET_KINDS = {
    "weapon": "weapon",
    "armament": "weapon",
    "facility": "operation",
    "order": "operation",
    "damage": "damage",
}
EMERGENCY = "緊急"
WHITE = "white"
X = "X"


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetGroup:
    """What an effect targets: a filter and how many; `auto_all`: all of them, by itself."""

    select: Json
    least: int
    most: int
    allocate: int | None
    auto_all: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class AdditionalCost:
    """Cards to destroy or discard on announcement (HG-255)."""

    verb: Literal["destroy", "discard"]
    select: Json
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """One effect of a card (spec 9). zone: where its bearer lies; fuel: what activating costs."""

    id: str
    when: str
    condition: Json
    optional: bool
    zone: str
    timing: frozenset[str]
    secret_mechanism: bool
    fuel: int
    additional: AdditionalCost | None
    targets: TargetGroup | None
    operations: tuple[Json, ...]
    match: Json
    instead: tuple[Json, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    """A card definition with its defaults filled in.

    name: what makes two cards the same card (HG-237); is_cost_x: the cost is an undetermined number
    (HG-267), `cost` is 0; area: the most targets of one attack, None for ALL; armour: of units,
    facilities and motherships, None for the others.
    """

    id: str
    kind: str
    name: tuple[str, ...]
    types: frozenset[str]
    cost: int
    is_cost_x: bool
    frame: str | None
    is_unit: bool
    range: str | None
    area: int | None
    power: int
    hits: int
    armour: int | None
    act: int
    fuel_cap: int | None
    durability: int
    equip_if: Json
    keywords: frozenset[str]
    timing: frozenset[str] | None
    additional: AdditionalCost | None
    effects: Mapping[str, Effect]
    by_when: Mapping[str, tuple[Effect, ...]]
    speed: int
    life_cores: int
    cores: int
    charge_power: int
    reverse: str | None
    is_final: bool
    payment_zones: frozenset[str]

    def effects_when(self, when: str) -> tuple[Effect, ...]:
        """Return the effects of one kind in their order."""
        return self.by_when.get(when, ())

    @property
    def is_emergency(self) -> bool:
        """Tell whether the card has the emergency type (HG-417)."""
        return EMERGENCY in self.types

    @property
    def play_effect(self) -> Effect | None:
        """The text of an order, or None."""
        texts = self.by_when.get("play")
        return texts[0] if texts else None

    @property
    def stays_for_good(self) -> bool:
        """Tell whether no effect can remove the card: motherships on either face (HG-964)."""
        return self.kind == "mothership" or self.is_final


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """A card pool.

    fronts: reverse face → front face of motherships; with_statics: cards with static skills;
    skill_zones: the zones from which any card can activate a skill;
    lowers_armour: whether any effect may lower the armour of a card.
    """

    cards: Mapping[str, Definition]
    decks: Mapping[str, Json]
    fronts: Mapping[str, str]
    with_statics: frozenset[str]
    skill_zones: frozenset[str]
    lowers_armour: bool


def read_pool(cards: Json) -> Pool:
    """Read a parsed cards file without faults."""
    definitions = {card["id"]: _definition(card) for card in cards["cards"]}
    return Pool(
        cards=definitions,
        decks={deck["id"]: deck for deck in cards["decks"]},
        fronts={d.reverse: d.id for d in definitions.values() if d.reverse is not None},
        with_statics=frozenset(d.id for d in definitions.values() if d.effects_when("static")),
        skill_zones=frozenset(
            effect.zone for d in definitions.values() for effect in d.effects_when("activated")
        ),
        lowers_armour=any(
            _lowers_armour(operation)
            for definition in definitions.values()
            for effect in definition.effects.values()
            for operation in (*effect.operations, *effect.instead)
        ),
    )


def _lowers_armour(operation: Json) -> bool:
    by = operation.get("by")
    raises = isinstance(by, int) and by >= 0
    return operation["op"] == "modify" and operation["stat"] == "armour" and not raises


def _definition(card: Json) -> Definition:
    stats = card.get("stats")
    effects = {effect["id"]: _effect(effect) for effect in card.get("effects", [])}
    return Definition(
        id=card["id"],
        kind=card["kind"],
        name=_name(card),
        types=frozenset(card["types"]),
        cost=0 if card.get("cost") == X else card.get("cost", 0),
        is_cost_x=card.get("cost") == X,
        frame=card.get("frame"),
        is_unit=card["kind"] in UNIT_KINDS and stats is not None,
        **_combat_numbers(stats or {}, card.get("armour")),
        fuel_cap=card.get("fuel_cap"),
        durability=card.get("durability", 0),
        equip_if=card.get("equip_if"),
        keywords=frozenset(card.get("keywords", [])),
        timing=frozenset(card["timing"]) if "timing" in card else None,
        additional=_additional(card.get("additional_cost")),
        effects=effects,
        by_when=_by_when(effects.values()),
        speed=card.get("speed", 0),
        life_cores=card.get("life_cores", 0),
        cores=card.get("cores", 0),
        charge_power=card.get("charge_power", 0),
        reverse=card.get("reverse"),
        is_final=card.get("final", False),
        payment_zones=frozenset(e.zone for e in effects.values() if e.when == "payment"),
    )


def _name(card: Json) -> tuple[str, ...]:
    if card["kind"] == "weapon":
        return (card["weapon_name"], card["pilot_name"])
    return (card["id"],)


def _combat_numbers(stats: Json, armour: int | None) -> dict[str, Json]:
    return {
        "range": stats.get("range"),
        "area": _area(stats.get("area")),
        "power": stats.get("power", 0),
        "hits": stats.get("hits", 1),
        "armour": stats.get("armour", armour),
        "act": stats.get("act", 0),
    }


def _area(area: str | None) -> int | None:
    """Return the most targets of an attack; a MULTI-N attack takes up to N (HG-944)."""
    if area is None or area == "ALL":
        return None
    return 1 if area == "SINGLE" else int(area.removeprefix("MULTI-"))


def _by_when(effects: Collection[Effect]) -> dict[str, tuple[Effect, ...]]:
    whens = {effect.when for effect in effects}
    return {when: tuple(e for e in effects if e.when == when) for when in whens}


def _effect(effect: Json) -> Effect:
    return Effect(
        id=effect["id"],
        when=effect["when"],
        condition=effect.get("if"),
        optional=effect.get("optional", False),
        zone=effect.get("from", "field"),
        timing=frozenset(effect.get("timing", ["main"])),
        secret_mechanism=effect.get("secret_mechanism", False),
        fuel=effect.get("cost", {}).get("fuel", 0),
        additional=_additional(effect.get("additional_cost")),
        targets=_targets(effect.get("targets")),
        operations=tuple(effect.get("do", [])),
        match=effect.get("match"),
        instead=tuple(effect.get("instead", [])),
    )


def _additional(cost: Json) -> AdditionalCost | None:
    if cost is None:
        return None
    verb: Literal["destroy", "discard"] = "destroy" if "destroy" in cost else "discard"
    select = dict(cost[verb])
    return AdditionalCost(verb=verb, count=select.pop("count"), select=select)


def _targets(group: Json) -> TargetGroup | None:
    if group is None:
        return None
    return TargetGroup(
        select=group["select"],
        least=group["min"],
        most=group["max"],
        allocate=group.get("allocate"),
        auto_all=group.get("auto") == "all",
    )
