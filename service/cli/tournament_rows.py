"""How the commands on tournaments tell what they show: rows for programs and for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from rich.console import Console
from rich.table import Table
from rich.text import Text

from service.aggregates.tournaments.levels import level_of
from service.aggregates.tournaments.records import round_name
from service.aggregates.tournaments.state import RoundState, TableState, Tournament
from service.cli.base import say
from service.engine.values import Json
from service.standings.tables import Row

DIGITS = 4
WIDTH = 160


def row_cells(row: Row, *, as_json: bool) -> dict[str, Json]:
    """Return a place in the standings: exact values beside the numbers, or rounded ones."""
    values = {"points": row.points, **row.values}
    cells = {"rank": row.rank, "player": row.player, "name": ""}
    if not as_json:
        return cells | {label: rounded(value) for label, value in values.items()}
    numbers = {label: _number(value) for label, value in values.items()}
    return cells | numbers | {"exact": {label: str(one) for label, one in values.items()}}


def round_cells(found: Tournament, one: RoundState) -> dict[str, Json]:
    """Return what a round is and how far it is."""
    return {
        "round": one.number,
        "name": round_name(found, one),
        "phase": one.phase,
        "tables": len(one.tables),
        "missing": len(one.missing),
        "without": [sits.player for sits in one.without],
        "closed": one.closed is not None,
    }


def table_cells(table: TableState) -> dict[str, Json]:
    """Return a table with what came of it and what that rests on."""
    result = table.result
    return {
        "table": table.table.table,
        "players": list(table.players),
        "result": None if result is None else result.kind,
        "winner": None if result is None else result.winner,
        "games": None if result is None else list(result.games),
        "level": level_of(table),
        "matches": [link.match for link in table.links],
    }


def tell_rows(rows: Sequence[Mapping[str, Json]], *, as_json: bool) -> None:
    """Print rows as lines of JSON or as one table with a column for each key."""
    if as_json:
        for row in rows:
            say(dict(row))
        return
    shown = Table(box=None, pad_edge=False)
    columns = list(dict.fromkeys(key for row in rows for key in row))
    for column in columns:
        shown.add_column(column, overflow="fold")
    for row in rows:
        shown.add_row(*(Text(_cell(row.get(column))) for column in columns))
    Console(width=None if Console().is_terminal else WIDTH).print(shown)


def rounded(value: Fraction) -> str:
    """Return a value for people."""
    return str(value) if value.denominator == 1 else f"{float(value):.{DIGITS}f}"


def printable(text: str) -> str:
    """Return a text that may come from elsewhere without what a terminal takes for a command."""
    return "".join(character if character.isprintable() else "?" for character in text)


def _number(value: Fraction) -> int | float:
    return int(value) if value.denominator == 1 else float(value)


def _cell(value: Json) -> str:
    if value is None:
        return ""
    if isinstance(value, list):
        return " ".join(map(_cell, value))
    if isinstance(value, dict):
        return ", ".join(f"{count} {level}" for level, count in value.items())
    return printable(str(value))
