"""Commands on read models: how they stand, rebuild them, retry what is parked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import click
from msgspec import to_builtins
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from projections.generations import drop_unread, rebuild, switch
from projections.runner import Generation, Projection, retry
from projections.standing import Standing, standings
from service.aggregates.world import NotFound, Refused
from service.cli.base import NO, Context, json_option, say, stop
from service.installation import PROJECTIONS, Installation, clock

BY_NAME = {one.name: one for one in PROJECTIONS}
FED = ("live", "next")
"""Generations that follow the log, the former ones do not."""


@click.group("projections")
def projections() -> None:
    """Read models: what is read is made from the log and can be made again."""


@projections.command("status")
@json_option
@click.pass_obj
def show_status(context: Context, as_json: bool) -> None:
    """Show how far each generation has come, what is read, which streams are parked."""
    found = _standings(context.installation())
    if as_json:
        for one in found:
            say(to_builtins(one))
    else:
        _print_table(found)


@projections.command("rebuild")
@click.argument("name", required=False)
@click.option("--all", "is_all", is_flag=True, help="All projections.")
@click.pass_obj
def rebuild_beside(context: Context, name: str | None, is_all: bool) -> None:
    """Write the next generation of a projection from the log; the present one is read meanwhile.

    One that was begun is gone on with.
    """
    if (name is None) != is_all:
        raise click.UsageError("name one projection, or say --all")
    here = context.installation()
    wanted = PROJECTIONS if name is None else [_named(name)]
    _watch(*rebuild(here.database, here.log, wanted))
    for one in _standings(here):
        if one.state == "next" and BY_NAME[one.projection] in wanted:
            click.echo(
                f"{one.projection}: generation {one.generation} is built up to {one.position:,}; "
                f"`kifu projections switch {one.projection}` has it read"
            )


@projections.command("switch")
@click.argument("name")
@click.pass_obj
def switch_to_next(context: Context, name: str) -> None:
    """Have the next generation read from now on, if it is hardly behind."""
    here = context.installation()
    try:
        number = switch(here.database, here.log, _named(name))
    except Refused as no:
        _refuse(no)
    else:
        click.echo(f"{name}: generation {number} is read; `kifu projections drop {name}` tidies up")


@projections.command("drop")
@click.argument("name")
@click.pass_obj
def drop_others(context: Context, name: str) -> None:
    """Drop the generations of a projection that are not read, or one that is no more."""
    here = context.installation()
    try:
        dropped = drop_unread(here.database, name, BY_NAME)
    except Refused as no:
        _refuse(no)
    else:
        click.echo(f"dropped: {', '.join(dropped)}")


@projections.command("retry")
@click.argument("name", required=False)
@click.argument("stream", required=False)
@click.pass_obj
def retry_parked(context: Context, name: str | None, stream: str | None) -> None:
    """Apply parked streams again from where they stopped: all, of a projection, or one."""
    if name is not None:
        _named(name)
    here, parked, left = context.installation(), 0, 0
    for generation, one in _parked(here):
        if name in (None, generation.projection.name) and stream in (None, one):
            parked += 1
            is_good = retry(here.database, here.log, generation, one)
            left += not is_good
            click.echo(f"{generation.name}: {one}: {'goes on' if is_good else 'is still parked'}")
    if not parked:
        click.echo("nothing is parked")
    if left:
        stop(NO)


def _parked(here: Installation) -> list[tuple[Generation, str]]:
    return [
        (
            Generation(projection=BY_NAME[standing.projection], number=standing.generation),
            one.stream,
        )
        for standing in _standings(here)
        if standing.state in FED
        for one in standing.parked
    ]


def _standings(here: Installation) -> list[Standing]:
    return standings(here.database, here.log, PROJECTIONS, clock())


def _named(name: str) -> Projection:
    """Return a projection by its name; raises `NotFound`."""
    if name not in BY_NAME:
        raise NotFound(f"no projection {name}; there are: {', '.join(sorted(BY_NAME))}")
    return BY_NAME[name]


def _refuse(no: Refused) -> None:
    click.echo(str(no), err=True)
    stop(NO)


def _watch(total: int, work: Iterator[int]) -> None:
    """Do the work with a progress bar on standard error, if that is a terminal."""
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("rebuild", total=total)
        for count in work:
            bar.advance(task, count)


def _print_table(found: Sequence[Standing]) -> None:
    table = Table(box=None, pad_edge=False)
    for heading in ("projection", "generation", "state", "position", "behind", "for", "parked"):
        table.add_column(heading)
    for one in found:
        numbers = (f"{one.position:,}", f"{one.lag:,}", f"{one.lag_s:,} s", str(len(one.parked)))
        table.add_row(one.projection, str(one.generation), one.state, *numbers)
    Console().print(table)
    for one in found:
        for parked in one.parked:
            click.echo(
                f"{one.projection}: {parked.stream} stopped at event {parked.version}, "
                f"place {parked.place:,}: {parked.fault}"
            )


COMMANDS = (projections,)
