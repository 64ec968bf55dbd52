"""What the commands share: the installation, options, output, progress."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

import click
from rich.console import Console
from rich.progress import Progress

from service.catalogue import Catalogue
from service.engine.texts import LANGUAGES
from service.engine.values import Json
from service.installation import Installation, open_installation
from service.settings import Settings, read_settings
from service.store.databases import migrate
from service.store.fitness import UnfitDatabase

GOOD, NO, WRONG = 0, 1, 2

Item = TypeVar("Item")
Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Context:
    """What every command gets. games: those that were read before, else each command reads them."""

    settings: Settings
    games: Catalogue | None = None

    def catalogue(self) -> Catalogue:
        """Return the games, without a database."""
        return self.games or Catalogue(self.settings.seeds)

    def installation(self, pools: Mapping[str, Path] | None = None) -> Installation:
        """Open the database."""
        with _refusals_told():
            return open_installation(self.settings, pools, self.games)

    def migrate(self) -> None:
        """Carry out the steps that the tables of the store are missing."""
        with _refusals_told():
            migrate(self.settings.database_url)


@contextmanager
def _refusals_told() -> Iterator[None]:
    """Say in a sentence why a database is refused."""
    try:
        yield
    except UnfitDatabase as fault:
        raise click.UsageError(str(fault)) from fault


def settings_of(database_url: str | None) -> Settings:
    """Return the settings of the environment, with the database of the command line."""
    settings = read_settings()
    return settings if database_url is None else replace(settings, database_url=database_url)


class NamedFile(click.ParamType[tuple[str, Path]]):
    """A card pool on the command line: NAME=FILE."""

    name = "NAME=FILE"

    def convert(self, value: Any, param: Any, ctx: Any) -> tuple[str, Path]:
        """Return the name and the path."""
        if isinstance(value, tuple):
            return value
        name, found, path = value.partition("=")
        if not found or not name or not Path(path).is_file():
            self.fail(f"{value!r} is not NAME=FILE with a file that is there", param, ctx)
        return name, Path(path)


def cards_option(function: Function) -> Function:
    """Add `--cards NAME=FILE`."""
    return click.option(
        "--cards",
        type=NamedFile(),
        multiple=True,
        help="A card pool brought along, under the name used in logs.",
    )(function)


def json_option(function: Function) -> Function:
    """Add `--json`."""
    return click.option(
        "--json", "as_json", is_flag=True, help="One JSON object per line on standard output."
    )(function)


def text_option(function: Function) -> Function:
    """Add `--text ja|en`."""
    return click.option(
        "--text",
        "language",
        type=click.Choice(LANGUAGES),
        default="ja",
        help="Language of sentences.",
    )(function)


def say(value: Json) -> None:
    """Print a JSON value on one line."""
    click.echo(json.dumps(value, ensure_ascii=False, sort_keys=True))


def progress(items: Iterable[Item], text: str, *, total: int | None = None) -> Iterable[Item]:
    """Yield the items with a progress bar on standard error, if that is a terminal.

    total: their number, for those that do not tell it themselves.
    """
    console = Console(stderr=True)
    if not console.is_terminal:
        yield from items
        return
    with Progress(console=console, transient=True) as bar:
        yield from bar.track(items, total=total, description=text)


def stop(code: int) -> None:
    """End the command with an exit code."""
    sys.exit(code)
