"""Commands for those who do not trust the server: verify, keys, receipt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import click
import msgspec

from service.aggregates.world import NotFound
from service.cli.base import GOOD, NO, WRONG, Context, json_option, progress, say, stop
from service.engine.values import Json
from service.exchange import receipt_of
from service.integrity.report import Report
from service.integrity.signing import LogKey, SignedReceipt, new_key
from service.offline import verify_lines

file_type = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command("verify")
@click.argument("files", nargs=-1, required=True, type=file_type)
@click.option("--trust", "trusted", multiple=True, metavar="KEY", help="A public key of a log.")
@click.option("--receipt", "receipt_file", type=file_type, help="A receipt that must be honoured.")
@json_option
@click.pass_obj
def verify_files(
    context: Context,
    files: Sequence[Path],
    trusted: Sequence[str],
    receipt_file: Path | None,
    as_json: bool,
) -> None:
    """Verify files of matches by themselves: untouched, legal, fair; needs no database."""
    catalogue = context.catalogue()
    keys = [*trusted, *context.settings.trusted_logs]
    receipt = None if receipt_file is None else _receipt(receipt_file)
    worst = GOOD
    for path in progress(files, "verify"):
        with path.open("rb") as file:
            report = verify_lines(catalogue, list(file), trusted=keys, receipt=receipt)
        tell_report(path, report, as_json=as_json)
        worst = max(worst, exit_code_of(report))
    stop(worst)


def _receipt(path: Path) -> SignedReceipt:
    try:
        return msgspec.json.decode(path.read_bytes(), type=SignedReceipt)
    except msgspec.DecodeError as fault:
        raise click.UsageError(f"{path}: no receipt: {fault}") from fault


def exit_code_of(report: Report) -> int:
    """Return 0 if nothing is wrong, 1 if something is, 2 for a malformed file."""
    if report.overall == "malformed":
        return WRONG
    return NO if report.overall in ("tampered", "diverged") else GOOD


def tell_report(
    path: Path, report: Report, *, as_json: bool, more: Mapping[str, Json] | None = None
) -> None:
    """Print what a verification found."""
    if as_json:
        say({"file": path.name, **msgspec.to_builtins(report), **(more or {})})
        return
    click.echo(f"{path.name}: {report.overall}: {report.summary}")
    for name, check in report.checks.items():
        where = "" if check.seq is None else f" at event {check.seq}"
        click.echo(f"  {name:<9} {check.verdict}{where}: {check.text}")
        if check.expected is not None or check.found is not None:
            click.echo(f"            expected {check.expected}\n            found    {check.found}")
    if report.notes.count:
        damaged = f", of which {report.notes.damaged} damaged" if report.notes.damaged else ""
        click.echo(f"  notes     {report.notes.count}{damaged}: not part of the verdict")
    for key, value in (more or {}).items():
        click.echo(f"  {key:<9} {value}")


@click.group("keys")
def keys() -> None:
    """Keys with which a log signs."""


@keys.command("new")
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path))
def make_key(output: Path) -> None:
    """Write a new private key; prints the public one, which others trust."""
    if output.exists():
        raise click.UsageError(f"{output} is there already; a key is never overwritten")
    text = new_key()
    output.touch(mode=0o600)
    output.write_text(text + "\n")
    click.echo(LogKey(text).public)


@keys.command("show")
@click.argument("path", metavar="FILE", type=file_type)
def show_key(path: Path) -> None:
    """Print the public key of a private one."""
    try:
        click.echo(LogKey(path.read_text()).public)
    except ValueError as fault:
        raise click.UsageError(f"{path}: {fault}") from fault


@click.command("receipt")
@click.argument("match_id", metavar="MATCH")
@click.pass_obj
def show_receipt(context: Context, match_id: str) -> None:
    """Print the signed receipt for the last event of a match."""
    try:
        installation = context.installation()
        receipt = receipt_of(installation, installation.log.match(match_id))
        say(msgspec.to_builtins(receipt))
    except NotFound as fault:
        raise click.UsageError(str(fault)) from fault


COMMANDS = (verify_files, keys, show_receipt)
