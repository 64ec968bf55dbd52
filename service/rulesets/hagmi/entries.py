"""Entries of battlefields and piles: defaults and copy-on-write moves (HG-934; spec 3 and 10.1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from service.engine.positions import drop, get, put
from service.engine.values import Json, Position
from service.rulesets.hagmi.definitions import Definition, Pool
from service.rulesets.hagmi.table import MB, PILES

Path = tuple[str, ...]
LEFT_BY_PLAYING = ("hand", "secret")


def blank_position(mode: str, options: Mapping[str, Json], order: Sequence[str]) -> Position:
    """Return a position in which nothing lies anywhere."""
    return {
        "ruleset": "hagmi",
        "mode": mode,
        "options": dict(options),
        "order": list(order),
        "turn": 0,
        "active": order[0],
        "phase": "start",
        "step": "standby",
        "players": {player: blank_player() for player in order},
        "beast": {
            "deck": [],
            "discard": [],
            "removed": [],
            "charge_units": [],
            "field": {},
            "mark": None,
            "attacked": [],
        },
        "cards": {},
        "mods": [],
        "used": {},
        "chain": [],
        "triggers": [],
        "agenda": [],
        "window": None,
        "prompt": None,
        "combat": None,
        "result": None,
        "next_seq": 1,
    }


def blank_player() -> dict[str, Json]:
    """Return a player who has nothing."""
    piles: dict[str, Json] = {zone: [] for zone in PILES}
    return {**piles, "lost": False, "field": {}}


def blank_entry(definition: Definition, owner: str) -> dict[str, Json]:
    """Return the entry of a card that has just come; motherships carry their cores (HG-501)."""
    entry: dict[str, Json] = {
        "card": definition.id,
        "owner": owner,
        "fuel": [],
        "stored": {},
        "armaments": {},
        "damage": 0,
        "unremovable": 0,
        "retrofit": {"heavy": 0, "power": 0, "armour": 0},
        "counters": {"barrier": 0, "power": 0, "life_core": definition.life_cores},
        "down": False,
        "declared": 0,
        "extra": 0,
        "forfeited": False,
        "entered": 0,
        "seq": 0,
        "connected": [],
    }
    return {**entry, "cores": definition.cores} if definition.kind == "mothership" else entry


def field_path(side: str) -> Path:
    """Return the path to the battlefield of a side."""
    return ("beast", "field") if side == MB else ("players", side, "field")


def pile_path(owner: str, zone: str) -> Path:
    """Return the path to a pile; what is owned by the beasts has two of them."""
    return ("beast", zone) if owner == MB else ("players", owner, zone)


def path_of(position: Position, card: str) -> Path:
    """Return the path to the entry of a card, held or not, on any battlefield.

    Raises `LookupError` if there is none: a fact given by people may name any card.
    """
    path = _path_to(position, card)
    if path is None:
        raise LookupError(f"{card} lies on no battlefield")
    return path


def is_somewhere(position: Position, card: str) -> bool:
    """Tell whether a card has an entry on any battlefield, held or not."""
    return _path_to(position, card) is not None


def _path_to(position: Position, card: str) -> Path | None:
    fields = [field_path(side) for side in (*position["players"], MB)]
    for path in fields:
        if card in get(position, path):
            return (*path, card)
    found = (_path_below(get(position, path), path, card) for path in fields)
    return next((path for path in found if path), None)


def _path_below(field: Mapping[str, Json], path: Path, card: str) -> Path | None:
    for holder, entry in field.items():
        for kind in ("stored", "armaments"):
            inner = (*path, holder, kind)
            if card in entry[kind]:
                return (*inner, card)
            if found := _path_below(entry[kind], inner, card):
                return found
    return None


def side_at(path: Path) -> str:
    """Return the side on whose battlefield a path leads."""
    return MB if path[0] == "beast" else path[1]


def with_entry(pool: Pool, position: Position, card: str, place: Path, **values: Json) -> Position:
    """Put the entry of a card that enters into a map of cards; it takes the next `seq`."""
    known = position["cards"][card]
    entry = {
        **blank_entry(pool.cards[known["card"]], known["owner"]),
        "entered": position["turn"],
        "seq": position["next_seq"],
        **values,
    }
    position = put(position, (*place, card), value=entry)
    return {**position, "next_seq": position["next_seq"] + 1}


def moved_entry(position: Position, card: str, place: Path) -> Position:
    """Move an entry as it is into another map of cards."""
    path = path_of(position, card)
    entry = get(position, path)
    return put(drop(position, path), (*place, card), value=entry)


def set_on(position: Position, name: str, /, **values: Json) -> Position:
    """Set values of an entry."""
    path = path_of(position, name)
    return put(position, path, value={**get(position, path), **values})


def set_within(position: Position, card: str, kind: str, name: str, *, value: Json) -> Position:
    """Set one of the retrofit values or counters of an entry."""
    return put(position, (*path_of(position, card), kind, name), value=value)


def set_on_all(position: Position, side: str, **values: Json) -> Position:
    """Set values of every entry on a battlefield."""
    path = field_path(side)
    field = {card: {**entry, **values} for card, entry in get(position, path).items()}
    return put(position, path, value=field)


def off_field(position: Position, card: str) -> Position:
    """Remove an entry wherever it lies; the card loses its passing changes."""
    position = drop(position, path_of(position, card))
    mods = [mod for mod in position["mods"] if mod["card"] != card]
    return position if len(mods) == len(position["mods"]) else {**position, "mods": mods}


def out_of_pile(position: Position, zone: str, card: str) -> Position:
    """Take a card out of a pile of its owner."""
    path = pile_path(position["cards"][card]["owner"], zone)
    return put(position, path, value=[other for other in get(position, path) if other != card])


def out_of_zone(position: Position, zone: str, card: str) -> Position:
    """Take a card off the battlefields or out of a pile of its owner."""
    return off_field(position, card) if zone == "field" else out_of_pile(position, zone, card)


def out_of_hand(position: Position, card: str) -> Position:
    """Take a card that is played or paid out of hand, secrets or battlefield."""
    owner = position["players"][position["cards"][card]["owner"]]
    zone = next((zone for zone in LEFT_BY_PLAYING if card in owner[zone]), "field")
    return out_of_zone(position, zone, card)


def onto(position: Position, zone: str, card: str) -> Position:
    """Lay a card on top of a pile of its owner; in a hand it comes last."""
    path = pile_path(position["cards"][card]["owner"], zone)
    pile = get(position, path)
    return put(position, path, value=[*pile, card] if zone == "hand" else [card, *pile])


def to_discards(position: Position, cards: Iterable[str]) -> Position:
    """Lay cards on the discard piles of their owners, one after the other (HG-204)."""
    for card in cards:
        position = onto(position, "discard", card)
    return position
