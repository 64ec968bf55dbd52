"""The closed form of a position: which keys and values a hand-built one may have (4, FORMAT 1)."""

from __future__ import annotations

import re
from collections.abc import Mapping

from service.rulesets.hi_story.shapes import (
    BOOLEAN,
    NULL,
    TEXT,
    TRUE,
    Shape,
    by_key,
    by_type,
    by_word,
    integer,
    list_of,
    map_of,
    matching,
    one_or_list,
    pair_of,
    record,
    word,
)
from service.rulesets.hi_story.table import PLAYERS
from service.rulesets.hi_story.vocabulary import (
    INTEGER,
    INTERNAL,
    PLAIN,
    SELECTING,
    card_filter,
    operation,
)
from service.rulesets.hi_story.words import (
    DONE,
    DURATIONS,
    DUTIES,
    FORBIDDEN,
    KEYWORDS,
    LIMITED,
    MEASURES,
    MOMENTS,
)

GAME_NAME = "hi-story"
RULESET_NAME = "double-deck/1"
PHASES = ("setup", "start", "draw", "summon", "effect", "set", "attack", "end", "over")
STEPS_OF_ATTACK = ("declared", "defense", "resolve", "after")
PILE_MAX = 1_000

_INSTANCE = re.compile(r"[ab][a-z]?[0-9]+", re.ASCII)
_LASTING_ID = re.compile(r"m[0-9]{1,9}", re.ASCII)


_PLAYER = word(*PLAYERS)
_CARD = matching(_INSTANCE, "must be the id of an instance")
_COUNT = integer(0)
_FIELD = integer(1, 5)
_OPERATIONS = list_of(operation)
_ACTIONS = list_of(word(*LIMITED), least=1)
_PILE = by_type(int=integer(0, PILE_MAX), list=list_of(TEXT))
_STACK = by_type(
    str=TEXT,
    list=list_of(TEXT),
    dict=record(optional={"cards": list_of(TEXT), "rest": BOOLEAN, "set": BOOLEAN}),
)
_SIDE = record(
    optional={
        "deck": _PILE,
        "hand": _PILE,
        "graveyard": _PILE,
        "aside": _PILE,
        "fields": map_of(_STACK),
        "mulligans": integer(0, 2),
        "settled": BOOLEAN,
    }
)

_DONE = by_word(
    "action",
    {
        action: record(
            {"player": _PLAYER, "action": TEXT, "card": _CARD},
            {"deck": BOOLEAN} if action == "attack" else {},
        )
        for action in DONE
    },
)


def _lasting(required: Mapping[str, Shape], optional: Mapping[str, Shape] | None = None) -> Shape:
    return record(
        {"source": _CARD, "op": TEXT, **required},
        {
            "id": matching(_LASTING_ID, "must be m and a number"),
            "attack": BOOLEAN,
            "turns": by_type(NoneType=NULL, list=pair_of(INTEGER)),
            "until": word(*DURATIONS, *MOMENTS),
            "while": _CARD,
            **(optional or {}),
        },
    )


_LASTING = by_word(
    "op",
    {
        "power": by_key(
            {
                "amount": _lasting({"card": _CARD, "amount": INTEGER}),
                "value": _lasting({"card": _CARD, "value": INTEGER}, {"fixed": BOOLEAN}),
            }
        ),
        "grant": by_key(
            {
                "keyword": _lasting({"card": _CARD, "keyword": word(*KEYWORDS)}),
                "attribute": _lasting({"card": _CARD, "attribute": TEXT}),
            }
        ),
        "forbid": _lasting(
            {"player": _PLAYER, "action": one_or_list(word(*FORBIDDEN))}, {"filter": card_filter}
        ),
        "prevent": _lasting({"player": _PLAYER, "times": _COUNT}, {"ask": BOOLEAN}),
        "limit": _lasting(
            {"player": _PLAYER, "actions": _ACTIONS, "count": _COUNT}, {"filter": card_filter}
        ),
        "duty": _lasting({"player": _PLAYER, "action": word(*DUTIES)}),
        "allow_set": _lasting(
            {"player": _PLAYER, "ranks": pair_of(INTEGER)}, {"filter": card_filter}
        ),
        "later": _lasting(
            {
                "player": _PLAYER,
                "effect": _COUNT,
                "at": word("start", "end"),
                "ops": _OPERATIONS,
            },
            {"it": _CARD},
        ),
    },
)

