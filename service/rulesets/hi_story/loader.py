"""Which card pools are refused: every fault of a cards file with its place (3, 9.7, FORMAT 3)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping

from service.engine.contract import Fault
from service.engine.values import Json
from service.rulesets.hi_story.cards import BLANK, Definition, expand
from service.rulesets.hi_story.refusals import hidden_counts, refusals
from service.rulesets.hi_story.shapes import (
    BOOLEAN,
    NAME,
    NULL,
    TEXT,
    TRUE,
    at,
    by_type,
    integer,
    leaf,
    list_of,
    matching,
    record,
    unfolded,
    word,
)
from service.rulesets.hi_story.vocabulary import EFFECT, card_filter, condition

LEVEL_MAX = 3
NOTHING_OF_INCIDENTS: Mapping[str, Json] = {
    "title_ja": "",
    "title_en": "",
    "power": 0,
    "sword": False,
    "shield": False,
}
"""What incidents do not have, with the value that says so (HS-116)."""

_ID = re.compile(r"[a-z0-9-]+", re.ASCII)

_CARD = record(
    {
        "id": matching(_ID, "must be of small letters, digits and hyphens"),
        "name_ja": NAME,
        "rank": integer(0, 4),
    },
    {
        "kind": word("game", "incident", "rule", "filler"),
        "title_ja": TEXT,
        "title_en": TEXT,
        "name_en": TEXT,
        "power": integer(0),
        "sword": BOOLEAN,
        "shield": BOOLEAN,
        "attributes": list_of(NAME),
        "substitute": by_type(int=integer(1), NoneType=NULL),
        "effects": list_of(EFFECT),
        "set_on": list_of(record({"filter": card_filter}, {"show": BOOLEAN})),
        "respond": by_type(bool=TRUE, dict=condition),
        "text_ja": TEXT,
        "text_en": TEXT,
    },
)
_DECK = record({"name_ja": TEXT, "name_en": TEXT, "list": list_of(TEXT)})
_LIST = leaf(lambda value: isinstance(value, list), "must be a list")
_OBJECT = leaf(lambda value: isinstance(value, dict), "must be an object")
_FILE = record({"cards": _LIST, "decks": _OBJECT})


def pool_faults(cards_json: Json) -> list[Fault]:
    """Return every fault of a parsed cards file; never raises, whatever the value.

    A card is named by its id in the place of a fault, or by its index if it has none.
    """
    pool, cut_off = unfolded(cards_json)
    cut = [Fault(place=_by_id(pool, fault.place), text=fault.text) for fault in cut_off]
    faults = [*_FILE(pool, ""), *_faults_of_cards(pool), *_faults_of_decks(pool)]
    places = {fault.place for fault in cut}
    return [*cut, *(fault for fault in faults if fault.place not in places)]


def _by_id(pool: Json, place: str) -> str:
    """Return a place in the file with the id of the card in it instead of its index."""
    keys, cards = place.split("."), _part(pool, "cards", list)
    if keys[0] == "cards" and len(keys) > 1 and cards:
        keys[1] = _name_of(cards[int(keys[1])], int(keys[1]))
    return ".".join(keys)


def _part(pool: Json, key: str, kind: type) -> Json:
    """Return a part of a file, empty if it is none of this type."""
    part = pool.get(key) if isinstance(pool, dict) else None
    return part if isinstance(part, kind) else kind()


def _faults_of_cards(pool: Json) -> Iterator[Fault]:
    cards = _part(pool, "cards", list)
    for index, card in enumerate(cards):
        place = at("cards", _name_of(card, index))
        yield from _CARD(card, place)
        if isinstance(card, dict):
            yield from _faults_beyond_form(card, place)
    for name, count in Counter(_ids(cards)).items():
        if count > 1:
            yield Fault(place=at("cards", name), text=f"is the id of {count} cards")


def _name_of(card: Json, index: int) -> str:
    name = card.get("id") if isinstance(card, dict) else None
    return name if isinstance(name, str) and name else str(index)


def _ids(cards: list[Json]) -> list[str]:
    found = [card.get("id") for card in cards if isinstance(card, dict)]
    return [name for name in found if isinstance(name, str)]


def _faults_beyond_form(card: Definition, place: str) -> Iterator[Fault]:
    if card.get("kind") == "incident":
        yield from _faults_of_incident(card, place)
    elif "respond" in card:
        yield Fault(place=at(place, "respond"), text="is for incidents only")
    for found in hidden_counts(card.get("respond"), at(place, "respond")):
        yield Fault(place=found, text="a condition counts by a filter in a hidden zone")
    effects = _part(card, "effects", list)
    for index, effect in enumerate(effects):
        if isinstance(effect, dict):
            yield from refusals(card, effect, at(place, f"effects.{index}"))


def _faults_of_incident(card: Definition, place: str) -> Iterator[Fault]:
    for key, nothing in NOTHING_OF_INCIDENTS.items():
        if card.get(key, nothing) != nothing:
            yield Fault(place=at(place, key), text="is nothing that an incident has")
    if card.get("rank") == LEVEL_MAX + 1:
        yield Fault(place=at(place, "rank"), text=f"a level is at most {LEVEL_MAX}")
    triggers = [
        effect.get("when") for effect in _part(card, "effects", list) if isinstance(effect, dict)
    ]
    if triggers != ["played"]:
        yield Fault(place=at(place, "effects"), text="must be exactly one effect, with played")


def _faults_of_decks(pool: Json) -> Iterator[Fault]:
    known = {BLANK["id"], *_ids(_part(pool, "cards", list))}
    for name, deck in _part(pool, "decks", dict).items():
        place = at("decks", str(name))
        yield from _DECK(deck, place)
        for index, entry in enumerate(_part(deck, "list", list)):
            if expand([entry])[0] not in known:
                yield Fault(place=at(place, f"list.{index}"), text="is no card of this file")
