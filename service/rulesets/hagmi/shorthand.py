"""Shorthand of positions: card lists, fillers, entries of battlefields (spec 3)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from service.engine.contract import PositionFault
from service.engine.values import Json, is_integer_in
from service.rulesets.hagmi.definitions import Pool
from service.rulesets.hagmi.entries import blank_entry
from service.rulesets.hagmi.shapes import LARGEST, Shape, below, flag, listing, record, text, whole
from service.rulesets.hagmi.table import MB, PLAYERS

INSTANCE_ID = re.compile(r"[A-Za-z0-9_.-]+")
DEPTH_MAX = 32
FILLER_MAX = 1_000
INSTANCES_MAX = 10_000
COUNT = whole(0, LARGEST)
NUMBER = whole(-LARGEST, LARGEST)
ENTRY_SHAPES: Mapping[str, Shape] = {
    "damage": COUNT,
    "unremovable": COUNT,
    "retrofit": record({}, {"heavy": NUMBER, "power": NUMBER, "armour": NUMBER}),
    "counters": record({}, {"barrier": COUNT, "power": COUNT, "life_core": COUNT}),
    "down": flag,
    "declared": COUNT,
    "extra": COUNT,
    "forfeited": flag,
    "entered": COUNT,
    "seq": whole(1, LARGEST),
    "connected": listing(text),
    "cores": COUNT,
}
HOLDING_KEYS = ("card", "owner", "fuel", "stored", "armaments")
FIELD_KINDS = frozenset({"weapon", "armament", "facility", "token", "beast", "mothership"})


def refuse(place: str, why: str) -> PositionFault:
    """Return the fault of a position at a place."""
    return PositionFault(place, why)


def expect(shape: Shape, value: Json, place: str) -> None:
    """Raise the first fault of a value, if it has one."""
    for found in shape(value, place):
        raise refuse(found.place, found.text)


def expect_keys(value: Json, known: Mapping[str, Json] | tuple[str, ...], place: str) -> None:
    """Raise a fault unless a value is an object with known keys only."""
    if not isinstance(value, dict):
        raise refuse(place, "an object is expected")
    for key in value:
        if key not in known:
            raise refuse(below(place, str(key)), "unknown key")


class Registry:
    """The instances of a position while it is read: what each is, whose, and where it lies."""

    def __init__(self, pool: Pool, players: Sequence[str], cards: Json) -> None:
        """Begin with the declarations under `cards`."""
        self.pool = pool
        self.sides = (*players, MB)
        self.cards: dict[str, dict[str, str]] = {}
        self._places: dict[str, str] = {}
        expect_keys(cards, cards if isinstance(cards, dict) else (), "cards")
        for card, known in cards.items():
            place = f"cards.{card}"
            expect(record({"card": text, "owner": text}), known, place)
            self._check_owner(known["owner"], place)
            self._declare(card, known["card"], known["owner"], place)

    def _declare(self, card: str, name: str, owner: str, place: str) -> None:
        if not INSTANCE_ID.fullmatch(card) or card in (*PLAYERS, MB):
            raise refuse(place, f"{card!r} is no id of a card")
        if name not in self.pool.cards:
            raise refuse(place, f"unknown card {name!r}")
        known = self.cards.setdefault(card, {"card": name, "owner": owner})
        if known["card"] != name:
            raise refuse(place, f"{card} is declared as {known['card']} and as {name}")
        if len(self.cards) > INSTANCES_MAX:
            raise refuse(place, "too many cards")

    def lay(self, card: str, name: str | None, owner: str, place: str) -> str:
        """Lay an instance somewhere, declaring it if its definition is named; return its id."""
        if name is not None:
            self._declare(card, name, owner, place)
        if card not in self.cards:
            raise refuse(place, f"{card} is not declared")
        if card in self._places:
            raise refuse(place, f"{card} lies at {self._places[card]} too")
        self._places[card] = place
        return card

    def pile(
        self, value: Json, place: str, owner: str, filler: tuple[str, str] | None = None
    ) -> list[str]:
        """Read a list of cards, or a number of fillers (prefix of their ids, definition)."""
        if filler is not None and is_integer_in(value, 0, FILLER_MAX):
            prefix, name = filler
            value = [f"{prefix}{number}:{name}" for number in range(1, value + 1)]
        if not isinstance(value, list):
            raise refuse(place, "a list of cards is expected")
        return [self._item(item, below(place, at), owner) for at, item in enumerate(value)]

    def _item(self, item: Json, place: str, owner: str) -> str:
        if not isinstance(item, str):
            raise refuse(place, '"id" or "id:definition" is expected')
        card, _, name = item.partition(":")
        return self.lay(card, name or None, owner, place)

    def own_pile(
        self, value: Json, place: str, owner: str, filler: tuple[str, str] | None = None
    ) -> list[str]:
        """Read a pile, which holds cards of its owner only (HG-934)."""
        pile = self.pile(value, place, owner, filler)
        for card in pile:
            if self.cards[card]["owner"] != owner:
                raise refuse(place, f"{card} belongs to somebody else")
        return pile

    def field(self, value: Json, place: str, side: str, depth: int = 0) -> dict[str, Json]:
        """Read a map of entries, ids in ascending order; `"id:definition"` in a list is short."""
        if depth > DEPTH_MAX:
            raise refuse(place, "nested too deeply")
        if depth and isinstance(value, list):
            value = dict(self._short(item, place) for item in value)
        if not isinstance(value, dict):
            raise refuse(place, "an object of entries is expected")
        return {
            card: self._entry(card, value[card], below(place, card), side, depth)
            for card in sorted(value)
        }

    def _short(self, item: Json, place: str) -> tuple[str, dict[str, Json]]:
        card, _, name = item.partition(":") if isinstance(item, str) else ("", "", "")
        if not name:
            raise refuse(place, '"id:definition" is expected')
        return card, {"card": name}

    def _entry(self, card: str, value: Json, place: str, side: str, depth: int) -> dict[str, Json]:
        expect_keys(value, (*HOLDING_KEYS, *ENTRY_SHAPES), place)
        for key, shape in ENTRY_SHAPES.items():
            if key in value:
                expect(shape, value[key], below(place, key))
        known = self.cards.get(card, {})
        name = value.get("card", known.get("card"))
        owner = value.get("owner", known.get("owner", side))
        self._check_entry(card, name, owner, place)
        self.lay(card, name, owner, place)
        entry = blank_entry(self.pool.cards[name], owner)
        given = {key: value[key] for key in ENTRY_SHAPES if key in value}
        for key in ("retrofit", "counters"):
            given[key] = {**entry[key], **value.get(key, {})}
        filler = (f"{card}.F", "HW-000")
        entry |= given
        entry["fuel"] = self.pile(value.get("fuel", []), below(place, "fuel"), side, filler)
        for kind in ("stored", "armaments"):
            inner = below(place, kind)
            entry[kind] = self.field(value.get(kind, {}), inner, side, depth + 1)
        if entry["unremovable"] > entry["damage"]:
            raise refuse(below(place, "unremovable"), "more than the damage")
        return entry

    def _check_entry(self, card: str, name: Json, owner: Json, place: str) -> None:
        if not isinstance(name, str) or name not in self.pool.cards:
            raise refuse(below(place, "card"), "a known card is expected")
        if self.pool.cards[name].kind not in FIELD_KINDS:
            raise refuse(below(place, "card"), f"{name} does not lie on a battlefield")
        self._check_owner(owner, place)
        if self.cards.get(card, {"owner": owner})["owner"] != owner:
            raise refuse(below(place, "owner"), "differs from the owner under cards")

    def _check_owner(self, owner: Json, place: str) -> None:
        if owner not in self.sides:
            raise refuse(below(place, "owner"), "a side is expected")
