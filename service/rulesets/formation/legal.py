"""Legal actions, exactly those that would be accepted (spec 5.1; FM-905 to 907, 913, 940)."""

from __future__ import annotations

from service.engine.values import SYSTEM, Actor, Entry, Position
from service.rulesets.formation.board import Opening, contacts, misfit, opening, rotated
from service.rulesets.formation.position import BATTLE, OVER, PLAYERS, ROTATIONS, SETUP

LINES = range(5)
"""Rows and columns, with those beyond the edge."""


def legal_actions(position: Position) -> dict[Actor, list[Entry]]:
    """Return what each actor may do; nothing at all when the match is over."""
    phase = position["phase"]
    if phase == OVER:
        return {}
    if phase == SETUP:
        return {SYSTEM: []}
    listed: dict[Actor, list[Entry]] = {player: [{"type": "concede"}] for player in PLAYERS}
    if phase == BATTLE:
        return {SYSTEM: [{"type": "advance"}, {"type": "battle_turn"}], **listed}
    actor = position["turn"]
    listed[actor] = [*_placements(position, actor), {"type": "pass"}, *listed[actor]]
    return listed


def _placements(position: Position, actor: Actor) -> list[Entry]:
    """Return a template for every piece of the hand and every row and column that accept it."""
    pieces, own = position["pieces"], position[actor]
    places = [
        (row, col, contacts(found.board, pieces, found.cell))
        for row in LINES
        for col in LINES
        if isinstance(found := opening(own["board"], row, col), Opening)
    ]
    templates = []
    for piece in own["hand"]:
        turned = [(rotation, rotated(pieces[piece]["sides"], rotation)) for rotation in ROTATIONS]
        for row, col, touching in places:
            fitting = [rotation for rotation, sides in turned if misfit(sides, touching) is None]
            if fitting:
                place = {"type": "place_piece", "piece": piece, "row": row, "col": col}
                templates.append({**place, "choose": {"rotation": {"from": fitting}}})
    return templates
