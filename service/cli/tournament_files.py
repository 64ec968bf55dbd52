"""Commands on files with a whole tournament: export, import, verify."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import click
from msgspec import to_builtins

from service.cli.base import GOOD, NO, WRONG, Context, json_option, progress, say, stop
from service.cli.logs import raw_lines
from service.cli.tournament_rows import printable
from service.engine.values import Json
from service.integrity.tournament_verify import TournamentReport
from service.tournament_exchange import (
    export_tournament,
    import_tournament,
    verify_tournament_lines,
)

file_type = click.Path(exists=True, dir_okay=False, path_type=Path)
trust_option = click.option(
    "--trust", "trusted", multiple=True, metavar="KEY", help="A public key of a log."
)


@click.command("export")
@click.argument("tournament_id", metavar="TOURNAMENT")
@click.option("--no-files", is_flag=True, help="Only what the log states about the matches.")
@click.option("--all-texts", is_flag=True, help="With reasons and decks, which are for staff.")
@click.option("-o", "--output", required=True, type=click.Path(dir_okay=False, path_type=Path))
@click.pass_obj
def export_file(
    context: Context, tournament_id: str, no_files: bool, all_texts: bool, output: Path
) -> None:
    """Write a whole tournament with its matches as one file that anybody can verify."""
    installation = context.installation()
    found = installation.tournaments.tournament(tournament_id)
    lines = export_tournament(
        installation, found, with_files=not no_files, with_all_texts=all_texts
    )
    with output.open("wb") as file:
        file.writelines(lines)


@click.command("import")
@click.argument("path", metavar="FILE", type=file_type)
@trust_option
@json_option
@click.pass_obj
def import_one(context: Context, path: Path, trusted: Sequence[str], as_json: bool) -> None:
    """Store a tournament of another installation, and its matches, if the file is good."""
    installation = context.installation()
    keys = [*trusted, *context.settings.trusted_logs]
    report, matches = import_tournament(installation, raw_lines(path), trusted=keys)
    _tell(path, report, as_json=as_json, more={"imported": matches})
    stop(_exit_code(report))


@click.command("verify")
@click.argument("files", nargs=-1, required=True, type=file_type)
@trust_option
@json_option
@click.pass_obj
def verify_files(
    context: Context, files: Sequence[Path], trusted: Sequence[str], as_json: bool
) -> None:
    """Verify files of tournaments by themselves: chain, standings, matches; needs no database."""
    catalogue = context.catalogue()
    keys = [*trusted, *context.settings.trusted_logs]
    worst = GOOD
    for path in progress(files, "verify"):
        found = verify_tournament_lines(catalogue, raw_lines(path), trusted=keys)
        _tell(path, found.report, as_json=as_json)
        worst = max(worst, _exit_code(found.report))
    stop(worst)


def _exit_code(report: TournamentReport) -> int:
    """Return 0 if nothing is wrong, 1 if something is, 2 for a malformed file."""
    if report.overall == "malformed":
        return WRONG
    return NO if report.overall in ("tampered", "diverged") else GOOD


def _tell(
    path: Path,
    report: TournamentReport,
    *,
    as_json: bool,
    more: Mapping[str, Json] | None = None,
) -> None:
    if as_json:
        say({"file": path.name, **to_builtins(report), **(more or {})})
        return
    click.echo(f"{path.name}: {report.overall}: {printable(report.summary)}")
    for name, check in report.checks.items():
        where = "" if check.seq is None else f" at event {check.seq}"
        click.echo(f"  {name:<9} {check.verdict}{where}: {printable(check.text)}")
        if check.expected is not None or check.found is not None:
            click.echo(f"            expected {check.expected}\n            found    {check.found}")
    counts = ", ".join(f"{count} {verdict}" for verdict, count in sorted(report.matches.items()))
    click.echo(f"  linked matches: {counts or 'none'}")


FILE_COMMANDS = (export_file, import_one, verify_files)
