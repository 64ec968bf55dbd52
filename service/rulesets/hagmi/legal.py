"""Legal actions, exact down to payments and targets (HG-907; spec 5.1, FORMAT 8)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from service.engine.values import Actor, Entry, Position
from service.rulesets.hagmi.attack import attackable, has_declaration_left
from service.rulesets.hagmi.choosers import chooser, entries, fuel_chooser, target_choosers
from service.rulesets.hagmi.costs import payables
from service.rulesets.hagmi.damage import facilities_of
from service.rulesets.hagmi.defence import defence_refusals, emergency_refusals
from service.rulesets.hagmi.definitions import Pool
from service.rulesets.hagmi.equipment import equip_refusals
from service.rulesets.hagmi.numbers import act_of, cap_of, cost_of
from service.rulesets.hagmi.skills import candidates_of
from service.rulesets.hagmi.statics import Board
from service.rulesets.hagmi.table import (
    MB,
    Table,
    by_seq,
    definition_of,
    effect_of,
    field_of,
    living,
    pile_of,
)
from service.rulesets.hagmi.timing import INSTEAD_OF_ATTACK, MAIN
from service.rulesets.hagmi.usable import usable

END_PHASE: Entry = {"type": "end_phase"}


def legal_actions(pool: Pool, position: Position) -> dict[Actor, list[Entry]]:
    """Return what every living player may do; only the one asked has more than conceding."""
    if not position:
        return {"system": []}
    if position["result"] is not None:
        return {}
    listed: dict[Actor, list[Entry]] = {player: [] for player in living(position)}
    asked = asked_player(position)
    if asked is not None:
        listed[asked] = list(_asked_entries(Board(pool=pool, position=position), asked))
    for player in living(position):
        listed[player].append({"type": "concede"})
    return listed


def asked_player(position: Position) -> str | None:
    """Return whom the position asks: the prompt, the window, or the active player (HG-907)."""
    if position["prompt"] is not None:
        return str(position["prompt"]["player"])
    if position["window"] is not None:
        return str(position["window"]["holder"])
    return None if position["active"] == MB else str(position["active"])


def _asked_entries(table: Table, player: str) -> Iterator[Entry]:
    position = table.position
    if position["prompt"] is not None:
        yield from PROMPTS[position["prompt"]["kind"]](table, player)
    elif position["window"] is not None:
        yield {"type": "pass"}
        yield from usable(table, player, position["window"]["kind"])
    elif (position["phase"], position["step"]) in STEPS and not position["chain"]:
        yield END_PHASE
        yield from STEPS[position["phase"], position["step"]](table, player)


def _main(table: Table, player: str) -> Iterator[Entry]:
    yield from usable(table, player, MAIN)
    own = field_of(table.position, player)
    cards = [card for card, _ in by_seq(own)]
    for unit in cards:
        for armament in cards:
            fixed = {"unit": unit, "armament": armament}
            if next(equip_refusals(table, player, fixed), None) is None:
                pay = fuel_chooser(own[unit], act_of(table, unit))
                yield from entries("equip_armament", fixed, {"pay": pay})


def _attack_preparation(table: Table, player: str) -> Iterator[Entry]:
    for unit, entry in by_seq(field_of(table.position, player)):
        can_act = definition_of(table, unit).is_unit and not entry["down"]
        if can_act and not entry["forfeited"] and has_declaration_left(entry):
            yield from _declarations(table, player, unit)
    yield from usable(table, player, INSTEAD_OF_ATTACK)


def _declarations(table: Table, player: str, unit: str) -> Iterator[Entry]:
    targets, area = attackable(table, player), definition_of(table, unit).area
    least = len(targets) if area is None else 1
    most = len(targets) if area is None else area
    choosers = {
        "targets": chooser(targets, max(1, least), most),
        "pay": fuel_chooser(field_of(table.position, player)[unit], act_of(table, unit)),
    }
    yield from entries("declare_attack", {"unit": unit}, choosers)


def _supply(table: Table, player: str) -> Iterator[Entry]:
    hand = pile_of(table.position, player, "hand")
    for unit, entry in by_seq(field_of(table.position, player)):
        room = cap_of(table, unit) - len(entry["fuel"])
        if definition_of(table, unit).kind == "weapon" and room >= 1:
            yield from entries("supply", {"unit": unit}, {"cards": chooser(hand, 1, room)})


def _defence(table: Table, player: str) -> Iterator[Entry]:
    if table.position["combat"]["must_defend"] is None:
        yield {"type": "end_defence"}
    yield from defences(table, player)


def defences(table: Table, player: str) -> Iterator[Entry]:
    """Yield the defences and emergency productions that a player could declare (HG-241)."""
    own = field_of(table.position, player)
    for unit, entry in by_seq(own):
        for target in table.position["combat"]["targets"]:
            fixed = {"unit": unit, "target": target}
            if next(defence_refusals(table, player, fixed), None) is None:
                pay = fuel_chooser(entry, act_of(table, unit))
                yield from entries("defend", fixed, {"pay": pay})
    for card in pile_of(table.position, player, "hand"):
        payable, cost = payables(table, player, card), cost_of(table, card)
        action = {"card": card, "pay": payable[:cost]}
        if next(emergency_refusals(table, player, action), None) is None:
            choosers = {"pay": chooser(payable, cost, cost)}
            yield from entries("emergency_produce", {"card": card}, choosers)


def _absorb(table: Table, player: str) -> Iterator[Entry]:
    most = table.position["prompt"]["max"]
    facilities = chooser(facilities_of(table, player), 0, most)
    yield from entries("absorb_damage", {}, {"facilities": facilities})


def _choose(table: Table, player: str) -> Iterator[Entry]:
    prompt = table.position["prompt"]
    effect = effect_of(table, prompt["source"], prompt["effect"])
    found = candidates_of(table, effect, prompt["source"], player)
    least = min(effect.targets.least, len(found)) if effect.targets else 0
    choosers = target_choosers(effect.targets, found, least)
    yield from entries("choose", {"use": True}, choosers)
    if effect.optional:
        yield {"type": "choose", "use": False}


def _order_triggers(table: Table, player: str) -> Iterator[Entry]:
    count = sum(not trigger["ordered"] for trigger in table.position["triggers"])
    order = {"from": list(range(count)), "min": count, "max": count}
    yield from entries("order_triggers", {}, {"order": order})


def _forced_attack(table: Table, player: str) -> Iterator[Entry]:
    yield from _declarations(table, player, table.position["prompt"]["unit"])


PROMPTS: Mapping[str, Callable[[Table, str], Iterator[Entry]]] = {
    "defence": _defence,
    "absorb": _absorb,
    "choose": _choose,
    "order_triggers": _order_triggers,
    "forced_attack": _forced_attack,
}
STEPS: Mapping[tuple[str, str], Callable[[Table, str], Iterator[Entry]]] = {
    ("main", "main"): _main,
    ("battle", "attack_preparation"): _attack_preparation,
    ("repair", "supply"): _supply,
}
