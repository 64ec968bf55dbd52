"""Plain logs of this game: header and summary of the final position (spec 12)."""

from __future__ import annotations

from collections.abc import Mapping

from service.engine.values import Action, Json, Position
from service.rulesets.formation.position import PLAYERS


def header_fault(header: Mapping[str, Json]) -> str | None:
    """Tell what is wrong with a header: both seats are named, there are no further keys."""
    if header["seats"].keys() != set(PLAYERS):
        return f"formation has the seats {' and '.join(PLAYERS)}"
    unknown = sorted(header.keys() - {"seats"})
    return f"unknown key {unknown[0]!r}" if unknown else None


def header_of(action: Action) -> Mapping[str, Json]:
    """Return the further keys of the header: none."""
    return {}


def summary(position: Position) -> Json:
    """Return what is left at the end, by card: lines with their ticks, fallen units, numbers."""
    result = position["result"] or {"winner": None, "reason": None}
    return {
        "round": position["round"],
        **result,
        "lines": {
            player: [unit and [unit["card"], unit["ticks"]] for unit in position[player]["line"]]
            for player in PLAYERS
        },
        "fallen": {
            player: [_card(position, unit) for unit in position[player]["fallen"]]
            for player in PLAYERS
        },
        "hands": _sizes(position, "hand"),
        "decks": _sizes(position, "deck"),
        "removed": _sizes(position, "removed"),
    }


def _card(position: Position, piece: str) -> Json:
    """Return the card of a piece; in a position by hand a fallen unit may have no entry."""
    return position["pieces"].get(piece, {}).get("card")


def _sizes(position: Position, zone: str) -> dict[str, int]:
    return {player: len(position[player][zone]) for player in PLAYERS}
