"""Commands on stored tournaments: list and show them, standings, pairings, and why they are so."""

from __future__ import annotations

import json
from collections.abc import Mapping

import click
from msgspec import to_builtins
from msgspec.structs import replace

from service.aggregates.tournaments.deciding import is_elimination, round_in, table_in
from service.aggregates.tournaments.levels import level_counts
from service.aggregates.tournaments.placing import final_placing, placing_table
from service.aggregates.tournaments.records import record_of
from service.aggregates.tournaments.scoring import profile_of
from service.aggregates.tournaments.state import RoundState, TableState, Tournament
from service.cli.base import Context, json_option, say
from service.cli.tournament_files import FILE_COMMANDS
from service.cli.tournament_rows import (
    printable,
    round_cells,
    rounded,
    row_cells,
    table_cells,
    tell_rows,
)
from service.installation import Installation
from service.standings.profiles import PROFILES, Profile
from service.standings.reasons import why
from service.standings.tables import Table, table_of

LISTED_MAX = 500
Names = Mapping[str, str]

tournament_argument = click.argument("tournament_id", metavar="TOURNAMENT")
round_option = click.option(
    "--round", "number", type=click.IntRange(1), help="Which round; default the last."
)


@click.group("tournament")
def tournaments() -> None:
    """Tournaments: what is stored of them, and files with a whole one."""


@tournaments.command("list")
@click.option("--game", help="Only tournaments of this game.")
@click.option("--limit", type=click.IntRange(1, LISTED_MAX), default=LISTED_MAX, show_default=True)
@json_option
@click.pass_obj
def list_tournaments(context: Context, game: str | None, limit: int, as_json: bool) -> None:
    """List the stored tournaments, the last opened first."""
    installation = context.installation()
    rows = [
        {
            "tournament": row.id,
            "name": installation.log.text(row.name) or row.id,
            "game": row.game,
            "state": row.state,
            "players": row.players,
            "opened_at": row.opened_at,
        }
        for row in installation.tournament_rows(game=game, limit=limit)
    ]
    if rows or as_json:
        tell_rows(rows, as_json=as_json)
    else:
        click.echo("no tournaments")


@tournaments.command("show")
@tournament_argument
@json_option
@click.pass_obj
def show_tournament(context: Context, tournament_id: str, as_json: bool) -> None:
    """Show a tournament: its phases, players and rounds; with --json all of it in one object."""
    installation = context.installation()
    found = installation.tournaments.tournament(tournament_id)
    names = names_of(installation, found)
    rounds = [round_cells(found, one) for one in found.rounds.values()]
    if as_json:
        say(
            {
                "tournament": found.id,
                "name": names[found.id],
                "game": found.opened.game,
                "profile": found.opened.profile["name"],
                "phases": to_builtins(found.opened.phases),
                "version": found.version,
                "players": [
                    {**to_builtins(entry), "name": names[entry.player]}
                    for entry in found.entries.values()
                ],
                "rounds": rounds,
                "closed": found.closed is not None,
            }
        )
        return
    formats = ", then ".join(phase.format.replace("_", " ") for phase in found.opened.phases)
    click.echo(f"{names[found.id]}: {found.opened.game}, {formats}")
    click.echo(f"{len(found.entries)} players, standings by {found.opened.profile['name']}")
    tell_rows(rounds, as_json=False)


@tournaments.command("standings")
@tournament_argument
@round_option
@click.option("--phase", type=click.IntRange(1), help="Which phase; default the last with values.")
@click.option("--profile", "profile_name", type=click.Choice([*PROFILES]), help="By another one.")
@click.option("--final", is_flag=True, help="The placing through all phases.")
@json_option
@click.pass_obj
def show_standings(
    context: Context,
    tournament_id: str,
    number: int | None,
    phase: int | None,
    profile_name: str | None,
    final: bool,
    as_json: bool,
) -> None:
    """Show who stands where, exactly, and on what level the results of each player are."""
    installation = context.installation()
    found = installation.tournaments.tournament(tournament_id)
    names = names_of(installation, found)
    if final:
        placing = final_placing(found) if found.closed is None else found.closed.placing
        rows = [
            {"rank": one.rank, "player": one.player, "name": names[one.player]} for one in placing
        ]
        tell_rows(rows, as_json=as_json)
        return
    phase = phase or _phase_of(found, number)
    if phase > found.phase:
        raise click.UsageError(f"phase {phase} has not begun")
    found = _after(found, number)
    profile = profile_of(found) if profile_name is None else PROFILES[profile_name]
    table = _table(found, phase, profile)
    if table.provisional or any(one.closed is None for one in found.rounds_of(phase)):
        click.echo("note: a round is open, the table is provisional", err=True)
    levels = level_counts(found, phase)
    tell_rows(
        [
            {
                **row_cells(row, as_json=as_json),
                "name": names[row.player],
                "levels": dict(sorted(levels.get(row.player, {}).items())),
            }
            for row in table.rows
        ],
        as_json=as_json,
    )


