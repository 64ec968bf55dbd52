"""What every fact does to a position: bookkeeping without a rule (spec 7)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from service.engine.positions import put
from service.engine.values import Fact, Json, Position
from service.rulesets.formation.position import (
    ACTIONS,
    BATTLE,
    DRAW,
    OVER,
    PLAYERS,
    START,
    SUMMON,
    fresh_unit,
    place_of,
)

Fold: TypeAlias = Callable[[Position, Fact], Position]


def evolve(position: Position, fact: Fact) -> Position:
    """Return the position after a fact; unit ids that are not found are passed over."""
    return FOLDS[fact["fact"]](position, fact)


def _unchanged(position: Position, fact: Fact) -> Position:
    return position


def _match_started(position: Position, fact: Fact) -> Position:
    return position | {key: fact[key] for key in ("first", "hand_size", "round_limit")}


def _deck_registered(position: Position, fact: Fact) -> Position:
    """Add the pieces to the deck by ascending number, however the map was written."""
    ids = sorted(fact["pieces"], key=lambda piece: int(piece[1:]))
    deck = position[fact["player"]]["deck"] + ids
    known = position | {"pieces": position["pieces"] | fact["pieces"]}
    return put(known, (fact["player"], "deck"), value=deck)


def _deck_shuffled(position: Position, fact: Fact) -> Position:
    return put(position, (fact["player"], "deck"), value=fact["order"])


def _piece_drawn(position: Position, fact: Fact) -> Position:
    own = position[fact["player"]]
    drawn = own | {"hand": [*own["hand"], fact["piece"]], "deck": own["deck"][1:]}
    arranged = put(position, ("pieces", fact["piece"], "sides"), value=fact["sides"])
    return arranged | {fact["player"]: drawn}


def _hand_returned(position: Position, fact: Fact) -> Position:
    own = position[fact["player"]]
    return position | {fact["player"]: own | {"hand": [], "deck": own["deck"] + fact["pieces"]}}


def _round_started(position: Position, fact: Fact) -> Position:
    return position | {
        "round": fact["round"],
        "first": fact["first"],
        "phase": SUMMON,
        "step": None,
        "turn": None,
    }


def _summon_turn_started(position: Position, fact: Fact) -> Position:
    return position | {"turn": fact["player"]}


def _phase_changed(position: Position, fact: Fact) -> Position:
    return position | {"phase": BATTLE, "step": START, "turn": None}


def _board_slid(position: Position, fact: Fact) -> Position:
    board = position[fact["player"]]["board"]
    slid = {after: board[before] for before, after in fact["moved"].items()}
    return put(position, (fact["player"], "board"), value=slid)


def _piece_pushed_out(position: Position, fact: Fact) -> Position:
    removed = [*position[fact["player"]]["removed"], fact["piece"]]
    return put(position, (fact["player"], "removed"), value=removed)


def _piece_placed(position: Position, fact: Fact) -> Position:
    own = position[fact["player"]]
    entry = {"piece": fact["piece"], "rotation": fact["rotation"], "summoned": False}
    placed = own | {
        "hand": [piece for piece in own["hand"] if piece != fact["piece"]],
        "board": own["board"] | {f"r{fact['row']}c{fact['col']}": entry},
    }
    return position | {fact["player"]: placed}


def _unit_summoned(position: Position, fact: Fact) -> Position:
    own = _summoned(position[fact["player"]], fact["unit"])
    unit = fresh_unit(fact["unit"], fact["card"], fact["ticks"])
    return position | {fact["player"]: own | {"line": [*own["line"], unit]}}


def _spell_cast(position: Position, fact: Fact) -> Position:
    return position | {fact["player"]: _summoned(position[fact["player"]], fact["piece"])}


def _summoned(own: Json, piece: str) -> Json:
    board = {
        cell: entry | {"summoned": True} if entry["piece"] == piece else entry
        for cell, entry in own["board"].items()
    }
    return own | {"board": board}


def _actions_started(position: Position, fact: Fact) -> Position:
    return position | {"step": ACTIONS}


def _acted(position: Position, fact: Fact) -> Position:
    return _with_unit(position, fact["unit"], "acted", True)


def _charge_set(position: Position, fact: Fact) -> Position:
    return _with_count(position, fact, "charge")


def _ability_used(position: Position, fact: Fact) -> Position:
    return _with_count(position, fact, "used")


def _with_count(position: Position, fact: Fact, key: str) -> Position:
    unit = _unit(position, fact["unit"])
    counts = {} if unit is None else unit[key]
    counted = counts | {str(fact["ability"]): fact[key]}
    return _with_unit(position, fact["unit"], key, counted)


def _damage_taken(position: Position, fact: Fact) -> Position:
    return _with_unit(position, fact["target"], "ticks", fact["ticks_after"])


def _unit_woke(position: Position, fact: Fact) -> Position:
    return _with_unit(position, fact["unit"], "sleep", False)


def _unit_fell(position: Position, fact: Fact) -> Position:
    place = place_of(position, fact["unit"])
    if place is None:
        return position
    player, index = place
    own = position[player]
    line = own["line"].copy()
    line[index] = None
    fallen = [*own["fallen"], fact["unit"]]
    return position | {player: own | {"line": line, "fallen": fallen}}


def _critical_marked(position: Position, fact: Fact) -> Position:
    return _with_unit(position, fact["unit"], "critical", True)


def _status_set(position: Position, fact: Fact) -> Position:
    return _with_unit(position, fact["unit"], fact["status"], fact["value"])


def _seal_counted(position: Position, fact: Fact) -> Position:
    return _with_unit(position, fact["unit"], "seal", fact["left"])


def _modifier_applied(position: Position, fact: Fact) -> Position:
    unit = _unit(position, fact["unit"])
    mod = {key: fact[key] for key in ("stat", "kind", "amount")}
    mods = [mod] if unit is None else [*unit["mods"], mod]
    return _with_unit(position, fact["unit"], "mods", mods)


def _modifiers_removed(position: Position, fact: Fact) -> Position:
    return _with_unit(position, fact["unit"], "mods", fact["left"])


def _unit_healed(position: Position, fact: Fact) -> Position:
    return _with_unit(position, fact["unit"], "ticks", fact["ticks_after"])


def _unit_revived(position: Position, fact: Fact) -> Position:
    own = position[fact["player"]]
    line = own["line"].copy()
    line[fact["square"] - 1] = fresh_unit(fact["unit"], fact["card"], fact["ticks"]) | {
        "acted": fact["acted"],
        "used": fact["used"],
    }
    fallen = [unit for unit in own["fallen"] if unit != fact["unit"]]
    return position | {fact["player"]: own | {"line": line, "fallen": fallen}}


def _ranks_closed(position: Position, fact: Fact) -> Position:
    line = [unit for unit in position[fact["player"]]["line"] if unit is not None]
    return put(position, (fact["player"], "line"), value=line)


def _battle_turn_ended(position: Position, fact: Fact) -> Position:
    return position | {
        player: position[player]
        | {"line": [unit and unit | {"acted": False} for unit in position[player]["line"]]}
        for player in PLAYERS
    }


def _match_won(position: Position, fact: Fact) -> Position:
    return _ended(position, fact["winner"], fact["reason"])


def _match_drawn(position: Position, fact: Fact) -> Position:
    return _ended(position, DRAW, fact["reason"])


def _ended(position: Position, winner: str, reason: str) -> Position:
    return position | {"phase": OVER, "result": {"winner": winner, "reason": reason}}


def _unit(position: Position, unit_id: str) -> Json:
    place = place_of(position, unit_id)
    return None if place is None else position[place[0]]["line"][place[1]]


def _with_unit(position: Position, unit_id: str, key: str, value: Json) -> Position:
    place = place_of(position, unit_id)
    if place is None:
        return position
    player, index = place
    return put(position, (player, "line", index, key), value=value)


FOLDS: Mapping[str, Fold] = {
    "match_started": _match_started,
    "deck_registered": _deck_registered,
    "deck_shuffled": _deck_shuffled,
    "piece_drawn": _piece_drawn,
    "hand_returned": _hand_returned,
    "round_started": _round_started,
    "summon_turn_started": _summon_turn_started,
    "summon_turn_skipped": _unchanged,
    "phase_changed": _phase_changed,
    "board_slid": _board_slid,
    "piece_pushed_out": _piece_pushed_out,
    "piece_placed": _piece_placed,
    "connection_made": _unchanged,
    "unit_summoned": _unit_summoned,
    "spell_cast": _spell_cast,
    "battle_skipped": _unchanged,
    "battle_turn_started": _unchanged,
    "actions_started": _actions_started,
    "action_begun": _acted,
    "action_skipped": _acted,
    "action_ended": _unchanged,
    "interrupt_made": _unchanged,
    "attack_charged": _charge_set,
    "charge_spent": _charge_set,
    "attack_declared": _unchanged,
    "damage_computed": _unchanged,
    "damage_taken": _damage_taken,
    "unit_woke": _unit_woke,
    "unit_fell": _unit_fell,
    "critical_marked": _critical_marked,
    "thorns_returned": _unchanged,
    "reflection_returned": _unchanged,
    "ability_used": _ability_used,
    "status_applied": _status_set,
    "status_blocked": _unchanged,
    "status_removed": _status_set,
    "status_expired": _status_set,
    "seal_counted": _seal_counted,
    "modifier_applied": _modifier_applied,
    "modifiers_removed": _modifiers_removed,
    "unit_healed": _unit_healed,
    "unit_revived": _unit_revived,
    "ranks_closed": _ranks_closed,
    "battle_turn_ended": _battle_turn_ended,
    "match_conceded": _unchanged,
    "match_won": _match_won,
    "match_drawn": _match_drawn,
}
