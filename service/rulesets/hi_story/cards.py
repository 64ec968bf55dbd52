"""The card pool: definitions with their defaults, full names, the test of a deck (HS-110 f.)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from service.engine.values import Json

Definition: TypeAlias = dict[str, Json]
Effect: TypeAlias = dict[str, Json]
FullName: TypeAlias = tuple[str, str | tuple[str, ...]]

BLANK: Definition = {
    "id": "blank",
    "kind": "filler",
    "title_ja": "白紙の",
    "title_en": "Blank",
    "name_ja": "不明",
    "name_en": "Unknown",
    "rank": 0,
}
UNKNOWN = ""
DECK_SIZE = 32
COPIES_MAX = 2
COPIES_MAX_OF_STARTERS = 4
STARTERS = frozenset({"シュン", "シオリン", "ハマボウ"})
PRESENT_DAY = "現代のプレイヤー"
PRESENT_DAY_MAX = 1
PLAYABLE = frozenset({"game", "incident"})
"""The kinds that a deck may hold; rule cards take no part in play (HS-115, HS-708)."""

_SEVERAL = re.compile(r"([a-z0-9-]+)\*([1-9][0-9]?)", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """The cards of a file by id, every default filled in, and its decks as lists of entries.

    working: of each card the effects, with their indices, by the place in which they work.
    """

    cards: Mapping[str, Definition]
    decks: Mapping[str, Sequence[str]]
    working: Mapping[str, Mapping[str, Sequence[tuple[int, Effect]]]]


def make_pool(cards_json: Mapping[str, Json]) -> Pool:
    """Return the pool of a parsed cards file without faults; `blank` is in every pool."""
    cards = {card["id"]: _completed(card) for card in [BLANK, *cards_json["cards"]]}
    return Pool(
        cards=cards,
        decks={name: deck["list"] for name, deck in cards_json["decks"].items()},
        working={name: _working(card) for name, card in cards.items()},
    )


def _completed(card: Definition) -> Definition:
    return {
        "kind": "game",
        "title_ja": "",
        "title_en": "",
        "name_en": "",
        "power": 0,
        "sword": False,
        "shield": False,
        "attributes": [],
        "substitute": None,
        "set_on": [],
        "text_ja": "",
        "text_en": "",
        **card,
        "effects": [_completed_effect(effect) for effect in card.get("effects", [])],
    }


def _completed_effect(effect: Effect) -> Effect:
    """Fill in the defaults of an effect; its operations stay as they are written.

    `kept_down` works on the face-down card itself, whatever is written (HS-314).
    """
    where = "down" if effect["when"] == "kept_down" else effect.get("where", "field")
    return {
        "name_ja": "",
        "name_en": "",
        "optional": False,
        **effect,
        "where": where if isinstance(where, list) else [where],
    }


def _working(card: Definition) -> dict[str, list[tuple[int, Effect]]]:
    by_place: dict[str, list[tuple[int, Effect]]] = {}
    for index, effect in enumerate(card["effects"]):
        for place in effect["where"]:
            by_place.setdefault(place, []).append((index, effect))
    return by_place


def full_name(definition: Definition) -> FullName:
    """Return what makes two cards copies of each other (HS-903, HS-944)."""
    name = definition["name_ja"]
    if definition["kind"] == "incident":
        return ("", name)
    if definition["title_ja"]:
        return (definition["title_ja"], name)
    return (name, tuple(effect["name_ja"] for effect in definition["effects"]))


def expand(deck: Sequence[Json]) -> list[str]:
    """Return the ids of a deck's entries in their order, `"id*3"` written out.

    An entry of another form stands for one card that no pool knows.
    """
    ids: list[str] = []
    for entry in deck:
        several = _SEVERAL.fullmatch(entry) if isinstance(entry, str) else None
        if several and int(several[2]) <= DECK_SIZE:
            ids += [several[1]] * int(several[2])
        else:
            ids.append(entry if isinstance(entry, str) else UNKNOWN)
    return ids


def deck_fault(pool: Pool, deck: Sequence[Json]) -> str | None:
    """Return the rule that a deck breaks, or None.

    Rejections: HS-110 size, HS-115 not a game card, HS-112 and HS-111 copies of a name, HS-113
    present-day players of rank 1.
    """
    ids = expand(deck)
    if len(ids) != DECK_SIZE:
        return "HS-110"
    if not all(card in pool.cards and pool.cards[card]["kind"] in PLAYABLE for card in ids):
        return "HS-115"
    definitions = [pool.cards[card] for card in ids]
    return _copies_fault(definitions) or _present_day_fault(definitions)


def _copies_fault(definitions: Sequence[Definition]) -> str | None:
    copies = Counter(full_name(definition) for definition in definitions)
    for definition in definitions:
        is_starter = definition["rank"] == 0 and definition["name_ja"] in STARTERS
        if copies[full_name(definition)] > (COPIES_MAX_OF_STARTERS if is_starter else COPIES_MAX):
            return "HS-112" if is_starter else "HS-111"
    return None


def _present_day_fault(definitions: Sequence[Definition]) -> str | None:
    count = sum(
        definition["rank"] == 1 and PRESENT_DAY in definition["attributes"]
        for definition in definitions
    )
    return "HS-113" if count > PRESENT_DAY_MAX else None
