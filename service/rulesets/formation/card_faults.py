"""What a loader refuses in a card pool (spec 2; FM-704, FM-914, FM-980, FM-984, FM-989)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import TypeAlias

from service.engine.contract import Fault
from service.engine.values import Json
from service.rulesets.formation.card_forms import ABILITY, CARD, DECK, STANDING
from service.rulesets.formation.cards import (
    ALWAYS,
    ATTACK,
    CHAIN,
    LAST,
    MELEE,
    PIERCE,
    POISON,
    RANGED,
    REVIVE,
    ROT,
    SEAL,
    SICKLE,
    SINGLE,
)
from service.rulesets.formation.forms import fields, list_by_id, place_in, within

Wrong: TypeAlias = Iterator[tuple[str, str]]
"""Places within an ability with what is wrong there."""

LIMITED_WHEN_STANDING = {"reflect", "nullify"}
COUNTED = (SEAL, POISON, ROT)
SHAPES_WITH: Mapping[str, Collection[str]] = {
    "columns": (PIERCE,),
    "behind": (SICKLE,),
    "aim": (SINGLE, CHAIN),
    "chain_by": (CHAIN,),
}
"""Fields of an attack and the only shapes that have them."""
NEEDED: Mapping[str, str] = {PIERCE: "columns", SICKLE: "behind"}
OCCASIONS: Mapping[str, str] = {"target": "hit", "attacker": "damaged", "by": "felled"}
"""What a selector or condition may refer to, and the only trigger that has it."""
TRIGGERS_OF: Mapping[str, Collection[str]] = {ATTACK: ("action", "cast"), REVIVE: ("felled",)}
"""Operations that stand alone in an ability, with their triggers."""


def pool_faults(pool: Json) -> list[Fault]:
    """Return every fault of a parsed cards file with its place; takes any JSON value."""
    return [*POOL(pool, ""), *_unknown_cards(pool)]


def _unknown_cards(pool: Json) -> Iterator[Fault]:
    """Find the cards of decks that the pool does not define (FM-914)."""
    ids = [card.get("id") for card in _listed(pool, "cards") if isinstance(card, dict)]
    known = {card_id for card_id in ids if isinstance(card_id, str)}
    for index, deck in enumerate(_listed(pool, "decks")):
        copies = deck.get("cards") if isinstance(deck, dict) else None
        for card in copies if isinstance(copies, dict) else ():
            if card not in known:
                place = within(place_in("decks", index, deck), f"cards.{card}")
                yield Fault(place=place, text="unknown card")


def _listed(whole: Json, key: str) -> list[Json]:
    """Return the elements of a part, none if it is no list."""
    listed = whole.get(key) if isinstance(whole, dict) else None
    return listed if isinstance(listed, list) else []


def _card(card: Json, place: str) -> Iterator[Fault]:
    """Check the form of a card, then the rules of each ability whose form is right."""
    yield from CARD(card, place)
    is_spell = isinstance(card, dict) and card.get("piece") == "spell"
    for index, ability in enumerate(_listed(card, "abilities")):
        at = within(place, f"abilities.{index}")
        if not any(ABILITY(ability, at)):
            for part, text in _wrong(ability, is_spell=is_spell):
                yield Fault(place=within(at, part), text=text)


POOL = fields({"cards": list_by_id(_card), "decks": list_by_id(DECK)})


def _wrong(ability: Json, *, is_spell: bool) -> Wrong:
    """Go through the rules of an ability in the order of the specification."""
    if is_spell != (ability["when"] == "cast"):
        yield "when", "cast is for spells, and a spell has nothing else"
    if is_spell and ability.get("uses") is not None:
        yield "uses", "a spell has no limited abilities"
    yield from _wrong_standing(ability)
    yield from _wrong_company(ability)
    yield from _wrong_reference(ability.get("if", {}).keys(), ability["when"], "if")
    if ability["when"] == "cast":
        yield from _wrong_cast(ability)
    for index, operation in enumerate(ability["do"]):
        yield from _wrong_operation(operation, ability["when"], f"do.{index}")


def _wrong_standing(ability: Json) -> Wrong:
    """Keep standing operations and others apart; few of them may be limited (FM-984)."""
    is_standing = ability["when"] == ALWAYS
    for index, operation in enumerate(ability["do"]):
        if is_standing != (operation["op"] in STANDING):
            yield f"do.{index}.op", "standing operations are for always, and always for them"
    names = {operation["op"] for operation in ability["do"]}
    if is_standing and ability.get("uses") is not None and not names <= LIMITED_WHEN_STANDING:
        yield "uses", "of standing effects only reflect and nullify are limited"


def _wrong_company(ability: Json) -> Wrong:
    """Keep an attack or a revival alone in its ability and under its triggers."""
    names = [operation["op"] for operation in ability["do"]]
    for alone, triggers in TRIGGERS_OF.items():
        if alone in names and len(names) > 1:
            yield "do", f"{alone} is the only operation of its ability"
        if alone in names and ability["when"] not in triggers:
            yield "when", f"{alone} occurs only under {' and '.join(triggers)}"


def _wrong_reference(names: Iterable[str], when: str, part: str) -> Wrong:
    """Refuse a selector or condition that refers to what its trigger does not have."""
    for name in names:
        if OCCASIONS.get(name, when) != when:
            yield within(part, name), f"occurs only under {OCCASIONS[name]}"


def _wrong_cast(ability: Json) -> Wrong:
    """Refuse what a spell piece, which stands on no square, cannot refer to (FM-980)."""
    for key in ability.get("if", {}).keys() - {"enemy_front"}:
        yield f"if.{key}", "no condition for a spell"
    for index, operation in enumerate(ability["do"]):
        selector = operation.get("to")
        if selector == "self":
            yield f"do.{index}.to", "a spell is no unit"
        if isinstance(selector, dict) and selector["at"] in ("ahead", "behind"):
            yield f"do.{index}.to.at", "a spell stands on no square"
        if isinstance(selector, dict) and selector.get("others"):
            yield f"do.{index}.to.others", "a spell is no unit"


def _wrong_operation(operation: Json, when: str, part: str) -> Wrong:
    selector = operation.get("to")
    if isinstance(selector, str):
        yield from _wrong_reference([selector], when, f"{part}.to")
    if operation.get("status") in COUNTED and "amount" not in operation:
        yield f"{part}.amount", "is missing"
    if operation["op"] == ATTACK:
        yield from _wrong_attack(operation, when, part)


def _wrong_attack(attack: Json, when: str, part: str) -> Wrong:
    """Refuse fields that do not go with the shape, the reach (FM-989) or a spell (FM-980)."""
    shape = attack.get("shape", SINGLE)
    for key, shapes in SHAPES_WITH.items():
        if key in attack and shape not in shapes:
            yield f"{part}.{key}", f"does not go with {shape}"
    if NEEDED.get(shape, "damage") not in attack:
        yield f"{part}.{NEEDED[shape]}", "is missing"
    has_range = attack.get("range") is not None
    if attack["reach"] == MELEE and has_range:
        yield f"{part}.range", "does not go with melee"
    if attack["reach"] == MELEE and attack.get("aim") == LAST:
        yield f"{part}.aim", "does not go with melee"
    if when == "cast":
        if attack["reach"] != RANGED:
            yield f"{part}.reach", "a spell attacks from afar"
        if has_range:
            yield f"{part}.range", "a spell has no range"
        if attack.get("every", 1) != 1:
            yield f"{part}.every", "a spell is not charged"