_DEFENSE = by_word(
    "kind",
    {
        "block": record({"kind": TEXT, "field": _FIELD, "card": _CARD}),
        "substitute": record({"kind": TEXT, "card": _CARD, "value": _COUNT}),
        "incident": record({"kind": TEXT, "card": _CARD}),
        "take": record({"kind": TEXT}),
    },
)
_ATTACK = record(
    {
        "field": _FIELD,
        "target": by_key(
            {"deck": record({"deck": TRUE}), "field": record({"field": _FIELD}, {"card": _CARD})}
        ),
    },
    {
        "player": _PLAYER,
        "card": _CARD,
        "step": word(*STEPS_OF_ATTACK),
        "defense": by_type(NoneType=NULL, dict=_DEFENSE),
    },
)

_FRAME = record(
    {"source": _CARD, "player": _PLAYER, "effect": _COUNT, "ops": _OPERATIONS},
    {"last": list_of(_CARD), "it": _CARD},
)
_MARKS: Mapping[str, Shape] = {"it": _CARD, "hand": TRUE, "down": TRUE}
_QUEUED = record(
    {"player": _PLAYER, "card": _CARD, "effect": _COUNT}, {**_MARKS, "do": _OPERATIONS}
)

_ASKED: Mapping[str, Shape] = {"player": _PLAYER, "kind": TEXT, "card": _CARD}
_BOUNDS: Mapping[str, Shape] = {"min": _COUNT, "max": _COUNT}


def _only(op: str) -> Shape:
    return by_word("op", {op: PLAIN[op]})


_PENDING = by_word(
    "kind",
    {
        "cards": record(
            {
                **_ASKED,
                **_BOUNDS,
                "op": TEXT,
                "candidates": list_of(_CARD),
                "operation": by_word("op", SELECTING),
            },
            {
                "sum": record({"of": word(*MEASURES), "at_most": INTEGER}),
                "distinct": word("rank", "name"),
            },
        ),
        "option": record({**_ASKED, "options": _COUNT, "operation": _only("choose_one")}, _BOUNDS),
        "number": record({**_ASKED, **_BOUNDS, "op": TEXT, "operation": _only("draw")}),
        "confirm": by_key(
            {
                "offer": record({**_ASKED, "effect": _COUNT, "offer": TRUE}, _MARKS),
                "operation": record(
                    {**_ASKED, "operation": by_word("op", INTERNAL)}, {"effect": _COUNT}
                ),
            }
        ),
    },
)

_RESULT = record({"winner": word(*PLAYERS, "draw"), "reason": word("deck_out", "concede")})


POSITION = record(
    optional={
        "game": word(GAME_NAME),
        "ruleset": word(RULESET_NAME),
        "phase": word(*PHASES),
        "turn": integer(1),
        "active": _PLAYER,
        "first": word(*PLAYERS, None),
        "cards": map_of(TEXT),
        "players": map_of(_SIDE),
        "summoned": list_of(_CARD),
        "used": list_of(TEXT),
        "done": list_of(_DONE),
        "extra": list_of(_PLAYER),
        "extra_now": BOOLEAN,
        "steps": _COUNT,
        "ending": BOOLEAN,
        "lasting": list_of(_LASTING),
        "attack": by_type(NoneType=NULL, dict=_ATTACK),
        "frames": list_of(_FRAME, most=1),
        "queue": list_of(_QUEUED),
        "pending": by_type(NoneType=NULL, dict=_PENDING),
        "result": by_type(NoneType=NULL, dict=_RESULT),
    }
)
