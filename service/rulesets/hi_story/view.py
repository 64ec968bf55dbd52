"""What a viewer is shown of a position (14.3, HS-711 to HS-714, HS-943)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from service.engine.values import JUDGE, Json, Position, View, Viewer
from service.rulesets.hi_story.cards import Pool
from service.rulesets.hi_story.sight import HIDDEN, OF_OWNER, Sight, is_offered
from service.rulesets.hi_story.table import PILES, card_at, is_place, owner

SETS = ("set", "set_by_effect")


def view(position: Position, viewer: Viewer) -> View:
    """Return the position as a viewer may see it; the judge sees it unchanged."""
    if viewer == JUDGE:
        return position
    sight = Sight(viewer=viewer, before=position, after=position)
    seen: View = {
        **position,
        "players": {
            player: _side(sight, player, side) for player, side in position["players"].items()
        },
        "summoned": sight.names(position["summoned"], is_open=True),
        "used": uses_seen(sight, position["used"]),
        "done": [_done(sight, entry) for entry in position["done"]],
        "lasting": [entry_seen(sight, entry) for entry in position["lasting"]],
        "attack": _attack(sight, position["attack"]),
        "frames": [_frame(sight, frame) for frame in position["frames"]],
        "queue": [queued_seen(sight, entry) for entry in position["queue"]],
        "pending": _pending(sight, position["pending"]),
    }
    seen["cards"] = {
        name: definition
        for name, definition in sight.shown.items()
        if sight.sees(card_at(position, name) or name)
    }
    return seen


def _side(sight: Sight, player: str, side: Json) -> Json:
    return {
        **side,
        **{
            pile: [
                _in_pile(sight, pile, card) if sight.viewer == player else HIDDEN
                for card in side[pile]
            ]
            for pile in PILES
        },
        "fields": {
            field: {**stack, "cards": [_in_stack(sight, card) for card in stack["cards"]]}
            for field, stack in side["fields"].items()
        },
    }


def _in_pile(sight: Sight, pile: str, card: str) -> str:
    is_seen = pile in OF_OWNER or is_offered(sight.after, sight.viewer, card)
    return sight.name(card) if is_seen else HIDDEN


def _in_stack(sight: Sight, card: str) -> str:
    return sight.name(card, is_open=False) if sight.sees(card) else HIDDEN


def uses_seen(sight: Sight, entries: Sequence[str]) -> list[str]:
    """Return entries of `used`: in `card#effect` the card by name, `player:name` as it is."""
    return [_use(sight, entry) for entry in entries]


def _use(sight: Sight, entry: str) -> str:
    card, is_effect, effect = entry.partition("#")
    if not owner(card):
        return entry
    return f"{sight.name(card)}{is_effect}{effect}"


def _done(sight: Sight, entry: Json) -> Json:
    is_open = entry["action"] not in SETS
    return {**entry, "card": sight.name(entry["card"], is_open=is_open)}


def entry_seen(sight: Sight, entry: Mapping[str, Json]) -> dict[str, Json]:
    """Return an object with every instance id in it by name, open.

    For lasting effects, attacks, targets, defences, frames and entries of the queue.
    """
    seen = dict(entry)
    for key in ("card", "source", "while", "it"):
        if key in entry:
            seen[key] = sight.name(entry[key])
    for key in ("ops", "do"):
        if key in entry:
            seen[key] = operations_seen(sight, entry[key])
    return seen


def operations_seen(sight: Sight, operations: Sequence[Json]) -> list[Json]:
    """Return operations as they are; only an internal `leave` holds an id, at any depth."""
    return [operation_seen(sight, operation) for operation in operations]


def operation_seen(sight: Sight, operation: Mapping[str, Json]) -> dict[str, Json]:
    """Return an operation or an option of one, a card that is about to leave by name."""
    seen = dict(operation)
    if "card" in operation:
        seen["card"] = sight.name(operation["card"])
    for key in ("do", "then", "else", "options"):
        if key in operation:
            seen[key] = operations_seen(sight, operation[key])
    return seen


def _attack(sight: Sight, attack: Json) -> Json:
    if attack is None:
        return None
    defense = attack["defense"]
    return {
        **entry_seen(sight, attack),
        "target": entry_seen(sight, attack["target"]),
        "defense": None if defense is None else entry_seen(sight, defense),
    }


def _frame(sight: Sight, frame: Json) -> Json:
    return {**entry_seen(sight, frame), "last": sight.names(frame["last"], is_open=False)}


def queued_seen(sight: Sight, entry: Json) -> Json:
    """Return an entry of the queue; one from the hand or face down is for its player only."""
    if ("hand" in entry or "down" in entry) and entry["player"] != sight.viewer:
        return {"player": entry["player"], "card": HIDDEN, "effect": HIDDEN}
    return entry_seen(sight, entry)


def _pending(sight: Sight, pending: Json) -> Json:
    if pending is None:
        return None
    if pending["player"] != sight.viewer:
        return {"player": pending["player"], "kind": pending["kind"]}
    return request_seen(sight, pending)


def request_seen(sight: Sight, request: Mapping[str, Json]) -> dict[str, Json]:
    """Return a request for a choice as the player who is asked sees it."""
    seen = entry_seen(sight, request)
    if "operation" in request:
        seen["operation"] = operation_seen(sight, request["operation"])
    if "candidates" in request:
        seen["candidates"] = sight.candidates(request["candidates"])
    return seen


def definition_of(pool: Pool, seen: View, reference: Json) -> str | None:
    """Return the definition id that a reference stands for in a view, or None if it is hidden.

    reference: an id of a card or definition, a place, `=definition`, both together, or an object
    with one of these under `card`. What lies at a place counts, whatever is written behind it.
    """
    name = _named(reference)
    if name is None:
        return None
    place, _, written = name.partition("=")
    lying = card_at(seen, place)
    if lying is None:
        found = seen["cards"].get(name, written or name)
    else:
        found = seen["cards"].get(lying) or lying.removeprefix("=")
    return found if found in pool.cards else None


def names_place(reference: Json) -> bool:
    """Tell whether a reference, as above, calls a card by where it lies."""
    name = _named(reference)
    return name is not None and is_place(name)


def _named(reference: Json) -> str | None:
    name = reference.get("card") if isinstance(reference, dict) else reference
    return name if isinstance(name, str) else None
