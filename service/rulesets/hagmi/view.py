"""What each viewer sees of a position (HG-206, HG-232…HG-235, HG-247, HG-938, HG-948; spec 12)."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from service.engine.values import JUDGE, Json, Position, View, Viewer
from service.rulesets.hagmi.definitions import Pool
from service.rulesets.hagmi.hidden import (
    DECKS,
    hidden_ids,
    link_for,
    only_kinds,
    only_number,
    readable_by,
)

TRACES = ("mods", "used", "triggers", "agenda", "window", "prompt", "combat")
PUBLIC_PILES = ("discard", "removed")


def view(pool: Pool, position: Position, viewer: Viewer) -> View:
    """Return a position as a viewer sees it; the judge sees all of it."""
    if not position or viewer == JUDGE:
        return position
    seen = dict(position)
    players = position["players"]
    seen["players"] = {name: _player(pool, position, name, viewer) for name in players}
    hidden, readable = hidden_ids(position), frozenset(readable_by(position, viewer))
    seen["chain"] = [link_for(link, viewer, hidden) for link in position["chain"]]
    # Activating a skill shows its card, wherever it lies (spec 10.1).
    sources = {link["source"] for link in position["chain"] if link["t"] == "skill"}
    concealed = hidden - readable - sources
    seen["beast"] = _beast(position["beast"], concealed)
    for key in TRACES:
        seen[key] = _without(position[key], concealed)
    named = frozenset(_named([seen[key] for key in ("chain", *TRACES)]))
    shown = (frozenset(_public(position)) | named) - concealed | readable
    cards = position["cards"]
    seen["cards"] = {card: cards[card] for card in shown if card in cards}
    return seen


def _player(pool: Pool, position: Position, name: str, viewer: Viewer) -> dict[str, Json]:
    player = position["players"][name]
    seen = {**player, **{zone: only_number(player[zone]) for zone in DECKS}}
    if name == viewer:
        return seen
    secrets = [position["cards"][card]["card"] for card in player["secret"]]
    return {
        **seen,
        "hand": only_number(player["hand"]),
        "secret": only_kinds(pool, secrets),
        "field": _field_of_others(player["field"]),
    }


def _beast(beast: Json, concealed: Collection[str]) -> dict[str, Json]:
    return {
        **beast,
        "attacked": _without(beast["attacked"], concealed),
        "deck": only_number(beast["deck"]),
        "charge_units": only_number(beast["charge_units"]),
        "field": _field_of_others(beast["field"]),
    }


def _field_of_others(field: Json) -> dict[str, Json]:
    """Return a battlefield with its fuel hidden, at any depth (HG-247)."""
    return {
        card: {
            **entry,
            "fuel": only_number(entry["fuel"]),
            "stored": _field_of_others(entry["stored"]),
            "armaments": _field_of_others(entry["armaments"]),
        }
        for card, entry in field.items()
    }


def _without(value: Json, concealed: Collection[str]) -> Json:
    """Drop ids that were public once and lie hidden again; one that stands alone becomes null."""
    if isinstance(value, dict):
        return {
            key: _without(part, concealed)
            for key, part in value.items()
            if key.partition("/")[0] not in concealed
        }
    if isinstance(value, list):
        return [_without(part, concealed) for part in value if not _is_in(part, concealed)]
    return None if _is_in(value, concealed) else value


def _is_in(value: Json, concealed: Collection[str]) -> bool:
    return isinstance(value, str) and value in concealed


def _named(value: Json) -> Iterator[str]:
    """Yield every string of a value, keys included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from value
        yield from (name for part in value.values() for name in _named(part))
    elif isinstance(value, list):
        yield from (name for part in value for name in _named(part))


def _public(position: Position) -> Iterator[str]:
    """Yield the ids that lie where everybody may read them (HG-206, HG-232)."""
    for holder in (*position["players"].values(), position["beast"]):
        for zone in PUBLIC_PILES:
            yield from holder[zone]
        yield from _in_field(holder["field"])


def _in_field(field: Json) -> Iterator[str]:
    for card, entry in field.items():
        yield card
        yield from _in_field(entry["stored"])
        yield from _in_field(entry["armaments"])
