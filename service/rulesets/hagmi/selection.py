"""Selecting cards: filters and selectors of effects (HG-202, HG-205, HG-237, HG-253; spec 9)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from service.engine.values import Json
from service.rulesets.hagmi.numbers import cost_of
from service.rulesets.hagmi.table import (
    Table,
    active_first,
    bearer_of,
    controller_of,
    definition_of,
    entry_of,
    in_play,
    is_unit,
    living,
    opponents,
    pile_of,
    sides,
)

PUBLIC_ZONES = ("field", "attack_targets")
PLAYER_KEYS = frozenset({"side", "kind", "zone"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What an effect refers to while it is judged or carried out.

    source: the card that bears it; player: its controller, "you"; bound: numbers rolled by it;
    event_card: the card that would be destroyed; spent: replacements that this event has used.
    """

    source: str
    player: str
    targets: tuple[str, ...] = ()
    allocation: Mapping[str, int] = field(default_factory=dict)
    x: int = 0
    bound: Mapping[str, int] = field(default_factory=dict)
    event_card: str | None = None
    spent: frozenset[str] = frozenset()


def candidates(table: Table, context: Context, select: Json) -> list[str]:
    """Return the cards and players that fit a filter: cards by `seq` or in the order of a pile."""
    looked_at = _looked_at(table, context, select)
    return [name for name in looked_at if _fits(table, context, select, name)]


def _looked_at(table: Table, context: Context, select: Json) -> list[str]:
    """Return what lies in the zone of a filter, on the sides that it means."""
    position = table.position
    zone = select.get("zone", "field")
    wanted = wanted_sides(table, context, select)
    if zone == "field":
        found = [card for side, card, _ in in_play(position) if side in wanted]
        if select.get("kind") == "unit_or_player":
            return [*(player for player in living(position) if player in wanted), *found]
        return found
    if zone == "attack_targets":
        attacked = _attack_targets(table, context)
        return [name for name in attacked if _side_of(table, name) in wanted]
    top = select.get("top")
    return [card for side in wanted for card in pile_of(position, side, zone)[:top]]


def wanted_sides(table: Table, context: Context, select: Json) -> list[str]:
    """Return the sides that a filter means; of piles only one's own, if it is silent (HG-254)."""
    side = select.get("side")
    if side == "you" or (side is None and select.get("zone", "field") not in PUBLIC_ZONES):
        return [context.player]
    if side == "opponent":
        return opponents(table.position, context.player)
    return sides(table.position)


def _side_of(table: Table, name: str) -> str | None:
    return name if name in table.position["players"] else controller_of(table.position, name)


def _fits(table: Table, context: Context, select: Json, name: str) -> bool:
    """Tell whether a card or player of the right zone and side fits the rest of a filter."""
    kind = select.get("kind", "card")
    if name in table.position["players"]:
        return kind == "unit_or_player" and not select.keys() - PLAYER_KEYS
    return KINDS[kind](table, name) and all(
        check(table, context, name, select[key]) for key, check in CHECKS.items() if key in select
    )


def _is_of(kind: str) -> Callable[[Table, str], bool]:
    def is_kind(table: Table, card: str) -> bool:
        return definition_of(table, card).kind == kind

    return is_kind


def _is_any(table: Table, card: str) -> bool:
    return True


def _is_permanent(table: Table, card: str) -> bool:
    return entry_of(table.position, card) is not None


def _has_type(table: Table, context: Context, card: str, name: str) -> bool:
    return name in definition_of(table, card).types


def _is_not(table: Table, context: Context, card: str, name: str) -> bool:
    return card != context.source


def _is_same_as(table: Table, context: Context, card: str, name: str) -> bool:
    cards = [other for other in context.targets if other in table.position["cards"]]
    return any(is_same_card(table, card, other) for other in cards)


def is_same_card(table: Table, card: str, other: str) -> bool:
    """Tell whether two cards are the same: weapon and pilot name agree in full (HG-237, HG-238)."""
    return definition_of(table, card).name == definition_of(table, other).name


def _is_down(table: Table, context: Context, card: str, wanted: Json) -> bool:
    entry = entry_of(table.position, card)
    return entry is not None and entry["down"] is wanted


def _has_fuel_at_most(table: Table, context: Context, card: str, most: int) -> bool:
    entry = entry_of(table.position, card)
    return entry is not None and len(entry["fuel"]) <= most


def _costs_at_most(table: Table, context: Context, card: str, most: int) -> bool:
    return not definition_of(table, card).is_cost_x and cost_of(table, card) <= most


KINDS: Mapping[str, Callable[[Table, str], bool]] = {
    "card": _is_any,
    "unit": is_unit,
    "unit_or_player": is_unit,
    "permanent": _is_permanent,
    "weapon": _is_of("weapon"),
    "facility": _is_of("facility"),
    "armament": _is_of("armament"),
    "beast": _is_of("beast"),
    "mothership": _is_of("mothership"),
}
CHECKS: Mapping[str, Callable[[Table, Context, str, Json], bool]] = {
    "type": _has_type,
    "not": _is_not,
    "same_as": _is_same_as,
    "down": _is_down,
    "fuel_max": _has_fuel_at_most,
    "cost_max": _costs_at_most,
}


def selected(table: Table, context: Context, selector: Json) -> list[str]:
    """Return the cards and players that a selector means, in order."""
    if isinstance(selector, dict):
        return candidates(table, context, selector)
    return SELECTORS[selector](table, context)


def defenders(combat: Json) -> list[str]:
    """Return the defending units of a combat, in the order of what they defend."""
    made = combat["defences"]
    return [made[target]["by"] for target in combat["targets"] if target in made]


def _source(table: Table, context: Context) -> list[str]:
    return [context.source]


def _targets(table: Table, context: Context) -> list[str]:
    return list(context.targets)


def _attacker(table: Table, context: Context) -> list[str]:
    combat = table.position["combat"]
    return [combat["attacker"]] if combat else []


def _defenders(table: Table, context: Context) -> list[str]:
    combat = table.position["combat"]
    return defenders(combat) if combat else []


def _attack_targets(table: Table, context: Context) -> list[str]:
    combat = table.position["combat"]
    return list(combat["targets"]) if combat else []


def _bearer(table: Table, context: Context) -> list[str]:
    bearer = bearer_of(table.position, context.source)
    return [] if bearer is None else [bearer]


def _connected(table: Table, context: Context) -> list[str]:
    entry = entry_of(table.position, context.source)
    return [] if entry is None else list(entry["connected"])


def _event_card(table: Table, context: Context) -> list[str]:
    return [] if context.event_card is None else [context.event_card]


def _you(table: Table, context: Context) -> list[str]:
    return [context.player]


def _opponent(table: Table, context: Context) -> list[str]:
    return opponents(table.position, context.player)


def _each_player(table: Table, context: Context) -> list[str]:
    return active_first(table.position)


SELECTORS: Mapping[str, Callable[[Table, Context], list[str]]] = {
    "self": _source,
    "targets": _targets,
    "attacker": _attacker,
    "defenders": _defenders,
    "attack_targets": _attack_targets,
    "bearer": _bearer,
    "connected": _connected,
    "event_card": _event_card,
    "you": _you,
    "opponent": _opponent,
    "each_player": _each_player,
}
