"""Commands on games: worked examples, card pools."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from service.catalogue import Catalogue, LoadedGame, SeedRefused, UnknownGame, read_examples
from service.cli.base import (
    GOOD,
    NO,
    Context,
    json_option,
    progress,
    say,
    stop,
)
from service.engine.examples import faults_of
from service.engine.values import Json


@click.group("examples")
def examples() -> None:
    """Worked examples of the rules."""


@examples.command("run")
@click.argument("paths", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--game", help="The game, if neither the folder nor the rule ids tell it.")
@json_option
@click.pass_obj
def run_examples(context: Context, paths: Sequence[Path], game: str | None, as_json: bool) -> None:
    """Run worked examples; the last line says how many passed and failed."""
    catalogue = context.catalogue()
    passed = failed = 0
    for path in paths:
        entries = read_examples(path)
        loaded = _game_of(catalogue, path, entries, game)
        for entry in progress(entries, path.name):
            faults = _faults(entry, loaded)
            name = str(entry.get("id", "?")) if isinstance(entry, dict) else "?"
            if faults and not as_json:
                click.echo(f"{name}: " + "\n  ".join(faults))
            if as_json:
                say({"file": path.name, "id": name, "passed": not faults, "faults": faults})
            passed, failed = passed + (not faults), failed + bool(faults)
    click.echo(f"{passed} passed, {failed} failed", err=as_json)
    stop(NO if failed else GOOD)


def _faults(entry: Json, loaded: LoadedGame) -> list[str]:
    faults = faults_of(entry, loaded.sample.ruleset)
    rules = entry.get("rules", []) if isinstance(entry, dict) else []
    unknown = [rule for rule in rules if not isinstance(rule, str) or rule not in loaded.rules]
    return faults + [f"no rule {rule!r}" for rule in unknown]


def _game_of(
    catalogue: Catalogue, path: Path, entries: Sequence[Json], game: str | None
) -> LoadedGame:
    """Return the game of a file: as asked for, by the rules it exercises, or by its folder."""
    if game is not None:
        return game_named(catalogue, game)
    cited = next(
        (entry["rules"][0] for entry in entries if isinstance(entry, dict) and entry.get("rules")),
        None,
    )
    for name in catalogue.names():
        loaded = catalogue.game(name)
        if cited in loaded.rules or name == path.resolve().parent.name:
            return loaded
    raise click.UsageError(f"{path}: which game? give --game")


def game_named(catalogue: Catalogue, name: str) -> LoadedGame:
    """Return a game, or say on the command line why not."""
    try:
        return catalogue.game(name)
    except (UnknownGame, SeedRefused) as fault:
        raise click.UsageError(str(fault)) from fault


@click.group("cards")
def cards_group() -> None:
    """Card pools."""


@cards_group.command("check")
@click.argument(
    "path", metavar="FILE", type=click.Path(exists=True, dir_okay=False, path_type=Path)
)
@click.option("--game", default="hi-story", show_default=True, help="The game of the pool.")
@json_option
@click.pass_obj
def check_cards(context: Context, path: Path, game: str, as_json: bool) -> None:
    """Check a card pool: every fault with its place."""
    catalogue = context.catalogue()
    game_named(catalogue, game)
    try:
        pool = catalogue.read_pool(game, path)
    except SeedRefused as refused:
        for fault in refused.faults:
            if as_json:
                say({"file": fault.file, "place": fault.place, "fault": fault.text})
            else:
                click.echo(str(fault))
        stop(NO)
    else:
        count = len(pool.ruleset.cards)
        if as_json:
            say({"file": path.name, "cards": count, "digest": pool.digest})
        else:
            click.echo(f"{path.name}: {count} cards, no faults")


COMMANDS = (examples, cards_group)
