"""The command `kifu rules`: the rules of a game, and what two of its editions say differently."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import click
from rich.console import Console
from rich.table import Table

from projections.occurrences import Cited
from service.catalogue import LoadedGame
from service.cli.base import Context, json_option, say, text_option
from service.cli.games import game_named
from service.engine.editions import edition_name
from service.engine.rulebook import Comparison, Rulebook, compared
from service.engine.texts import Language
from service.engine.values import Json
from service.installation import Installation

WIDTH = 160
LISTED_MAX = 50
COUNT_MAX = 1_000
TEXTS: Mapping[str, Mapping[Language, str]] = {
    "engine": {"ja": "エンジンが変わる", "en": "the engine changes"},
    "cards": {"ja": "カードが変わる", "en": "the cards change"},
    "display": {"ja": "事実などの文言が変わる", "en": "facts and refusals are worded anew"},
    "added": {"ja": "追加", "en": "added"},
    "removed": {"ja": "削除", "en": "removed"},
    "meaning": {"ja": "意味の変更", "en": "another meaning"},
    "wording": {"ja": "文言の変更", "en": "other words"},
    "none": {"ja": "違いはない", "en": "no difference"},
    "matches": {
        "ja": "変わったルールを引く対戦：{count}",
        "en": "matches that cite a changed rule: {count}",
    },
}


@click.command("rules")
@click.argument("game")
@click.argument("rule_id", metavar="[ID]", required=False)
@click.option(
    "--diff",
    "editions",
    nargs=2,
    metavar="FROM TO",
    help="What two editions or revisions say differently, as 1 2 or hi-story@1 hi-story@1.2.",
)
@text_option
@json_option
@click.pass_obj
def show_rules(
    context: Context,
    game: str,
    rule_id: str | None,
    editions: tuple[str, str] | None,
    language: Language,
    as_json: bool,
) -> None:
    """List the rules of a game, show one in both languages, or compare two editions."""
    if editions is None:
        _show(game_named(context.catalogue(), game), rule_id, as_json=as_json)
        return
    if rule_id is not None:
        raise click.UsageError("either a rule or two editions")
    installation = context.installation()
    game_named(installation.catalogue, game)
    old, new = (_book(installation, game, text) for text in editions)
    body = _body(installation, old, new)
    if as_json:
        say(body)
    else:
        _print_difference(body, old, new, language)


def _show(loaded: LoadedGame, rule_id: str | None, *, as_json: bool) -> None:
    rules = loaded.rules
    if rule_id is not None and rule_id not in rules:
        raise click.UsageError(f"{loaded.edition.game} has no rule {rule_id!r}")
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
    Console(width=None if Console().is_terminal else WIDTH).print(table)


def _print_rule(rule: Mapping[str, Json]) -> None:
    click.echo(f"{rule['id']}  {rule['term_ja']} / {rule['term_en']}  ({rule['kind']})")
    click.echo(f"\n{rule['text_ja']}\n\n{rule['text_en']}")
    if rule["see"]:
        click.echo(f"\n→ {', '.join(rule['see'])}")


def _book(installation: Installation, game: str, text: str) -> Rulebook:
    name = edition_name(text)
    book = None if name is None else installation.rulebooks.find(game, name)
    if book is None:
        raise click.UsageError(f"{game} has no edition {text!r}")
    return book


def _body(installation: Installation, old: Rulebook, new: Rulebook) -> dict[str, Json]:
    """Return what two rulebooks say differently, and the matches that cite what has changed."""
    found = compared(old, new)
    wanted = Cited(
        rules=(*found.meaning, *found.removed), edition=old.edition.name, everything=True
    )
    return {
        "from": old.edition.wording,
        "to": new.edition.wording,
        "engine": old.edition.engine != new.edition.engine,
        "cards": old.edition.cards_digest != new.edition.cards_digest,
        "display": found.is_worded_anew,
        **_changed(found),
        "count": installation.citing_count(wanted, COUNT_MAX + 1),
        "matches": [one.row.id for one in installation.citing(wanted, LISTED_MAX)],
    }


def _changed(found: Comparison) -> dict[str, Json]:
    names = ("added", "removed", "meaning", "wording")
    return {name: list(getattr(found, name)) for name in names}


def _print_difference(
    body: Mapping[str, Json], old: Rulebook, new: Rulebook, language: Language
) -> None:
    said = [TEXTS[name][language] for name in ("engine", "cards", "display") if body[name]]
    changed = [
        (name, rule) for name in ("added", "removed", "meaning", "wording") for rule in body[name]
    ]
    for text in said or ([] if changed else [TEXTS["none"][language]]):
        click.echo(f"{body['from']} → {body['to']}: {text}")
    for name, rule in changed:
        told = (new if rule in new.rules else old).rules[rule]
        click.echo(f"{rule}  {told[f'term_{language}']}  ({TEXTS[name][language]})")
        for mark, book in (("-", old), ("+", new)):
            if rule in book.rules:
                click.echo(f"  {mark} {book.rules[rule][f'text_{language}']}")
    if body["count"]:
        count = f"{COUNT_MAX}+" if body["count"] > COUNT_MAX else str(body["count"])
        click.echo(TEXTS["matches"][language].format(count=count))
        for match_id in body["matches"]:
            click.echo(f"  {match_id}")


COMMANDS = (show_rules,)
