"""Placing a piece and what it completes: units and spells (FM-907, FM-915, FM-921 to FM-931)."""

from __future__ import annotations

from collections.abc import Sequence

from service.engine.contract import Rejection
from service.engine.values import Action, Actor
from service.rulesets.formation.attacks import make_attack
from service.rulesets.formation.board import (
    COLOURLESS_TAB,
    NEIGHBOURS,
    Contact,
    Opening,
    connects,
    contacts,
    is_complete,
    is_tab,
    misfit,
    opening,
    rotated,
)
from service.rulesets.formation.cards import Card
from service.rulesets.formation.conditions import NO_OCCASION, is_ready
from service.rulesets.formation.course import Course
from service.rulesets.formation.effects import apply
from service.rulesets.formation.line import close_ranks, present, spell_piece
from service.rulesets.formation.position import ROTATIONS
from service.rulesets.formation.rounds import end_summon_turn, turn_fault
from service.rulesets.formation.triggers import fire


def place_piece(course: Course, actor: Actor, action: Action) -> Rejection | None:
    """Place a piece of the hand on the board, or beyond its edge so that the board slides.

    action: {piece, row, col, rotation = 0}; row and column 0 to 4, rotation clockwise in degrees.
    Facts: board_slid, piece_pushed_out, piece_placed, connection_made, those of the pieces that are
    completed, then the next turn.
    Rejections: FM-905, FM-906, FM-907 not in the hand, FM-926 rotation, FM-923 and FM-921 cell,
    FM-922, FM-928 and FM-802 sides.
    """
    fault = turn_fault(course, actor)
    if fault is not None:
        return fault
    piece, rotation = action["piece"], action.get("rotation", 0)
    own = course.position[actor]
    if piece not in own["hand"]:
        return Rejection("FM-907")
    if rotation not in ROTATIONS:
        return Rejection("FM-926")
    found = opening(own["board"], action["row"], action["col"])
    if isinstance(found, Rejection):
        return found
    pieces = course.position["pieces"]
    sides = rotated(pieces[piece]["sides"], rotation)
    touching = contacts(found.board, pieces, found.cell)
    rule = misfit(sides, touching)
    if rule is not None:
        return Rejection(rule)
    _slide(course, actor, found)
    _place(course, actor, found, piece, rotation)
    _connect(course, actor, piece, sides, touching)
    _complete(course, actor, found.cell)
    end_summon_turn(course, actor)
    return None


def _slide(course: Course, player: str, found: Opening) -> None:
    """Move the board; what leaves it is removed, its units stay in the line (FM-923, FM-931)."""
    if found.direction is None:
        return
    board = course.position[player]["board"]
    course.add("board_slid", player=player, direction=found.direction, moved=dict(found.moved))
    for cell in sorted(board.keys() - found.moved.keys()):
        course.add("piece_pushed_out", player=player, piece=board[cell]["piece"])


def _place(course: Course, player: str, found: Opening, piece: str, rotation: int) -> None:
    course.add(
        "piece_placed",
        rules=("FM-907", "FM-921" if found.direction is None else "FM-923"),
        player=player,
        piece=piece,
        row=found.row,
        col=found.col,
        rotation=rotation,
    )


def _connect(
    course: Course, player: str, piece: str, sides: Sequence[str], touching: Sequence[Contact]
) -> None:
    """Show every new connection (FM-802, FM-803)."""
    for contact in touching:
        ends = [(piece, sides[contact.side]), (contact.piece, contact.facing)]
        (blank, blank_side), (tab, tab_side) = sorted(ends, key=lambda end: is_tab(end[1]))
        if connects(tab_side, blank_side):
            course.add(
                "connection_made",
                rules=("FM-803" if tab_side == COLOURLESS_TAB else "FM-802",),
                player=player,
                tab=tab,
                blank=blank,
                tab_side=tab_side,
                blank_side=blank_side,
            )


def _complete(course: Course, player: str, placed: str) -> None:
    """Summon what is complete: first the placed piece, then clockwise from above (FM-925)."""
    for cell in (placed, *(cells.get(placed, "") for cells in NEIGHBOURS)):
        board = course.position[player]["board"]
        is_waiting = cell in board and not board[cell]["summoned"]
        if is_waiting and is_complete(board, course.position["pieces"], cell):
            _summon(course, player, board[cell]["piece"])


def _summon(course: Course, player: str, piece: str) -> None:
    card = course.cards[course.position["pieces"][piece]["card"]]
    if card.is_spell:
        _cast(course, player, piece, card)
    else:
        _join_line(course, player, piece, card)


def _join_line(course: Course, player: str, unit: str, card: Card) -> None:
    """Let a unit join at the rear (FM-101)."""
    square = len(course.position[player]["line"]) + 1
    course.add(
        "unit_summoned", player=player, unit=unit, card=card.id, square=square, ticks=card.ticks
    )
    fire(course, present(course, unit), "summoned")


def _cast(course: Course, player: str, piece: str, card: Card) -> None:
    """Carry out a spell piece (FM-930, FM-980); ranks close, nobody wins in this phase (FM-915)."""
    course.add("spell_cast", player=player, piece=piece, card=card.id)
    spell = spell_piece(player, piece, card)
    for ability in card.abilities.get("cast", ()):
        if not is_ready(course, spell, ability, NO_OCCASION):
            continue
        if ability.attack is None:
            apply(course, spell, ability, NO_OCCASION)
        else:
            make_attack(course, spell, ability)
    close_ranks(course, "FM-915")
