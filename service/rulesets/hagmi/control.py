"""Shapes of what a position keeps of a procedure: prompt, window, chain, agenda (spec 3, 4)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from service.engine.contract import Fault
from service.engine.values import Json
from service.rulesets.hagmi.attack import STRIKE_STEPS
from service.rulesets.hagmi.shapes import (
    LARGEST,
    Shape,
    below,
    fault,
    flag,
    listing,
    mapping,
    optional,
    record,
    text,
    whole,
    word,
)
from service.rulesets.hagmi.table import MB, PLAYERS
from service.rulesets.hagmi.vocabulary import DURATIONS, KEYWORDS, MODIFIED_STATS, PHASES, WINDOWS

SIDES = (*PLAYERS, MB)
IDS = listing(text)
NUMBER = whole(-LARGEST, LARGEST)
COUNT = whole(0, LARGEST)
PLAYER = word(PLAYERS)
SIDE = word(SIDES)
STEP_NAMES = (
    "standby",
    "draw",
    "main",
    "attack_preparation",
    "defence",
    "combat",
    "repair",
    "supply",
    "end",
    "charge",
    "action",
)


def _told_apart_by(key: str, choices: Mapping[str, Shape]) -> Shape:
    """Expect an object whose `key` says which of the shapes it has."""

    def shape(value: Json, place: str) -> Iterator[Fault]:
        name = value.get(key) if isinstance(value, dict) else None
        if not isinstance(name, str) or name not in choices:
            yield fault(below(place, key), f"one of {', '.join(choices)} is expected")
        else:
            yield from choices[name](value, place)

    return shape


def _prompt(**fields: Shape) -> Shape:
    return record({"kind": text, "player": PLAYER, **fields})


def _job(**fields: Shape) -> Shape:
    return record({"t": text, **fields})


PROMPT = _told_apart_by(
    "kind",
    {
        "defence": _prompt(),
        "absorb": _prompt(max=COUNT, source=text),
        "choose": _prompt(source=text, effect=text),
        "order_triggers": _prompt(),
        "forced_attack": _prompt(unit=text),
    },
)
WINDOW = record({"kind": word(WINDOWS), "holder": PLAYER, "left": listing(PLAYER)})
TRIGGER = record(
    {"source": text, "effect": text, "player": SIDE, "ordered": flag}, {"event_card": text}
)
LINK_PARTS: Mapping[str, Shape] = {
    "targets": IDS,
    "allocation": mapping(text, NUMBER),
    "x": optional(COUNT),
}
LINK = _told_apart_by(
    "t",
    {
        "play": record(
            {"t": text, "card": text, "player": PLAYER},
            {
                **LINK_PARTS,
                "pay": IDS,
                "open": IDS,
                "host": optional(text),
                "how": word(("hand", "emergency")),
                "win": word(("play",)),
            },
        ),
        "skill": record(
            {"t": text, "source": text, "effect": text, "player": SIDE},
            {**LINK_PARTS, "trig": flag, "win": word(("skill",))},
        ),
    },
)
LINK_DEFAULTS: Mapping[str, Mapping[str, Json]] = {
    "play": {
        "pay": [],
        "open": [],
        "host": None,
        "targets": [],
        "allocation": {},
        "x": None,
        "how": "hand",
    },
    "skill": {"targets": [], "allocation": {}, "x": None, "trig": False},
}
STRIKE_STEP = word(STRIKE_STEPS)
PHASE_AND_STEP: Mapping[str, Shape] = {"phase": word(PHASES), "step": word(STEP_NAMES)}
JOB = _told_apart_by(
    "t",
    {
        "window": _job(kind=word(WINDOWS)),
        "on_enter": _job(card=text),
        "defence": _job(),
        "combat_start": _job(),
        "strike_step": _job(step=STRIKE_STEP),
        "strike_round": _job(step=STRIKE_STEP, round=whole(1), strikers=IDS),
        "end_strike_step": _job(step=STRIKE_STEP),
        "player_damage": _job(
            player=PLAYER, amount=COUNT, source=text, flags=record({"unreducible": flag})
        ),
        "compel_defence": _job(unit=text),
        "forced_attack": _job(unit=text),
        "end_combat": _job(),
        "end_extra_battle": _job(to=record(PHASE_AND_STEP)),
        "enter": _job(**PHASE_AND_STEP),
        "leave": _job(phase=word(PHASES)),
        "charge": _job(n=NUMBER),
    },
)
DEFENCE = record({"by": text, "kind": word(("counter", "guard"))})
COMBAT = record(
    {
        "attacker": text,
        "side": SIDE,
        "targets": listing(text, least=1),
        "present": IDS,
        "defences": mapping(text, DEFENCE),
        "to_defend": listing(PLAYER),
        "must_defend": optional(text),
        "step": optional(STRIKE_STEP),
        "struck": IDS,
        "doomed": mapping(text, flag),
    }
)
RESULT = record(
    {
        "winner": word((*SIDES, "draw", "players")),
        "reason": word(("damage", "concession", "mothership")),
    }
)
MOD = record(
    {"card": text},
    {
        "stat": word(MODIFIED_STATS),
        "keyword": word(KEYWORDS),
        "by": NUMBER,
        "times": NUMBER,
        "set": NUMBER,
        "until": word(DURATIONS),
        "source": optional(text),
        "seq": whole(1, LARGEST),
    },
)
CONTROL_SHAPES: Mapping[str, Shape] = {
    "mods": listing(MOD),
    "used": mapping(text, COUNT),
    "chain": listing(LINK),
    "triggers": listing(TRIGGER),
    "agenda": listing(JOB),
    "window": optional(WINDOW),
    "prompt": optional(PROMPT),
    "combat": optional(COMBAT),
    "result": optional(RESULT),
}
