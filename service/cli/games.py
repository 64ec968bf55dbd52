"""Commands on games: worked examples, rules, card pools, simulated matches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from schemas.strict import Unreadable, read_yaml
from service.catalogue import Catalogue, LoadedGame, SeedRefused, UnknownGame
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
        entries = _examples_in(path)
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


def _examples_in(path: Path) -> list[Json]:
    try:
        content = read_yaml(path.read_bytes())
    except Unreadable as fault:
        raise click.UsageError(f"{path}: {fault}") from fault
    entries = content.get("examples") if isinstance(content, dict) else content
    if not isinstance(entries, list) or (isinstance(content, dict) and len(content) != 1):
        raise click.UsageError(f"{path}: a list of examples, bare or as the only key `examples`")
    return entries


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


@click.command("rules")
@click.argument("game")
@click.argument("rule_id", metavar="[ID]", required=False)
@json_option
@click.pass_obj
def show_rules(context: Context, game: str, rule_id: str | None, as_json: bool) -> None:
    """List the rules of a game, or show one in both languages."""
    rules = game_named(context.catalogue(), game).rules
    if rule_id is not None and rule_id not in rules:
        raise click.UsageError(f"{game} has no rule {rule_id!r}")
    chosen = list(rules.values()) if rule_id is None else [rules[rule_id]]
    if as_json:
        for rule in chosen:
            say(rule)
    elif rule_id is None:
        _print_rules(chosen)
    else:
        _print_rule(chosen[0])


def _print_rules(rules: Sequence[Mapping[str, Json]]) -> None:
    table = Table(box=None, pad_edge=False, show_header=False)
    for rule in rules:
        table.add_row(rule["id"], rule["term_ja"], rule["term_en"], rule["kind"])
    Console(width=None if Console().is_terminal else 160).print(table)


def _print_rule(rule: Mapping[str, Json]) -> None:
    click.echo(f"{rule['id']}  {rule['term_ja']} / {rule['term_en']}  ({rule['kind']})")
    click.echo(f"\n{rule['text_ja']}\n\n{rule['text_en']}")
    if rule["see"]:
        click.echo(f"\n→ {', '.join(rule['see'])}")


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


COMMANDS = (examples, show_rules, cards_group)
