"""The summoning board: cells, sides, sliding, connections (FM-801 to FM-803, FM-920 to FM-929)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from service.engine.contract import Rejection
from service.engine.values import Json
from service.rulesets.formation.cards import SIDES
from service.rulesets.formation.position import CELLS

QUARTER = 90
TOP, RIGHT, BOTTOM, LEFT = range(4)
STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))
INSIDE = (1, 2, 3)
COLOURLESS = "none"
COLOURLESS_TAB = f"+{COLOURLESS}"


def cell_name(row: int, col: int) -> str:
    """Return the name of a cell."""
    return f"r{row}c{col}"


def _next_cells(row_step: int, col_step: int) -> dict[str, str]:
    """Return for each cell the one a step away, without those that would leave the board."""
    pairs = {
        cell_name(row, col): cell_name(row + row_step, col + col_step)
        for row in INSIDE
        for col in INSIDE
    }
    return {cell: other for cell, other in pairs.items() if other in CELLS}


NEIGHBOURS: Sequence[Mapping[str, str]] = [_next_cells(*step) for step in STEPS]
"""By side (top, right, bottom, left): each cell and its neighbour there (FM-925)."""
DIRECTIONS: Mapping[str, int] = {"up": TOP, "right": RIGHT, "down": BOTTOM, "left": LEFT}
BEYOND: Mapping[tuple[int, int], tuple[int, int, str]] = {
    **{(0, col): (1, col, "down") for col in INSIDE},
    **{(4, col): (3, col, "up") for col in INSIDE},
    **{(row, 0): (row, 1, "right") for row in INSIDE},
    **{(row, 4): (row, 3, "left") for row in INSIDE},
}
"""Places beyond the edge: the cell inside next to each, and where the board slides (FM-923)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """A cell where a piece may come to lie. board: as it lies then, slid in `direction` or not.

    moved: old cell to new cell of what stays on a board that slides.
    """

    row: int
    col: int
    board: Mapping[str, Json]
    direction: str | None = None
    moved: Mapping[str, str] = field(default_factory=dict)

    @property
    def cell(self) -> str:
        """The name of the cell, always one on the board."""
        return cell_name(self.row, self.col)


@dataclass(frozen=True, slots=True, kw_only=True)
class Contact:
    """A neighbour of a cell. side: of the cell, from 0 at the top; facing: the side it shows."""

    side: int
    piece: str
    facing: str


def opening(board: Mapping[str, Json], row: int, col: int) -> Opening | Rejection:
    """Return what a placement on a row and column, 0 to 4, finds, or why there is none.

    Rejections: FM-923 no cell, or nothing there to slide; FM-921 occupied, or next to no piece.
    """
    if (row, col) in BEYOND:
        return _slid(board, *BEYOND[row, col])
    if row not in INSIDE or col not in INSIDE:
        return Rejection("FM-923")
    cell = cell_name(row, col)
    if cell in board:
        return Rejection("FM-921")
    if board and not any(cells.get(cell) in board for cells in NEIGHBOURS):
        return Rejection("FM-921")
    return Opening(row=row, col=col, board=board)


def _slid(board: Mapping[str, Json], row: int, col: int, direction: str) -> Opening | Rejection:
    """Slide the board one cell away from a piece that comes from beyond the edge (FM-923)."""
    if cell_name(row, col) not in board:
        return Rejection("FM-923")
    steps = NEIGHBOURS[DIRECTIONS[direction]]
    moved = {cell: steps[cell] for cell in board if cell in steps}
    slid = {after: board[before] for before, after in moved.items()}
    return Opening(row=row, col=col, board=slid, direction=direction, moved=moved)


def effective(sides: Sequence[str], rotation: int, side: int) -> str:
    """Return what an arrangement turned clockwise by a rotation shows on a side (FM-926)."""
    return sides[(side - rotation // QUARTER) % 4]


def rotated(sides: Sequence[str], rotation: int) -> list[str]:
    """Return all four effective sides: top, right, bottom, left."""
    return [effective(sides, rotation, side) for side in range(4)]


def contacts(board: Mapping[str, Json], pieces: Mapping[str, Json], cell: str) -> list[Contact]:
    """Return the neighbours of a cell above, right, below, left, with the sides that face it."""
    found = []
    for side, cells in enumerate(NEIGHBOURS):
        entry = board.get(cells.get(cell, ""))
        if entry is not None:
            sides, opposite = pieces[entry["piece"]]["sides"], (side + 2) % 4
            facing = effective(sides, entry["rotation"], opposite)
            found.append(Contact(side=side, piece=entry["piece"], facing=facing))
    return found


def misfit(sides: Sequence[str], touching: Sequence[Contact]) -> str | None:
    """Return the rule by which effective sides may not touch their neighbours, None if they may."""
    for contact in touching:
        rule = MISFITS[sides[contact.side], contact.facing]
        if rule is not None:
            return rule
    return None


def connects(one: str, other: str) -> bool:
    """Tell whether two sides make a connection: a tab in a blank that it fits (FM-922)."""
    return is_tab(one) != is_tab(other) and MISFITS[one, other] is None


def is_tab(side: str) -> bool:
    """Tell whether a side is a tab."""
    return side.startswith("+")


def _misfit(one: str, other: str) -> str | None:
    """Return what forbids two sides to touch; without a tab anything may touch (FM-922)."""
    if not is_tab(one) and not is_tab(other):
        return None
    tab, blank = (one, other) if is_tab(one) else (other, one)
    if not blank.startswith("-"):
        return "FM-922"
    if tab[1:] in (COLOURLESS, blank[1:]):
        return None
    return "FM-928" if blank[1:] == COLOURLESS else "FM-802"


MISFITS: Mapping[tuple[str, str], str | None] = {
    (one, other): _misfit(one, other) for one in SIDES for other in SIDES
}
"""For every two sides the rule that forbids them to touch, None if they may."""


def is_complete(board: Mapping[str, Json], pieces: Mapping[str, Json], cell: str) -> bool:
    """Tell whether all tabs of the piece on a cell are connected; no tab: yes (FM-924, FM-929)."""
    entry = board[cell]
    sides = rotated(pieces[entry["piece"]]["sides"], entry["rotation"])
    touching = contacts(board, pieces, cell)
    connected = {
        contact.side for contact in touching if connects(sides[contact.side], contact.facing)
    }
    return all(side in connected for side in range(4) if is_tab(sides[side]))
