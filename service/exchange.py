"""Exchange files and receipts of an installation: writing them, importing those of another."""

from __future__ import annotations

from collections.abc import Sequence

from schemas.plain_logs import ReadLine
from service.aggregates.lines import Line, is_live
from service.aggregates.matches import Match
from service.catalogue import Pool
from service.engine.plain_logs import Audit, plain_lines
from service.engine.values import JUDGE, Json, Viewer
from service.installation import Installation, clock
from service.integrity.chain import form_for, viewers_in_order
from service.integrity.files import (
    NOTES_MAX,
    VERSION,
    FileHeader,
    FileNote,
    NamedText,
    file_lines,
    last_line,
    note_lines,
    statement_of,
)
from service.integrity.reading import ExchangeFile, read_file
from service.integrity.report import Report
from service.integrity.signing import RECEIPT, Receipt, SignedReceipt
from service.notes import Note, WantedNotes
from service.offline import foreign_pool, verify_lines


def export_lines(installation: Installation, match: Match, viewer: Viewer) -> list[bytes]:
    """Return the lines of a match's file, up to a state, as a viewer holds it."""
    log = installation.log
    pool, origin = installation.pool_of(match.opened), log.installation()
    lines = list(
        file_lines(
            log,
            match,
            pool.ruleset,
            _header(installation, match, viewer, origin),
            cards=pool.cards,
            salt_key=log.secrets(match.id).salt_key,
        )
    )
    statement = statement_of(match, origin, clock())
    return [*lines, last_line(lines, statement, installation.log_key)]


def noted_lines(installation: Installation, notes: Sequence[Note]) -> list[bytes]:
    """Return the lines of notes, which stand behind the last line of a match's file."""
    names = installation.persons.names({note.author for note in notes})
    return note_lines(
        FileNote(
            seq=note.seq,
            audience=note.audience,
            author=names.get(note.author),
            body=note.body,
            time=note.time,
        )
        for note in notes
    )


def public_notes(installation: Installation, match: Match) -> list[Note]:
    """Return the notes on a match that everybody may read: none until it has closed."""
    if match.closed is None:
        return []
    wanted = WantedNotes(match=match.id, audiences=["public"], to=match.version, limit=NOTES_MAX)
    return installation.notes.listed(wanted)


def _header(installation: Installation, match: Match, viewer: Viewer, origin: str) -> FileHeader:
    opened = match.opened
    events = installation.log.sealed_of(match.id, after=0, to=match.version)
    told = [form_for(event, viewer) for event in events if "reason" in event.form]
    reasons = {str(form["reason"]) for form in told if form["reason"] is not None}
    return FileHeader(
        kifu=VERSION,
        origin=origin,
        match=match.id,
        viewer=viewer,
        game=opened.game,
        edition=opened.edition,
        engine=opened.engine,
        rules_digest=opened.rules_digest,
        cards_digest=opened.cards_digest,
        viewers=viewers_in_order(match.seats),
        names={seat: _text(installation, one.name) for seat, one in match.seated.items()},
        texts={digest: _text(installation, digest) for digest in sorted(reasons)},
    )


def _text(installation: Installation, digest: str | None) -> NamedText | None:
    text = None if digest is None else installation.log.salted_text(digest)
    return None if text is None else NamedText(salt=text.salt.hex(), body=text.body)


def report_on(installation: Installation, match: Match, viewer: Viewer) -> Report:
    """Verify a stored match, up to a state, as a viewer holds it, trusting its own log."""
    key = installation.log_key
    trusted = [] if key is None else [key.public]
    lines = export_lines(installation, match, viewer)
    return verify_lines(installation.catalogue, lines, trusted=trusted)


def receipt_of(installation: Installation, match: Match) -> SignedReceipt:
    """Return the receipt for the last event of a match's state."""
    receipt = Receipt(match=match.id, seq=match.version, event_hash=match.head, time=match.time)
    key = installation.log_key
    return SignedReceipt(
        receipt=receipt, signature=None if key is None else key.sign(RECEIPT, receipt)
    )


def is_exchange_file(lines: Sequence[bytes]) -> bool:
    """Tell whether a file says of itself that it is an exchange file."""
    return bool(lines) and lines[0].startswith(b'{"cards_digest":') and b'"kifu":' in lines[0]


def import_file(
    installation: Installation, lines: Sequence[bytes]
) -> tuple[Report, Audit | None, str | None]:
    """Verify a judge's file of another installation and store it as a closed match of its own.

    What is not good is not stored: the report says why.
    """
    report = verify_lines(installation.catalogue, lines)
    if report.viewer != JUDGE or report.overall not in ("exact", "partial"):
        return report, None, None
    file = read_file(lines)
    pool = foreign_pool(installation.catalogue, file.header.game, file.header.engine, file.cards)
    opened = file.events[0].form
    values = _plain_values(file, str(opened["cards"]), pool)
    plain = [ReadLine(number, value, None) for number, value in enumerate(values, start=1)]
    audit, match_id = installation.import_lines(plain, pool=pool)
    return report, audit, match_id


def _plain_values(file: ExchangeFile, cards: str, pool: Pool) -> list[Json]:
    """Return the match as a plain log, without what a backup struck."""
    backups = [
        Line(begins=line.header.seq, parent=line.form["to"])
        for line in file.events
        if line.header.type.startswith("match.backed_up.")
    ]
    played = [
        (line.header.actor or "", line.form["action"], line.form["draws"])
        for line in file.events
        if line.header.type.startswith("match.action_played.")
        and is_live(backups, len(file.events), line.header.seq)
    ]
    closed = [
        line.form["outcome"]
        for line in file.events
        if line.header.type.startswith("match.match_closed.")
    ]
    names = {seat: seat if name is None else name.body for seat, name in file.header.names.items()}
    result = closed[-1] if closed else None
    lines = plain_lines(pool.ruleset, played, cards=cards, seats=names, result=result)
    return list(lines)
