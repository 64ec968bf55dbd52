"""Commands on plain logs: audit, import, export."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import click

from schemas.plain_logs import FILE_BYTES_MAX, ReadLine, read_lines, written_lines
from service.aggregates.events import ActionPlayed, Corrected
from service.aggregates.lines import is_live
from service.aggregates.matches import Match
from service.aggregates.world import NotFound
from service.catalogue import Catalogue
from service.cli.base import (
    GOOD,
    NO,
    WRONG,
    Context,
    cards_option,
    json_option,
    progress,
    say,
    stop,
    text_option,
)
from service.cli.matches import check_viewer
from service.cli.verifying import exit_code_of, tell_report
from service.engine.plain_logs import FIRST_LINE, HEADER_KEYS, Audit, plain_lines
from service.engine.texts import Language, Scene
from service.engine.values import JUDGE, Json
from service.exchange import (
    export_lines,
    import_file,
    is_exchange_file,
    noted_lines,
    public_notes,
)
from service.installation import Installation
from service.offline import audit_lines

files_argument = click.argument(
    "files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path)
)


@click.command("audit")
@files_argument
@cards_option
@json_option
@text_option
@click.pass_obj
def audit_files(
    context: Context,
    files: Sequence[Path],
    cards: Sequence[tuple[str, Path]],
    as_json: bool,
    language: Language,
) -> None:
    """Decide plain logs by the rules; nothing is stored."""
    catalogue = context.catalogue()
    worst = GOOD
    for path in progress(files, "audit"):
        found = audit_lines(catalogue, dict(cards), read_file(path))
        tell(path, found, catalogue, language, as_json=as_json)
        worst = max(worst, exit_code(found))
    stop(worst)


@click.command("import")
@files_argument
@cards_option
@click.option("--partial", is_flag=True, help="Store the legal part of a log that is refused.")
@json_option
@text_option
@click.pass_obj
def import_files(
    context: Context,
    files: Sequence[Path],
    cards: Sequence[tuple[str, Path]],
    partial: bool,
    as_json: bool,
    language: Language,
) -> None:
    """Store plain logs and files of other installations as closed matches, if they are good."""
    installation = context.installation(dict(cards))
    worst = GOOD
    for path in progress(files, "import"):
        raw = raw_lines(path)
        if is_exchange_file(raw):
            worst = max(worst, _import_exchange_file(installation, path, raw, as_json=as_json))
            continue
        found, match_id = installation.import_lines(read_file(path), partial=partial)
        more = {"match": match_id}
        tell(path, found, installation.catalogue, language, as_json=as_json, more=more)
        worst = max(worst, exit_code(found))
    stop(worst)


def _import_exchange_file(
    installation: Installation, path: Path, raw: Sequence[bytes], *, as_json: bool
) -> int:
    report, _, match_id = import_file(installation, raw)
    tell_report(path, report, as_json=as_json, more={"match": match_id})
    return GOOD if match_id is not None else exit_code_of(report) or NO


@click.command("export")
@click.argument("match_id", metavar="MATCH")
@click.option("--plain", is_flag=True, help="As a plain log, with every secret.")
@click.option("--as", "viewer", default=JUDGE, show_default=True, help="Whose file: P1, …, judge.")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path))
@click.pass_obj
def export_match(
    context: Context, match_id: str, plain: bool, viewer: str, output: Path | None
) -> None:
    """Write a match as a file that anybody can verify, or as a plain log."""
    installation = context.installation()
    try:
        match = installation.log.match(match_id)
        check_viewer(match, viewer)
        if plain:
            text = "".join(written_lines(plain_values(installation, match)))
        else:
            notes = noted_lines(installation, public_notes(installation, match))
            text = b"".join([*export_lines(installation, match, viewer), *notes]).decode()
    except (NotFound, ValueError) as fault:
        raise click.UsageError(str(fault)) from fault
    if output is None:
        click.echo(text, nl=False)
    else:
        output.write_text(text, encoding="utf-8")


def plain_values(installation: Installation, match: Match) -> Iterator[Json]:
    """Yield the lines of a match as a plain log; its result only if the rules gave it.

    What a backup struck is left out. Raises ValueError for a match with facts that people gave: a
    plain log holds actions alone.
    """
    events = [
        event
        for seq, event in enumerate(
            installation.log.events_of(match.id, after=0, to=match.version), start=1
        )
        if is_live(match.lines, match.version, seq)
    ]
    if any(isinstance(event, Corrected) for event in events):
        raise ValueError("a plain log holds no corrections, and this match has some")
    played = [event for event in events if isinstance(event, ActionPlayed)]
    closed = match.closed
    yield from plain_lines(
        installation.pool_of(match.opened).ruleset,
        [(event.actor, event.action, event.draws) for event in played],
        cards=match.opened.cards,
        seats=installation.names(match.seated),
        result=closed.outcome if closed is not None and closed.cause == "rules" else None,
    )


def raw_lines(path: Path) -> list[bytes]:
    """Return the lines of a file as they are, each with its newline."""
    with path.open("rb") as file:
        return list(file)


def read_file(path: Path) -> list[ReadLine]:
    """Return the lines of a log; one that is too large is one unreadable line."""
    if path.stat().st_size > FILE_BYTES_MAX:
        return [ReadLine(1, None, f"the file is larger than {FILE_BYTES_MAX} bytes")]
    with path.open("rb") as file:
        return list(read_lines(file))


def exit_code(found: Audit) -> int:
    """Return 0 for a good log, 1 for one that is not legal or whose result differs, 2 malformed."""
    if found.verdict == "malformed":
        return WRONG
    return NO if found.verdict in ("illegal", "result_differs") else GOOD


def tell(
    path: Path,
    found: Audit,
    catalogue: Catalogue,
    language: Language,
    *,
    as_json: bool,
    more: Mapping[str, Json] | None = None,
) -> None:
    """Print what an audit found."""
    reason = _reason(found, catalogue, language)
    if as_json:
        say(_body(path, found, reason) | dict(more or {}))
        return
    where = "" if found.line is None else f" line {found.line}"
    rule = "" if found.refused is None else f" {found.refused.rule}"
    match_id = (more or {}).get("match")
    stored = "" if match_id is None else f" → {match_id}"
    click.echo(f"{path.name}: {found.verdict}{where}{rule} ({found.actions} actions){stored}")
    if reason is not None:
        click.echo(f"  {reason}")


def _body(path: Path, found: Audit, reason: str | None) -> dict[str, Json]:
    body: dict[str, Json] = {
        "file": path.name,
        "verdict": found.verdict,
        "actions": found.actions,
        "line": found.line,
        "rule": None if found.refused is None else found.refused.rule,
        "reason": reason,
        "final": found.summary,
        "position": found.position,
    }
    if found.verdict == "illegal" and found.line is not None:
        body["at_action"] = found.line - FIRST_LINE
    if found.verdict == "result_differs":
        body["claimed"] = found.claimed
    return body | {key: found.header[key] for key in found.header if key not in HEADER_KEYS}


def _reason(found: Audit, catalogue: Catalogue, language: Language) -> str | None:
    if found.refused is None:
        return found.fault
    words = catalogue.game(found.header["ruleset"]).sample.words
    scene = Scene(names=found.header["seats"], definition_of=lambda _: None)
    return words.reason(found.refused, scene, language)


COMMANDS = (audit_files, import_files, export_match)
