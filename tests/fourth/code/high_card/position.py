"""Positions of High Card: who holds what, and whose turn it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from service.engine.contract import PositionFault
from service.engine.values import Json, Position, is_list_of_strings

PLAYERS = ("P1", "P2")
SETUP, PLAY, OVER = "setup", "play", "over"
ZONES = ("deck", "hand", "table")
REASONS = ("higher", "die", "concession")


def opponent(player: str) -> str:
    """Return the other player."""
    return "P1" if player == "P2" else "P2"


def new_player() -> dict[str, Json]:
    """Return what a player has before a match."""
    return {"deck": [], "hand": [], "table": [], "exchanged": False}


def new_position() -> Position:
    """Return the position before a match."""
    return {
        "phase": SETUP,
        "first": "P1",
        "turn": None,
        "cards": {},
        "players": {player: new_player() for player in PLAYERS},
        "result": None,
    }


def cards_in(position: Position) -> Mapping[str, Json]:
    """Return every card that lies somewhere."""
    return {
        card: position["cards"][card]["card"]
        for player in PLAYERS
        for zone in ZONES
        for card in position["players"][player][zone]
    }


def normalise(cards: Mapping[str, Json], position: Json) -> Position:
    """Return the full position of a shorthand; raises `PositionFault` with the place."""
    _expect(isinstance(position, dict), "position", "is no object")
    phase = position.get("phase", PLAY if "players" in position else SETUP)
    usual = {"phase": phase, "turn": "P1" if phase == PLAY else None}
    whole = _filled(position, new_position() | usual, "position")
    _expect(isinstance(whole["cards"], dict), "cards", "is no object")
    whole["cards"] = {
        name: _card(cards, entry, f"cards.{name}") for name, entry in whole["cards"].items()
    }
    players = _filled(whole["players"], {player: {} for player in PLAYERS}, "players")
    whole["players"] = {player: _player(players[player], f"players.{player}") for player in PLAYERS}
    _check_places(whole)
    _check_course(whole)
    return whole


def _card(cards: Mapping[str, Json], entry: Json, place: str) -> Json:
    full = {"card": entry} if isinstance(entry, str) else entry
    known = isinstance(full, dict) and set(full) == {"card"} and isinstance(full["card"], str)
    _expect(known and full["card"] in cards, place, "is no card of the pool")
    return full


def _player(entry: Json, place: str) -> Json:
    full = _filled(entry, new_player(), place)
    for zone in ZONES:
        _expect(is_list_of_strings(full[zone]), f"{place}.{zone}", "is no list of cards")
    _expect(isinstance(full["exchanged"], bool), f"{place}.exchanged", "is not true or false")
    return full


def _check_places(whole: Position) -> None:
    lying = [
        card for player in PLAYERS for zone in ZONES for card in whole["players"][player][zone]
    ]
    _expect(sorted(lying) == sorted(whole["cards"]), "cards", "each must lie in one place")


def _check_course(whole: Position) -> None:
    phase, turn, result = whole["phase"], whole["turn"], whole["result"]
    _expect(phase in (SETUP, PLAY, OVER), "phase", "is no phase")
    _expect(whole["first"] in PLAYERS, "first", "is no player")
    _expect((phase == OVER) == (result is not None), "result", "does not fit the phase")
    _expect(result is None or _is_result(result), "result", "is no result")
    if phase != PLAY:
        _expect(turn is None, "turn", "is for play alone")
        return
    _expect(turn in PLAYERS, "turn", "is no player")
    own, other = (whole["players"][player] for player in (turn, opponent(turn)))
    _expect(bool(own["hand"]) and not own["table"], f"players.{turn}", "cannot play a card")
    _expect(len(other["table"]) == int(turn != whole["first"]), "turn", "is the other's")


def _is_result(result: Json) -> bool:
    if not isinstance(result, dict) or set(result) != {"winner", "reason"}:
        return False
    return result["winner"] in PLAYERS and result["reason"] in REASONS


def _filled(value: Any, defaults: Mapping[str, Json], place: str) -> dict[str, Json]:
    _expect(isinstance(value, dict), place, "is no object")
    unknown = [key for key in value if key not in defaults]
    _expect(not unknown, place, f"has the unknown keys {unknown}")
    return {**defaults, **value}


def _expect(holds: bool, place: str, text: str) -> None:
    if not holds:
        raise PositionFault(place, text)
