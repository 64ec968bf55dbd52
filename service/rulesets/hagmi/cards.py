"""Checks of a card pool: every fault of a parsed cards file, with its place (FORMAT 3; spec 2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from service.engine.contract import Fault
from service.engine.values import Json
from service.rulesets.hagmi.definitions import MAIN_KINDS, OWNED_KINDS, X
from service.rulesets.hagmi.shapes import (
    NUMBER_MAX,
    Shape,
    below,
    fault,
    flag,
    listing,
    mapping,
    record,
    text,
    whole,
    word,
)
from service.rulesets.hagmi.vocabulary import (
    BEAST_KEYWORDS,
    FILTER,
    KEYWORDS,
    RANGES,
    TIMINGS,
    additional_cost,
    effect,
)

KINDS = (*sorted(OWNED_KINDS), "token", "beast", "mothership")
FRAMES = ("black", "blue", "red", "white")
MULTI = "MULTI-"
NEEDED: Mapping[str, tuple[str, ...]] = {
    "weapon": ("weapon_name", "pilot_name", "stats"),
    "beast": ("stats",),
    "facility": ("armour",),
    "mothership": ("armour",),
}


def _cost(value: Json, place: str) -> Iterator[Fault]:
    if value != X:
        yield from whole()(value, place)


def _area(value: Json, place: str) -> Iterator[Fault]:
    number = value.removeprefix(MULTI) if isinstance(value, str) else ""
    is_multi = isinstance(value, str) and value.startswith(MULTI)
    is_number = number.isascii() and number.isdigit() and len(number) <= len(str(NUMBER_MAX))
    if value not in ("SINGLE", "ALL") and not (is_multi and is_number and int(number) >= 1):
        yield fault(place, "SINGLE, MULTI-N or ALL is expected")


STATS_SHAPE = record(
    {"range": word(RANGES), "area": _area, "power": whole(), "armour": whole(1)},
    {"hits": whole(1), "act": whole()},
)
CARD = record(
    {"id": text, "kind": word(KINDS), "types": listing(text, least=1)},
    {
        "weapon_name": text,
        "pilot_name": text,
        "name_ja": text,
        "name_en": text,
        "cost": _cost,
        "frame": word(FRAMES),
        "designed": flag,
        "stats": STATS_SHAPE,
        "fuel_cap": whole(),
        "armour": whole(1),
        "durability": whole(),
        "equip_if": FILTER,
        "keywords": listing(word(KEYWORDS)),
        "timing": listing(word(TIMINGS), least=1),
        "additional_cost": additional_cost,
        "effects": listing(effect),
        "speed": whole(-NUMBER_MAX),
        "life_cores": whole(),
        "cores": whole(),
        "charge_power": whole(),
        "reverse": text,
        "final": flag,
    },
)
COUNTS = mapping(text, whole(1))
NAMES: Mapping[str, Shape] = {"id": text, "name_ja": text, "name_en": text}
PLAYER_DECK = record(
    {**NAMES, "weapon_deck": COUNTS, "operation_deck": COUNTS},
    {"damage_deck": COUNTS, "secret": listing(text)},
)
BEAST_DECK = record({**NAMES, "beast_deck": COUNTS, "mothership": text})


def _deck(value: Json, place: str) -> Iterator[Fault]:
    is_beasts = isinstance(value, dict) and "beast_deck" in value
    yield from (BEAST_DECK if is_beasts else PLAYER_DECK)(value, place)


POOL = record({"cards": listing(CARD, named_by="id"), "decks": listing(_deck, named_by="id")})


def pool_faults(cards: Json) -> list[Fault]:
    """Return every fault of a parsed cards file; a value that is no pool at all has one."""
    faults = list(POOL(cards, ""))
    kinds: dict[str, str] = {}
    for place, card in _members(cards, "cards"):
        faults += _duplicate(card, place, kinds)
        faults += _card_faults(card, place)
        kinds[card["id"]] = str(card.get("kind"))
    for place, card in _members(cards, "cards"):
        faults += _reference_faults(cards, card, place, kinds)
    names: dict[str, str] = {}
    for place, deck in _members(cards, "decks"):
        faults += _duplicate(deck, place, names)
        faults += _deck_faults(deck, place, kinds)
        names[deck["id"]] = ""
    return faults


def _members(cards: Json, key: str) -> Iterator[tuple[str, Json]]:
    """Yield place and value of every card or deck that has an id; its id is its place."""
    listed = cards.get(key) if isinstance(cards, dict) else None
    for member in listed if isinstance(listed, list) else []:
        if isinstance(member, dict) and isinstance(member.get("id"), str):
            yield f"{key}.{member['id']}", member


def _duplicate(member: Json, place: str, known: Mapping[str, str]) -> Iterator[Fault]:
    if member["id"] in known:
        yield fault(place, "this id is given twice")


def _card_faults(card: Json, place: str) -> Iterator[Fault]:
    for key in NEEDED.get(str(card.get("kind")), ()):
        if key not in card:
            yield fault(below(place, key), "missing")
    keywords = card.get("keywords")
    if card.get("kind") != "beast" and isinstance(keywords, list):
        for keyword in keywords:
            if keyword in BEAST_KEYWORDS:
                yield fault(below(place, "keywords"), f"{keyword} is for beasts only")
    if card.get("kind") == "beast" and card.get("cost") == X:
        yield fault(below(place, "cost"), "the cost of a beast is a number")
    seen: set[str] = set()
    for at, part in _effects(card):
        name = part.get("id")
        if isinstance(name, str) and name in seen:
            yield fault(below(below(below(place, "effects"), at), "id"), "given twice")
        seen.add(str(name))


def _effects(card: Json) -> Iterator[tuple[int, Json]]:
    listed = card.get("effects")
    for at, part in enumerate(listed if isinstance(listed, list) else []):
        if isinstance(part, dict):
            yield at, part


def _reference_faults(
    cards: Json, card: Json, place: str, kinds: Mapping[str, str]
) -> Iterator[Fault]:
    reverse = card.get("reverse")
    if isinstance(reverse, str):
        if kinds.get(reverse) != "beast":
            yield fault(below(place, "reverse"), f"{reverse} is no beast of this pool")
        other: Json = next((c for _, c in _members(cards, "cards") if c["id"] == reverse), {})
        if {str(part.get("id")) for _, part in _effects(card)} & {
            str(part.get("id")) for _, part in _effects(other)
        }:
            yield fault(below(place, "effects"), "the two faces share an effect id")
    for at, part in _effects(card):
        for key in ("do", "instead"):
            listed = part.get(key)
            for number, operation in enumerate(listed if isinstance(listed, list) else []):
                if isinstance(operation, dict) and operation.get("op") == "token":
                    token = operation.get("card")
                    if isinstance(token, str) and kinds.get(token) != "token":
                        yield fault(
                            f"{place}.effects.{at}.{key}.{number}.card", f"{token} is no token"
                        )


def _deck_faults(deck: Json, place: str, kinds: Mapping[str, str]) -> Iterator[Fault]:
    for key, allowed in {**MAIN_KINDS, "beast_deck": frozenset({"beast"})}.items():
        counts = deck.get(key)
        for name in counts if isinstance(counts, dict) else []:
            if kinds.get(name) not in allowed:
                yield fault(f"{place}.{key}.{name}", _unfit(name, kinds))
    secrets = deck.get("secret")
    for at, name in enumerate(secrets if isinstance(secrets, list) else []):
        if isinstance(name, str) and kinds.get(name) not in OWNED_KINDS:
            yield fault(f"{place}.secret.{at}", _unfit(name, kinds))
    mothership = deck.get("mothership")
    if isinstance(mothership, str) and kinds.get(mothership) != "mothership":
        yield fault(f"{place}.mothership", _unfit(mothership, kinds))


def _unfit(name: str, kinds: Mapping[str, str]) -> str:
    return f"{name} does not belong there" if name in kinds else f"unknown card {name}"
