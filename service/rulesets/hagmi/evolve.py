"""What each fact does to a position (spec 10.1). No rule is looked up here."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from service.engine.positions import get, put
from service.engine.values import Fact, Position
from service.rulesets.hagmi.definitions import Pool
from service.rulesets.hagmi.entries import (
    blank_position,
    field_path,
    is_somewhere,
    moved_entry,
    off_field,
    onto,
    out_of_hand,
    out_of_pile,
    out_of_zone,
    path_of,
    set_on,
    set_on_all,
    set_within,
    side_at,
    to_discards,
    with_entry,
)
from service.rulesets.hagmi.table import MB

REGISTERED_ZONES = ("weapon_deck", "operation_deck", "damage_deck", "secret")
CONTROL = ("agenda", "triggers", "window", "prompt", "combat", "chain")


def evolve(pool: Pool, position: Position, fact: Fact) -> Position:
    """Return the position after a fact."""
    return FOLDS[fact["fact"]](pool, position, fact)


def _unchanged(pool: Pool, position: Position, fact: Fact) -> Position:
    return position


def _control_set(pool: Pool, position: Position, fact: Fact) -> Position:
    return {**position, **{key: fact[key] for key in CONTROL}}


def _game_started(pool: Pool, position: Position, fact: Fact) -> Position:
    started = blank_position(fact["mode"], fact["options"], fact["order"])
    return {**started, "active": fact["first"]}


def _deck_registered(pool: Pool, position: Position, fact: Fact) -> Position:
    position = {**position, "cards": {**position["cards"], **fact["cards"]}}
    if fact["player"] == MB:
        position = put(position, ("beast", "deck"), value=fact["beast_deck"])
        return with_entry(pool, position, fact["mothership"], field_path(MB), entered=0)
    zones = {zone: fact[zone] for zone in REGISTERED_ZONES}
    player = {**position["players"][fact["player"]], **zones}
    return put(position, ("players", fact["player"]), value=player)


def _deck_shuffled(pool: Pool, position: Position, fact: Fact) -> Position:
    if fact["player"] != MB:
        return put(position, ("players", fact["player"], fact["zone"]), value=fact["order"])
    left = [card for card in position["beast"]["discard"] if card not in fact["order"]]
    beast = {**position["beast"], "deck": fact["order"], "discard": left}
    return {**position, "beast": beast}


def _cards_drawn(pool: Pool, position: Position, fact: Fact) -> Position:
    for card in fact["cards"]:
        position = onto(out_of_pile(position, fact["deck"], card), "hand", card)
    return position


def _turn_started(pool: Pool, position: Position, fact: Fact) -> Position:
    position = {**position, "turn": fact["turn"], "active": fact["player"]}
    for side in (*position["players"], MB):
        position = set_on_all(position, side, extra=0, forfeited=False)
    return position


def _phase_entered(pool: Pool, position: Position, fact: Fact) -> Position:
    position = {**position, "phase": fact["phase"], "step": fact["step"]}
    if fact["phase"] == "battle":
        return set_on_all(position, position["active"], declared=0)
    if fact["phase"] == "beast" and fact["step"] in ("action", "repair"):
        return {**position, "beast": {**position["beast"], "mark": None, "attacked": []}}
    return position


def _card_played(pool: Pool, position: Position, fact: Fact) -> Position:
    for card in (fact["card"], *fact["paid"]):
        position = out_of_hand(position, card)
    return position


def _card_produced(pool: Pool, position: Position, fact: Fact) -> Position:
    place = field_path(fact["player"])
    return with_entry(pool, position, fact["unit"], place, fuel=fact["fuel"])


def _armament_equipped(pool: Pool, position: Position, fact: Fact) -> Position:
    unit, armament = fact["unit"], fact["armament"]
    place = (*path_of(position, unit), "armaments") if unit else field_path(fact["player"])
    if not fact["produced"]:
        return moved_entry(position, armament, place)
    return with_entry(pool, to_discards(position, fact["paid"]), armament, place)


def _facility_placed(pool: Pool, position: Position, fact: Fact) -> Position:
    position = to_discards(position, fact["paid"])
    return with_entry(pool, position, fact["facility"], field_path(fact["player"]))


def _play_ended(pool: Pool, position: Position, fact: Fact) -> Position:
    return to_discards(position, (*fact["paid"], fact["card"]))


def _fuel_spent(pool: Pool, position: Position, fact: Fact) -> Position:
    path = (*path_of(position, fact["unit"]), "fuel")
    left = [card for card in get(position, path) if card not in fact["cards"]]
    return to_discards(put(position, path, value=left), fact["cards"])


def _fuel_supplied(pool: Pool, position: Position, fact: Fact) -> Position:
    for card in fact["cards"]:
        position = out_of_pile(position, fact["from"], card)
    path = (*path_of(position, fact["unit"]), "fuel")
    return put(position, path, value=[*get(position, path), *fact["cards"]])


def _attack_declared(pool: Pool, position: Position, fact: Fact) -> Position:
    unit = fact["unit"]
    if fact["player"] == MB:
        beast = position["beast"]
        attacked = [*beast["attacked"], unit]
        beast = {**beast, "mark": fact["key"], "attacked": attacked}
        position = {**position, "beast": beast}
    elif not fact.get("forced"):
        declared = get(position, path_of(position, unit))["declared"] + 1
        position = set_on(position, unit, declared=declared)
    return _in_battle(position, "defence")


def _in_battle(position: Position, step: str) -> Position:
    return {**position, "step": step} if position["phase"] == "battle" else position


def _combat_started(pool: Pool, position: Position, fact: Fact) -> Position:
    return _in_battle(position, "combat")


def _combat_ended(pool: Pool, position: Position, fact: Fact) -> Position:
    return _in_battle(position, "attack_preparation")


def _attack_forfeited(pool: Pool, position: Position, fact: Fact) -> Position:
    return set_on(position, fact["unit"], forfeited=True)


def _attacks_added(pool: Pool, position: Position, fact: Fact) -> Position:
    extra = get(position, path_of(position, fact["unit"]))["extra"]
    return set_on(position, fact["unit"], extra=extra + fact["by"])


def _extra_battle_started(pool: Pool, position: Position, fact: Fact) -> Position:
    return {**position, "phase": "battle", "step": "attack_preparation"}


def _extra_battle_ended(pool: Pool, position: Position, fact: Fact) -> Position:
    return {**position, "phase": fact["to"]["phase"], "step": fact["to"]["step"]}


def _barrier_spent(pool: Pool, position: Position, fact: Fact) -> Position:
    left = get(position, path_of(position, fact["card"]))["counters"]["barrier"] - 1
    return set_within(position, fact["card"], "counters", "barrier", value=left)


def _damage_marked(pool: Pool, position: Position, fact: Fact) -> Position:
    return set_on(position, fact["card"], damage=fact["total"], unremovable=fact["unremovable"])


def _damage_repaired(pool: Pool, position: Position, fact: Fact) -> Position:
    damage = get(position, path_of(position, fact["card"]))["damage"]
    return set_on(position, fact["card"], damage=damage - fact["amount"])


def _damage_card_broken(pool: Pool, position: Position, fact: Fact) -> Position:
    return onto(out_of_pile(position, "damage_deck", fact["card"]), "discard", fact["card"])


def _player_lost(pool: Pool, position: Position, fact: Fact) -> Position:
    return put(position, ("players", fact["player"], "lost"), value=True)


def _armament_unequipped(pool: Pool, position: Position, fact: Fact) -> Position:
    side = side_at(path_of(position, fact["unit"]))
    return moved_entry(position, fact["armament"], field_path(side))


def _card_discarded(pool: Pool, position: Position, fact: Fact) -> Position:
    card = fact["card"]
    if pool.cards[position["cards"][card]["card"]].kind == "token":
        return position
    if fact["from"] == "fuel":
        path = (*path_of(position, fact["holder"]), "fuel")
        left = [other for other in get(position, path) if other != card]
        return onto(put(position, path, value=left), "discard", card)
    zone = "field" if fact["from"] == "stored" else fact["from"]
    return onto(out_of_zone(position, zone, card), "discard", card)


def _card_left(pool: Pool, position: Position, fact: Fact) -> Position:
    return onto(off_field(position, fact["card"]), fact["to"], fact["card"])


def _token_vanished(pool: Pool, position: Position, fact: Fact) -> Position:
    return off_field(position, fact["card"])


def _charge_unit_placed(pool: Pool, position: Position, fact: Fact) -> Position:
    return _with_charge_unit(off_field(position, fact["card"]), fact["card"])


def _with_charge_unit(position: Position, card: str) -> Position:
    units = [*position["beast"]["charge_units"], card]
    return put(position, ("beast", "charge_units"), value=units)


def _card_moved(pool: Pool, position: Position, fact: Fact) -> Position:
    return onto(out_of_zone(position, fact["from"], fact["card"]), fact["to"], fact["card"])


def _card_entered(pool: Pool, position: Position, fact: Fact) -> Position:
    card = fact["card"]
    if fact["how"] == "token":
        known = {"card": fact["definition"], "owner": fact["owner"]}
        position = put(position, ("cards", card), value=known)
    else:
        position = out_of_pile(position, fact["from"], card)
    return with_entry(pool, position, card, field_path(fact["controller"]))


def _beast_charged(pool: Pool, position: Position, fact: Fact) -> Position:
    card = fact["card"]
    deck = [other for other in position["beast"]["deck"] if other != card]
    position = put(position, ("beast", "deck"), value=deck)
    if fact["outcome"] == "entered":
        return with_entry(pool, position, card, field_path(MB))
    return _with_charge_unit(position, card)


def _card_stored(pool: Pool, position: Position, fact: Fact) -> Position:
    place = (*path_of(position, fact["under"]), "stored")
    return moved_entry(position, fact["card"], place)


def _card_released(pool: Pool, position: Position, fact: Fact) -> Position:
    side = side_at(path_of(position, fact["from"]))
    return moved_entry(position, fact["card"], field_path(side))


def _control_changed(pool: Pool, position: Position, fact: Fact) -> Position:
    return moved_entry(position, fact["card"], field_path(fact["to"]))


def _cards_connected(pool: Pool, position: Position, fact: Fact) -> Position:
    for card, other in _both_ways(fact["cards"]):
        connected = get(position, path_of(position, card))["connected"]
        position = set_on(position, card, connected=[*connected, other])
    return position


def _cards_disconnected(pool: Pool, position: Position, fact: Fact) -> Position:
    for card, other in _both_ways(fact["cards"]):
        if is_somewhere(position, card):
            connected = get(position, path_of(position, card))["connected"]
            left = [name for name in connected if name != other]
            position = set_on(position, card, connected=left)
    return position


def _both_ways(cards: Sequence[str]) -> tuple[tuple[str, str], tuple[str, str]]:
    one, other = cards
    return (one, other), (other, one)


def _retrofit_changed(pool: Pool, position: Position, fact: Fact) -> Position:
    return set_within(position, fact["unit"], "retrofit", fact["kind"], value=fact["value"])


def _counter_changed(pool: Pool, position: Position, fact: Fact) -> Position:
    return set_within(position, fact["card"], "counters", fact["kind"], value=fact["value"])


def _modifier_added(pool: Pool, position: Position, fact: Fact) -> Position:
    mod = {key: value for key, value in fact.items() if key not in ("fact", "rules")}
    return {**position, "mods": [*position["mods"], mod], "next_seq": fact["seq"] + 1}


def _modifier_expired(pool: Pool, position: Position, fact: Fact) -> Position:
    return {**position, "mods": [m for m in position["mods"] if m["seq"] != fact["seq"]]}


def _card_downed(pool: Pool, position: Position, fact: Fact) -> Position:
    return set_on(position, fact["card"], down=True)


def _card_recovered(pool: Pool, position: Position, fact: Fact) -> Position:
    return set_on(position, fact["card"], down=False)


def _skill_activated(pool: Pool, position: Position, fact: Fact) -> Position:
    if not fact["mechanism"]:
        return position
    used = {**position["used"], f"{fact['source']}/{fact['effect']}": position["turn"]}
    return {**position, "used": used}


def _core_removed(pool: Pool, position: Position, fact: Fact) -> Position:
    if fact["kind"] == "core":
        return set_on(position, fact["card"], cores=fact["left"])
    return set_within(position, fact["card"], "counters", "life_core", value=fact["left"])


def _mothership_flipped(pool: Pool, position: Position, fact: Fact) -> Position:
    card, into = fact["card"], fact["into"]
    position = put(position, ("cards", card, "card"), value=into)
    turned = {"card": into, "damage": 0, "unremovable": 0, "entered": position["turn"]}
    return set_on(position, card, **turned)


def _game_ended(pool: Pool, position: Position, fact: Fact) -> Position:
    return {**position, "result": {"winner": fact["winner"], "reason": fact["reason"]}}


UNCHANGED = (
    "die_rolled",
    "logistics_resolved",
    "window_opened",
    "window_passed",
    "choice_requested",
    "triggers_ordered",
    "additional_cost_paid",
    "attack_nullified",
    "attack_impossible",
    "defence_declared",
    "defence_closed",
    "defence_compelled",
    "defence_lapsed",
    "skill_resolved",
    "skill_declined",
    "skill_fizzled",
    "skill_nullified",
    "beast_passed_over",
    "card_destroyed",
    "card_dismantled",
    "lethal_reached",
    "pierce_carried",
    "damage_computed",
    "player_damaged",
    "damage_absorbed",
)
FOLDS: Mapping[str, Callable[[Pool, Position, Fact], Position]] = {
    **dict.fromkeys(UNCHANGED, _unchanged),
    "control_set": _control_set,
    "game_started": _game_started,
    "deck_registered": _deck_registered,
    "deck_shuffled": _deck_shuffled,
    "cards_drawn": _cards_drawn,
    "turn_started": _turn_started,
    "phase_entered": _phase_entered,
    "card_played": _card_played,
    "card_produced": _card_produced,
    "armament_equipped": _armament_equipped,
    "facility_placed": _facility_placed,
    "order_resolved": _play_ended,
    "play_nullified": _play_ended,
    "fuel_paid": _fuel_spent,
    "fuel_drained": _fuel_spent,
    "fuel_supplied": _fuel_supplied,
    "attack_declared": _attack_declared,
    "combat_started": _combat_started,
    "combat_ended": _combat_ended,
    "attack_forfeited": _attack_forfeited,
    "attacks_added": _attacks_added,
    "extra_battle_started": _extra_battle_started,
    "extra_battle_ended": _extra_battle_ended,
    "barrier_spent": _barrier_spent,
    "damage_marked": _damage_marked,
    "damage_repaired": _damage_repaired,
    "damage_card_broken": _damage_card_broken,
    "player_lost": _player_lost,
    "armament_unequipped": _armament_unequipped,
    "card_discarded": _card_discarded,
    "card_left": _card_left,
    "token_vanished": _token_vanished,
    "charge_unit_placed": _charge_unit_placed,
    "card_moved": _card_moved,
    "card_entered": _card_entered,
    "beast_charged": _beast_charged,
    "card_stored": _card_stored,
    "card_released": _card_released,
    "control_changed": _control_changed,
    "cards_connected": _cards_connected,
    "cards_disconnected": _cards_disconnected,
    "retrofit_changed": _retrofit_changed,
    "counter_changed": _counter_changed,
    "modifier_added": _modifier_added,
    "keyword_granted": _modifier_added,
    "modifier_expired": _modifier_expired,
    "card_downed": _card_downed,
    "card_recovered": _card_recovered,
    "skill_activated": _skill_activated,
    "core_removed": _core_removed,
    "mothership_flipped": _mothership_flipped,
    "game_ended": _game_ended,
}
FACTS = frozenset(FOLDS)
