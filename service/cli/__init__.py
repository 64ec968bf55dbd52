"""The command `kifu`. Exit codes: 0 good, 1 the answer is no, 2 usage or malformed input."""

from __future__ import annotations

import sys

import click

from service.cli import games, logs, matches, operations, verifying
from service.cli.base import Context, settings_of


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--database-url",
    envvar="KIFU_DATABASE_URL",
    help="Database of the installation; default sqlite:///kifu.sqlite in the working folder.",
)
@click.pass_context
def main(context: click.Context, database_url: str | None) -> None:
    """Kifu (棋譜): record, audit and replay matches of card games."""
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]  # a text stream
    context.obj = Context(settings=settings_of(database_url))


for command in (
    *logs.COMMANDS,
    *matches.COMMANDS,
    *games.COMMANDS,
    *verifying.COMMANDS,
    *operations.COMMANDS,
):
    main.add_command(command)
