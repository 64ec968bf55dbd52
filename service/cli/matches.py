"""Commands on stored matches: list them, show one."""

from __future__ import annotations

import json

import click
from msgspec import to_builtins
from rich.console import Console
from rich.table import Table

from projections.matches import PAGE_MAX, MatchRow, Wanted
from projections.replay import Replay
from projections.verdicts import Verdict
from schemas.queries import VERDICTS
from service.aggregates.matches import Match
from service.aggregates.world import NotFound
from service.cli.base import Context, json_option, say, text_option
from service.engine.texts import Language
from service.installation import Installation

PLACE = "INDEX[.STEP]"


@click.command("matches")
@click.option("--game", help="Only matches of this game.")
@click.option("--verdict", type=click.Choice(VERDICTS), help="Only matches verified as this.")
@click.option("--limit", type=click.IntRange(1, PAGE_MAX), default=PAGE_MAX, show_default=True)
@json_option
@click.pass_obj
def list_matches(
    context: Context, game: str | None, verdict: str | None, limit: int, as_json: bool
) -> None:
    """List the stored matches, the last first."""
    installation = context.installation()
    wanted = Wanted(game=game, verdict=verdict, everything=True, limit=limit)
    rows = installation.matches(wanted)
    if as_json:
        for row, found in rows:
            say(body_of(installation, row, found))
    elif rows:
        _print_table(installation, rows)
    else:
        click.echo("no matches")


@click.command("show")
@click.argument("match_id", metavar="MATCH")
@click.option("--at", metavar=PLACE, help="Events, and facts of the next one; default the end.")
@click.option(
    "--as", "viewer", default="judge", show_default=True, help="P1, P2, …, spectator, judge."
)
@json_option
@text_option
@click.pass_obj
def show_match(
    context: Context, match_id: str, at: str | None, viewer: str, as_json: bool, language: Language
) -> None:
    """Show a match: its account in words up to a place, or with --json the position there."""
    try:
        installation = context.installation()
        replay = installation.replay(installation.log.match(match_id), viewer, language)
        index, step = place_of(at, replay.match.version)
        check_viewer(replay.match, viewer)
        if as_json:
            say(
                {
                    "match": match_id,
                    "index": index,
                    "step": step,
                    "viewer": viewer,
                    "position": replay.position(index, step),
                }
            )
        else:
            _print_account(replay, index, step)
    except (NotFound, ValueError) as fault:
        raise click.UsageError(str(fault)) from fault


def place_of(at: str | None, last: int) -> tuple[int, int]:
    """Return index and step of a place like `142.3`; raises ValueError."""
    if at is None:
        return last, 0
    index, _, step = at.partition(".")
    if not (index.isascii() and index.isdigit()) or not (step or "0").isdigit():
        raise ValueError(f"{at!r} is no place in a match ({PLACE})")
    return int(index), int(step or "0")


def check_viewer(match: Match, viewer: str) -> None:
    """Raise ValueError for a viewer that the match does not have."""
    viewers = [*match.seats, "spectator", "judge"]
    if viewer not in viewers:
        raise ValueError(f"no viewer {viewer!r}; there are: {', '.join(viewers)}")


def body_of(
    installation: Installation, row: MatchRow, verdict: Verdict | None
) -> dict[str, object]:
    """Return a row of the list with display names in place of their digests."""
    body: dict[str, object] = to_builtins(row)
    del body["place"]
    told = None if verdict is None else to_builtins(verdict)
    return body | {"seats": installation.names(row.seats), "verdict": told}


def _print_table(installation: Installation, rows: list[tuple[MatchRow, Verdict | None]]) -> None:
    table = Table(box=None, pad_edge=False)
    for heading in ("match", "game", "kind", "seats", "actions", "result", "verdict"):
        table.add_column(heading)
    for row, verdict in rows:
        names = installation.names(row.seats)
        outcome = (
            "" if row.outcome is None else f"{row.outcome['winner']} ({row.outcome['reason']})"
        )
        table.add_row(
            row.id,
            row.game,
            row.kind,
            " – ".join(names[seat] for seat in sorted(names)),
            str(row.actions),
            outcome or (row.cause or row.state),
            "" if verdict is None else f"{verdict.overall} ({verdict.fair})",
        )
    Console(width=None if Console().is_terminal else 160).print(table)


def _print_account(replay: Replay, index: int, step: int) -> None:
    last = min(index + bool(step), replay.match.version)
    start = 0
    while start < last:
        to = min(start + 500, last)
        for event in replay.events(start, to):
            facts = event["facts"] if event["seq"] <= index else event["facts"][:step]
            click.echo(f"{event['seq']:>5}  {event['text']}")
            for fact in facts:
                if not fact["quiet"]:
                    rules = ", ".join((fact["fact"] or {}).get("rules", []))
                    click.echo(f"         {fact['text']}  [{rules}]")
        start = to
    click.echo(json.dumps(replay.position(index, step), ensure_ascii=False, sort_keys=True))


COMMANDS = (list_matches, show_match)
