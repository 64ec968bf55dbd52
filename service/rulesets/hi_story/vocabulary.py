"""The closed vocabulary of effects: conditions, selectors, filters, numbers, operations (9).

Everything here is a shape; what no shape can say (9.7) is in `refusals`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from service.engine.contract import Fault
from service.engine.values import Json
from service.rulesets.hi_story.shapes import (
    BOOLEAN,
    NAME,
    TEXT,
    TRUE,
    Shape,
    by_key,
    by_type,
    by_word,
    integer,
    list_of,
    one_or_list,
    pair_of,
    record,
    word,
)
from service.rulesets.hi_story.words import (
    ACTIVATED,
    DEFENSES,
    DONE,
    DURATIONS,
    DUTIES,
    EVENTS,
    FORBIDDEN,
    ICONS,
    KEYWORDS,
    LIMITED,
    MEASURES,
    MOMENTS,
    PHASES,
    SET_ORDERS,
    STATES,
    TRIGGERS,
    ZONES,
)

INTEGER = integer()
ONE_SIDE = word("self", "opponent")
ANY_SIDE = word("self", "opponent", "both")
TEXTS = one_or_list(NAME)
RANGE = by_type(int=INTEGER, list=pair_of(INTEGER))
BOUNDS: Mapping[str, Shape] = {"at_least": INTEGER, "at_most": INTEGER}


def condition(value: Json, place: str) -> Iterator[Fault]:
    """Give the faults of a condition (9.2)."""
    yield from _CONDITION(value, place)


def selector(value: Json, place: str) -> Iterator[Fault]:
    """Give the faults of a selector (9.3)."""
    yield from _SELECTOR(value, place)


def card_filter(value: Json, place: str) -> Iterator[Fault]:
    """Give the faults of a filter (9.3)."""
    yield from _FILTER(value, place)


def amount(value: Json, place: str) -> Iterator[Fault]:
    """Give the faults of a number: an integer, or how it is counted (9.4)."""
    yield from _AMOUNT(value, place)


def operation(value: Json, place: str) -> Iterator[Fault]:
    """Give the faults of an operation, internal ones included (9.6)."""
    yield from _OPERATION(value, place)


_CONDITION = by_key(
    {
        "all": record({"all": list_of(condition)}),
        "any": record({"any": list_of(condition)}),
        "not": record({"not": condition}),
        "turn_of": record({"turn_of": ONE_SIDE}),
        "target_is": record({"target_is": word("deck", "card")}),
        "defense_is": record({"defense_is": word("none", *DEFENSES)}),
        "source_is": record({"source_is": word("attacker", "blocker", "target")}),
        "first_player": record({"first_player": ONE_SIDE}),
        "done": record({"done": word(*DONE, "attack_deck")}, {"player": ANY_SIDE, **BOUNDS}),
        "number": record({"number": amount}, BOUNDS),
        "count": record({"count": selector}, BOUNDS),
    }
)

_SELECTOR = by_key(
    {
        "this": record({"this": TRUE}, {"filter": card_filter, "known": TRUE, "covered": TRUE}),
        **{
            name: record({name: TRUE}, {"filter": card_filter, "known": TRUE})
            for name in ("last", "it", "attacker", "blocker")
        },
        "zone": record(
            {"zone": one_or_list(word(*ZONES))},
            {
                "side": ANY_SIDE,
                "filter": card_filter,
                "of_this": TRUE,
                "of_last": TRUE,
                "top": amount,
                "until": card_filter,
                "extreme": word("highest", "lowest"),
                "known": TRUE,
            },
        ),
    }
)

_FILTER = record(
    optional={
        "name": TEXTS,
        "name_part": TEXTS,
        "title_part": TEXTS,
        "attribute": TEXTS,
        "attribute_part": TEXTS,
        "effect_name": TEXTS,
        "rank": RANGE,
        "level": RANGE,
        "kind": word("person", "incident"),
        "power": RANGE,
        "mark": one_or_list(word(*TRIGGERS)),
        "icon": word(*ICONS),
        "has": word(*ICONS),
        "summoned": BOOLEAN,
        "covering": BOOLEAN,
        "attacking": BOOLEAN,
        "any": list_of(card_filter),
        "not": card_filter,
        "state": word(*STATES),
        "other": TRUE,
    }
)

_AMOUNT = by_type(
    int=INTEGER,
    dict=by_key(
        {
            "count": record({"count": selector}, {"times": INTEGER, "max": INTEGER}),
            "sum": record(
                {"sum": word(*MEASURES), "of": selector},
                {"per": integer(1), "times": INTEGER, "max": INTEGER},
            ),
            "minus": record({"minus": pair_of(amount)}),
            "plus": record({"plus": list_of(amount)}),
        }
    ),
)

_PICK = by_key(
    {
        "count": record({"count": amount}),
        "up_to": record(
            {"up_to": amount},
            {
                "sum": record({"of": word(*MEASURES), "at_most": INTEGER}),
                "distinct": word("rank", "name"),
            },
        ),
        "all": record({"all": TRUE}),
        "random": record({"random": amount}),
        "top": record({"top": amount}),
    }
)

_OPTION = record({"do": list_of(operation)}, {"label_ja": TEXT, "label_en": TEXT, "if": condition})
_UNTIL: Mapping[str, Shape] = {"until": word(*DURATIONS)}
_ACTIONS = list_of(word(*LIMITED), least=1)
_FORBID: Mapping[str, Shape] = {"player": ANY_SIDE, "action": one_or_list(word(*FORBIDDEN))}
_LIMIT: Mapping[str, Shape] = {"player": ANY_SIDE, "actions": _ACTIONS, "count": amount}
_DUTY: Mapping[str, Shape] = {"player": ANY_SIDE, "action": word(*DUTIES)}
_FILTERED: Mapping[str, Shape] = {"filter": card_filter}


def _op(
    required: Mapping[str, Shape] | None = None, optional: Mapping[str, Shape] | None = None
) -> Shape:
    return record({"op": TEXT, **(required or {})}, optional)


def _selecting(
    required: Mapping[str, Shape] | None = None, optional: Mapping[str, Shape] | None = None
) -> Shape:
    return _op(
        {"select": selector, **(required or {})},
        {"pick": _PICK, "by": ONE_SIDE, **(optional or {})},
    )


SELECTING: Mapping[str, Shape] = {
    "move": _selecting(
        {"to": word("hand", "graveyard", "deck_top", "deck_bottom", "deck")}, {"reveal": BOOLEAN}
    ),
    "summon": _selecting({"order": word(*SET_ORDERS, "anywhere")}, {"onto": card_filter}),
    "set": _selecting({"order": word(*SET_ORDERS)}, {"onto": card_filter, "reveal": BOOLEAN}),
    "flip": _selecting({"to": word("down", "up")}),
    "rest": _selecting(),
    "ready": _selecting(),
    "power": by_key(
        {
            "amount": _selecting({"amount": amount, **_UNTIL}),
            "value": _selecting({"value": amount, **_UNTIL}, {"fixed": BOOLEAN}),
        }
    ),
    "grant": by_key(
        {
            "keyword": _selecting({"keyword": word(*KEYWORDS), **_UNTIL}),
            "attribute": _selecting({"attribute": NAME, **_UNTIL}),
        }
    ),
    "show": _selecting(),
    "look": _selecting(),
    "copy": _selecting(optional={"marks": list_of(word(*ACTIVATED, "played"), least=1)}),
    "shift": _selecting(),
}

PLAIN: Mapping[str, Shape] = {
    "draw": _op({"player": ANY_SIDE, "count": amount}, {"up_to": BOOLEAN}),
    "mill": _op({"player": ANY_SIDE, "count": amount}),
    "forbid": _op({**_FORBID, **_UNTIL}, _FILTERED),
    "prevent": _op({"player": ANY_SIDE, "times": integer(1), **_UNTIL}, {"ask": BOOLEAN}),
    "limit": _op({**_LIMIT, **_UNTIL}, _FILTERED),
    "duty": _op({**_DUTY, **_UNTIL}),
    "allow_set": _op({"player": ANY_SIDE, "ranks": pair_of(INTEGER), **_UNTIL}, _FILTERED),
    "later": _op({"at": word(*MOMENTS), "do": list_of(operation)}),
    "extra_turn": _op(),
    "shuffle": _op({"player": ANY_SIDE, "zone": word("hand", "deck", "graveyard")}),
    "end_phase": _op(),
    "choose_one": _op(
        {"options": list_of(_OPTION, least=1)},
        {
            "by": ONE_SIDE,
            "count": by_type(int=integer(0), dict=record({"up_to": integer(0)})),
        },
    ),
    "if": _op({"cond": condition, "then": list_of(operation)}, {"else": list_of(operation)}),
}

INTERNAL: Mapping[str, Shape] = {
    "leave": _op(
        {
            "card": TEXT,
            "to": word("hand", "graveyard", "deck_top", "deck_bottom", "deck"),
            "reveal": BOOLEAN,
        }
    ),
    "prevent_loss": _op({"count": integer(0), "lasting": TEXT, "rules": list_of(TEXT)}),
}

_OPERATION = by_word("op", {**SELECTING, **PLAIN, **INTERNAL})

_STATIC_OPERATION = by_word(
    "op",
    {
        "power": _op({"select": selector, "amount": amount}),
        "grant": _op({"select": selector, "keyword": word(*KEYWORDS)}),
        "forbid": _op(_FORBID, _FILTERED),
        "limit": _op(_LIMIT, _FILTERED),
        "duty": _op(_DUTY),
    },
)


_EFFECT_OF_ALL: Mapping[str, Shape] = {
    "name_ja": TEXT,
    "name_en": TEXT,
    "if": condition,
    "optional": BOOLEAN,
    "per_turn": word("card", "name"),
    "where": one_or_list(word("field", "down", "under", "hand")),
}
_REQUIRED_BY_TRIGGER: Mapping[str, Mapping[str, Shape]] = {
    "phase_start": {"phase": word(*PHASES)},
    "phase_end": {"phase": word(*PHASES)},
    "watch": {"event": word(*EVENTS)},
}
_OPTIONAL_BY_TRIGGER: Mapping[str, Mapping[str, Shape]] = {
    "phase_start": {"of": ANY_SIDE},
    "phase_end": {"of": ANY_SIDE},
    "leaves": {"by": word("any", "battle", "effect", "opponent")},
    "watch": {"side": ANY_SIDE, "filter": card_filter},
}


def operation_of(trigger: Json) -> Shape:
    """Return the shape of the operations of an effect with this trigger (9.1)."""
    return _STATIC_OPERATION if trigger == "always" else operation


def _effect_of(trigger: str) -> Shape:
    return record(
        {
            "when": TEXT,
            "do": list_of(operation_of(trigger)),
            **_REQUIRED_BY_TRIGGER.get(trigger, {}),
        },
        {**_EFFECT_OF_ALL, **_OPTIONAL_BY_TRIGGER.get(trigger, {})},
    )


EFFECT = by_word("when", {trigger: _effect_of(trigger) for trigger in TRIGGERS})
