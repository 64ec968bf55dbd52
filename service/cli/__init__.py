"""The command `kifu`. Exit codes: 0 good, 1 the answer is no, 2 usage or malformed input."""

from __future__ import annotations

import sys
from typing import Any

import click

from service.aggregates.world import WorldFault
from service.api.requests import configure_log
from service.catalogue import SeedRefused, UnknownGame
from service.cli import (
    accounts,
    editions,
    games,
    live,
    logs,
    matches,
    operations,
    projections,
    rules,
    search,
    simulating,
    standings,
    tournaments,
    verifying,
)
from service.cli.base import Context, settings_of
from service.integrity.sealing import UnknownTag
from service.store.fitness import UnfitDatabase
from service.store.wrapping import WrongKey


class Kifu(click.Group):
    """The command group; what the world refuses is said in one sentence, with exit code 2."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command."""
        try:
            return super().invoke(ctx)
        except (WorldFault, SeedRefused, UnknownGame, UnknownTag, UnfitDatabase, WrongKey) as no:
            raise click.UsageError(str(no.args[0])) from no


@click.group(cls=Kifu, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--database-url",
    envvar="KIFU_DATABASE_URL",
    help="Database of the installation; default sqlite:///kifu.sqlite in the working folder.",
)
@click.pass_context
def main(context: click.Context, database_url: str | None) -> None:
    """Kifu (棋譜): record, audit and replay matches of card games."""
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]  # a text stream
    configure_log()
    context.obj = Context(settings=settings_of(database_url), games=context.obj)


for command in (
    *logs.COMMANDS,
    *matches.COMMANDS,
    *games.COMMANDS,
    *rules.COMMANDS,
    *simulating.COMMANDS,
    *verifying.COMMANDS,
    *editions.COMMANDS,
    *accounts.COMMANDS,
    *search.COMMANDS,
    *standings.COMMANDS,
    *tournaments.COMMANDS,
    *operations.COMMANDS,
    *live.COMMANDS,
    *projections.COMMANDS,
):
    main.add_command(command)
