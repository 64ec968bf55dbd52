"""The form of positions: a shorthand is filled in and checked (spec 3; FM-229, FM-942)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from service.engine.contract import PositionFault
from service.engine.values import Json, Position, is_integer, is_integer_in, is_list_of_strings
from service.rulesets.formation.cards import Card, Cards
from service.rulesets.formation.position import (
    ACTIONS,
    BATTLE,
    CELLS,
    DRAW,
    OVER,
    PLAYERS,
    ROTATIONS,
    SETUP,
    START,
    SUMMON,
    fresh_unit,
    new_player,
    new_position,
)

Check: TypeAlias = Callable[[Json], bool]

TURNS: Mapping[str, Sequence[Json]] = {
    SETUP: (None,),
    SUMMON: PLAYERS,
    BATTLE: (None,),
    OVER: (None, *PLAYERS),
}
STEPS: Mapping[str, Sequence[Json]] = {
    SETUP: (None,),
    SUMMON: (None,),
    BATTLE: (START, ACTIONS),
    OVER: (None, START, ACTIONS),
}


def normalise(cards: Cards, position: Json) -> Position:
    """Return the full position of a shorthand; raises `PositionFault` with the place.

    What is not checked: whether neighbouring sides fit, whether `summoned` agrees with the line,
    the sizes of decks.
    """
    whole = _filled(position, new_position() | {"phase": BATTLE}, "position")
    if "step" not in position:
        whole["step"] = START if whole["phase"] == BATTLE else None
    _check_fields(whole, POSITION_FIELDS, "position")
    whole["pieces"] = {
        piece: _piece(cards, entry, f"pieces.{piece}") for piece, entry in whole["pieces"].items()
    }
    for player in PLAYERS:
        whole[player] = _player(cards, whole[player], player)
    _check_phase(whole)
    _check_ids(whole)
    return whole


def _filled(value: Json, defaults: Mapping[str, Json], place: str) -> dict[str, Json]:
    _expect(isinstance(value, dict), place, "is no object")
    unknown = sorted(str(key) for key in value if key not in defaults)
    _expect(not unknown, place, f"has the unknown keys {unknown}")
    return {**defaults, **value}


def _expect(holds: bool, place: str, text: str) -> None:
    if not holds:
        raise PositionFault(place, text)


def _check_fields(value: Json, checks: Mapping[str, Check], place: str) -> None:
    for key, fits in checks.items():
        _expect(fits(value[key]), f"{place}.{key}", "has a value that it cannot have")


def _piece(cards: Cards, entry: Json, place: str) -> Json:
    whole = {"card": entry} if isinstance(entry, str) else entry
    _expect(isinstance(whole, dict), place, "is neither a card id nor an object")
    card = _card(cards, whole.get("card"), place)
    whole = _filled(whole, {"card": card.id, "sides": list(card.connectors)}, place)
    sides = whole["sides"]
    _expect(
        is_list_of_strings(sides) and sorted(sides) == sorted(card.connectors),
        f"{place}.sides",
        "is no arrangement of the connectors of the card",
    )
    return whole


def _card(cards: Cards, card_id: Json, place: str) -> Card:
    _expect(isinstance(card_id, str) and card_id in cards, place, "names no known card")
    return cards[card_id]


def _player(cards: Cards, value: Json, player: str) -> Json:
    whole = _filled(value, new_player(), player)
    _check_fields(whole, PLAYER_FIELDS, player)
    return whole | {
        "line": [
            None if unit is None else _unit(cards, unit, f"{player}.line.{index}")
            for index, unit in enumerate(whole["line"])
        ],
        "board": {
            cell: _cell(cell, entry, f"{player}.board.{cell}")
            for cell, entry in whole["board"].items()
        },
    }


def _unit(cards: Cards, unit: Json, place: str) -> Json:
    _expect(isinstance(unit, dict), place, "is neither a unit nor null")
    card = _card(cards, unit.get("card"), place)
    _expect(not card.is_spell, place, f"cannot be a spell piece: {card.id}")
    whole = _filled(unit, fresh_unit("", card.id, card.ticks) | {"id": None}, place)
    _check_fields(whole, UNIT_FIELDS, place)
    _expect(
        is_integer_in(whole["ticks"], 1, card.ticks),
        place,
        f"has 1 to {card.ticks} ticks, no other",
    )
    for key in ("charge", "used"):
        _expect(
            _are_counts_of_abilities(whole[key], card), f"{place}.{key}", "counts other abilities"
        )
    return whole | {"mods": [_mod(mod, f"{place}.mods") for mod in whole["mods"]]}


def _are_counts_of_abilities(counts: Json, card: Card) -> bool:
    keys = {ability.key for group in card.abilities.values() for ability in group}
    return (
        isinstance(counts, dict) and counts.keys() <= keys and all(map(_is_count, counts.values()))
    )


def _mod(mod: Json, place: str) -> Json:
    whole = _filled(mod, {"stat": None, "kind": "any", "amount": None}, place)
    _check_fields(whole, MOD_FIELDS, place)
    return whole


def _cell(cell: str, entry: Json, place: str) -> Json:
    _expect(cell in CELLS, place, "is no cell of the board")
    whole = _filled(entry, {"piece": None, "rotation": 0, "summoned": False}, place)
    _check_fields(whole, CELL_FIELDS, place)
    return whole


def _check_phase(position: Position) -> None:
    """Check what belongs to the phase; turn and step of a finished match keep their last value."""
    phase = position["phase"]
    _expect(position["turn"] in TURNS[phase], "turn", f"does not fit the phase {phase}")
    _expect(position["step"] in STEPS[phase], "step", f"does not fit the phase {phase}")
    for player in PLAYERS:
        _expect(
            phase in (BATTLE, OVER) or None not in position[player]["line"],
            f"{player}.line",
            "has a vacated square outside the battle phase",
        )


def _check_ids(position: Position) -> None:
    placed: list[str] = []
    units: list[str] = []
    for player in PLAYERS:
        own = position[player]
        placed += own["hand"] + own["deck"] + own["removed"]
        placed += [entry["piece"] for entry in own["board"].values()]
        units += [unit["id"] for unit in own["line"] if unit is not None] + own["fallen"]
    missing = sorted(set(placed) - position["pieces"].keys())
    _expect(not missing, "pieces", f"lacks {missing}")
    _expect(len(placed) == len(set(placed)), "position", "has a piece that lies twice")
    _expect(len(units) == len(set(units)), "position", "has a unit that stands or fell twice")


def _is_one_of(*values: Json) -> Check:
    return lambda value: value in values


def _is_rotation(value: Json) -> bool:
    return is_integer(value) and value in ROTATIONS


def _is_count(value: Json) -> bool:
    return is_integer(value) and value >= 0


def _is_flag(value: Json) -> bool:
    return isinstance(value, bool)


def _is_text(value: Json) -> bool:
    return isinstance(value, str)


def _is_list(value: Json) -> bool:
    return isinstance(value, list)


def _is_map(value: Json) -> bool:
    return isinstance(value, dict)


def _is_result(value: Json) -> bool:
    return value is None or (
        isinstance(value, dict)
        and value.keys() == {"winner", "reason"}
        and value["winner"] in (*PLAYERS, DRAW)
        and isinstance(value["reason"], str)
    )


POSITION_FIELDS: Mapping[str, Check] = {
    "round": _is_count,
    "phase": _is_one_of(SETUP, SUMMON, BATTLE, OVER),
    "first": _is_one_of(*PLAYERS),
    "hand_size": _is_count,
    "round_limit": _is_count,
    "pieces": _is_map,
    "result": _is_result,
}
PLAYER_FIELDS: Mapping[str, Check] = {
    "line": _is_list,
    "board": _is_map,
    "hand": is_list_of_strings,
    "deck": is_list_of_strings,
    "fallen": is_list_of_strings,
    "removed": is_list_of_strings,
}
UNIT_FIELDS: Mapping[str, Check] = {
    "id": _is_text,
    "acted": _is_flag,
    "critical": _is_flag,
    "stun": _is_flag,
    "seal": _is_count,
    "sleep": _is_flag,
    "poison": _is_count,
    "rot": _is_count,
    "mods": _is_list,
}
MOD_FIELDS: Mapping[str, Check] = {
    "stat": _is_one_of("attack", "defence"),
    "kind": _is_one_of("any", "physical", "magical"),
    "amount": lambda value: is_integer(value) and value != 0,
}
CELL_FIELDS: Mapping[str, Check] = {
    "piece": _is_text,
    "rotation": _is_rotation,
    "summoned": _is_flag,
}
