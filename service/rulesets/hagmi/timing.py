"""When cards and skills may be used (HG-402, HG-418…HG-420, HG-926; spec 4)."""

from __future__ import annotations

from service.engine.values import Json, Position
from service.rulesets.hagmi.attack import has_declaration_left, is_preparing
from service.rulesets.hagmi.definitions import Definition, Effect
from service.rulesets.hagmi.table import Table, is_own_unit, skill_entry

MAIN = "main"
INSTEAD_OF_ATTACK = "instead_of_attack"
# In the middle of what the opponent does, but in no window of a skill (HG-225, HG-419).
EMERGENCY_TIMES = frozenset({MAIN, "phase_start", "phase_end", "attack", "combat", "play"})


def time_of(position: Position, player: str) -> str | None:
    """Return the time at which a player may act: their window, their main step, or their attack.

    None while a prompt is open or somebody else is asked.
    """
    window = position["window"]
    if window is not None:
        return str(window["kind"]) if window["holder"] == player else None
    if position["prompt"] is not None:
        return None
    if is_own_main_step(position, player):
        return MAIN
    return INSTEAD_OF_ATTACK if is_preparing(position, player) else None


def is_own_main_step(position: Position, player: str) -> bool:
    """Tell whether a player is in their own main step with an empty chain."""
    return (
        position["step"] == MAIN
        and position["active"] == player
        and position["window"] is None
        and position["prompt"] is None
        and not position["chain"]
    )


def untimely_play(definition: Definition, time: str | None) -> str | None:
    """Return the rule under which a card cannot be played at a time; printed timing prevails."""
    if definition.timing is not None:
        is_time = time in definition.timing and time != INSTEAD_OF_ATTACK
        return None if is_time else "HG-420"
    if definition.is_emergency:
        return None if time in EMERGENCY_TIMES else "HG-419"
    return None if time == MAIN else "HG-418"


def untimely_skill(
    table: Table, player: str, source: str, effect: Effect, time: str | None
) -> str | None:
    """Return the rule under which a skill cannot be activated at a time."""
    if time not in effect.timing:
        return "HG-926" if INSTEAD_OF_ATTACK in effect.timing else "HG-901"
    if time == INSTEAD_OF_ATTACK and not _could_attack(table, player, source):
        return "HG-402"
    return None


def _could_attack(table: Table, player: str, source: str) -> bool:
    """Tell whether a unit could still declare an attack, apart from fuel (HG-926)."""
    if not is_own_unit(table, player, source):
        return False
    found = skill_entry(table.position, source)
    entry: Json = found[1] if found else None
    return not entry["forfeited"] and has_declaration_left(entry)
