"""The command `standings`: the table of an event file, recomputed and compared."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path

import click
from msgspec import to_builtins
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from schemas.event_files import FILE_BYTES_MAX
from schemas.strict import Unreadable
from service.cli.base import GOOD, NO, json_option, say, stop
from service.engine.values import Json
from service.event_files.differences import Difference, bracket_of, differences
from service.event_files.forms import DEFAULT_PROFILES, ReadEvent
from service.event_files.own import read_profile
from service.event_files.reading import read_event
from service.standings.cuts import final_placing
from service.standings.profiles import PROFILES, Profile
from service.standings.tables import Row, Table, code_of, table_of

DIGITS = 4


@click.command("standings")
@click.argument(
    "path", metavar="FILE", type=click.Path(exists=True, dir_okay=False, path_type=Path)
)
@click.option(
    "--profile", "profile_name", metavar="P", help="A profile's name, or a file with one."
)
@click.option("--phase", type=click.IntRange(min=1), default=1, help="Which phase; the first is 1.")
@click.option("--final", is_flag=True, help="The final placing, after the bracket.")
@click.option("--differences", "compare", is_flag=True, help="What the file says otherwise.")
@click.option("--division", help="Which division of a .tdf with several.")
@click.option("--lots", metavar="SEED", help="Seed of the draw that resolves the last ties.")
@json_option
def show_standings(
    path: Path,
    profile_name: str | None,
    phase: int,
    final: bool,
    compare: bool,
    division: str | None,
    lots: str | None,
    as_json: bool,
) -> None:
    """Compute the table of an event file (Melee, TopDeck, TOM, TRF16) exactly, by a profile.

    With --differences the exit code is 1 if the file publishes anything else.
    """
    read = _event_in(path, division)
    profile = _profile(profile_name or DEFAULT_PROFILES[read.format])
    for note in read.notes:
        click.echo(f"note: {_printable(note)}", err=True)
    if compare:
        _tell_differences(differences(read, profile), as_json=as_json)
        return
    if phase > max(len(read.event.phases), 1):
        raise click.UsageError(f"there are {len(read.event.phases)} phases")
    table = table_of(read.event, profile, phase=phase - 1, lots=lots)
    if table.provisional:
        click.echo("note: results are missing, the table is provisional", err=True)
    if final:
        _tell_rows(_final_rows(read, table), profile, as_json=as_json)
    else:
        _tell_rows([(_cells(row, profile), row) for row in table.rows], profile, as_json=as_json)


def _event_in(path: Path, division: str | None) -> ReadEvent:
    try:
        return read_event(_body_of(path), division=division)
    except Unreadable as fault:
        raise click.UsageError(f"{path}: {_printable(str(fault))}") from fault


def _printable(text: str) -> str:
    """Return a text of a foreign file without what a terminal would take for a command."""
    return "".join(character if character.isprintable() else "?" for character in text)


def _body_of(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(FILE_BYTES_MAX + 1)


def _profile(name: str) -> Profile:
    if name in PROFILES:
        return PROFILES[name]
    path = Path(name)
    if not path.is_file():
        raise click.UsageError(f"no profile {name!r}; there are {', '.join(PROFILES)}, or a file")
    try:
        return read_profile(_body_of(path))
    except Unreadable as fault:
        raise click.UsageError(f"{path}: {_printable(str(fault))}") from fault


def _cells(row: Row, profile: Profile) -> dict[str, Json]:
    return {
        **({"code": code_of(row, profile)} if profile.digits else {}),
        "rank": row.rank,
        "player": row.player,
        "name": row.name,
        "points": _number(row.points),
        **{name: _number(value) for name, value in row.values.items()},
        "exact": {
            "points": str(row.points),
            **{name: str(value) for name, value in row.values.items()},
        },
        "tied": row.tied,
    }


def _final_rows(read: ReadEvent, table: Table) -> list[tuple[dict[str, Json], Row]]:
    """Return the rows by final place; the rank in the table stays beside it."""
    bracket = bracket_of(read.event)
    if bracket is None:
        click.echo("note: there is no bracket, the table is the final placing", err=True)
        return [(_cells(row, table.profile), row) for row in table.rows]
    return [
        (
            {
                **_cells(place.row, table.profile),
                "rank": place.place,
                "table_rank": place.row.rank,
                "reached": place.reached,
                "tied": place.tied,
            },
            place.row,
        )
        for place in final_placing(read.event, table, bracket=bracket)
    ]


def _number(value: Fraction) -> int | float:
    return int(value) if value.denominator == 1 else float(value)


def _tell_rows(
    rows: Iterable[tuple[Mapping[str, Json], Row]], profile: Profile, *, as_json: bool
) -> None:
    if as_json:
        for cells, _ in rows:
            say(dict(cells))
        return
    labels = [criterion.label for criterion in profile.criteria if criterion.kind != "lot"]
    labels = ["points", *(label for label in labels if label != "points")]
    title = Text(f"{profile.name} ({profile.version})")
    coded = ["code"] if profile.digits else []
    shown = RichTable("rank", "player", *labels, *coded, title=title)
    for cells, row in rows:
        tie = "=" if cells["tied"] > 1 else ""
        values = [row.points, *(row.values.get(label) for label in labels[1:])]
        code = [str(cells["code"])] if coded else []
        shown.add_row(f"{cells['rank']}{tie}", Text(_name(row)), *map(_rounded, values), *code)
    Console(soft_wrap=True).print(shown)


def _name(row: Row) -> str:
    return row.player if row.name == row.player else f"{row.name} ({row.player})"


def _rounded(value: Fraction | None) -> str:
    if value is None:
        return ""
    return str(value) if value.denominator == 1 else f"{float(value):.{DIGITS}f}"


def _tell_differences(found: Sequence[Difference], *, as_json: bool) -> None:
    for one in found:
        if as_json:
            say(to_builtins(one))
        else:
            told = f"{one.player}: {one.field} {one.published}, computed {one.computed}"
            click.echo(_printable(told))
    if not as_json:
        click.echo(f"{len(found)} differences")
    stop(NO if found else GOOD)


COMMANDS = (show_standings,)
