"""Current numbers of cards (HG-128, HG-249, HG-259…HG-261, HG-411…HG-413, HG-520; spec 6.1)."""

from __future__ import annotations

from service.engine.values import Json
from service.rulesets.hagmi.table import Table, definition_of, entry_of


def power_of(table: Table, card: str) -> int:
    """Return the power of one hit, never below 0 (HG-261)."""
    printed = _changed(table, card, "power", definition_of(table, card).power)
    entry = entry_of(table.position, card)
    if entry is None:
        return max(0, printed)
    retrofit = entry["retrofit"]
    lasting: int = retrofit["heavy"] + retrofit["power"] + entry["counters"]["power"]
    return max(0, printed + lasting)


def hits_of(table: Table, card: str) -> int:
    """Return the number of hits, at least 1 (HG-128)."""
    return max(1, _changed(table, card, "hits", definition_of(table, card).hits))


def armour_of(table: Table, card: str) -> int | None:
    """Return the armour, without a floor; the durability of an armament; None without either.

    Armour retrofit is no part of it (HG-262), power counters are (HG-521).
    """
    definition = definition_of(table, card)
    if definition.kind == "armament":
        return definition.durability
    if definition.armour is None:
        return None
    armour = _changed(table, card, "armour", definition.armour)
    entry = entry_of(table.position, card)
    if entry is None or not definition.is_unit:
        return armour
    return armour + int(entry["retrofit"]["heavy"]) + int(entry["counters"]["power"])


def act_of(table: Table, card: str) -> int:
    """Return the act cost, never below 0 (HG-260)."""
    entry = entry_of(table.position, card)
    heavy: int = 0 if entry is None else entry["retrofit"]["heavy"]
    printed = definition_of(table, card).act
    return max(0, _changed(table, card, "act", printed) + heavy)


def cost_of(table: Table, card: str) -> int:
    """Return the cost, never below 0 (HG-411, HG-939); an undetermined one counts as 0."""
    return max(0, _changed(table, card, "cost", definition_of(table, card).cost))


def cap_of(table: Table, card: str) -> int:
    """Return the most fuel a weapon may hold: its present cost, if nothing else is printed."""
    cap = definition_of(table, card).fuel_cap
    return cost_of(table, card) if cap is None else cap


def has_keyword(table: Table, card: str, keyword: str) -> bool:
    """Tell whether a card on a battlefield has a keyword; a downed one has none (HG-425)."""
    entry: Json = entry_of(table.position, card)
    if entry is None or entry["down"]:
        return False
    return keyword in definition_of(table, card).keywords or any(
        mod["card"] == card and mod.get("keyword") == keyword for mod in table.position["mods"]
    )


def _changed(table: Table, card: str, stat: str, printed: int) -> int:
    by = 0
    for change in table.changes:
        if change.stat == stat and card in change.cards:
            if change.replaces is not None:
                printed = change.replaces
            by += change.by
    return printed + by


def _armour_or_none(table: Table, card: str) -> int:
    return armour_of(table, card) or 0


NUMBERS = {
    "power": power_of,
    "hits": hits_of,
    "armour": _armour_or_none,
    "act": act_of,
    "cost": cost_of,
}