@tournaments.command("pairings")
@tournament_argument
@round_option
@json_option
@click.pass_obj
def show_pairings(context: Context, tournament_id: str, number: int | None, as_json: bool) -> None:
    """Show the tables of a round, what came of them and what each result rests on."""
    installation = context.installation()
    found = installation.tournaments.tournament(tournament_id)
    names = names_of(installation, found)
    one = round_in(found, number or found.last_round)
    rows = [table_cells(table) for table in one.tables.values()]
    rows += [{"table": None, "players": [sits.player], "result": sits.kind} for sits in one.without]
    for row in rows:
        if as_json:
            row["names"] = [names[player] for player in row["players"]]
        else:
            row["players"] = " – ".join(f"{names[player]} ({player})" for player in row["players"])
    tell_rows(rows, as_json=as_json)


@tournaments.command("why")
@tournament_argument
@click.option("--player", help="Why somebody stands where he stands.")
@click.option("--table", "table_number", type=click.IntRange(1), help="Why two players meet.")
@round_option
@json_option
@click.pass_obj
def explain(
    context: Context,
    tournament_id: str,
    player: str | None,
    table_number: int | None,
    number: int | None,
    as_json: bool,
) -> None:
    """Tell why two players meet, or why a player stands where he stands."""
    installation = context.installation()
    found = installation.tournaments.tournament(tournament_id)
    if (player is None) == (table_number is None):
        raise click.UsageError("give --player or --table")
    if table_number is not None:
        one = round_in(found, number or found.last_round)
        _tell_meeting(one, table_in(found, one.number, table_number), as_json=as_json)
    else:
        _tell_standing(found, str(player), number, names_of(installation, found), as_json=as_json)


def names_of(installation: Installation, found: Tournament) -> dict[str, str]:
    """Return the names of players by their ids, and of the tournament; where erased, the ids."""
    digests = {entry.player: entry.name for entry in found.entries.values()}
    digests[found.id] = found.opened.name
    text = installation.log.text
    return {one: printable(text(digest) or one) for one, digest in digests.items()}


def _phase_of(found: Tournament, number: int | None) -> int:
    """Return the phase of a round; without one the last that is no bracket, if there is any."""
    if number is not None:
        return round_in(found, number).phase
    phases = [one for one in range(1, found.phase + 1) if not is_elimination(found, one)]
    return phases[-1] if phases else found.phase


def _after(found: Tournament, number: int | None) -> Tournament:
    """Return a tournament without the rounds behind one."""
    if number is None:
        return found
    return replace(found, rounds={at: one for at, one in found.rounds.items() if at <= number})


def _table(found: Tournament, phase: int, profile: Profile) -> Table:
    """Return a table; of a bracket by how far each came."""
    lots = _lots(found, phase)
    if is_elimination(found, phase):
        return placing_table(found, phase, lots=lots)
    return table_of(record_of(found), profile, phase=phase - 1, lots=lots)


def _lots(found: Tournament, phase: int) -> str | None:
    """Return the seed of the draws of a phase: of the cut behind it, or of the end."""
    cut, closed = found.cuts.get(phase + 1), found.closed
    if cut is not None:
        return cut.seed
    return None if closed is None else closed.seed


def _tell_meeting(one: RoundState, table: TableState, *, as_json: bool) -> None:
    reasons = {} if one.why is None else dict(zip(one.tables, one.why["tables"], strict=True))
    found = reasons.get(table.table.table)
    body = {"round": one.number, "table": table.table.table, "players": list(table.players)}
    if as_json:
        say({**body, "why": found})
        return
    players = printable(" – ".join(table.players))
    click.echo(f"round {one.number}, table {table.table.table}: {players}")
    if found is None:
        click.echo("  it follows from the format")
    for name, value in (found or {}).items():
        if value not in (None, 0, False, []):
            click.echo(f"  {name}: {json.dumps(value)}")


def _tell_standing(
    found: Tournament, player: str, number: int | None, names: Names, *, as_json: bool
) -> None:
    phase = _phase_of(found, number)
    if is_elimination(found, phase):
        raise click.UsageError(f"phase {phase} is a bracket: it has no values")
    event, lots = record_of(found, to_round=number), _lots(found, phase)
    reasons = why(event, profile_of(found), player, phase=phase - 1, lots=lots)
    if reasons is None:
        raise click.UsageError(f"{player} is not in the standings")
    if as_json:
        say(to_builtins(reasons, enc_hook=str))
        return
    click.echo(f"{names[player]} ({player}): rank {reasons.row.rank}")
    for one in reasons.reasons:
        click.echo(f"  {one.criterion} = {rounded(one.value)}: {one.value}, a sum / {one.divisor}")
        for part in one.parts:
            where = f"round {part.round}" if part.round else "all rounds"
            against = "" if part.opponent is None else f", {names[part.opponent]}"
            left_out = "" if part.counted else ", left out"
            click.echo(f"    {part.value}  {where}{against}{left_out}")


for command in FILE_COMMANDS:
    tournaments.add_command(command)

COMMANDS = (tournaments,)
