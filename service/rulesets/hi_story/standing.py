"""What holds in a position: static effects, lasting entries, icons, power, bans (8.0, 8.1, 9.5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from service.engine.values import Json, Position
from service.rulesets.hi_story.cards import Effect, Pool
from service.rulesets.hi_story.filters import Reading
from service.rulesets.hi_story.measure import amount, condition, select
from service.rulesets.hi_story.table import (
    Stack,
    bearers,
    definition,
    is_face_up_top,
    other,
    owner,
)

ICONS = ("sword", "shield")
Terms = Mapping[str, Json]
"""A lasting entry, or an operation of a static effect."""


class Borne(NamedTuple):
    """An effect whose source lies in a place where the effect works."""

    player: str
    card: str
    place: str
    effect_index: int
    effect: Effect


@dataclass(frozen=True, slots=True, kw_only=True)
class Power:
    """A power as it is computed: base, what is added in this order, total (HS-905)."""

    base: int
    modifiers: list[dict[str, Json]]
    total: int


class Scene:
    """A position as the rules read it; everything that is asked of it holds for this position only.

    The effects in their places and what stands of them are collected at the first question, since
    every ban, icon and power asks for them again.
    """

    def __init__(self, pool: Pool, position: Position) -> None:
        """Read `position` with the definitions of `pool`."""
        self.pool = pool
        self.position = position
        self._effects: dict[str, list[Borne]] | None = None
        self._statics: dict[str, list[tuple[Reading, Terms]]] | None = None
        self._standing: dict[str, list[tuple[Reading, Terms]]] = {}

    def after(self, position: Position) -> Scene:
        """Return the scene of a later position; where no card moved the effects are the same."""
        later, before = Scene(self.pool, position), self.position
        if position["players"] is before["players"] and position["active"] == before["active"]:
            later._effects = self._effects
        return later

    def effects(self, when: str) -> list[Borne]:
        """Return the effects of this `when` whose cards lie where they work, in order (10).

        Turn player first; fields 1 to 5, there the top, then the covered cards; then the hand.
        """
        if self._effects is None:
            self._effects = self._borne()
        return self._effects.get(when, [])

    def _borne(self) -> dict[str, list[Borne]]:
        found: dict[str, list[Borne]] = {}
        active, definitions = self.position["active"], self.position["cards"]
        for player in (active, other(active)):
            for card, place in bearers(self.position, player):
                for index, effect in self.pool.working[definitions[card]].get(place, ()):
                    borne = Borne(player, card, place, index, effect)
                    found.setdefault(effect["when"], []).append(borne)
        return found

    def standing(self, op: str) -> list[tuple[Reading, Terms]]:
        """Return what stands of an operation: live static effects, then live lasting entries."""
        if op not in self._standing:
            self._standing[op] = [*self._static(op), *self._lasting(op)]
        return self._standing[op]

    def _static(self, op: str) -> list[tuple[Reading, Terms]]:
        if self._statics is None:
            statics: dict[str, list[tuple[Reading, Terms]]] = {}
            for borne in self.effects("always"):
                reading = Reading(board=self, source=borne.card, player=borne.player)
                if "if" not in borne.effect or condition(reading, borne.effect["if"]):
                    for operation in borne.effect["do"]:
                        statics.setdefault(operation["op"], []).append((reading, operation))
            self._statics = statics
        return self._statics.get(op, [])

    def _lasting(self, op: str) -> list[tuple[Reading, Terms]]:
        return [
            (Reading(board=self, source=entry["source"], player=owner(entry["source"])), entry)
            for entry in self.position["lasting"]
            if entry["op"] == op and is_live(self.position, entry)
        ]

    def of_hand(self, player: str, card: Json) -> str | None:
        """Return a card that lies in the hand of a player; None for whatever does not."""
        return card if card in self.position["players"][player]["hand"] else None

    def topped(self, card: str) -> Stack | None:
        """Return the stack on top of which a card lies, or None."""
        fields: dict[str, Stack] = self.position["players"][owner(card)]["fields"]
        return next((lying for lying in fields.values() if lying["cards"][-1] == card), None)

    def attributes(self, card: str) -> list[str]:
        """Return the printed attributes and those of live lasting grants (8.0)."""
        granted = [
            entry["attribute"]
            for _, entry in self._lasting("grant")
            if entry["card"] == card and "attribute" in entry
        ]
        return [*definition(self.pool, self.position, card)["attributes"], *granted]

    def has(self, card: str, keyword: str) -> bool:
        """Tell whether a card has an icon or keyword, printed or granted (8.0)."""
        if keyword in ICONS and definition(self.pool, self.position, card)[keyword]:
            return True
        return any(
            terms.get("keyword") == keyword
            and self._lies_on(card, reading, terms, pierces=keyword == "immune")
            for reading, terms in self.standing("grant")
        )

    def _lies_on(self, card: str, reading: Reading, terms: Terms, *, pierces: bool = False) -> bool:
        """Tell whether a lasting entry lies on a card, or a static operation concerns it.

        Static operations of the other player pass by an immune card, unless they pierce (HS-928).
        """
        if "card" in terms:
            return bool(terms["card"] == card)
        if card not in select(reading, terms["select"]):
            return False
        return pierces or reading.player == owner(card) or not self.has(card, "immune")

    def power(self, card: str) -> int:
        """Return the present power of a face-up top."""
        return self.power_of(card).total

    def power_of(self, card: str, *, substitute: Terms | None = None) -> Power:
        """Return the power of a card with its parts (8.1); no battle before counts (HS-224).

        substitute: the answer of that kind by which the power of an attacker is lowered (HS-609).
        """
        printed: int = definition(self.pool, self.position, card)["power"]
        harmless = other(owner(card)) if self.has(card, "no_loss") else None
        lying = [
            (reading, terms)
            for reading, terms in self.standing("power")
            if self._lies_on(card, reading, terms)
        ]
        values = [
            terms
            for reading, terms in lying
            if "value" in terms and (terms["value"] >= printed or reading.player != harmless)
        ]
        modifiers = [
            _modifier(reading.source, change, "HS-927")
            for reading, terms in lying
            if "amount" in terms
            and ((change := amount(reading, terms["amount"])) >= 0 or reading.player != harmless)
        ]
        if values and values[-1].get("fixed"):
            modifiers = []
        if substitute is not None:
            modifiers.append(_modifier(substitute["card"], -substitute["value"], "HS-609"))
        base: int = values[-1]["value"] if values else printed
        total = max(0, base + sum(part["amount"] for part in modifiers))
        return Power(base=base, modifiers=modifiers, total=total)


def _modifier(source: str, change: int, rule: str) -> dict[str, Json]:
    return {"source": source, "amount": change, "rules": [rule]}


def is_live(position: Position, entry: Terms) -> bool:
    """Tell whether a lasting entry works at this moment (9.5)."""
    if entry["attack"] and position["attack"] is None:
        return False
    turns = entry["turns"]
    if turns is not None and not turns[0] <= position["turn"] <= turns[1]:
        return False
    return "while" not in entry or is_face_up_top(position, entry["while"])


def being_resolved(scene: Scene) -> Reading:
    """Return the reading of the effect that is being resolved."""
    frame = scene.position["frames"][-1]
    return Reading(
        board=scene,
        source=frame["source"],
        player=frame["player"],
        last=frame["last"],
        it=frame.get("it"),
    )
