"""The command that searches rules, rulings, disputes and comments."""

from __future__ import annotations

from typing import get_args

import click

from projections.parties import WHOLE
from projections.search import PAGE_MAX, Found, Wanted
from projections.search_entries import Kind
from projections.search_hits import told
from service.cli.base import GOOD, NO, Context, json_option, say, stop
from service.engine.bigrams import Unsearchable, read_query, widened, widening
from service.engine.texts import LANGUAGES
from service.engine.values import Json
from service.installation import clock

FOUND_DEFAULT = 20


@click.command("search")
@click.argument("text", metavar="QUERY")
@click.option("--in", "kind", type=click.Choice(get_args(Kind)), default="rules", show_default=True)
@click.option("--game", help="Only what is of this game.")
@click.option("--lang", type=click.Choice(LANGUAGES), help="Only texts in this language.")
@click.option("--synonyms", "with_synonyms", is_flag=True, help="Look for synonyms, too.")
@click.option("--limit", type=click.IntRange(1, PAGE_MAX), default=FOUND_DEFAULT, show_default=True)
@json_option
@click.pass_obj
def search(
    context: Context,
    text: str,
    kind: Kind,
    game: str | None,
    lang: str | None,
    with_synonyms: bool,
    limit: int,
    as_json: bool,
) -> None:
    """Find rules, rulings, disputes or comments; all terms of QUERY must occur."""
    try:
        asked = read_query(text)
    except Unsearchable as fault:
        raise click.UsageError(str(fault)) from fault
    installation = context.installation()
    installation.register_editions()
    synonyms = installation.catalogue.synonyms(game)
    query = widened(asked, synonyms) if with_synonyms else asked
    found = installation.texts(
        Wanted(query=query, kind=kind, game=game, lang=lang, reach=WHOLE, limit=limit, now=clock())
    )
    hits = [told(entry, query) for entry in found.entries]
    if as_json:
        for hit in hits:
            say(hit)
    else:
        _print(hits, found, [] if with_synonyms else widening(asked, synonyms))
    stop(GOOD if hits else NO)


def _print(hits: list[dict[str, Json]], found: Found, synonyms: list[str]) -> None:
    """Print what was found, then how much there is and what else could be looked for."""
    for hit in hits:
        heading = "" if hit["heading"] is None else f"  {_marked(hit['heading'])}"
        click.echo(f"{hit['id']}{heading}\n    {_marked(hit['snippet'])}")
    count = f"{found.count:,}+" if found.capped else f"{found.count:,}"
    click.echo(f"{count} found", err=True)
    if synonyms:
        click.echo(f"--synonyms also looks for: {', '.join(synonyms)}", err=True)


def _marked(part: Json) -> str:
    """Return a part of a text on one line, what was looked for in bold on a terminal."""
    text, pieces, place = part["text"], [], 0
    for span in part["highlights"]:
        pieces.append(text[place : span["start"]])
        pieces.append(click.style(text[span["start"] : span["end"]], bold=True))
        place = span["end"]
    line = " ".join("".join([*pieces, text[place:]]).split())
    return f"{'…' if part['cut_before'] else ''}{line}{'…' if part['cut_after'] else ''}"


COMMANDS = (search,)
