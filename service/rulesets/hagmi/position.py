"""Positions: the shorthand is read, the defaults filled in, what does not fit refused (spec 3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from service.engine.values import Json, Position
from service.rulesets.hagmi.control import CONTROL_SHAPES, LINK_DEFAULTS
from service.rulesets.hagmi.definitions import Pool
from service.rulesets.hagmi.entries import blank_position
from service.rulesets.hagmi.references import check_references
from service.rulesets.hagmi.setup import DEFAULT_OPTIONS
from service.rulesets.hagmi.shapes import LARGEST, flag, listing, optional, text, whole, word
from service.rulesets.hagmi.shorthand import Registry, expect, expect_keys, refuse
from service.rulesets.hagmi.table import MB, MODES, PILES, PLAYERS, VERSUS, field_of

STEPS: Mapping[str, tuple[str, ...]] = {
    "start": ("standby", "draw"),
    "main": ("main",),
    "battle": ("attack_preparation", "defence", "combat"),
    "repair": ("supply", "repair"),
    "end": ("end",),
    "beast": ("action", "standby", "charge", "repair", "end"),
}
"""The steps of each phase; the first one is meant when a position names none."""

POSITION_KEYS = (*blank_position(VERSUS, {}, PLAYERS[:2]),)
PLAYER_KEYS = (*PILES, "lost", "field")
BEAST_KEYS = (
    "deck",
    "discard",
    "removed",
    "charge_units",
    "field",
    "mark",
    "attacked",
    "mothership",
)
FILLERS: Mapping[str, tuple[str, str, int]] = {
    "weapon_deck": (".W", "HW-000", 10),
    "operation_deck": (".O", "HO-000", 10),
    "damage_deck": (".D", "HD-000", 5),
    "hand": (".H", "HO-000", 0),
    "discard": (".X", "HO-000", 0),
}
"""Of the piles that may be given as a number: prefix of the ids, definition, default."""

BEAST_FILLERS: Mapping[str, tuple[str, str]] = {
    "deck": ("MB.B", "HB-801"),
    "charge_units": ("MB.C", "HB-801"),
    "discard": ("MB.X", "HB-801"),
}
OPTION_SHAPES = {"facility_sacrifice": flag, "windows": word(("auto", "always"))}


def normalise(pool: Pool, given: Json) -> Position:
    """Return the full position of a shorthand; the empty one is a game not begun.

    Idempotent. Raises `PositionFault` with the place of the first fault.
    """
    if given == {} and isinstance(given, dict):
        return {}
    expect_keys(given, POSITION_KEYS, "position")
    expect(word(("hagmi",)), given.get("ruleset", "hagmi"), "ruleset")
    mode = given.get("mode", VERSUS)
    expect(word(MODES), mode, "mode")
    order = _order(given, mode)
    position = blank_position(mode, _options(given.get("options", {})), order)
    registry = Registry(pool, order, given.get("cards", {}))
    players = given.get("players", {})
    for player in order:
        position["players"][player] = _player(registry, player, players.get(player, {}))
    position["beast"] = _beast(registry, given.get("beast", {}))
    position |= _course_of_turns(given, order)
    for key, shape in CONTROL_SHAPES.items():
        position[key] = given.get(key, position[key])
        expect(shape, position[key], key)
    position["chain"] = [_link(registry, link, at) for at, link in enumerate(position["chain"])]
    position["cards"] = registry.cards
    _number(position, given)
    _connect(position)
    check_references(pool, position)
    return position


def _order(given: Json, mode: str) -> list[str]:
    """Return the players in their order; in versus they are always two."""
    players = given.get("players", {})
    expect_keys(players, PLAYERS, "players")
    named = sorted(players) if mode != VERSUS else []
    order = given.get("order", named or ["P1", "P2"])
    expect(listing(word(PLAYERS), least=1), order, "order")
    if len(set(order)) != len(order) or not set(players) <= set(order):
        raise refuse("order", "every player once is expected")
    if mode == VERSUS and set(order) != {"P1", "P2"}:
        raise refuse("order", "P1 and P2 are expected")
    return list(order)


def _options(given: Json) -> dict[str, Json]:
    expect_keys(given, OPTION_SHAPES, "options")
    for key, value in given.items():
        expect(OPTION_SHAPES[key], value, f"options.{key}")
    return {**DEFAULT_OPTIONS, **given}


def _player(registry: Registry, player: str, given: Json) -> dict[str, Json]:
    place = f"players.{player}"
    expect_keys(given, PLAYER_KEYS, place)
    read: dict[str, Json] = {"lost": given.get("lost", False)}
    expect(flag, read["lost"], f"{place}.lost")
    for zone in PILES:
        prefix, name, default = FILLERS.get(zone, ("", "", []))
        filler = (f"{player}{prefix}", name) if zone in FILLERS else None
        value = given.get(zone, default)
        read[zone] = registry.own_pile(value, f"{place}.{zone}", player, filler)
    read["field"] = registry.field(given.get("field", {}), f"{place}.field", player)
    return read


def _beast(registry: Registry, given: Json) -> dict[str, Json]:
    expect_keys(given, BEAST_KEYS, "beast")
    read: dict[str, Json] = {"mark": given.get("mark"), "attacked": given.get("attacked", [])}
    expect(optional(listing(whole(-LARGEST, LARGEST), least=3)), read["mark"], "beast.mark")
    expect(listing(text), read["attacked"], "beast.attacked")
    for zone in ("deck", "discard", "removed", "charge_units"):
        value = given.get(zone, [])
        read[zone] = registry.own_pile(value, f"beast.{zone}", MB, BEAST_FILLERS.get(zone))
    read["field"] = registry.field(given.get("field", {}), "beast.field", MB)
    mothership = given.get("mothership")
    if mothership is not None and not _is_mothership(registry, read["field"], mothership):
        raise refuse("beast.mothership", "no mothership on the battlefield of the beasts")
    return read


def _is_mothership(registry: Registry, field: Mapping[str, Json], card: Json) -> bool:
    entry = field.get(card) if isinstance(card, str) else None
    return entry is not None and registry.pool.cards[entry["card"]].kind == "mothership"


def _course_of_turns(given: Json, order: Sequence[str]) -> dict[str, Json]:
    phase = given.get("phase", "main")
    expect(word(STEPS), phase, "phase")
    step = given.get("step", STEPS[phase][0])
    expect(word(STEPS[phase]), step, "step")
    turn = given.get("turn", 1)
    expect(whole(0, LARGEST), turn, "turn")
    is_beasts = given.get("mode", VERSUS) != VERSUS
    active = given.get("active", MB if phase == "beast" else order[0])
    expect(word((*order, MB) if is_beasts else order), active, "active")
    return {"phase": phase, "step": step, "turn": turn, "active": active}


def _link(registry: Registry, given: Json, at: int) -> dict[str, Json]:
    """Fill in an object of the chain; a card being played lies there with its payment."""
    link = {**LINK_DEFAULTS[given["t"]], **given}
    if link["t"] == "play":
        place = f"chain.{at}"
        link["card"] = registry.pile([link["card"]], f"{place}.card", link["player"])[0]
        link["pay"] = registry.pile(link["pay"], f"{place}.pay", link["player"])
    return link


def _number(position: Position, given: Json) -> None:
    """Give every entry without a `seq` its place in the count, and the mods what follows."""
    taken: list[int] = []
    for at, (place, entry) in enumerate(_counted(position), start=1):
        entry["seq"] = entry["seq"] or at
        if entry["seq"] in taken:
            raise refuse(f"{place}.seq", "given twice")
        taken.append(entry["seq"])
    taken += [mod["seq"] for mod in position["mods"] if "seq" in mod]
    least = max(taken, default=0) + 1
    following = given.get("next_seq", least)
    expect(whole(least, LARGEST), following, "next_seq")
    mods = []
    for mod in position["mods"]:
        full = {"until": "end_of_turn", "source": None, "seq": following, **mod}
        following += "seq" not in mod
        mods.append(full)
    position |= {"mods": mods, "next_seq": following}


def _counted(position: Position) -> Iterator[tuple[str, Json]]:
    for side in (*position["order"], MB):
        yield from _counted_below(field_of(position, side), side)


def _counted_below(field: Mapping[str, Json], place: str) -> Iterator[tuple[str, Json]]:
    for card in sorted(field):
        entry = field[card]
        yield f"{place}.{card}", entry
        for kind in ("stored", "armaments"):
            yield from _counted_below(entry[kind], f"{place}.{card}.{kind}")


def _connect(position: Position) -> None:
    """Make connections mutual (HG-270)."""
    fields = [field_of(position, side) for side in (*position["order"], MB)]
    entries = {card: entry for field in fields for card, entry in field.items()}
    for entry in entries.values():
        entry["connected"] = list(entry["connected"])
    for card in sorted(entries):
        for other in entries[card]["connected"]:
            if other in entries and card not in entries[other]["connected"]:
                entries[other]["connected"].append(card)
