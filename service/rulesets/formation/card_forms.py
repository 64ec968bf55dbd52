"""The form of cards and decks: every field of a card, ability, operation, filter (spec 2 and 8)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from service.engine.contract import Fault
from service.engine.values import Json
from service.rulesets.formation.cards import (
    AILMENTS,
    ALL,
    ANY,
    ATTACK,
    ATTRIBUTES,
    AXE,
    CHAIN,
    FRONT,
    LAST,
    MAGICAL,
    MELEE,
    PHYSICAL,
    PIERCE,
    RANGED,
    SICKLE,
    SIDES,
    SINGLE,
)
from service.rulesets.formation.forms import (
    CHANGE,
    FLAG,
    INTEGER,
    NAME,
    TEXT,
    Form,
    at_least,
    by,
    fields,
    list_of,
    map_of,
    one_of,
    optional,
)

TRIGGERS = (
    "action",
    "always",
    "cast",
    "summoned",
    "turn_start",
    "turn_end",
    "hit",
    "damaged",
    "felled",
    "enemy_felled",
    "ally_felled",
)

ATTRIBUTE = one_of(*ATTRIBUTES)
KIND = one_of(PHYSICAL, MAGICAL)
ANY_KIND = one_of(ANY, PHYSICAL, MAGICAL)
REACH = one_of(MELEE, RANGED)
SHAPE = one_of(SINGLE, PIERCE, CHAIN, SICKLE, AXE, ALL)
AMOUNT = at_least(1)

FILTER = fields({}, {"attribute": ATTRIBUTE, "type": TEXT, "front": FLAG})
VERSUS = fields(
    {}, {"kind": KIND, "reach": REACH, "shape": SHAPE, "attribute": ATTRIBUTE, "type": TEXT}
)
CONDITION = fields(
    {},
    {
        "front": FLAG,
        "last": FLAG,
        "square_min": INTEGER,
        "square_max": INTEGER,
        "ticks_max": INTEGER,
        "allies": fields({"where": FILTER, "min": INTEGER}),
        "enemy_front": FILTER,
        "by": KIND,
        "target": FILTER,
    },
)
NAMED_UNIT = one_of("self", "target", "attacker")
PLACED_UNITS = fields(
    {"side": one_of("ally", "enemy"), "at": one_of(FRONT, LAST, "ahead", "behind", ALL)},
    {"where": FILTER, "others": FLAG},
)


def _selector(value: Json, place: str) -> Iterator[Fault]:
    yield from (PLACED_UNITS if isinstance(value, dict) else NAMED_UNIT)(value, place)


STANDING: Mapping[str, Form] = {
    "first": fields({}),
    "last": fields({}),
    "resist": fields({"vs": VERSUS}),
    "weak": fields({"vs": VERSUS}),
    "nullify": fields({"vs": VERSUS}),
    "reflect": fields({"vs": VERSUS}),
    "mitigate": fields({"amount": AMOUNT, "vs": VERSUS}),
    "thorns": fields({}),
    "magic_vital": fields({}),
    "cheer": fields({"amount": AMOUNT, "squares": one_of(1, 2)}, {"kind": ANY_KIND, "for": FILTER}),
    "charisma": fields({"amount": AMOUNT}, {"kind": ANY_KIND, "for": FILTER}),
    "chain_charisma": fields({}),
    "immune": fields({"status": list_of(one_of(*AILMENTS))}),
}
ATTACKING: Mapping[str, Form] = {
    ATTACK: fields(
        {"kind": KIND, "reach": REACH, "damage": at_least(0)},
        {
            "shape": SHAPE,
            "aim": one_of(FRONT, LAST),
            "columns": at_least(1),
            "chain_by": one_of("attribute", "type"),
            "behind": at_least(0),
            "range": optional(at_least(0)),
            "every": at_least(1),
            "hits": at_least(1),
            "lethal": FLAG,
        },
    )
}
INSTANT: Mapping[str, Form] = {
    "heal": fields({"amount": at_least(0), "to": _selector}),
    "status": fields({"status": one_of(*AILMENTS), "to": _selector}, {"amount": at_least(0)}),
    "mod": fields(
        {"stat": one_of("attack", "defence"), "amount": CHANGE, "to": _selector},
        {"kind": ANY_KIND},
    ),
    "dispel": fields({"what": list_of(one_of("buffs", "debuffs", *AILMENTS)), "to": _selector}),
    "revive": fields({"ticks": at_least(1)}),
}

ABILITY = fields(
    {
        "name_ja": TEXT,
        "name_en": TEXT,
        "when": one_of(*TRIGGERS),
        "do": list_of(by("op", {**STANDING, **ATTACKING, **INSTANT}), low=1),
    },
    {"if": CONDITION, "uses": optional(at_least(1))},
)
PIECE = {
    "id": NAME,
    "name_ja": TEXT,
    "name_en": TEXT,
    "attribute": ATTRIBUTE,
    "connectors": list_of(one_of(*SIDES), low=4, high=4),
}
CARD = by(
    "piece",
    {
        "unit": fields(
            {**PIECE, "type": TEXT, "hearts": at_least(1)}, {"abilities": list_of(ABILITY)}
        ),
        "spell": fields(PIECE, {"abilities": list_of(ABILITY)}),
    },
)
DECK = fields({"id": TEXT, "name_ja": TEXT, "name_en": TEXT, "cards": map_of(at_least(1))})
