"""Tournaments in and out: the whole event as one file, and one of another installation stored."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from service.aggregates.attachments import Attached, Text
from service.aggregates.matches import Match
from service.aggregates.tournaments.state import Tournament
from service.aggregates.world import Conflict, NotFound
from service.catalogue import Catalogue
from service.commands.tournament_book import stream_of
from service.engine.contract import Ruleset
from service.engine.values import JUDGE, SPECTATOR, Json
from service.exchange import export_lines, import_file
from service.installation import Installation, clock
from service.integrity.files import NamedText, Statement, last_line, statement_of
from service.integrity.signing import STATEMENT
from service.integrity.tournament_files import (
    VERSION,
    MatchLine,
    MatchPart,
    TournamentHeader,
    tournament_lines,
)
from service.integrity.tournament_verify import TournamentReport, Verified, verify_tournament
from service.offline import foreign_pool

STORABLE = ("exact", "partial")


def export_tournament(
    installation: Installation,
    tournament: Tournament,
    *,
    with_files: bool = True,
    with_all_texts: bool = False,
) -> list[bytes]:
    """Return the lines of a tournament's file, up to a state that knows its last event's hash.

    with_files: the files of the linked matches come along, as everybody may see them; else only
    what the log states about them. with_all_texts: reasons and decks, too, not only names.
    """
    log, stream = installation.log, stream_of(tournament.id)
    origin, key = log.installation(), installation.log_key
    header = TournamentHeader(
        kifu_tournament=VERSION,
        origin=origin,
        tournament=tournament.id,
        texts=_texts(installation, tournament, everything=with_all_texts),
    )
    events = log.sealed_of(stream, after=0, to=tournament.version)
    matches = _matches(installation, tournament, with_files=with_files)
    lines = list(tournament_lines(header, events, matches))
    statement = Statement(
        origin=origin,
        match=stream,
        events=tournament.version,
        head=tournament.head,
        time=clock(),
    )
    return [*lines, last_line(lines, statement, key)]


def verify_tournament_lines(
    catalogue: Catalogue, lines: Sequence[bytes], *, trusted: Sequence[str] = ()
) -> Verified:
    """Verify a tournament's file, its matches with the cards that they bring."""

    def bind(game: str, engine: int, cards: Json) -> Ruleset:
        return foreign_pool(catalogue, game, engine, cards).ruleset

    return verify_tournament(lines, bind, trusted=trusted)


def import_tournament(
    installation: Installation, lines: Sequence[bytes], *, trusted: Sequence[str] = ()
) -> tuple[TournamentReport, dict[str, str]]:
    """Verify a file and store its tournament under the same id; return the report, and its matches.

    Those whose whole file came along are imported: id there → id here; none if they were played
    here. The events are the same ones, sealed by this log; importing again changes nothing, and a
    later file adds what came after. What is not good is not stored: the report says why. Raises
    `Conflict` if another tournament has this id here.
    """
    found = verify_tournament_lines(installation.catalogue, lines, trusted=trusted)
    if found.state is None or found.file is None or found.report.overall not in STORABLE:
        return found.report, {}
    _store(installation, found, found.state)
    imported: dict[str, str] = {}
    is_own = found.file.header.origin == installation.log.installation()
    for part in () if is_own else found.file.matches:
        match_id = import_file(installation, part.file)[2] if part.file else None
        if match_id is not None:
            imported[part.about.match] = match_id
    return found.report, imported


def _store(installation: Installation, found: Verified, state: Tournament) -> None:
    book = installation.tournaments
    present = book.find(state.id)
    known = [] if present is None else book.events(state.id)
    common = min(len(known), len(found.events))
    if known[:common] != found.events[:common]:
        raise Conflict(f"another tournament {state.id} is here", version=len(known))
    assert found.file is not None, "what was folded was read"
    texts = [
        Text(salt=bytes.fromhex(one.salt), body=one.body)
        for one in found.file.header.texts.values()
        if one is not None
    ]
    if found.events[common:]:
        book.append(state.id, present, found.events[common:], Attached(texts=texts))


def _texts(
    installation: Installation, tournament: Tournament, *, everything: bool
) -> dict[str, NamedText | None]:
    """Return names, and if asked all that people wrote, by their digests."""
    digests = {tournament.opened.name, *(one.name for one in tournament.entries.values())}
    if everything:
        for event in installation.tournaments.events(tournament.id)[: tournament.version]:
            told = (getattr(event, "reason", None), getattr(event, "deck", None))
            digests |= {digest for digest in told if digest is not None}
    found = {digest: installation.log.salted_text(digest) for digest in sorted(digests)}
    return {
        digest: None if text is None else NamedText(salt=text.salt.hex(), body=text.body)
        for digest, text in found.items()
    }


def _matches(
    installation: Installation, tournament: Tournament, *, with_files: bool
) -> Iterator[MatchPart]:
    for link in tournament.links():
        try:
            match = installation.shown(installation.log.match(link.match))
        except NotFound:
            yield MatchPart(about=MatchLine(match=link.match, lines=0), file=[])
            continue
        if with_files and match.visibility != "participants":
            is_open = match.closed is not None and match.opened.policy.after_end == "all"
            file = export_lines(installation, match, JUDGE if is_open else SPECTATOR)
            yield MatchPart(about=MatchLine(match=match.id, lines=len(file)), file=file)
        else:
            yield MatchPart(about=_stated(installation, match), file=[])


def _stated(installation: Installation, match: Match) -> MatchLine:
    statement = statement_of(match, installation.log.installation(), clock())
    key = installation.log_key
    return MatchLine(
        match=match.id,
        lines=0,
        statement=statement,
        signature=None if key is None else key.sign(STATEMENT, statement),
    )
