"""Positions: phases, players, lines of units; new ones and where a unit stands (FM-905, FM-920)."""

from __future__ import annotations

from service.engine.values import Json, Position

PLAYERS = ("P1", "P2")
DRAW = "draw"
LOT = "first"
SETUP, SUMMON, BATTLE, OVER = "setup", "summon", "battle", "over"
START, ACTIONS = "start", "actions"
HAND_SIZE = 4
ROUND_LIMIT = 60
ROTATIONS = (0, 90, 180, 270)
CELLS = tuple(f"r{row}c{col}" for row in (1, 2, 3) for col in (1, 2, 3))


def opponent(player: str) -> str:
    """Return the other player."""
    return "P1" if player == "P2" else "P2"


def fresh_unit(unit_id: str, card: str, ticks: int) -> dict[str, Json]:
    """Return a unit as it joins a line: no status, nothing used, not yet acted."""
    return {
        "id": unit_id,
        "card": card,
        "ticks": ticks,
        "acted": False,
        "critical": False,
        "stun": False,
        "seal": 0,
        "sleep": False,
        "poison": 0,
        "rot": 0,
        "mods": [],
        "charge": {},
        "used": {},
    }


def new_position() -> Position:
    """Return the position before a match."""
    return {
        "round": 1,
        "phase": SETUP,
        "step": None,
        "first": "P1",
        "turn": None,
        "hand_size": HAND_SIZE,
        "round_limit": ROUND_LIMIT,
        "pieces": {},
        **{player: new_player() for player in PLAYERS},
        "result": None,
    }


def new_player() -> dict[str, Json]:
    """Return what a player has before a match: nothing."""
    return {"line": [], "board": {}, "hand": [], "deck": [], "fallen": [], "removed": []}


def is_out_of_pieces(position: Position, player: str) -> bool:
    """Tell whether a player has neither hand nor deck (FM-910)."""
    return not position[player]["hand"] and not position[player]["deck"]


def place_of(position: Position, unit_id: str) -> tuple[str, int] | None:
    """Return the player and the index in the line of a unit that stands, or None."""
    for player in PLAYERS:
        for index, unit in enumerate(position[player]["line"]):
            if unit is not None and unit["id"] == unit_id:
                return player, index
    return None


def cards_in(position: Position) -> dict[str, Json]:
    """Return every piece that lies somewhere and every unit that stands or fell: card and player.

    A unit is the piece that was summoned under its id, so it counts once.
    """
    found: dict[str, Json] = {}
    known = position["pieces"]
    for player in PLAYERS:
        own = position[player]
        on_board = [entry["piece"] for entry in own["board"].values()]
        for piece in (*own["hand"], *own["deck"], *own["removed"], *on_board, *own["fallen"]):
            found[piece] = {"card": known.get(piece, {}).get("card"), "player": player}
    for player in PLAYERS:
        for unit in position[player]["line"]:
            if unit is not None:
                found[unit["id"]] = {"card": unit["card"], "player": player}
    return found
