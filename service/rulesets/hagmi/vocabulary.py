"""The effect vocabulary: what effects, filters, values and operations may hold (spec 9)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from service.engine.contract import Fault
from service.engine.values import Json
from service.rulesets.hagmi.shapes import (
    NUMBER_MAX,
    Shape,
    below,
    either,
    fault,
    flag,
    listing,
    record,
    tagged,
    text,
    whole,
    word,
)

RANGES = ("LONG", "MIDDLE", "SHORT")
UNIT_KEYWORDS = ("first_strike", "pierce", "undefendable", "unreducible", "unremovable")
BEAST_KEYWORDS = ("haste", "counter", "charge", "guard")
KEYWORDS = (*UNIT_KEYWORDS, *BEAST_KEYWORDS)
WINDOWS = ("phase_start", "phase_end", "attack", "combat", "play", "skill")
TIMINGS = ("main", *WINDOWS, "instead_of_attack")
PHASES = ("start", "main", "battle", "repair", "end", "beast")
STATS = ("power", "hits", "armour", "act", "cost")
MODIFIED_STATS = (*STATS, "damage_dealt", "damage_taken")
DURATIONS = ("end_of_turn", "end_of_combat")
RETROFITS = ("heavy", "power", "armour")
COUNTERS = ("barrier", "power", "life_core")
TRIGGERS = (
    "on_produced",
    "on_enter",
    "on_destroyed",
    "on_attack_declared",
    "on_defend",
    "on_attack_ended",
    "on_standby",
    "on_turn_end",
    "on_broken",
    "on_core_lost",
)
WHENS = ("play", "activated", "static", "payment", "would_destroy", *TRIGGERS)
FILTER_KINDS = (
    "unit",
    "weapon",
    "facility",
    "armament",
    "beast",
    "mothership",
    "permanent",
    "unit_or_player",
    "card",
)
TARGET_ZONES = ("field", "hand", "discard", "secret", "attack_targets")
FILTER_ZONES = (*TARGET_ZONES, "weapon_deck", "operation_deck")
SELECTORS = (
    "self",
    "targets",
    "attacker",
    "defenders",
    "attack_targets",
    "bearer",
    "connected",
    "event_card",
    "you",
    "opponent",
    "each_player",
)
COMPARISONS = ("<", "<=", "==", ">=", ">")
DEPTH_MAX = 64
MAIN_DECKS = ("weapon_deck", "operation_deck")


def _selector(value: Json, place: str) -> Iterator[Fault]:
    yield from either(FILTER, word(SELECTORS))(value, place)


def _value(value: Json, place: str) -> Iterator[Fault]:
    if isinstance(value, str):
        yield from word(("X", "allocated"))(value, place)
    elif isinstance(value, dict) and "stat" in value:
        yield from STAT_VALUE(value, place)
    else:
        yield from either(tagged(VALUES), whole(-NUMBER_MAX))(value, place)


def _condition(value: Json, place: str) -> Iterator[Fault]:
    if place.count(".") > DEPTH_MAX:
        yield fault(place, "nested too deeply")
        return
    yield from tagged(CONDITIONS)(value, place)


def _comparison(value: Json, place: str) -> Iterator[Fault]:
    if not isinstance(value, list) or len(value) != len(COMPARED):
        yield fault(place, "value, comparison, value expected")
        return
    for at, (part, shape) in enumerate(zip(value, COMPARED, strict=True)):
        yield from shape(part, below(place, at))


def _amount_or_all(value: Json, place: str) -> Iterator[Fault]:
    if value != "all":
        yield from _value(value, place)


FILTER_KEYS: Mapping[str, Shape] = {
    "side": word(("you", "opponent", "any")),
    "kind": word(FILTER_KINDS),
    "zone": word(FILTER_ZONES),
    "type": text,
    "not": word(("self",)),
    "same_as": word(("targets",)),
    "down": flag,
    "fuel_max": whole(),
    "cost_max": whole(),
    "top": whole(1),
}
FILTER = record({}, FILTER_KEYS)
COUNTED_FILTER = record({"count": whole(1)}, FILTER_KEYS)
VALUES: Mapping[str, Shape] = {
    "count": _selector,
    "fuel": _selector,
    "bound": text,
}
STAT_VALUE = record({"stat": word(STATS), "of": _selector})
COMPARED = (_value, word(COMPARISONS), _value)
CONDITIONS: Mapping[str, Shape] = {
    "exists": _selector,
    "cmp": _comparison,
    "phase": word(PHASES),
    "your_turn": flag,
    "all": listing(_condition),
    "any": listing(_condition),
    "not": _condition,
}

WHAT: Mapping[str, Shape] = {"op": text, "what": _selector}
IF: Mapping[str, Shape] = {"if": _condition}
UNTIL: Mapping[str, Shape] = {"until": word(DURATIONS)}
OPERATIONS: Mapping[str, Shape] = {
    "damage": record(
        {"op": text, "to": _selector, "amount": _value},
        {"unreducible": flag, "unremovable": flag, **IF},
    ),
    "destroy": record(WHAT, IF),
    "discard": record(WHAT, IF),
    "dismantle": record(WHAT, IF),
    "move": record({**WHAT, "to": word(("hand", *MAIN_DECKS, "secret", "removed"))}, IF),
    "enter": record({**WHAT, "how": word(("put", "returned")), "to": word(("you",))}, IF),
    "store": record({**WHAT, "under": _selector}, IF),
    "release": record({"op": text, "from": _selector, "to": word(("field",))}, IF),
    "repair": record({**WHAT, "amount": _amount_or_all}, IF),
    "supply": record({**WHAT, "from": _selector}, IF),
    "drain": record({**WHAT, "count": _value}, IF),
    "retrofit": record({**WHAT, "kind": word(RETROFITS), "by": _value}, IF),
    "counters": record({**WHAT, "kind": word(COUNTERS), "by": _value}, IF),
    "modify": record(
        {**WHAT, "stat": word(MODIFIED_STATS)},
        {"by": _value, "times": _value, "set": _value, **UNTIL, **IF},
    ),
    "grant": record({**WHAT, "keyword": word(KEYWORDS)}, {**UNTIL, **IF}),
    "down": record(WHAT, IF),
    "recover": record(WHAT, IF),
    "logistics": record({"op": text, "n": _value, "who": _selector}, IF),
    "draw": record({"op": text, "deck": word(MAIN_DECKS), "count": _value, "who": _selector}, IF),
    "roll": record({"op": text, "bind": text}, IF),
    "extra_attack": record({**WHAT, "count": _value}, IF),
    "attack_now": record(WHAT, IF),
    "nullify": record({"op": text, "what": word(("attack", "play", "skill"))}, IF),
    "control": record({**WHAT, "to": word(("you", "opponent"))}, IF),
    "connect": record({**WHAT, "with": _selector}, IF),
    "disconnect": record(WHAT, IF),
    "token": record(
        {"op": text, "card": text, "count": _value, "to": word(("you", "opponent"))}, IF
    ),
    "equip": record({**WHAT, "host": _selector}, IF),
    "charge": record({"op": text, "n": _value}, IF),
}


def _operation(value: Json, place: str) -> Iterator[Fault]:
    name = value.get("op") if isinstance(value, dict) else None
    if not isinstance(name, str) or name not in OPERATIONS:
        yield fault(below(place, "op"), "unknown operation")
        return
    yield from OPERATIONS[name](value, place)
    if name == "modify" and len({"by", "times", "set"} & value.keys()) != 1:
        yield fault(place, "exactly one of by, times, set is expected")


def additional_cost(value: Json, place: str) -> Iterator[Fault]:
    """Expect an additional cost: cards of battlefield or hand, with their number (HG-255)."""
    yield from tagged({"destroy": COUNTED_FILTER, "discard": COUNTED_FILTER})(value, place)
    if isinstance(value, dict):
        for verb, select in value.items():
            zones = ("field",) if verb == "destroy" else ("field", "hand")
            if isinstance(select, dict) and select.get("zone", "field") not in zones:
                yield fault(below(below(place, verb), "zone"), "no card there can be paid")


def _targets(value: Json, place: str) -> Iterator[Fault]:
    yield from TARGETS(value, place)
    if not isinstance(value, dict):
        return
    least, most, select = value.get("min"), value.get("max"), value.get("select")
    if isinstance(least, int) and isinstance(most, int) and least > most:
        yield fault(below(place, "max"), "less than min")
    if isinstance(select, dict):
        zone, side = select.get("zone", "field"), select.get("side", "you")
        if zone not in TARGET_ZONES or (zone in ("hand", "secret") and side != "you"):
            yield fault(below(place, "select"), "nobody may choose a card there without seeing it")


TARGETS = record(
    {"select": FILTER, "min": whole(), "max": whole()},
    {"allocate": whole(1), "auto": word(("all",))},
)
EFFECT = record(
    {"id": text, "when": word(WHENS)},
    {
        "if": _condition,
        "optional": flag,
        "from": word(("field", "hand", "secret", "discard")),
        "timing": listing(word(TIMINGS), least=1),
        "secret_mechanism": flag,
        "cost": record({"fuel": whole()}),
        "additional_cost": additional_cost,
        "targets": _targets,
        "do": listing(_operation),
        "match": FILTER,
        "instead": listing(_operation),
    },
)


def effect(value: Json, place: str) -> Iterator[Fault]:
    """Expect an effect with what its `when` needs."""
    yield from EFFECT(value, place)
    if not isinstance(value, dict) or not isinstance(value.get("when"), str):
        return
    for key in NEEDED.get(value["when"], ("do",)):
        if key not in value:
            yield fault(below(place, key), "missing")
    operations = value.get("do")
    if value["when"] == "static" and isinstance(operations, list):
        for at, operation in enumerate(operations):
            if isinstance(operation, dict) and not _is_static(operation):
                yield fault(below(below(place, "do"), at), "static skills only modify, for good")


def _is_static(operation: Json) -> bool:
    return operation.get("op") == "modify" and "until" not in operation


NEEDED: Mapping[str, tuple[str, ...]] = {"payment": (), "would_destroy": ("match", "instead")}
